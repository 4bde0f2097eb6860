/** A sender that catches up after a gap is let through this much faster than time passes. */
const CATCH_UP = 2;
/** Audio that may pass at once, in ms: what networks bunch together. */
const BURST_MS = 2_000;

/**
 * How fast audio may pass to the recogniser: bursts at once, then twice real time. A recogniser keeps ten seconds and
 * drops what is more, so a recording that is sent as fast as the line allows has to wait outside.
 */
export class Pace {
  #allowanceMs = BURST_MS;
  constructor(private atMs: number) {}

  /** @returns 0 when `audioMs` may pass now (they are used up), else the ms to wait before asking again. */
  ask(nowMs: number, audioMs: number): number {
    this.#allowanceMs = Math.min(BURST_MS, this.#allowanceMs + (nowMs - this.atMs) * CATCH_UP);
    this.atMs = nowMs;
    if (this.#allowanceMs < audioMs) return Math.max(1, (audioMs - this.#allowanceMs) / CATCH_UP);
    this.#allowanceMs -= audioMs;
    return 0;
  }
}
