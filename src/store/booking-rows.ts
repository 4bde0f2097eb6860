import pg from 'pg';
import type { NewCharge } from './charge-rows.ts';
import type { Owner } from './gateway-identity.ts';
import type { ChargeRowState } from './schema.ts';

export interface AccountPage {
  readonly id: string;
  readonly balanceCents: number;
  readonly reservedCents: number; // 0..balanceCents
  /** What may still be spent today, holds included; undefined: whatever the balance has. Never written. */
  readonly spendLeftCents?: number;
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
const lockText = ({ accountIds, chargeIds, owners = [] }: WhatToLock): string => `
  SELECT id, balance_cents AS balance, reserved_cents AS reserved, account_spend_left(accounts) AS left FROM accounts
  WHERE id = ANY (${texts(accountIds)} || ARRAY(SELECT account_id FROM charges WHERE id = ANY(${texts(chargeIds)}))
    || ARRAY(SELECT account_id FROM charges WHERE owner = ANY(${texts(owners)})))
  ORDER BY id FOR NO KEY UPDATE`;

/** Begins a transaction and locks the accounts, as text for one message. */
export const beginLocked = (what: WhatToLock): string => `BEGIN;${lockText(what)}`;

/** A statement of its own: begun after the lock was got, it sees what the holder before had just committed. */
const readText = (ids: readonly string[]): string => `
  SELECT id, account_id, owner, kind, state, reserved_cents AS reserved, settled_cents AS settled,
    shortfall_cents AS shortfall FROM charges WHERE id = ANY(${texts(ids)})`;

const writeText = ({ accounts, charges, entries }: BookChanges, gateway: string): string => `
  WITH a AS (
    UPDATE accounts SET balance_cents = new."balanceCents", reserved_cents = new."reservedCents"
    FROM json_to_recordset(${rows(accounts)}) AS new(id text, "balanceCents" bigint, "reservedCents" bigint)
    WHERE accounts.id = new.id
  ), c AS (
    INSERT INTO charges (id, account_id, owner, kind, state, reserved_cents, settled_cents, shortfall_cents, gateway, closed_at)
    SELECT id, "accountId", owner, kind, state, "reservedCents", "settledCents", "shortfallCents", ${pg.escapeLiteral(gateway)},
      CASE WHEN state <> 'reserved' THEN now() END
    FROM json_to_recordset(${rows(charges)}) AS new(id text, "accountId" text, owner text, kind text, state text,
      "reservedCents" bigint, "settledCents" bigint, "shortfallCents" bigint)
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, reserved_cents = excluded.reserved_cents,
      settled_cents = excluded.settled_cents, shortfall_cents = excluded.shortfall_cents, closed_at = excluded.closed_at
  )
  INSERT INTO ledger (id, account_id, kind, cents, balance_after_cents)
  SELECT id, "accountId", kind, cents, "balanceAfterCents"
  FROM ROWS FROM (json_to_recordset(${rows(entries)}) AS (id text, "accountId" text, kind text, cents bigint, "balanceAfterCents" bigint))
    WITH ORDINALITY AS new(id, "accountId", kind, cents, "balanceAfterCents", place)
  ORDER BY place`;

/** Which accounts to lock: by id, and those that charges of these ids or owners belong to. */
export interface WhatToLock {
  readonly accountIds: readonly string[];
  readonly chargeIds: readonly string[];
  readonly owners?: readonly string[];
}

/** An array of texts as SQL. */
const texts = (values: readonly string[]): string =>
  `${pg.escapeLiteral(`{${values.map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`)}::text[]`;
const rows = (values: readonly object[]): string => `${pg.escapeLiteral(JSON.stringify(values))}::json`;

interface AccountRow {
  readonly id: string;
  readonly balance: string;
  readonly reserved: string;
  readonly left: string | null;
}
type ChargeRow = Pick<ChargePage, 'id' | 'owner' | 'kind' | 'state'> & {
  readonly account_id: string;
  readonly reserved: string;
  readonly settled: string;
  readonly shortfall: string;
};

/**
 * Many bookings in one transaction: lock and read, then write once. Two messages to the server and no more: while one batch
 * waits for an answer all the others wait behind it, and on a busy machine that costs more than planning a statement.
 */
export class BookingRows {
  /** @param owner - which gateway process open charges belong to. */
  constructor(private readonly owner: Owner) {}

  /** Begins a transaction: locks the accounts and reads them, and the charges of `chargeIds`. */
  async begin(client: pg.ClientBase, what: WhatToLock): Promise<BookPages> {
    const text = ['BEGIN', lockText(what), readText(what.chargeIds)].join(';');
    const [, accounts, charges] = (await client.query(text)) as unknown as readonly [
      unknown,
      pg.QueryResult<AccountRow>,
      pg.QueryResult<ChargeRow>,
    ];
    return { accounts: accounts.rows.map(accountPage), charges: charges.rows.map(chargePage) };
  }

  /** Writes what changed and commits. */
  async commit(client: pg.ClientBase, changes: BookChanges): Promise<void> {
    const isNothing = changes.accounts.length + changes.charges.length === 0;
    await client.query(isNothing ? 'COMMIT' : `${writeText(changes, this.owner.id)};COMMIT`);
  }
}

const accountPage = ({ id, balance, reserved, left }: AccountRow): AccountPage => ({
  ...{ id, balanceCents: Number(balance), reservedCents: Number(reserved) },
  ...(left !== null && { spendLeftCents: Number(left) }),
});

const chargePage = ({ account_id, reserved, settled, shortfall, ...row }: ChargeRow): ChargePage => ({
  ...{ ...row, accountId: account_id, reservedCents: Number(reserved) },
  ...{ settledCents: Number(settled), shortfallCents: Number(shortfall) },
});
