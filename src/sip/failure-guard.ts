import type { Clock } from '../core/clock.ts';

/** Wrong passwords of one address, or for one user, that are taken before it is blocked. */
export const FAILURES_MAX = 10;
/** They are counted that long, and a block holds as long after the last of them. */
export const FAILURES_WITHIN_MS = 60_000;
export const BLOCK_MS = 90_000;
/** Addresses and users that are counted; beyond them the one that failed longest ago is forgotten. */
export const COUNTED_MAX = 20_000;

interface Count {
  failures: number;
  firstMs: number;
  blockedUntilMs: number;
}

/**
 * Counts failed authentication by address and by user, and blocks either for a while (guessing one user's password from many
 * addresses, many users' from one). A user is never blocked at the address where it last got in: a stranger cannot lock
 * somebody out of his own phone.
 */
export class FailureGuard {
  readonly counters = { failures: 0, blocks: 0, refused: 0 };
  readonly #addresses = new Map<string, Count>();
  readonly #users = new Map<string, Count>();
  readonly #home = new Map<string, string>(); // user -> address of the last success

  constructor(
    private readonly clock: Clock,
    private readonly countedMax = COUNTED_MAX,
  ) {}

  /** Whether nothing from this address, or for this user from it, is even looked at. */
  isBlocked(address: string, user?: string): boolean {
    const nowMs = this.clock.nowMs();
    const blocks = (count: Count | undefined): boolean => count !== undefined && count.blockedUntilMs > nowMs;
    const isHome = user !== undefined && this.#home.get(user) === address;
    const blocked =
      blocks(this.#addresses.get(address)) || (user !== undefined && !isHome && blocks(this.#users.get(user)));
    if (blocked) this.counters.refused += 1;
    return blocked;
  }

  failed(address: string, user: string): void {
    this.counters.failures += 1;
    this.#note(this.#addresses, address);
    this.#note(this.#users, user);
  }

  /** What went wrong before was somebody's mistake; the address may be that of many, and is not cleared. */
  succeeded(address: string, user: string): void {
    this.#users.delete(user);
    this.#home.delete(user);
    this.#home.set(user, address);
    dropOldest(this.#home, this.countedMax);
  }

  #note(counts: Map<string, Count>, key: string): void {
    const nowMs = this.clock.nowMs();
    const known = counts.get(key);
    const isOld = known === undefined || nowMs - known.firstMs >= FAILURES_WITHIN_MS;
    const count = isOld ? { failures: 0, firstMs: nowMs, blockedUntilMs: known?.blockedUntilMs ?? 0 } : known;
    count.failures += 1;
    if (count.failures >= FAILURES_MAX) {
      if (count.blockedUntilMs <= nowMs) this.counters.blocks += 1;
      count.blockedUntilMs = nowMs + BLOCK_MS;
    }
    counts.delete(key); // So that it goes to the end.
    counts.set(key, count);
    dropOldest(counts, this.countedMax);
  }
}

function dropOldest(map: Map<string, unknown>, max: number): void {
  while (map.size > max) {
    const [oldest] = map.keys();
    if (oldest === undefined) return;
    map.delete(oldest);
  }
}
