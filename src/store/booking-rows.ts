import type pg from 'pg';
import { type Clock, systemClock } from '../core/clock.ts';
import { type AccountPage, limitOf } from './account-page.ts';
import type { AccountLimit } from './accounts.ts';
import { liveCallIds } from './call-query.ts';
import { type NewCharge, spansOf } from './charge-rows.ts';
import type { Queryable } from './database.ts';
import type { Owner } from './gateway-identity.ts';
import type { ChargeRowState } from './schema.ts';

export interface ChargePage extends Omit<NewCharge, 'cents'> {
  readonly state: ChargeRowState;
  readonly reservedCents: number; // stays when it is closed: what was held at last
  readonly settledCents: number;
  readonly shortfallCents: number;
  /** Of a session that was ended for a gateway that was taken for dead. Never written. */
  readonly isInterrupted?: true;
}
export interface EntryPage {
  readonly id: string;
  readonly accountId: string;
  readonly kind: string;
  readonly cents: number; // negative: a charge
  readonly balanceAfterCents: number;
  readonly note?: string;
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

/** Accounts by id, and those that charges of these ids, or open ones of these owners, belong to. */
export interface WhatToRead {
  readonly accountIds: readonly string[];
  readonly chargeIds: readonly string[];
  readonly owners: readonly string[];
  readonly hasCalls: boolean; // that begin: how many there are matters where an account limits them
}

/** The number of the transaction that wrote a row; numbers come back after a failover that loses transactions, sums do not with them. */
const VERSION = `concat_ws('/', accounts.xmin, accounts.balance_cents, accounts.reserved_cents)`;

const CHARGE = 'id, account_id, owner, kind, state, reserved_cents, settled_cents, shortfall_cents';
/** No more of its calls are looked at than it takes to say no. One that began a month ago takes no line. */
const callsLeft = (max: string, those: string): string =>
  `CASE WHEN ${max} IS NOT NULL THEN ${max} -
    (SELECT count(*) FROM (SELECT FROM calls WHERE account_id = accounts.id AND id >= $6 AND ${those} LIMIT ${max}::bigint + 1) AS taken) END`;
/** Charges of owners, who are calls or live transcriptions: looked for in the months that they are in. */
const ofOwners = (spans: number): string =>
  `owner = ANY($3::text[]) AND (id BETWEEN $${spans} AND $${spans + 1} OR id BETWEEN $${spans + 2} AND $${spans + 3})`;

/** One statement, so that all of it is of one moment. */
const READ = `
  WITH c AS MATERIALIZED (
    SELECT ${CHARGE} FROM charges WHERE id = ANY($2::text[])
    UNION SELECT ${CHARGE} FROM charges WHERE ${ofOwners(7)} AND state = 'reserved'
  ), a AS MATERIALIZED (
    SELECT id, ${VERSION} AS version, balance_cents, reserved_cents, account_spend_left(accounts) AS spend_left,
      CASE WHEN $4::boolean THEN json_strip_nulls(json_build_object(
        'every-line', ${callsLeft('$5::integer', 'ended_at IS NULL')},
        'calls-at-once', ${callsLeft('calls_at_once_max', 'ended_at IS NULL')},
        'calls-a-day', ${callsLeft('calls_a_day_max', 'started_at >= account_today(accounts)::timestamp AT TIME ZONE accounts.time_zone')}
      )) END AS calls_left
    FROM accounts WHERE id = ANY($1::text[] || ARRAY(SELECT account_id FROM c))
  )
  SELECT a.id AS "accountId", version, balance_cents AS balance, a.reserved_cents AS reserved, spend_left AS "spendLeft",
    calls_left AS "callsLeft", c.id, owner, kind, state, c.reserved_cents AS held,
    settled_cents AS settled, shortfall_cents AS shortfall,
    EXISTS (SELECT FROM sessions WHERE sessions.id = c.id AND end_reason = 'interrupted') AS interrupted
  FROM a LEFT JOIN c ON c.account_id = a.id`;

/** In the order of their ids, so that two never wait for each other in a circle. */
const LOCK = `SELECT FROM accounts WHERE id = ANY ($1::text[] || ARRAY(SELECT account_id FROM charges WHERE id = ANY($2::text[]))
    || ARRAY(SELECT account_id FROM charges WHERE ${ofOwners(4)})) ORDER BY id FOR NO KEY UPDATE`;

interface PageRow {
  readonly accountId: string;
  readonly version: string;
  readonly balance: string;
  readonly reserved: string;
  readonly spendLeft: string | null;
  readonly callsLeft: NonNullable<AccountPage['callsLeft']> | null;
  readonly id: string | null;
  readonly owner: string;
  readonly kind: NewCharge['kind'];
  readonly state: ChargeRowState;
  readonly held: string;
  readonly settled: string;
  readonly shortfall: string;
  readonly interrupted: boolean;
}

type Value = string | number;
type Row = Readonly<Record<string, Value>>;
/** Columns of rows that are written, with their types. */
type Shape = Readonly<Record<string, 'text' | 'bigint' | 'integer'>>;

const ACCOUNT: Shape = { id: 'text', version: 'text', balance: 'bigint', reserved: 'bigint' };
const STATE: Shape = { state: 'text', held: 'bigint', settled: 'bigint', shortfall: 'bigint' };
const MADE: Shape = { id: 'text', account: 'text', owner: 'text', kind: 'text', gateway: 'text', ...STATE };
const ENTRY: Shape = { id: 'text', account: 'text', kind: 'text', cents: 'bigint', after: 'bigint', note: 'text' };

/** What is written, a row of each or many. */
const ONE = { a: ACCOUNT, made: MADE, moved: MADE, entered: ENTRY };
const MANY = { ...ONE, entered: { place: 'integer', ...ENTRY } } as const;
interface Part {
  readonly name: keyof typeof ONE;
  readonly rows: readonly Row[];
}
const INSERT_CHARGES = `INSERT INTO charges AS c (${CHARGE}, gateway, closed_at)
  SELECT id, account, owner, kind, state, held, settled, shortfall, gateway, CASE WHEN state <> 'reserved' THEN now() END`;

/**
 * Money as it is kept: read, locked and written on the condition that nobody has written it since. What becomes of it is decided
 * elsewhere (`book`).
 */
export class BookingRows {
  readonly #texts = new Map<string, string>(); // by their names: a few for each kind of change

