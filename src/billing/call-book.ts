import { type Clock, delay } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import type { CallStart } from '../store/call-rows.ts';
import { databaseFault } from '../store/database.ts';
import type { KeptTransfer } from '../store/schema.ts';
import type { BookingQueue } from './booking-queue.ts';
import type { CallOpenings } from './call-openings.ts';
import { type ChargeFact, minuteChargeId } from './charge-fact.ts';
import type { CallBook, CallSummary, TurnRecord } from './contract.ts';
import { NotSent } from './group-commit.ts';
import type { JournalApplier } from './journal-applier.ts';
import { type Prices, turnCents } from './prices.ts';

/** A caller hears ringing meanwhile; a database slower than that counts as away. */
const BEGIN_MS_MAX = 5_000;
const MINUTE_MS_MAX = 1_500;
/** `finish` waits that long for the record to be in the database; it is on disk before. */
const FINISH_MS_MAX = 1_000;
/** With more facts than that waiting no new calls are begun: what is on disk must come in first. */
const BACKLOG_MAX = 20_000;

export interface CallBookDeps {
  readonly openings: CallOpenings;
  readonly bookings: BookingQueue;
  readonly applier: JournalApplier<ChargeFact>;
  readonly flush: () => Promise<void>;
  readonly prices: Prices;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'callCents' | 'creditRefusals'>;
}

/** The connection broke: whether what was sent has been committed nobody knows. */
const mayHaveBegun = (error: unknown): boolean => databaseFault(error) === 'away' && !(error instanceof NotSent);

type BeginOutcome = Awaited<ReturnType<CallBook['begin']>>;
type Timely<T> = { readonly value: T } | { readonly error: unknown } | 'late';

/**
 * Money and records of phone calls (see the contract). Only `begin` needs the database. Everything after it is a fact that
 * goes to the journal on disk first and from there to the database, in order, so a kill at any moment loses none.
 */
export class StoredCallBook implements CallBook {
  readonly #open = new Map<string, { readonly accountId: string }>();
  readonly #finishing = new Map<string, Promise<void>>();
  readonly #written = new Map<string, () => void>();
  constructor(private readonly deps: CallBookDeps) {}

  async begin(call: CallStart): Promise<BeginOutcome> {
    const { applier, logger } = this.deps;
    if (applier.pending > BACKLOG_MAX) {
      logger.error({ pending: applier.pending }, 'call refused: too many charges wait for the database');
      return 'unavailable';
    }
    const work = this.#begin(call);
    const result = await this.#timely(work, BEGIN_MS_MAX);
    if (result === 'late') {
      logger.error({ call_id: call.id }, 'call refused: it was not booked in time');
      void work.then(
        () => this.#takeBack(call.id),
        (error: unknown) => mayHaveBegun(error) && this.#takeBack(call.id),
      );
      return 'unavailable';
    }
    if ('error' in result) {
      if (mayHaveBegun(result.error)) this.#takeBack(call.id);
      logger.error({ call_id: call.id, error: errorText(result.error) }, 'call refused: it could not be booked');
      return 'unavailable';
    }
    if (result.value === 'insufficient-credit') this.deps.metrics.creditRefusals.inc({ what: 'call' });
    if (result.value === 'ok') this.#open.set(call.id, { accountId: call.accountId });
    return result.value;
  }

