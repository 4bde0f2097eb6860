import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { BoundedQueue } from '../core/bounded-queue.ts';
import { errorText, ServiceError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { databaseFault } from '../store/database.ts';

/** Of one transaction: enough that the disk sync is a small part of it, short enough that nobody waits long. */
const BATCH_MAX = 256;
/** Requests that wait: a second of full load. Above it new ones hear `unavailable` at once. */
const QUEUE_MAX = 8_192;
const TRIES_MAX = 4; // of a transaction that met a deadlock

/** The database could not be reached: nothing was booked, and nothing will be. Any other failure leaves that open. */
export class NotSent extends ServiceError {
  constructor(cause: unknown) {
    super('unavailable', '', { cause });
  }
}

interface Waiting<Q, R> {
  readonly request: Q;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommitDeps<Q, R> {
  readonly pool: pg.Pool;
  /** For those that are done together; the same one where it is left out. */
  readonly batchPool?: pg.Pool;
  /** One statement, which the database commits by itself: a quiet gateway need not pay for a batch. */
  readonly alone: (client: pg.PoolClient, request: Q) => Promise<R>;
  /** One transaction for all, with their results in order. */
  readonly together: (client: pg.PoolClient, requests: readonly Q[]) => Promise<readonly R[]>;
  readonly logger: Logger;
}

/**
 * What arrives while a transaction is under way is done together in the next one, so that one lock of an account, one connection and one
 * disk sync serve many. An answer is given only after the commit. A request that the database will not take does not fail the others.
 */
export class GroupCommit<Q, R> {
  readonly #waiting = new BoundedQueue<Waiting<Q, R>>(QUEUE_MAX);
  #running: Promise<void> | undefined;

  constructor(private readonly deps: GroupCommitDeps<Q, R>) {}

  /** @throws NotSent, or whatever the database throws: it may then have been booked or not. */
  submit(request: Q): Promise<R> {
    return new Promise((resolve, reject) => {
      if (!this.#waiting.push({ request, resolve, reject })) {
        return reject(new NotSent(new Error('too many bookings wait for the database')));
      }
      this.#wake();
    });
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  #wake(): void {
    if (this.#running || this.#waiting.length === 0) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      this.#wake(); // What came in after the last look at the queue.
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await nextTurn(); // Whoever was served by the last transaction may have more to book.
      const batch = this.#take();
      try {
        await this.#serve(batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
  }

  #take(): readonly Waiting<Q, R>[] {
    const batch: Waiting<Q, R>[] = [];
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      batch.push(next);
      if (batch.length === BATCH_MAX) break;
    }
    return batch;
  }

  async #serve(batch: readonly Waiting<Q, R>[]): Promise<void> {
    const { alone, together, logger, pool, batchPool = pool } = this.deps;
    const [only] = batch;
    if (batch.length === 1) return only!.resolve(await this.#repeated(pool, (client) => alone(client, only!.request)));
    const requests = batch.map(({ request }) => request);
    let results: readonly R[];
    try {
      results = await this.#repeated(batchPool, (client) => together(client, requests));
    } catch (error) {
      if (databaseFault(error) !== 'statement') throw error;
      logger.error({ error: errorText(error), bookings: batch.length }, 'bookings are made one by one');
      for (const one of batch) await this.#serve([one]).catch(one.reject); // Only who is at fault shall hear of it.
      return;
    }
    batch.forEach(({ resolve }, position) => {
      resolve(results[position]!);
    });
  }

  async #repeated<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(pool, work);
      } catch (error) {
        if (attempt >= TRIES_MAX || databaseFault(error) !== 'again') throw error;
      }
    }
  }

  async #once<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw new NotSent(error);
    });
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(error instanceof Error ? error : true); // Its state is unknown: the connection goes.
      throw error;
    }
  }
}
