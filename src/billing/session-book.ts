import type pg from 'pg';
import { errorText, ServiceError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { databaseFault } from '../store/database.ts';
import type { SessionRows } from '../store/session-rows.ts';
import type { BookingResult } from './booking.ts';
import type { Bookings } from './bookings.ts';
import type { ChargeFact } from './charge-fact.ts';
import { liveCents, type Prices, startedMinutes } from './prices.ts';

export interface SessionBookDeps {
  readonly pool: pg.Pool;
  readonly bookings: Bookings;
  readonly sessions: SessionRows;
  readonly keep: (fact: ChargeFact) => void;
  readonly prices: Prices;
  readonly logger: Logger;
}

/**
 * Money of live transcription sockets: one charge a session, whose hold grows by a minute at a time and which is booked once
 * at the end, by audio received. A session that a crash cut off is booked at the next start by its last checkpoint.
 */
export class SessionBook {
  constructor(private readonly deps: SessionBookDeps) {}

  /** Opens the record and holds the first minute. @throws ServiceError `unavailable` when the database is away. */
  async begin(id: string, accountId: string): Promise<'ok' | 'insufficient-credit'> {
    const { pool, bookings, sessions, prices } = this.deps;
    const charge = { id, accountId, cents: prices.liveMinuteCents, owner: id, kind: 'live-transcription' } as const;
    try {
      const [held] = await bookings.on(pool, [{ type: 'reserve', charge }], ([result], client) =>
        isRefused(result!) ? [] : [sessions.begin(client, { id, accountId, kind: 'live-transcription' })],
      );
      return isRefused(held!) ? 'insufficient-credit' : 'ok';
    } catch (error) {
      if (databaseFault(error) === 'statement') throw error;
      throw new ServiceError('unavailable', '', { cause: error });
    }
  }

  /**
   * `audioMs` were received: notes it, and holds what the started minutes cost. To be called at least at every started minute.
   * While the database is away it answers `ok`: the session goes on, and is booked at its end.
   */
  async checkpoint(id: string, audioMs: number): Promise<'ok' | 'insufficient-credit'> {
    const { pool, bookings, sessions, prices, logger } = this.deps;
    try {
      await sessions.checkpoint(pool, id, audioMs);
      const cents = Math.max(1, startedMinutes(audioMs)) * prices.liveMinuteCents;
      const [raised] = await bookings.on(pool, [{ type: 'raise', id, cents }]);
      return raised!.outcome === 'insufficient-credit' ? 'insufficient-credit' : 'ok';
    } catch (error) {
      logger.warn({ sessionId: id, error: errorText(error) }, 'checkpoint of a session was not written');
      return 'ok';
    }
  }

  /**
   * Ends and books a session once. @param fault - the service failed it: nothing is charged.
   *
   * @returns what it costs. The booking is on disk first, so it needs no database now.
   */
  end(id: string, audioMs: number, reason: string, fault = false): number {
    const cents = fault ? 0 : liveCents(this.deps.prices, audioMs);
    this.deps.keep({ type: 'session-end', sessionId: id, audioMs, reason, cents });
    return cents;
  }
}

const isRefused = ({ outcome }: BookingResult): boolean =>
  outcome === 'insufficient-credit' || outcome === 'unknown-account';