  /**
   * @param owner - which gateway process open charges belong to.
   * @param linesMax - calls that go on of one account, over all gateways; undefined: as many as it likes.
   */
  constructor(
    private readonly pool: Queryable,
    private readonly owner: Owner,
    private readonly linesMax?: number,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Locks nothing. */
  async read(on: Queryable, what: WhatToRead): Promise<BookPages> {
    const since = liveCallIds(this.clock.utc());
    const values = [...idsOf(what), what.hasCalls, this.linesMax ?? null, since, ...spansOf(what.owners)];
    return pagesOf((await on.query<PageRow>(READ, values)).rows);
  }

  /** Begins a transaction, locks the accounts, and reads in a statement of its own: begun after the locks, it sees the last commit. */
  async lock(client: pg.ClientBase, what: WhatToRead): Promise<BookPages> {
    const locked = [client.query('BEGIN'), client.query(LOCK, [...idsOf(what), ...spansOf(what.owners)])];
    return (await Promise.all([this.read(client, what), ...locked]))[0];
  }

  /**
   * Writes what changed, all of it or nothing, where every account is still as it was found: so are its charges, of which nobody moves one
   * without writing the account.
   *
   * @param or - where one is not: `nothing` is written (of a single account), or the statement is an `error` (SQLSTATE 40001), and its
   * transaction with it. A charge that was to be made and is there is always one (23505).
   * @returns the accounts as they are now; none where nothing was written.
   */
  async write(
    on: Queryable,
    found: BookPages,
    changes: BookChanges,
    or: 'nothing' | 'error',
  ): Promise<readonly AccountPage[]> {
    const { rows } = await on.query<VersionRow>(this.#statement(this.#parts(found, changes), or));
    const versions = new Map(rows.map(({ id, version }) => [id, version]));
    return changes.accounts.flatMap((account) => {
      const version = versions.get(account.id);
      return version === undefined ? [] : [{ ...account, version }];
    });
  }

  /** The limit of its own that keeps an account from another call now. */
  async refusal(accountId: string): Promise<AccountLimit | undefined> {
    const { accounts } = await this.read(this.pool, {
      accountIds: [accountId],
      chargeIds: [],
      owners: [],
      hasCalls: true,
    });
    return accounts[0] && limitOf(accounts[0]);
  }

  #parts(found: BookPages, { accounts, charges, entries }: BookChanges): readonly Part[] {
    const before = new Set(found.charges.map(({ id }) => id));
    const made: Row[] = [];
    const moved: Row[] = [];
    for (const charge of charges) {
      (before.has(charge.id) ? moved : made).push({ ...chargeRow(charge), gateway: this.owner.id });
    }
    const parts: Part[] = [
      { name: 'a', rows: accounts.map(accountRow) },
      { name: 'made', rows: made },
      { name: 'moved', rows: moved },
      { name: 'entered', rows: entries.map(entryRow) },
    ];
    return parts.filter(({ rows }) => rows.length > 0);
  }

  /** The database keeps each prepared: one for each kind of change, of single rows and of many. */
  #statement(parts: readonly Part[], or: 'nothing' | 'error'): pg.QueryConfig {
    const isSingle = parts.every(({ rows }) => rows.length === 1);
    const name = `book-${parts.map((part) => part.name).join('-')}-${isSingle ? 'single' : 'many'}-${or}`;
    const text = this.#texts.get(name) ?? textOf(parts, isSingle, or);
    this.#texts.set(name, text);
    const values = isSingle
      ? parts.flatMap((part) => Object.keys(ONE[part.name]).map((column) => part.rows[0]![column]!))
      : [parts[0]!.rows.length, ...parts.map(({ rows }) => JSON.stringify(rows))];
    return { name, text, values };
  }
}

function textOf(parts: readonly Part[], isSingle: boolean, or: 'nothing' | 'error'): string {
  let place = isSingle ? 0 : 1;
  const asRead = `(SELECT count(*) FROM a) = ${isSingle ? '1' : '$1::bigint'}`;
  const written = parts.map(({ name }) => {
    const columns = Object.entries((isSingle ? ONE : MANY)[name]);
    const from = isSingle
      ? `(SELECT ${columns.map(([column, type]) => `$${++place}::${type} AS ${column}`).join(', ')}) AS new`
      : `json_to_recordset($${++place}::json) AS new(${columns.map((column) => column.join(' ')).join(', ')})`;
    return `${name} AS (${writing(name, from, isSingle, asRead)})`;
  });
  const answer = or === 'error' ? `, book_as_read(${asRead}) FROM (SELECT) AS always LEFT JOIN a ON true` : ' FROM a';
  return `WITH ${written.join(', ')} SELECT a.id, a.version${answer}`;
}

/** Locked in the order of their ids first, as by `LOCK`: an UPDATE takes them as its plan finds them. */
const inOrder = (
  from: string,
): string => `(SELECT new.* FROM accounts, ${from} WHERE accounts.id = new.id AND ${VERSION} = new.version
  ORDER BY accounts.id FOR NO KEY UPDATE OF accounts) AS new`;

/** Charges that move are found by their unique index, each in its month, however many or few there were when the statement was prepared. */
function writing(name: Part['name'], from: string, isSingle: boolean, asRead: string): string {
  switch (name) {
    case 'a':
      return `UPDATE accounts SET balance_cents = new.balance, reserved_cents = new.reserved FROM ${isSingle ? from : inOrder(from)}
        WHERE accounts.id = new.id AND ${VERSION} = new.version RETURNING accounts.id, ${VERSION} AS version`;
    case 'made':
      return `${INSERT_CHARGES} FROM ${from} WHERE ${asRead}`;
    case 'moved':
      return `${INSERT_CHARGES} FROM ${from} WHERE ${asRead} ON CONFLICT (id) DO UPDATE SET state = excluded.state,
          reserved_cents = excluded.reserved_cents, settled_cents = excluded.settled_cents, shortfall_cents = excluded.shortfall_cents,
          closed_at = excluded.closed_at`;
    case 'entered':
      return `INSERT INTO ledger (id, account_id, kind, cents, balance_after_cents, note)
        SELECT id, account, kind, cents, after, note FROM ${from} WHERE ${asRead}${isSingle ? '' : ' ORDER BY place'}`;
  }
}

const idsOf = ({ accountIds, chargeIds, owners }: WhatToRead) => [accountIds, chargeIds, owners];
export const isEmpty = ({ accounts, charges }: BookChanges): boolean => accounts.length + charges.length === 0;

interface VersionRow {
  readonly id: string;
  readonly version: string;
}
const accountRow = ({ id, version, balanceCents, reservedCents }: AccountPage): Row => ({
  ...{ id, version, balance: balanceCents, reserved: reservedCents },
});
const chargeRow = ({ id, accountId, owner, kind, state, ...cents }: ChargePage): Row => ({
  ...{ id, account: accountId, owner, kind, state },
  ...{ held: cents.reservedCents, settled: cents.settledCents, shortfall: cents.shortfallCents },
});
const entryRow = ({ id, accountId, kind, cents, balanceAfterCents, note = '' }: EntryPage, place: number): Row => ({
  ...{ place, id, account: accountId, kind, cents, after: balanceAfterCents, note },
});

function pagesOf(rows: readonly PageRow[]): BookPages {
  const accounts = new Map<string, AccountPage>();
  for (const row of rows) if (!accounts.has(row.accountId)) accounts.set(row.accountId, accountPage(row));
  return {
    accounts: [...accounts.values()],
    charges: rows.flatMap((row) => (row.id === null ? [] : [chargePage(row, row.id)])),
  };
}

const accountPage = ({
  accountId: id,
  version,
  balance,
  reserved,
  spendLeft,
  callsLeft: left,
}: PageRow): AccountPage => ({
  ...{ id, version, balanceCents: Number(balance), reservedCents: Number(reserved) },
  ...(left !== null && { callsLeft: left }),
  ...(spendLeft !== null && { spendLeftCents: Number(spendLeft) }),
});

const chargePage = (
  { accountId, owner, kind, state, held, settled, shortfall, interrupted }: PageRow,
  id: string,
): ChargePage => ({
  ...{ id, accountId, owner, kind, state, reservedCents: Number(held) },
  ...{
    settledCents: Number(settled),
    shortfallCents: Number(shortfall),
    ...(interrupted && { isInterrupted: true as const }),
  },
});