  answered(callId: string, at: Date, recordedMs?: number): void {
    if (!this.#known(callId)) return;
    const fact = { type: 'answered', callId, at: at.toISOString(), cents: this.deps.prices.liveMinuteCents } as const;
    this.#count('minutes', fact.cents);
    this.deps.applier.add({ ...fact, ...(recordedMs && { recordedMs }) });
  }

  async startMinute(callId: string, minute: number): Promise<'ok' | 'insufficient-credit'> {
    const accountId = this.#known(callId)?.accountId;
    if (accountId === undefined) return 'ok';
    const cents = this.deps.prices.liveMinuteCents;
    const id = minuteChargeId(callId, minute);
    const charge = { id, accountId, cents, owner: callId, kind: 'call-minute' } as const;
    const fact = { type: 'minute', callId, accountId, minute, cents } as const;
    const result = await this.#timely(this.deps.bookings.submit({ type: 'charge', charge }), MINUTE_MS_MAX);
    if (result !== 'late' && 'value' in result) {
      const { outcome } = result.value;
      if (outcome === 'insufficient-credit') this.deps.metrics.creditRefusals.inc({ what: 'minute' });
      if (outcome === 'settled') this.#count('minutes', cents);
      // The end of the call may have been summed up without it: as a fact it is booked no second time, and counted in.
      if (outcome === 'settled' && !this.#open.has(callId)) this.deps.applier.add(fact);
      return outcome === 'insufficient-credit' ? outcome : 'ok';
    }
    this.#count('minutes', cents);
    // Talk goes on; the minute is booked once when the database is back, by whichever of the two attempts comes first.
    this.deps.applier.add(fact);
    return 'ok';
  }

  turn(callId: string, turn: TurnRecord): void {
    const accountId = this.#known(callId)?.accountId;
    if (accountId === undefined) return;
    const cents = turnCents(this.deps.prices, turn.charge);
    this.#count('turns', cents);
    this.deps.applier.add({ type: 'turn', callId, accountId, turn, cents });
  }

  transferred(callId: string, transfers: readonly KeptTransfer[]): void {
    if (this.#known(callId)) this.deps.applier.add({ type: 'transfer', callId, transfers });
  }

  finish(callId: string, summary: CallSummary): Promise<void> {
    const finishing = this.#finishing.get(callId);
    if (finishing) return finishing;
    if (!this.#known(callId)) return Promise.resolve();
    this.#open.delete(callId);
    const done = this.#finish(callId, summary).finally(() => this.#finishing.delete(callId));
    this.#finishing.set(callId, done);
    return done;
  }

  /** To be called with every fact that was committed. */
  committed(fact: ChargeFact): void {
    if (fact.type !== 'finish') return;
    this.#written.get(fact.callId)?.();
    this.#written.delete(fact.callId);
  }

  /** Calls begun and not finished. */
  get open(): number {
    return this.#open.size;
  }

  async #begin(call: CallStart): Promise<BeginOutcome> {
    const { prices } = this.deps;
    const first = { id: minuteChargeId(call.id, 0), owner: call.id, kind: 'call-minute' } as const;
    const charge = { ...first, accountId: call.accountId, cents: prices.liveMinuteCents };
    const outcome = await this.deps.openings.begin({ call, charge });
    if (outcome === 'unknown-account') return 'unavailable';
    return outcome === 'reserved' || outcome === 'duplicate' ? 'ok' : outcome;
  }

  /** A beginning that came through, or may have, though its caller was refused: else it holds a line of the account, and its minute. */
  #takeBack(callId: string): void {
    const end = { party: 'gateway', reason: 'store-unavailable' };
    const summary = { endedAt: this.deps.clock.utc().toISOString(), answered: false, talkMs: 0, end, dtmf: '' };
    this.deps.applier.add({ type: 'finish', callId, summary, firstMinuteCents: 0 });
  }

  async #finish(callId: string, summary: CallSummary): Promise<void> {
    const written = new Promise<void>((resolve) => this.#written.set(callId, resolve));
    this.deps.applier.add({
      type: 'finish',
      callId,
      summary: { ...summary, endedAt: summary.endedAt.toISOString() },
      firstMinuteCents: this.deps.prices.liveMinuteCents,
    });
    await this.deps.flush();
    await Promise.race([written, delay(this.deps.clock, FINISH_MS_MAX)]);
    this.#written.delete(callId);
  }

  #count(what: 'minutes' | 'turns', cents: number): void {
    this.deps.metrics.callCents.inc({ for: what }, cents);
  }

  #known(callId: string): { readonly accountId: string } | undefined {
    const call = this.#open.get(callId);
    if (!call) this.deps.logger.warn({ call_id: callId }, 'event for a call that is not open in the book');
    return call;
  }

  /** The outcome of `work`, unless it takes longer than `msMax`. Never rejects. */
  #timely<T>(work: Promise<T>, msMax: number): Promise<Timely<T>> {
    return new Promise((resolve) => {
      const timer = this.deps.clock.setTimer(msMax, () => resolve('late'));
      const done = (result: Timely<T>): void => {
        this.deps.clock.clearTimer(timer);
        resolve(result);
      };
      work.then(
        (value) => done({ value }),
        (error: unknown) => done({ error }),
      );
    });
  }
}
