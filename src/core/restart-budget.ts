import type { Clock } from './clock.ts';

/** How often and how soon a part that died is started again. */
export interface RestartPolicy {
  /** Before the first start of a burst, the second, and so on. */
  readonly delaysMs: readonly number[];
  /** A start is earned back in this time, up to a whole burst; beyond the burst it is waited for. */
  readonly earnMs: number;
}

/**
 * When a part that died may be started again: soon while its deaths are rare, once each `earnMs` while it dies of starting,
 * and never not at all. What was the matter may pass, and a part that stays away for good is worse than one that tries.
 */
export class RestartBudget {
  #starts: number; // earned and unused; below 0 the part of one that is being waited for
  #countedAtMs: number;

  constructor(
    readonly policy: RestartPolicy,
    readonly clock: Clock,
  ) {
    this.#starts = policy.delaysMs.length;
    this.#countedAtMs = clock.nowMs();
  }

  /**
   * Takes one start.
   *
   * @param short - it found nothing left to start with, which passes: waits no longer than the last of a burst.
   * @returns how long to wait before it, in ms.
   */
  take(short = false): number {
    const { delaysMs, earnMs } = this.policy;
    const nowMs = this.clock.nowMs();
    const earned = Math.min(delaysMs.length, this.#starts + (nowMs - this.#countedAtMs) / earnMs);
    this.#starts = Math.max(-1, earned - 1);
    this.#countedAtMs = nowMs;
    if (this.#starts >= 0) return delaysMs[delaysMs.length - 1 - Math.floor(this.#starts)] ?? 0;
    const waitMs = -this.#starts * earnMs;
    return short ? Math.min(waitMs, delaysMs.at(-1) ?? 0) : waitMs;
  }
}
