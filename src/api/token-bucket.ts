/** One client's allowance: `burst` requests at once, refilled evenly. Pure: the time is passed in. */
export interface BucketRule {
  readonly perMinute: number;
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

export interface Allowance {
  readonly allowed: boolean;
  readonly remaining: number; // whole requests that may follow at once
  readonly resetSeconds: number; // until the allowance is whole again
  readonly retrySeconds: number; // until the next request is allowed; 0 when it is now
}

/** Clients remembered at once; one that was forgotten starts with a full allowance. */
const CLIENTS_MAX = 20_000;

export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>(); // the longest unused first
  readonly #perMs: number;

  constructor(
    readonly rule: BucketRule,
    readonly capacity = CLIENTS_MAX,
  ) {
    this.#perMs = rule.perMinute / 60_000;
  }

  take(client: string, nowMs: number): Allowance {
    const { burst } = this.rule;
    const known = this.#buckets.get(client);
    const tokens = known ? Math.min(burst, known.tokens + (nowMs - known.atMs) * this.#perMs) : burst;
    const allowed = tokens >= 1;
    const left = allowed ? tokens - 1 : tokens;
    this.#buckets.delete(client);
    this.#put(client, { tokens: left, atMs: nowMs });
    return {
      allowed,
      remaining: Math.max(0, Math.floor(left)),
      resetSeconds: seconds((burst - left) / this.#perMs),
      retrySeconds: allowed ? 0 : Math.max(1, seconds((1 - left) / this.#perMs)),
    };
  }

  /** What others have let `client` do counts here too: it waits as if it had asked for it here, for a whole allowance at most. */
  drain(client: string, requests: number, nowMs: number): void {
    const { burst } = this.rule;
    const known = this.#buckets.get(client);
    if (known) known.tokens = Math.max(-burst, known.tokens - requests);
    else this.#put(client, { tokens: Math.max(-burst, burst - requests), atMs: nowMs });
  }

  #put(client: string, bucket: Bucket): void {
    if (this.#buckets.size >= this.capacity) this.#buckets.delete(this.#buckets.keys().next().value!);
    this.#buckets.set(client, bucket);
  }

  get size(): number {
    return this.#buckets.size;
  }
}

const seconds = (ms: number): number => Math.ceil(ms / 1000);
