const STEP_MS = 0.25;
const BUCKETS = 400; // up to 100 ms

/** How late ticks were, since the last `take`. */
export class LatenessHistogram {
  readonly #buckets = new Uint32Array(BUCKETS);
  #count = 0;

  add(ms: number): void {
    const bucket = Math.min(BUCKETS - 1, Math.max(0, Math.floor(ms / STEP_MS)));
    this.#buckets[bucket] = (this.#buckets[bucket] as number) + 1;
    this.#count += 1;
  }

  /** The quantile (upper edge of its bucket) in ms, 0 without ticks. Starts a new interval. */
  take(quantile: number): number {
    const wanted = Math.ceil(this.#count * quantile);
    let seen = 0;
    let result = 0;
    for (let bucket = 0; bucket < BUCKETS && this.#count > 0; bucket += 1) {
      seen += this.#buckets[bucket] as number;
      if (seen < wanted) continue;
      result = (bucket + 1) * STEP_MS;
      break;
    }
    this.#buckets.fill(0);
    this.#count = 0;
    return result;
  }
}
