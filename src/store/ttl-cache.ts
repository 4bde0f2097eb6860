import type { Clock } from '../core/clock.ts';

interface Entry<V> {
  readonly value: Promise<V>;
  readonly untilMs: number;
}

/**
 * Remembers what `load` answered for a short while. At most `capacity` entries (the oldest leaves), callers that ask for the
 * same key meanwhile share one load, failures are not remembered.
 */
export class TtlCache<V> {
  readonly #entries = new Map<string, Entry<V>>();
  constructor(
    private readonly clock: Clock,
    readonly ttlMs: number,
    readonly capacity: number,
  ) {}

  get(key: string, load: () => PromiseLike<V>): Promise<V> {
    const nowMs = this.clock.nowMs();
    const known = this.#entries.get(key);
    if (known && known.untilMs > nowMs) return known.value;
    // A statement of drizzle's runs anew for everybody who waits for it.
    const entry: Entry<V> = { value: Promise.resolve(load()), untilMs: nowMs + this.ttlMs };
    this.#entries.delete(key); // So that the new one goes to the end: the order of insertion is the order of leaving.
    this.#entries.set(key, entry);
    if (this.#entries.size > this.capacity) this.#dropOldest();
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return entry.value;
  }

  /** Forgets `key`. A load under way still answers whoever waits for it, and is not kept. */
  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  get size(): number {
    return this.#entries.size;
  }

  #dropOldest(): void {
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }
}
