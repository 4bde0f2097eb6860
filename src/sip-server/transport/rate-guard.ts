import assert from 'node:assert';

export interface RateLimits {
  /** Messages a second one source address may send on average; a trunk with 50 calls a second needs about 500. */
  readonly perSecond: number;
  /** Messages one source may send at once after being quiet. */
  readonly burst: number;
  /** Sources remembered; the one quiet for longest is forgotten first. */
  readonly sourcesMax: number;
}
export const RATE_LIMITS: RateLimits = { perSecond: 500, burst: 2_000, sourcesMax: 10_000 };

interface Bucket {
  tokens: number;
  atMs: number;
}

/**
 * A token bucket per source address, asked before a message is parsed, so that a flood costs one map access a datagram.
 * Memory is bounded by `sourcesMax`. Known limit: UDP sources can be forged, and enough forged ones push out the memory of
 * a real flooder.
 */
export class RateGuard {
  readonly counters = { allowed: 0, dropped: 0, forgotten: 0 };
  readonly #buckets = new Map<string, Bucket>(); // in order of last use
  /** `exempt` sources (trunks by configuration) are never limited. */
  constructor(
    readonly limits: RateLimits = RATE_LIMITS,
    readonly exempt: (source: string) => boolean = () => false,
  ) {
    assert(limits.perSecond > 0 && limits.burst >= 1 && limits.sourcesMax >= 1);
  }

  get sources(): number {
    return this.#buckets.size;
  }

  /** Takes one token of `source`; false means drop. `nowMs` is monotonic. */
  allow(source: string, nowMs: number): boolean {
    const allowed = this.exempt(source) || this.#take(source, nowMs);
    if (allowed) this.counters.allowed += 1;
    else this.counters.dropped += 1;
    return allowed;
  }

  #take(source: string, nowMs: number): boolean {
    const known = this.#buckets.get(source);
    const { perSecond, burst } = this.limits;
    const earned = known ? (Math.max(0, nowMs - known.atMs) * perSecond) / 1000 : 0;
    const tokens = known ? Math.min(burst, known.tokens + earned) : burst;
    const taken = tokens >= 1;
    this.#buckets.delete(source);
    if (this.#buckets.size >= this.limits.sourcesMax) this.#forgetOldest();
    this.#buckets.set(source, { tokens: taken ? tokens - 1 : tokens, atMs: nowMs });
    return taken;
  }

  #forgetOldest(): void {
    for (const source of this.#buckets.keys()) {
      this.#buckets.delete(source);
      this.counters.forgotten += 1;
      return;
    }
  }
}
