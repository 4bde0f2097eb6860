/** One client's allowance: `burst` requests at once, refilled evenly. Pure: the time is passed in. */
export interface BucketRule {
  readonly perMinute: number;
  readonly burst: number;
}

interface Bucket {
  used: number; // of the burst, as it was at `atMs`
  atMs: number;
}

export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number; // how many may come at once
  readonly remaining: number; // whole requests that may follow at once
  readonly resetSeconds: number; // until the allowance is whole again
  readonly retrySeconds: number; // until the next request is allowed; 0 when it is now
}

/** Clients remembered at once; one that was forgotten starts with a full allowance. */
const CLIENTS_MAX = 20_000;

export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>(); // the longest unused first

  constructor(
    readonly rule: BucketRule,
    readonly capacity = CLIENTS_MAX,
  ) {}

  /** @param rule - of this client, where it has one of its own. */
  take(client: string, nowMs: number, rule = this.rule): Allowance {
    const used = this.#used(client, nowMs, rule);
    const allowance = allowanceOf(used, rule);
    this.#buckets.delete(client);
    this.#put(client, { used: allowance.allowed ? used + 1 : used, atMs: nowMs });
    return allowance;
  }

  /** What `take` would give, which is not taken. */
  look(client: string, nowMs: number, rule = this.rule): Allowance {
    return allowanceOf(this.#used(client, nowMs, rule), rule);
  }

  /** What others have let `client` do counts here too: it waits as if it had asked for it here, for a whole allowance at most. */
  drain(client: string, requests: number, nowMs: number): void {
    const known = this.#buckets.get(client);
    if (known) known.used += requests;
    else this.#put(client, { used: requests, atMs: nowMs });
  }

  #used(client: string, nowMs: number, { perMinute, burst }: BucketRule): number {
    const known = this.#buckets.get(client);
    return known ? Math.max(0, Math.min(known.used, 2 * burst) - (nowMs - known.atMs) * (perMinute / 60_000)) : 0;
  }

  #put(client: string, bucket: Bucket): void {
    if (this.#buckets.size >= this.capacity) this.#buckets.delete(this.#buckets.keys().next().value!);
    this.#buckets.set(client, bucket);
  }

  get size(): number {
    return this.#buckets.size;
  }
}

function allowanceOf(used: number, { perMinute, burst }: BucketRule): Allowance {
  const allowed = burst - used >= 1;
  const left = burst - used - (allowed ? 1 : 0);
  const perMs = perMinute / 60_000;
  return {
    ...{ allowed, limit: burst, remaining: Math.max(0, Math.floor(left)) },
    resetSeconds: seconds((burst - left) / perMs),
    retrySeconds: allowed ? 0 : Math.max(1, seconds((1 - left) / perMs)),
  };
}

const seconds = (ms: number): number => Math.ceil(ms / 1000);
