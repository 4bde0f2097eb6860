import { appendFileSync } from 'node:fs';
import { BoundedQueue } from '../core/bounded-queue.ts';
import type { Clock, Timer } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import { databaseFault } from '../store/database.ts';
import type { ChargeJournal, JournalEntry } from './charge-journal.ts';

/** Facts of one transaction: a disk sync for many instead of one each. */
const BATCH_MAX = 64;
/** Facts waiting in memory for the database (about 0.5 kB each): hours of full load. Above it they are counted and lost. */
export const PENDING_MAX = 200_000;
/** Between the beginnings of two transactions: what many calls have to write gathers meanwhile. */
export const APART_MS = 100;
const WAIT_MS_MIN = 50;
const WAIT_MS_MAX = 2_000;
/** A batch that meets deadlocks that often is taken one by one. */
const DEADLOCKS_MAX = 3;

export interface ApplierDeps<F> {
  readonly journal: ChargeJournal<F>;
  /** Brings facts into the database, in order, all or none; bringing them again changes nothing. */
  readonly write: (facts: readonly F[]) => Promise<void>;
  /** Somebody is refused until it is in the database: it waits for no company. */
  readonly isUrgent: (fact: F) => boolean;
  /** The fact is committed. */
  readonly committed: (fact: F) => void;
  readonly rejectedFile: string; // facts the database will never take, for a person to look at
  readonly logger: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

interface Waiting<F> extends JournalEntry<F> {
  readonly sinceMs: number; // monotonic, in this run
}

/**
 * Carries facts from the journal into the database, in order, in one transaction at a time. While the database is away it
 * waits and tries again; a fact that can never be applied is put aside, so that it does not hold up the others.
 */
export class JournalApplier<F> {
  readonly counters = { applied: 0, rejected: 0, overflowed: 0 };
  readonly #pending = new BoundedQueue<Waiting<F>>(PENDING_MAX);
  #batch: Waiting<F>[] = [];
  #running: Promise<void> | undefined;
  #waitMs = WAIT_MS_MIN;
  #waiting: { readonly timer: Timer; readonly wake: () => void } | undefined;
  #idle: (() => void)[] = [];
  #isUrgent = false; // what waits, or a part of it
  #begunMs = Number.NEGATIVE_INFINITY; // the last transaction
  #closed = false;
  #away = false;
  #lastDone = 0;

  constructor(private readonly deps: ApplierDeps<F>) {
    const sinceMs = deps.clock.nowMs();
    for (const entry of deps.journal.found) this.#pending.push({ ...entry, sinceMs });
    this.#run();
  }

  /** Facts not yet in the database. */
  get pending(): number {
    return this.#pending.length + this.#batch.length;
  }

  /** How long the first of the batch under way has waited in this run; 0 where there is none. */
  get oldestPendingMs(): number {
    const [first] = this.#batch;
    return first ? this.deps.clock.nowMs() - first.sinceMs : 0;
  }

  /** Whether facts that an earlier run left on disk are still on their way. */
  get isReplaying(): boolean {
    return this.#lastDone < this.deps.journal.found.length;
  }

  /** Whether the last attempt found no database. */
  get away(): boolean {
    return this.#away;
  }

  /** Writes a fact to the journal and queues it for the database. */
  add(fact: F): void {
    const sequence = this.deps.journal.append(fact);
    if (!this.#pending.push({ sequence, fact, sinceMs: this.deps.clock.nowMs() })) {
      this.counters.overflowed += 1;
      this.deps.journal.keepFrom(sequence); // The next start applies it.
      this.deps.logger.error(
        { pending: this.pending },
        'too many charges wait for the database, this one waits on disk',
      );
      return;
    }
    if (this.deps.isUrgent(fact)) this.#hurry();
    this.#run();
  }

