import type pg from 'pg';
import type { AccountPage } from '../store/account-page.ts';
import { type BookingRows, type BookPages, isEmpty } from '../store/booking-rows.ts';
import { databaseFault, isDuplicate, sentTogether } from '../store/database.ts';
import { type BookingRequest, type BookingResult, book, touched } from './booking.ts';
import { KnownBooks } from './known-books.ts';

/** What else a transaction writes when the bookings are decided: every statement is sent before it returns. */
type Also = (results: readonly BookingResult[], client: pg.PoolClient) => readonly Promise<unknown>[];

/**
 * Decides by `book`, and writes what that changed. Nothing is locked while it decides: what it decided is written on the condition that
 * the accounts are still as they were read. Who was in between has it decided once more, behind locks.
 */
export class Bookings {
  readonly #known = new KnownBooks();

  constructor(private readonly rows: BookingRows) {}

  /** One by itself: a single statement, where this process knows the account and the charge by what it wrote last. */
  async alone(client: pg.PoolClient, request: BookingRequest): Promise<BookingResult> {
    for (const known of [this.#known.pages(request), undefined]) {
      const found = known ?? (await this.rows.read(client, touched([request])));
      const { results, changes } = book(found, [request]);
      if (isEmpty(changes) && known) continue; // It may be wrong: nobody is refused by memory alone.
      if (isEmpty(changes)) return results[0]!;
      const accounts = await this.rows.write(client, found, changes, 'nothing').catch(noneIfMade);
      if (accounts.length === 0) {
        this.#known.forget(changes);
        continue;
      }
      this.#known.put(changes, accounts);
      return results[0]!;
    }
    return (await this.together(client, [request]))[0]!;
  }

  /** Many that wait, with what belongs to them: their accounts are locked in one order, and two messages serve them all. */
  async together(
    client: pg.PoolClient,
    requests: readonly BookingRequest[],
    also: Also = none,
  ): Promise<readonly BookingResult[]> {
    return this.#write(client, await this.rows.lock(client, touched(requests)), requests, also);
  }

  /** Bookings and what belongs to them, all or none: one message after the one that reads, and nothing is locked in between. */
  async whole(
    client: pg.PoolClient,
    requests: readonly BookingRequest[],
    also: Also = none,
  ): Promise<readonly BookingResult[]> {
    try {
      return await this.#write(client, await this.rows.read(client, touched(requests)), requests, also, 'BEGIN');
    } catch (error) {
      if (!isMoved(error)) throw error;
      return this.together(client, requests, also);
    }
  }

  /** As `whole`, on a connection of its own. */
  async on(pool: pg.Pool, requests: readonly BookingRequest[], also: Also = none): Promise<readonly BookingResult[]> {
    const client = await pool.connect();
    try {
      const results = await this.whole(client, requests, also);
      client.release();
      return results;
    } catch (error) {
      client.release(error instanceof Error ? error : true);
      throw error;
    }
  }

  async #write(
    client: pg.PoolClient,
    found: BookPages,
    requests: readonly BookingRequest[],
    also: Also,
    begin?: 'BEGIN',
  ): Promise<readonly BookingResult[]> {
    const { results, changes } = book(found, requests);
    let accounts: Promise<readonly AccountPage[]> | undefined;
    await sentTogether(client, begin, () => {
      if (!isEmpty(changes)) accounts = this.rows.write(client, found, changes, 'error');
      return [...(accounts ? [accounts] : []), ...also(results, client)];
    });
    if (accounts) this.#known.put(changes, await accounts);
    return results;
  }
}

const none: Also = () => [];
/** Somebody was in between: nothing is written. Deadlocks count as well. */
const isMoved = (error: unknown): boolean => databaseFault(error) === 'again' || isDuplicate(error);
/** A charge that was taken for new is there. */
function noneIfMade(error: unknown): [] {
  if (!isMoved(error)) throw error;
  return [];
}
