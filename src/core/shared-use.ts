import { type Clock, repeat } from './clock.ts';
import { errorText } from './errors.ts';
import type { Logger } from './logger.ts';

/** What one gateway tells the others, by account or token. */
export interface UseReport {
  /** At once, now: `sockets acc_...`. */
  readonly held: Readonly<Record<string, number>>;
  /** Since its start, of those that have asked lately. */
  readonly taken: Readonly<Record<string, number>>;
}

/** Where gateways leave their reports for each other. */
export interface UseBoard {
  /** Leaves ours. @returns those of the others that have left one within `freshMs`, by gateway. One question, whatever they hold. */
  exchange(own: UseReport, freshMs: number): Promise<ReadonlyMap<string, UseReport>>;
}

/** Between two exchanges: what the others let in meanwhile is not known here, and the most that a limit may be overrun by. */
export const EXCHANGE_MS = 2_000;
/** What the others have said last counts that long, then they are taken for gone; each gateway then keeps the limits by itself. */
export const FRESH_MS = 10_000;
/** Entries of a report: those of the most use. What does not fit counts at its own gateway only. */
const ENTRIES_MAX = 2_000;
const RECENT_MS = 60_000;

/** How many of something an account has at once: here, and at the other gateways as they said last. */
export class AccountCounts {
  readonly #own = new Map<string, number>(); // gone when there are none
  constructor(private readonly elsewhere: (accountId: string) => number = () => 0) {}

  get own(): ReadonlyMap<string, number> {
    return this.#own;
  }
  of(accountId: string): number {
    return (this.#own.get(accountId) ?? 0) + this.elsewhere(accountId);
  }
  enter(accountId: string): void {
    this.#own.set(accountId, (this.#own.get(accountId) ?? 0) + 1);
  }
  leave(accountId: string): void {
    const left = (this.#own.get(accountId) ?? 1) - 1;
    if (left > 0) this.#own.set(accountId, left);
    else this.#own.delete(accountId);
  }
}

export interface SharedUseDeps {
  readonly board: UseBoard;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Limits of accounts over all gateways without a question on the way of a request: each tells every 2 s what it holds and has let in,
 * and counts what the others have told as its own.
 */
export class SharedUse {
  readonly #counts = new Map<string, AccountCounts>();
  readonly #taken = new Map<string, { count: number; atMs: number }>(); // the longest unused first
  readonly #listeners = new Set<(key: string, count: number) => void>();
  readonly #seen = new Map<string, ReadonlyMap<string, number>>(); // by gateway: what it had taken when it was last heard
  #held: ReadonlyMap<string, number> = new Map();
  #heardMs = Number.NEGATIVE_INFINITY;
  #isAway = false;
  #exchanging: Promise<void> | undefined;
  #stop: () => void = () => undefined;

  constructor(private readonly deps: SharedUseDeps) {}

  start(): void {
    this.#stop = repeat(this.deps.clock, EXCHANGE_MS, () => void this.exchange());
  }

  /** The others hear of it when it is no more: what we said last grows stale. Idempotent. */
  close(): void {
    this.#stop();
  }

  /** Counts of one kind of thing, such as sockets. */
  counts(kind: string): AccountCounts {
    const known = this.#counts.get(kind);
    const counts = known ?? new AccountCounts((accountId) => this.#elsewhere(`${kind} ${accountId}`));
    this.#counts.set(kind, counts);
    return counts;
  }

  /** Something was let in here. */
  took(key: string): void {
    const { clock } = this.deps;
    const count = (this.#taken.get(key)?.count ?? 0) + 1;
    this.#taken.delete(key);
    this.#taken.set(key, { count, atMs: clock.nowMs() });
    if (this.#taken.size > ENTRIES_MAX * 10) this.#taken.delete(this.#taken.keys().next().value!);
  }

  /** Hears how many the others let in since they were last heard. */
  onTakenElsewhere(listener: (key: string, count: number) => void): void {
    this.#listeners.add(listener);
  }

  /** Never rejects; one at a time. */
  exchange(): Promise<void> {
    this.#exchanging ??= this.#exchange().finally(() => {
      this.#exchanging = undefined;
    });
    return this.#exchanging;
  }

  async #exchange(): Promise<void> {
    const { board, clock, logger } = this.deps;
    try {
      const others = await board.exchange(this.#report(), FRESH_MS);
      this.#hear(others);
      this.#heardMs = clock.nowMs();
      if (this.#isAway) logger.info({}, 'limits of accounts hold over all gateways again');
      this.#isAway = false;
    } catch (error) {
      if (!this.#isAway)
        logger.warn({ error: errorText(error) }, 'limits of accounts hold for this gateway alone for now');
      this.#isAway = true;
    }
  }

  #report(): UseReport {
    const held = [...this.#counts].flatMap(([kind, counts]) =>
      [...counts.own].map(([accountId, count]) => [`${kind} ${accountId}`, count] as const),
    );
    const sinceMs = this.deps.clock.nowMs() - RECENT_MS;
    const taken = [...this.#taken].flatMap(([key, { count, atMs }]) =>
      atMs >= sinceMs ? [[key, count] as const] : [],
    );
    return { held: mostOf(held), taken: mostOf(taken) };
  }

  #hear(others: ReadonlyMap<string, UseReport>): void {
    const held = new Map<string, number>();
    for (const [gateway, report] of others) {
      for (const [key, count] of Object.entries(report.held)) held.set(key, (held.get(key) ?? 0) + count);
      const before = this.#seen.get(gateway);
      for (const [key, count] of Object.entries(report.taken)) {
        const more = before ? count - (before.get(key) ?? 0) : 0; // nobody knows when it let in what we hear of first
        if (more > 0) for (const listener of this.#listeners) listener(key, more);
      }
      this.#seen.set(gateway, new Map([...(before ?? []), ...Object.entries(report.taken)].slice(-ENTRIES_MAX * 2)));
    }
    for (const gateway of this.#seen.keys()) if (!others.has(gateway)) this.#seen.delete(gateway);
    this.#held = held;
  }

  #elsewhere(key: string): number {
    const isFresh = this.deps.clock.nowMs() - this.#heardMs < FRESH_MS;
    return isFresh ? (this.#held.get(key) ?? 0) : 0;
  }
}

const mostOf = (entries: (readonly [string, number])[]): Record<string, number> =>
  Object.fromEntries(
    entries.length <= ENTRIES_MAX ? entries : entries.sort((a, b) => b[1] - a[1]).slice(0, ENTRIES_MAX),
  );