  /** Resolves when everything added so far is in the database, or after `msMax`. @returns whether it is. */
  async drained(msMax: number): Promise<boolean> {
    if (this.pending === 0) return true;
    await new Promise<void>((resolve) => {
      const timer = this.deps.clock.setTimer(msMax, resolve);
      this.#idle.push(() => {
        this.deps.clock.clearTimer(timer);
        resolve();
      });
      this.#hurry();
    });
    return this.pending === 0;
  }

  /** Gives what waits a last chance of `msMax`, then stops; the journal keeps the rest for the next start. Idempotent. */
  async close(msMax: number): Promise<void> {
    if (!this.#closed) await this.drained(msMax);
    this.#closed = true;
    this.#waiting?.wake();
    await this.#running;
  }

  #run(): void {
    if (this.#running || this.#closed || this.pending === 0) return this.#gauge();
    this.#running = this.#loop().finally(() => {
      this.#running = undefined;
      this.#run(); // What came in between the loop's last look and now.
    });
  }

  async #loop(): Promise<void> {
    let deadlocks = 0;
    for (;;) {
      const apartMs = this.#apartMs();
      if (apartMs > 0) await this.#sleep(apartMs);
      if (this.#closed || !this.#take(deadlocks > DEADLOCKS_MAX ? 1 : BATCH_MAX)) break;
      this.#begunMs = this.deps.clock.nowMs();
      const fault = await this.#attempt();
      if (fault === undefined) deadlocks = 0;
      if (fault === 'again') deadlocks += 1;
      if (fault === 'away') await this.#wait();
    }
    for (const wake of this.#idle.splice(0)) wake();
  }

  /** What gathers is enough. A database that is away is asked again in its time. */
  #hurry(): void {
    this.#isUrgent = true;
    if (!this.#away) this.#waiting?.wake();
  }

  /** How long what there is waits for company; not where a batch is full or to be tried again, nor where somebody waits for it. */
  #apartMs(): number {
    if (this.pending === 0 || this.#batch.length > 0 || this.#pending.length >= BATCH_MAX || this.#isUrgent) return 0;
    return this.#begunMs + APART_MS - this.deps.clock.nowMs();
  }

  /** Fills the batch; a batch that failed is kept as it is, so that order holds. */
  #take(size: number): boolean {
    while (this.#batch.length < size) {
      const entry = this.#pending.shift();
      if (!entry) break;
      this.#batch.push(entry);
    }
    if (this.#pending.length === 0) this.#isUrgent = false;
    this.#gauge();
    return this.#batch.length > 0;
  }

  async #attempt(): Promise<'away' | 'again' | undefined> {
    try {
      await this.#commit(this.#batch);
      this.#done(this.#batch);
      return undefined;
    } catch (error) {
      const fault = databaseFault(error);
      if (fault === 'statement') return this.#oneByOne();
      return this.#failed(fault, error);
    }
  }

  /** One of the batch is refused by the database: find it and put it aside. */
  async #oneByOne(): Promise<'away' | 'again' | undefined> {
    for (const entry of this.#batch.slice()) {
      try {
        await this.#commit([entry]);
      } catch (error) {
        const fault = databaseFault(error);
        if (fault !== 'statement') return this.#failed(fault, error);
        this.#reject(entry, error);
        this.#leave([entry]);
        continue;
      }
      this.#done([entry]);
    }
    return undefined;
  }

  #commit(entries: readonly JournalEntry<F>[]): Promise<void> {
    return this.deps.write(entries.map(({ fact }) => fact));
  }

  #done(entries: readonly JournalEntry<F>[]): void {
    if (this.#away) this.deps.logger.info({ pending: this.pending }, 'database is back, charges are being applied');
    this.#away = false;
    this.#waitMs = WAIT_MS_MIN;
    this.counters.applied += entries.length;
    this.#leave(entries);
  }

  /** Nothing more to do for these, the oldest of the batch. */
  #leave(entries: readonly JournalEntry<F>[]): void {
    this.#batch = this.#batch.slice(entries.length);
    this.#lastDone = entries.at(-1)!.sequence;
    this.deps.journal.applied(this.#lastDone);
    for (const { fact } of entries) {
      try {
        this.deps.committed(fact);
      } catch (error) {
        this.deps.logger.error({ error: errorText(error) }, 'what follows a committed charge failed');
      }
    }
  }

  #failed(fault: 'away' | 'again', error: unknown): 'away' | 'again' {
    if (fault === 'away' && !this.#away) {
      this.#away = true;
      this.deps.logger.error(
        { error: errorText(error), pending: this.pending },
        'database is away, charges wait on disk',
      );
    }
    return fault;
  }

  #reject(entry: JournalEntry<F>, error: unknown): void {
    this.counters.rejected += 1;
    this.deps.logger.error(
      { error: errorText(error), file: this.deps.rejectedFile },
      'a charge cannot be applied and was put aside',
    );
    try {
      appendFileSync(this.deps.rejectedFile, `${JSON.stringify({ error: errorText(error), fact: entry.fact })}\n`, {
        mode: 0o600,
      });
    } catch (cause) {
      this.deps.logger.error({ error: errorText(cause) }, 'the charge that was put aside could not be written');
    }
  }

  async #wait(): Promise<void> {
    await this.#sleep(this.#waitMs);
    this.#waitMs = Math.min(this.#waitMs * 2, WAIT_MS_MAX);
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#closed) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.deps.clock.clearTimer(timer);
        resolve();
      };
      const timer = this.deps.clock.setTimer(ms, wake);
      this.#waiting = { timer, wake };
    });
    this.#waiting = undefined;
  }

  #gauge(): void {
    this.deps.metrics.journalPending.set(this.pending);
  }
}
