/**
 * Calls are spread evenly over the second, and slower than the limit: what comes between the pacer and the other side's clock
 * (threads, sockets, the wire) may be so late without bringing six calls into a second of five. 30 ms were too few on a machine
 * with sixteen processes a core.
 */
const MARGIN_MS_PER_SECOND = 120;
const KEYS_MAX = 10_000;

/** Keeps calls of one trunk or account so far apart that no second has more than its limit. Pure; time is passed in. */
export class Pacer {
  readonly #lastMs = new Map<string, number>();

  /** When the next call of `key` may leave; at once where that is past. */
  nextMs(key: string, perSecond: number): number {
    const lastMs = this.#lastMs.get(key);
    return lastMs === undefined ? Number.NEGATIVE_INFINITY : lastMs + (1000 + MARGIN_MS_PER_SECOND) / perSecond;
  }

  /** One leaves at `atMs`, now or soon. */
  take(key: string, atMs: number): void {
    this.#lastMs.delete(key); // The oldest is the first of the map.
    this.#lastMs.set(key, atMs);
    const [oldest] = this.#lastMs.keys();
    if (this.#lastMs.size > KEYS_MAX && oldest !== undefined) this.#lastMs.delete(oldest);
  }
}
