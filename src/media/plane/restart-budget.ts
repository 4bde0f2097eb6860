import type { Clock } from '../../core/clock.ts';

/** Starts in a row that wait for nothing; then one is earned every `RESTART_EVERY_MS`. */
export const RESTART_BURST = 5;
export const RESTART_EVERY_MS = 60_000;

/**
 * When a part that died may be started again: at once while its deaths are rare, once a minute while it dies of starting,
 * and never not at all.
 */
export class RestartBudget {
  #starts = RESTART_BURST; // earned and unused; below 0 the start that is being waited for
  #countedAtMs: number;
  constructor(readonly clock: Clock) {
    this.#countedAtMs = clock.nowMs();
  }

  /** Takes one start. @returns how long to wait before it, in ms. */
  take(): number {
    const nowMs = this.clock.nowMs();
    this.#starts = Math.min(RESTART_BURST, this.#starts + (nowMs - this.#countedAtMs) / RESTART_EVERY_MS) - 1;
    this.#countedAtMs = nowMs;
    return Math.max(0, -this.#starts * RESTART_EVERY_MS);
  }
}
