import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '../core/clock.ts';
import { OperatorError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import { LEASE_DEFAULTS, type LeaseSettings, type LeaseState, NodeLease } from '../store/node-lease.ts';
import { releaseLock, takeLock } from '../store/postmaster-pid.ts';
import type { Store } from '../store/store.ts';
import { BookingQueue } from './booking-queue.ts';
import { Bookings } from './bookings.ts';
import { StoredCallBook } from './call-book.ts';
import { CallOpenings } from './call-openings.ts';
import { type ChargeFact, writeFacts } from './charge-fact.ts';
import { ChargeJournal } from './charge-journal.ts';
import { JournalApplier } from './journal-applier.ts';
import { Ledger } from './ledger.ts';
import { DEFAULT_PRICES, type Prices } from './prices.ts';
import { type Recovered, type RecoveryDeps, recoverInterrupted } from './recovery.ts';
import { SessionBook } from './session-book.ts';

export interface WrittenCall {
  readonly id: string;
  readonly recording?: string; // to be worked on
  readonly isUnread?: true; // to be looked at
}

export interface BillingOptions {
  readonly store: Store;
  readonly dataFolder: string; // the journal goes to `journal` in it
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  readonly prices?: Prices;
  /** Where the recording of an interrupted call lies, below the data folder, if it left one. */
  readonly recordingOf?: (callId: string) => string | undefined;
  readonly lease?: LeaseSettings;
  /** A call's final record is in the database. */
  readonly onCallWritten?: (call: WrittenCall) => void;
}

const FORGET_MS_MAX = 2_000; // somebody may wait for it; the next round tries again
const REPLAY_MS_MAX = 30_000; // of an old journal at the start; the rest goes on beside the calls
const CLOSE_MS_MAX = 5_000;

/** Everything about money, over one store and one journal. Open it before the first call; close it before the store. */
export class Billing {
  readonly ledger: Ledger;
  readonly callBook: StoredCallBook;
  readonly sessionBook: SessionBook;
  readonly #journal: ChargeJournal<ChargeFact>;
  readonly #applier: JournalApplier<ChargeFact>;
  readonly #bookings: BookingQueue;
  readonly #recovery: RecoveryDeps;
  #closing: Promise<void> | undefined;

  private constructor(
    private readonly options: BillingOptions,
    private readonly lockFile: string,
    private readonly lease: NodeLease,
    clock: Clock,
  ) {
    const { store, logger, metrics, recordingOf, prices = DEFAULT_PRICES } = options;
    const { pool, oneTrip, charges, calls, sessions, gateways } = store;
    const bookings = new Bookings(store.bookings);
    const folder = join(options.dataFolder, 'journal');
    const journal = new ChargeJournal<ChargeFact>(folder, logger);
    const applier = new JournalApplier<ChargeFact>({
      journal,
      write: (facts) => writeFacts(store, bookings, facts),
      isUrgent: (fact) => !('callId' in fact), // of requests: a repeated one cannot be told meanwhile whether it was paid
      committed: (fact) => this.#committed(fact),
      rejectedFile: join(folder, 'rejected.jsonl'),
      logger,
      clock,
      metrics,
    });
    const flush = (): Promise<void> => journal.flush();
    const keep = (fact: ChargeFact): void => applier.add(fact);
    this.#journal = journal;
    this.#applier = applier;
    const isEnding = (): boolean => this.#closing !== undefined;
    this.#recovery = {
      pool,
      gateways,
      calls,
      sessions,
      bookings,
      prices,
      logger,
      isEnding,
      ...(recordingOf && { recordingOf }),
    };
    this.#bookings = new BookingQueue({ pool, bookings, logger });
    const found = journal.found.map(({ fact }) => fact);
    this.ledger = new Ledger({ charges, bookings: this.#bookings, keep, flush, found, logger, metrics });
    this.sessionBook = new SessionBook({ pool, bookings, sessions, keep, prices, logger });
    const opened = { openings: new CallOpenings({ pool, oneTrip, bookings, calls, logger }), bookings: this.#bookings };
    this.callBook = new StoredCallBook({ ...opened, applier, flush, prices, clock, logger, metrics });
  }

  /**
   * Brings in what the last run left on disk, then closes what it left open.
   *
   * @throws OperatorError when another gateway works on the same data folder, or on a copy of it.
   */
  static async open(options: BillingOptions): Promise<Billing> {
    const folder = join(options.dataFolder, 'journal');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lockFile = join(folder, 'gateway.lock');
    const holder = takeLock(lockFile);
    if (holder !== undefined) {
      throw new OperatorError(
        `Another gateway (process ${holder}) uses ${options.dataFolder}. Stop it, or choose another data folder.`,
      );
    }
    try {
      const { store, logger, clock = systemClock, lease: settings = LEASE_DEFAULTS } = options;
      const lease = await NodeLease.claim({ gateways: store.gateways, settings, clock, logger });
      const billing = new Billing(options, lockFile, lease, clock);
      await billing.#begin();
      return billing;
    } catch (error) {
      releaseLock(lockFile);
      throw error;
    }
  }

  /** Facts on disk that the database does not have yet. */
  get pending(): number {
    return this.#applier.pending;
  }

  /** How long the oldest of them has waited, in this run; 0 where none waits. */
  get oldestPendingMs(): number {
    return this.#applier.oldestPendingMs;
  }

  /** What a health check should know: `degraded` while charges wait for the database or the disk refuses them. */
  get health(): {
    readonly degraded: boolean;
    readonly pending: number;
    readonly unwritten: number;
    readonly rejected: number;
    readonly torn: number;
  } {
    const { unwritten, torn } = this.#journal.counters;
    const { rejected } = this.#applier.counters;
    return { degraded: this.#applier.away, pending: this.pending, unwritten, rejected, torn };
  }

  /** Resolves when every fact so far is in the database, or after `msMax`. @returns whether it is. */
  drained(msMax: number): Promise<boolean> {
    return this.#applier.drained(msMax);
  }

  /** Whether this process is still its installation. */
  get leaseState(): LeaseState {
    return this.lease.state;
  }

  /** Nothing stays on this disk of what the database has. */
  forgetApplied(): void {
    this.#journal.forgetApplied();
  }

  /** Nothing stays on this disk of what was known so far. @returns false where the database does not have all of that yet. */
  async forgetSoFar(): Promise<boolean> {
    const last = this.#journal.turnOver();
    if (!this.#journal.isGone(last)) await this.#applier.drained(FORGET_MS_MAX);
    return this.#journal.isGone(last);
  }

  /**
   * Closes what dead gateways left open; also run now and then as a job. Of earlier starts of this node nothing before all that the
   * last one left on disk is in the database: such a fact says more than what recovery would presume.
   */
  async recover(): Promise<Recovered> {
    return recoverInterrupted(this.#recovery, !this.#applier.isReplaying);
  }

  /** Waits a little for what is under way; the journal keeps the rest. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #begin(): Promise<void> {
    await this.#applier.drained(REPLAY_MS_MAX);
    await this.recover();
    this.lease.start(() => this.#lookAtOthers());
  }

  /** Who has fallen silent is dead: noticed by everybody else within a lease and a beat. */
  async #lookAtOthers(): Promise<void> {
    if (!this.lease.mayJudge) return;
    const { store, logger } = this.options;
    const lost = await store.gateways.fenceSilent();
    for (const { id, host, seenAt, hasEnded } of lost) {
      if (!hasEnded) logger.error({ gateway: id, host, seenAt }, 'another gateway is dead');
    }
    if (lost.length > 0) await this.recover();
  }

  async #close(): Promise<void> {
    await this.#bookings.idle();
    await this.#applier.close(CLOSE_MS_MAX);
    await this.#journal.close();
    await this.lease.close(this.pending === 0);
    releaseLock(this.lockFile);
  }

  #committed(fact: ChargeFact): void {
    this.ledger.committed(fact);
    this.callBook.committed(fact);
    if (fact.type !== 'finish') return;
    const { recording, analysisState } = fact.summary;
    this.options.onCallWritten?.({
      ...{ id: fact.callId, ...(recording !== undefined && { recording }) },
      ...(analysisState === 'pending' && { isUnread: true }),
    });
  }
}
