import type pg from 'pg';
import type { Logger } from '../core/logger.ts';
import type { AccountLimit } from '../store/accounts.ts';
import type { CallRows, CallStart } from '../store/call-rows.ts';
import type { NewCharge, ReserveOutcome } from '../store/charge-rows.ts';
import type { BookingResult } from './booking.ts';
import type { Bookings } from './bookings.ts';
import { GroupCommit } from './group-commit.ts';

/** A call with the hold of its first minute. */
export interface Opening {
  readonly call: CallStart;
  readonly charge: NewCharge;
}
export type OpeningOutcome = ReserveOutcome | AccountLimit;

export interface CallOpeningsDeps {
  readonly pool: pg.Pool;
  /** Whole transactions in one message each: the lock is held for no longer than the database needs itself. */
  readonly oneTrip: pg.Pool;
  readonly bookings: Bookings;
  readonly calls: Pick<CallRows, 'begin'>;
  readonly logger: Logger;
}

interface AccountOpenings {
  readonly commits: GroupCommit<Opening, OpeningOutcome>;
  waiting: number;
}

/**
 * Calls that begin: those of one account at the same time in one transaction, since they wait for its lock anyway. An account that is
 * locked, here or by other gateways, has one connection at most, and those of others begin beside it.
 */
export class CallOpenings {
  readonly #accounts = new Map<string, AccountOpenings>(); // with calls that begin now

  constructor(private readonly deps: CallOpeningsDeps) {}

  /** @throws whatever the database throws; the call has then begun or not. */
  async begin(opening: Opening): Promise<OpeningOutcome> {
    const { accountId } = opening.call;
    const account = this.#accounts.get(accountId) ?? { commits: this.#commitsOf(), waiting: 0 };
    this.#accounts.set(accountId, account);
    account.waiting += 1;
    try {
      return await account.commits.submit(opening);
    } finally {
      account.waiting -= 1;
      if (account.waiting === 0) this.#accounts.delete(accountId);
    }
  }

  #commitsOf(): GroupCommit<Opening, OpeningOutcome> {
    const { pool, oneTrip: batchPool, logger } = this.deps;
    return new GroupCommit<Opening, OpeningOutcome>({
      ...{ pool, batchPool, logger },
      alone: async (client, opening) => (await this.#begin(client, [opening]))[0]!,
      together: (client, openings) => this.#begin(client, openings),
    });
  }

  async #begin(client: pg.PoolClient, openings: readonly Opening[]): Promise<readonly OpeningOutcome[]> {
    const { bookings, calls } = this.deps;
    const requests = openings.map(({ charge }) => ({ type: 'open', charge }) as const);
    const results = await bookings.whole(client, requests, (decided) =>
      openings.filter((_, n) => isBegun(decided[n]!)).map(({ call }) => calls.begin(client, call)),
    );
    return results.map(({ outcome }) => outcome as OpeningOutcome);
  }
}

const isBegun = ({ outcome }: BookingResult): boolean => outcome === 'reserved' || outcome === 'duplicate';
