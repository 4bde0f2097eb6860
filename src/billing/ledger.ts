import { errorText, ServiceError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import type {
  Balance,
  Booked,
  ChargeOutcome,
  ChargeRows,
  LedgerEntry,
  NewCharge,
  RaiseOutcome,
  ReserveOutcome,
  TopupOutcome,
} from '../store/charge-rows.ts';
import { databaseFault } from '../store/database.ts';
import type { BookingRequest, BookingResult } from './booking.ts';
import type { BookingQueue } from './booking-queue.ts';
import type { ChargeFact } from './charge-fact.ts';
import { NotSent } from './group-commit.ts';

const TRIES_MAX = 4; // of a statement that met a deadlock
const ENTRIES_MAX = 1_000;

export interface LedgerDeps {
  readonly charges: ChargeRows;
  readonly bookings: BookingQueue;
  /** Keeps a fact on disk until the database has it. */
  readonly keep: (fact: ChargeFact) => void;
  /** Resolves when what was kept would survive a power cut as well. */
  readonly flush: () => Promise<void>;
  /** Facts that an earlier run left on disk: some may be ours. */
  readonly found: readonly ChargeFact[];
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * The money of accounts, as the API and tools use it. Before service: `reserve` (or `pay`), which needs the database and
 * throws ServiceError `unavailable` without. After it: `settle` or `release`, which never fail for the database's sake.
 */
export class Ledger {
  /** Our facts that the database does not have yet. */
  #unapplied: number;

  constructor(private readonly deps: LedgerDeps) {
    this.#unapplied = deps.found.filter(isOurs).length;
  }

  /** @throws ServiceError `unavailable` when the database is away; then nothing stays held. */
  async reserve(charge: NewCharge): Promise<ReserveOutcome> {
    checkCents(charge.cents);
    const { outcome } = await this.#take({ type: 'reserve', charge });
    return outcome as ReserveOutcome;
  }

  /** Holds `cents` in all for an open charge. @throws ServiceError `unavailable` when the database is away. */
  async raise(chargeId: string, cents: number): Promise<RaiseOutcome> {
    checkCents(cents);
    const { outcome } = await this.#ask(() => this.#book({ type: 'raise', id: chargeId, cents }));
    return outcome as RaiseOutcome;
  }

  /** Books what the service cost, once. @returns the cents booked, by this or an earlier call. */
  async settle(chargeId: string, cents: number): Promise<number> {
    checkCents(cents);
    try {
      const booked = await this.#book({ type: 'settle', id: chargeId, cents });
      if (booked.outcome === 'settled') this.#moved('charge', booked.cents);
      return booked.cents;
    } catch (error) {
      this.deps.logger.warn({ error: errorText(error) }, 'settling a charge waits for the database');
      await this.#keep({ type: 'settle', chargeId, cents });
      return cents;
    }
  }

  /** Gives back what is held. Does nothing to a charge that is settled. */
  async release(chargeId: string): Promise<void> {
    try {
      await this.#book({ type: 'release', id: chargeId });
    } catch (error) {
      this.deps.logger.warn({ error: errorText(error) }, 'releasing a charge waits for the database');
      await this.#keep({ type: 'release', chargeId });
    }
  }

  /** Reserve and settle at once. @throws ServiceError `unavailable` when the database is away; then nothing stays booked. */
  async charge(charge: NewCharge): Promise<Booked<ChargeOutcome>> {
    checkCents(charge.cents);
    const booked = await this.#take({ type: 'charge', charge });
    if (booked.outcome === 'settled') this.#moved('charge', booked.cents);
    return booked as Booked<ChargeOutcome>;
  }

  /**
   * Serves something that is paid: holds its price, works, books what `work` says it cost (its price when it says nothing),
   * and gives everything back when it throws.
   *
   * @throws ServiceError `insufficient_credit`, `unavailable`, or what `work` throws.
   */
  async pay<T>(
    charge: NewCharge,
    work: () => Promise<{ readonly value: T; readonly cents?: number }>,
  ): Promise<{ readonly value: T; readonly costCents: number }> {
    const outcome = await this.reserve(charge);
    if (outcome === 'duplicate') throw new Error(`charge id used twice: ${charge.id}`);
    if (outcome !== 'reserved') throw new ServiceError('insufficient_credit');
    let done: { readonly value: T; readonly cents?: number };
    try {
      done = await work();
    } catch (error) {
      await this.release(charge.id);
      throw error;
    }
    return { value: done.value, costCents: await this.settle(charge.id, done.cents ?? charge.cents) };
  }

  /** @throws ServiceError `insufficient_credit` when less than `cents` is available. Holds nothing. */
  async requireCredit(accountId: string, cents: number): Promise<void> {
    const balance = await this.balance(accountId);
    if (!balance || balance.availableCents < cents) throw new ServiceError('insufficient_credit');
  }

  /** Adds credit, or takes some back (negative cents). `id` makes it happen once. */
  async topup(id: string, accountId: string, cents: number, note = ''): Promise<TopupOutcome> {
    if (!Number.isSafeInteger(cents) || cents === 0) throw new RangeError('a top-up is a whole number of cents, not 0');
    const kind = cents > 0 ? 'topup' : 'correction';
    const outcome = await this.#ask(() => this.deps.charges.topup(id, accountId, cents, kind, note));
    if (outcome === 'done') this.#moved(kind, Math.abs(cents));
    return outcome;
  }

  /** @returns undefined for an unknown account. @throws ServiceError `unavailable` when the database is away. */
  balance(accountId: string): Promise<Balance | undefined> {
    return this.#ask(() => this.deps.charges.balance(accountId));
  }

  /**
   * What `owner` has paid in the last day.
   *
   * @throws ServiceError `unavailable` when that cannot be told: the database is away, or what was booked without it has not
   * reached it yet.
   */
  async paidBy(owner: string): Promise<number> {
    if (this.#unapplied > 0) throw new ServiceError('unavailable');
    return this.#ask(() => this.deps.charges.paidBy(owner));
  }

  /** To be called with every fact that was committed. */
  committed(fact: ChargeFact): void {
    if (isOurs(fact)) this.#unapplied -= 1;
  }

  /** The latest movements, newest first. */
  entries(accountId: string, limit = 50): Promise<readonly LedgerEntry[]> {
    return this.#ask(() => this.deps.charges.entries(accountId, Math.min(limit, ENTRIES_MAX)));
  }

  /** Books what the request may not be served without. Whatever became of a booking that failed is taken back. */
  async #take(request: Extract<BookingRequest, { charge: NewCharge }>): Promise<BookingResult> {
    return this.#ask(async () => {
      try {
        return await this.#book(request);
      } catch (error) {
        if (databaseFault(error) === 'away' && !(error instanceof NotSent)) {
          await this.#keep({ type: 'void', charge: request.charge });
        }
        throw error;
      }
    });
  }

  #book(request: BookingRequest): Promise<BookingResult> {
    return this.deps.bookings.submit(request);
  }

  async #keep(fact: ChargeFact): Promise<void> {
    this.#unapplied += 1;
    this.deps.keep(fact);
    await this.deps.flush();
  }

  async #ask<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#again(work);
    } catch (error) {
      if (error instanceof ServiceError || databaseFault(error) === 'statement') throw error;
      throw new ServiceError('unavailable', '', { cause: error });
    }
  }

  async #again<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (attempt >= TRIES_MAX || databaseFault(error) !== 'again') throw error;
      }
    }
  }

  #moved(kind: string, cents: number): void {
    this.deps.metrics.ledgerCents.inc({ kind }, cents);
  }
}

const isOurs = ({ type }: ChargeFact): boolean => type === 'settle' || type === 'release' || type === 'void';

function checkCents(cents: number): void {
  if (!Number.isSafeInteger(cents) || cents < 0) throw new RangeError('cents are whole and not negative');
}
