import type { Clock } from '../../core/clock.ts';

/** Crashes in this time that are survived; older ones are forgotten. */
export const CRASHES_MAX = 5;
export const CRASHES_WITHIN_MS = 60_000;
/** Before the first restart, the second, and so on: what crashes at once, or finds no descriptor, must not spin. */
const DELAYS_MS = [0, 100, 500, 2_000, 5_000] as const;

/** How often and how soon a thread that crashed may be started anew. */
export class RestartBudget {
  #crashesMs: number[] = [];

  constructor(private readonly clock: Clock) {}

  /**
   * Counts a crash.
   *
   * @param short - the thread found nothing left to start with, which passes: never given up for that.
   * @returns when to start again, or undefined: it crashed too often.
   */
  afterCrash(short: boolean): number | undefined {
    const nowMs = this.clock.nowMs();
    this.#crashesMs = this.#crashesMs.filter((atMs) => nowMs - atMs < CRASHES_WITHIN_MS).slice(-CRASHES_MAX);
    const delayMs = DELAYS_MS[this.#crashesMs.length] ?? (short ? DELAYS_MS[DELAYS_MS.length - 1] : undefined);
    this.#crashesMs.push(nowMs);
    return delayMs;
  }
}
