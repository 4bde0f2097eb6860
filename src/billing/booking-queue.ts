import type pg from 'pg';
import type { Logger } from '../core/logger.ts';
import type { BookingRows, WhatToLock } from '../store/booking-rows.ts';
import type { ChargeRows } from '../store/charge-rows.ts';
import { type BookingRequest, type BookingResult, book, plain } from './booking.ts';
import { GroupCommit } from './group-commit.ts';

export interface BookingQueueDeps {
  readonly pool: pg.Pool;
  readonly charges: ChargeRows;
  readonly bookings: BookingRows;
  readonly logger: Logger;
}

/** Group commit of bookings: those that are made together are decided by `book`, and written in one statement. */
export class BookingQueue {
  readonly #commits: GroupCommit<BookingRequest, BookingResult>;

  constructor(private readonly deps: BookingQueueDeps) {
    const { pool, logger } = deps;
    const alone = (client: pg.PoolClient, request: BookingRequest): Promise<BookingResult> =>
      this.#alone(client, request);
    const together = (client: pg.PoolClient, requests: readonly BookingRequest[]): Promise<readonly BookingResult[]> =>
      this.#together(client, requests);
    this.#commits = new GroupCommit({ pool, logger, alone, together });
  }

  /** @throws NotSent, or whatever the database throws: it may then have been booked or not. */
  submit(request: BookingRequest): Promise<BookingResult> {
    return this.#commits.submit(request);
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.#commits.idle();
  }

  async #together(client: pg.PoolClient, requests: readonly BookingRequest[]): Promise<readonly BookingResult[]> {
    const { bookings } = this.deps;
    const found = await bookings.begin(client, touched(requests));
    const { results, changes } = book(found, requests);
    await bookings.commit(client, changes);
    return results;
  }

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
