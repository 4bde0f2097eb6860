import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { BoundedQueue } from '../core/bounded-queue.ts';
import { errorText, ServiceError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { BookingRows, WhatToLock } from '../store/booking-rows.ts';
import type { ChargeRows } from '../store/charge-rows.ts';
import { databaseFault } from '../store/database.ts';
import { type BookingRequest, type BookingResult, book, plain } from './booking.ts';

/** Bookings of one transaction: enough that the disk sync is a small part of it, short enough that nobody waits long. */
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

interface Waiting {
  readonly request: BookingRequest;
  readonly resolve: (result: BookingResult) => void;
  readonly reject: (error: unknown) => void;
}

export interface BookingQueueDeps {
  readonly pool: pg.Pool;
  readonly charges: ChargeRows;
  readonly bookings: BookingRows;
  readonly logger: Logger;
}

/**
 * Group commit: bookings that arrive while a transaction is under way are made together in the next one, so that one lock
 * of an account and one disk sync serve many. An answer is given only after the commit. One that is refused, or that the
 * database will not take, does not fail the others.
 */
export class BookingQueue {
  readonly #waiting = new BoundedQueue<Waiting>(QUEUE_MAX);
  #running: Promise<void> | undefined;

  constructor(private readonly deps: BookingQueueDeps) {}

  /** @throws NotSent, or whatever the database throws: it may then have been booked or not. */
  submit(request: BookingRequest): Promise<BookingResult> {
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

  #take(): readonly Waiting[] {
    const batch: Waiting[] = [];
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      batch.push(next);
      if (batch.length === BATCH_MAX) break;
    }
    return batch;
  }

  async #serve(batch: readonly Waiting[]): Promise<void> {
    const [only] = batch;
    if (batch.length === 1) return only!.resolve(await this.#repeated((client) => this.#alone(client, only!.request)));
    let results: readonly BookingResult[];
    try {
      results = await this.#repeated((client) =>
        this.#together(
          client,
          batch.map(({ request }) => request),
        ),
      );
    } catch (error) {
      if (databaseFault(error) !== 'statement') throw error;
      this.deps.logger.error({ error: errorText(error), bookings: batch.length }, 'bookings are made one by one');
      for (const one of batch) await this.#serve([one]).catch(one.reject); // Only who is at fault shall hear of it.
      return;
    }
    batch.forEach(({ resolve }, position) => {
      resolve(results[position]!);
    });
  }

  async #together(client: pg.PoolClient, requests: readonly BookingRequest[]): Promise<readonly BookingResult[]> {
    const { bookings } = this.deps;
    const found = await bookings.begin(client, touched(requests));
    const { results, changes } = book(found, requests);
    await bookings.commit(client, changes);
    return results;
  }

  /** One statement, which the database commits by itself: a quiet gateway need not pay for the batch. */
  async #alone(client: pg.PoolClient, request: BookingRequest): Promise<BookingResult> {
    const charges = this.deps.charges.within(client);
    switch (request.type) {
      case 'reserve':
        return plain(await charges.reserve(request.charge));
      case 'raise':
        return plain(await charges.raise(request.id, request.cents));
      case 'release':
        return plain(await charges.release(request.id));
      case 'settle':
        return charges.settle(request.id, request.cents);
      case 'charge':
        return charges.charge(request.charge, false);
    }
  }

  async #repeated<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(work);
      } catch (error) {
        if (attempt >= TRIES_MAX || databaseFault(error) !== 'again') throw error;
      }
    }
  }

  async #once<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.deps.pool.connect().catch((error: unknown) => {
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

function touched(requests: readonly BookingRequest[]): WhatToLock {
  const accountIds = new Set<string>();
  const chargeIds = new Set<string>();
  for (const request of requests) {
    if ('charge' in request) accountIds.add(request.charge.accountId);
    chargeIds.add('charge' in request ? request.charge.id : request.id);
  }
  return { accountIds: [...accountIds], chargeIds: [...chargeIds] };
}
