import type pg from 'pg';
import type { NewCharge } from './charge-rows.ts';
import type { ChargeRowState } from './schema.ts';

export interface AccountPage {
  readonly id: string;
  readonly balanceCents: number;
  readonly reservedCents: number; // 0..balanceCents
}
export interface ChargePage extends Omit<NewCharge, 'cents'> {
  readonly state: ChargeRowState;
  readonly reservedCents: number; // stays when it is closed: what was held at last
  readonly settledCents: number;
  readonly shortfallCents: number;
}
export interface EntryPage {
  readonly id: string;
  readonly accountId: string;
  readonly kind: string;
  readonly cents: number; // negative
  readonly balanceAfterCents: number;
}

/** What the database holds of some accounts and charges. */
export interface BookPages {
  readonly accounts: readonly AccountPage[];
  readonly charges: readonly ChargePage[];
}
/** What is to be written: whole rows, each once, entries in order. */
export interface BookChanges extends BookPages {
  readonly entries: readonly EntryPage[];
}

/** Locked in the order of their ids, so that two batches never wait for each other in a circle. */
const LOCK = `SELECT id, balance_cents AS balance, reserved_cents AS reserved FROM accounts
  WHERE id = ANY ($1::text[] || ARRAY(SELECT account_id FROM charges WHERE id = ANY($2))
    || ARRAY(SELECT account_id FROM charges WHERE owner = ANY($3)))
  ORDER BY id FOR NO KEY UPDATE`;

/** A statement of its own: begun after the lock was got, it sees what the holder before had just committed. */
const READ = `SELECT id, account_id, owner, kind, state, reserved_cents AS reserved, settled_cents AS settled,
  shortfall_cents AS shortfall FROM charges WHERE id = ANY($1)`;

const WRITE = `
  WITH a AS (
    UPDATE accounts SET balance_cents = new."balanceCents", reserved_cents = new."reservedCents"
    FROM json_to_recordset($1) AS new(id text, "balanceCents" bigint, "reservedCents" bigint)
    WHERE accounts.id = new.id
  ), c AS (
    INSERT INTO charges (id, account_id, owner, kind, state, reserved_cents, settled_cents, shortfall_cents, gateway, closed_at)
    SELECT id, "accountId", owner, kind, state, "reservedCents", "settledCents", "shortfallCents", $4,
      CASE WHEN state <> 'reserved' THEN now() END
    FROM json_to_recordset($2) AS new(id text, "accountId" text, owner text, kind text, state text,
      "reservedCents" bigint, "settledCents" bigint, "shortfallCents" bigint)
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, reserved_cents = excluded.reserved_cents,
      settled_cents = excluded.settled_cents, shortfall_cents = excluded.shortfall_cents, closed_at = excluded.closed_at
  )
  INSERT INTO ledger (id, account_id, kind, cents, balance_after_cents)
  SELECT id, "accountId", kind, cents, "balanceAfterCents"
  FROM ROWS FROM (json_to_recordset($3) AS (id text, "accountId" text, kind text, cents bigint, "balanceAfterCents" bigint))
    WITH ORDINALITY AS new(id, "accountId", kind, cents, "balanceAfterCents", place)
  ORDER BY place`;

/** Which accounts to lock: by id, and those that charges of these ids or owners belong to. */
export interface WhatToLock {
  readonly accountIds: readonly string[];
  readonly chargeIds: readonly string[];
  readonly owners?: readonly string[];
}

/** Many bookings in one transaction: lock and read, then write once. Works on a client inside a transaction. */
export class BookingRows {
  /** @param gateway - which gateway process open charges belong to. */
  constructor(private readonly gateway: string) {}

  /** Locks accounts until the end of the transaction. */
  async lock(client: pg.ClientBase, what: WhatToLock): Promise<readonly AccountPage[]> {
    const { rows } = await client.query<{ id: string; balance: string; reserved: string }>({
      name: 'booking-lock',
      text: LOCK,
      values: [what.accountIds, what.chargeIds, what.owners ?? []],
    });
    return rows.map(({ id, balance, reserved }) => ({
      id,
      balanceCents: Number(balance),
      reservedCents: Number(reserved),
    }));
  }

  async charges(client: pg.ClientBase, ids: readonly string[]): Promise<readonly ChargePage[]> {
    const { rows } = await client.query<
      Pick<ChargePage, 'id' | 'owner' | 'kind' | 'state'> & {
        readonly account_id: string;
        readonly reserved: string;
        readonly settled: string;
        readonly shortfall: string;
      }
    >({ name: 'booking-charges', text: READ, values: [ids] });
    return rows.map(({ account_id, reserved, settled, shortfall, ...row }) => ({
      ...row,
      accountId: account_id,
      reservedCents: Number(reserved),
      settledCents: Number(settled),
      shortfallCents: Number(shortfall),
    }));
  }

  async write(client: pg.ClientBase, { accounts, charges, entries }: BookChanges): Promise<void> {
    if (accounts.length + charges.length === 0) return;
    const values = [...[accounts, charges, entries].map((rows) => JSON.stringify(rows)), this.gateway];
    await client.query({ name: 'booking-write', text: WRITE, values });
  }
}
