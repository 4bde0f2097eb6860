const TICK_MS = 5;
const LATE_MS = 25; // beyond its tick
const STALLS_MAX = 10_000;

/** When this process was late itself, so that what it heard late is not held against whoever sent it. */
export class OwnLateness {
  readonly #stalls: { readonly fromMs: number; readonly toMs: number }[] = [];
  #lastMs = performance.now();
  readonly #timer = setInterval(() => {
    const nowMs = performance.now();
    if (nowMs - this.#lastMs > TICK_MS + LATE_MS && this.#stalls.length < STALLS_MAX) {
      this.#stalls.push({ fromMs: this.#lastMs, toMs: nowMs });
    }
    this.#lastMs = nowMs;
  }, TICK_MS);

  /** Whether it stood still at any time between two moments of `performance.now()`. */
  within(fromMs: number, toMs: number): boolean {
    return this.#stalls.some((stall) => stall.fromMs < toMs && stall.toMs > fromMs);
  }

  /** For how long it stood still, all stalls of at least so long together. */
  stalledMs(atLeastMs: number): number {
    const lengths = this.#stalls.map(({ fromMs, toMs }) => toMs - fromMs);
    return lengths.filter((ms) => ms >= atLeastMs).reduce((sum, ms) => sum + ms, 0);
  }

  /** The longest time for which it stood still. */
  get longestMs(): number {
    return Math.max(0, ...this.#stalls.map(({ fromMs, toMs }) => toMs - fromMs));
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
