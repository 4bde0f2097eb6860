import type pg from 'pg';
import type { Logger } from '../core/logger.ts';
import type { BookingRequest, BookingResult } from './booking.ts';
import type { Bookings } from './bookings.ts';
import { GroupCommit } from './group-commit.ts';

/** Group commit of bookings: those that are made together are decided and written together. */
export class BookingQueue {
  readonly #commits: GroupCommit<BookingRequest, BookingResult>;

  constructor(deps: { readonly pool: pg.Pool; readonly bookings: Bookings; readonly logger: Logger }) {
    const { pool, bookings, logger } = deps;
    this.#commits = new GroupCommit<BookingRequest, BookingResult>({
      ...{ pool, logger },
      alone: (client, request) => bookings.alone(client, request),
      together: (client, requests) => bookings.together(client, requests),
    });
  }

  /** @throws NotSent, or whatever the database throws: it may then have been booked or not. */
  submit(request: BookingRequest): Promise<BookingResult> {
    return this.#commits.submit(request);
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.#commits.idle();
  }
}
