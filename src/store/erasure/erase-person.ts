import type pg from 'pg';
import { type NumberKey, numberKey, numberPattern, tailOf } from '../../core/caller-number.ts';
import { OperatorError } from '../../core/errors.ts';
import { ERASED_CALL, ERASED_ORDER, NAMING_COLUMNS, NAMING_ROWS, NUMBER_COLUMNS, WALKS, type Walk } from './places.ts';

/** How much of each kind names a person, or named them. */
export interface Found {
  readonly calls: number;
  readonly turns: number;
  readonly recordings: number;
  readonly orders: number;
  readonly refusals: number;
  /** Texts and entries of others that name them. */
  readonly mentions: number;
  /** Entries of lists of numbers that are not called: they stay, for that is what they are for. */
  readonly doNotCall: number;
}
/** What has to come to its end first: it is erased then. */
export interface Waits {
  readonly calls: readonly string[];
  readonly orders: readonly string[];
  /** Calls whose recordings were not removed yet. */
  readonly recordings: readonly string[];
  /** Whose journals of charges may have what was said. */
  readonly nodes: readonly string[];
}
export const NOTHING: Found = { calls: 0, turns: 0, recordings: 0, orders: 0, refusals: 0, mentions: 0, doNotCall: 0 };

/** Whom, and in whose things: those of an account, or of all. */
export interface Person {
  readonly key: NumberKey;
  readonly countryCode: string;
  readonly accountId: string | undefined;
}

const quoted = (name: string): string => `"${name}"`;
/** Statements about an account have it as `$2`; without one they are about all. */
const OF_ACCOUNT = '($2::text IS NULL OR account_id = $2)';
/** Rows of a call have the account of their call; those of none are everybody's. */
type NamingPlace = { readonly table: string; readonly ofCall?: string };
const mineOf = (one: NamingPlace): string =>
  one.ofCall === undefined
    ? OF_ACCOUNT
    : `($2::text IS NULL OR ${one.ofCall} IS NULL OR ${one.ofCall} IN (SELECT id FROM calls WHERE account_id = $2))`;

/** As which values a person stands in columns of numbers. @param isThem - asked of each that may be. */
export async function valuesOf(
  client: pg.ClientBase,
  isThem: (written: string) => boolean,
  tail?: string,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const { table, column } of NUMBER_COLUMNS) {
    const { rows } = await client.query<{ value: string }>(
      `SELECT DISTINCT ${column} AS value FROM ${table} WHERE ${column} <> '' AND ($1::text IS NULL OR ${column} ~ $1)`,
      [tail === undefined ? null : [...tail].join('[^0-9]?')],
    );
    for (const { value } of rows) if (isThem(value)) found.add(value);
  }
  return [...found];
}

/** @throws OperatorError for a number that accounts answer: their calls are not one person's. */
export async function requireNotOwn(client: pg.ClientBase, { key, countryCode }: Person): Promise<void> {
  const { rows } = await client.query<{ number: string }>('SELECT number FROM numbers');
  const own = rows.find(({ number }) => numberKey(number, countryCode) === key);
  if (own)
    throw new OperatorError(`${own.number} is a number that an agent answers: all of its calls would be erased.`);
}

/** All that there is of a person, by the rows that it stands in. */
export interface PersonRows {
  readonly values: readonly string[];
  readonly calls: readonly { readonly id: string; readonly live: boolean; readonly recorded: boolean }[];
  readonly orders: readonly { readonly id: string; readonly live: boolean }[];
  readonly refusals: readonly string[];
  readonly doNotCall: number;
}

export async function rowsOfPerson(client: pg.ClientBase, person: Person): Promise<PersonRows> {
  const { key, countryCode } = person;
  const accountId = person.accountId ?? null;
  const isThem = (written: string): boolean => numberKey(written, countryCode) === key;
  const values = await valuesOf(client, isThem, tailOf(key));
  const listed = await client.query<{ number: string }>(
    'SELECT number FROM do_not_call WHERE ($1::text IS NULL OR account_id = $1) AND ($2::text IS NULL OR number LIKE $2)',
    [accountId, tailOf(key) === undefined ? null : `%${tailOf(key)}`],
  );
  return {
    ...(await rowsOfValues(client, values, accountId)),
    doNotCall: listed.rows.filter(({ number }) => isThem(number)).length,
  };
}

export async function rowsOfValues(
  client: pg.ClientBase,
  values: readonly string[],
  accountId: string | null,
  before: Date | null = null,
): Promise<Omit<PersonRows, 'doNotCall'>> {
  const asked = [values, accountId, before];
  const calls = await client.query<PersonRows['calls'][number]>(
    `SELECT id, ended_at IS NULL AS live, recording IS NOT NULL AS recorded FROM calls
      WHERE (from_number = ANY($1) OR to_number = ANY($1)) AND ${OF_ACCOUNT} AND ($3::timestamptz IS NULL OR started_at < $3)`,
    asked,
  );
  const orders = await client.query<PersonRows['orders'][number]>(
    `SELECT id, state IN ('dialling', 'ringing', 'answered') AS live FROM dial_orders
      WHERE (target = ANY($1) OR from_number = ANY($1)) AND ${OF_ACCOUNT} AND ($3::timestamptz IS NULL OR created_at < $3)`,
    asked,
  );
  const refusals = await client.query<{ seq: string }>(
    `SELECT seq FROM refused_calls WHERE (from_number = ANY($1) OR to_number = ANY($1)) AND ${OF_ACCOUNT}
      AND ($3::timestamptz IS NULL OR at < $3)`,
    asked,
  );
  return { values, calls: calls.rows, orders: orders.rows, refusals: refusals.rows.map(({ seq }) => seq) };
}

/** Everything personal of calls goes. Their recordings are not wanted any more, and wait for a node that can remove them. */
export async function eraseCalls(
  client: pg.ClientBase,
  ids: readonly string[],
): Promise<Pick<Found, 'turns' | 'orders'>> {
  await client.query(
    `INSERT INTO recordings (call_id, node, name, wanted)
      SELECT c.id, split_part(c.gateway, '_', 2), coalesce(r.name, c.recording), false
      FROM calls c LEFT JOIN recordings r ON r.call_id = c.id WHERE c.id = ANY($1) AND coalesce(r.name, c.recording) IS NOT NULL
      ON CONFLICT (call_id) DO UPDATE SET wanted = false`,
    [ids],
  );
  const turns = await client.query('DELETE FROM turns WHERE call_id = ANY($1)', [ids]);
  await client.query('DELETE FROM sip_ladders WHERE call_id = ANY($1)', [ids]);
  const orders = await client.query(
    `UPDATE dial_orders SET ${ERASED_ORDER} WHERE call_id = ANY($1) AND state = 'ended' AND target <> ''`,
    [ids],
  );
  await client.query(`UPDATE calls SET ${ERASED_CALL} WHERE id = ANY($1)`, [ids]);
  return { turns: turns.rowCount ?? 0, orders: orders.rowCount ?? 0 };
}

/** Orders that wait end, and whom they were for is erased of all that are over. */
export async function eraseOrders(client: pg.ClientBase, ids: readonly string[]): Promise<void> {
  await client.query(
    `UPDATE dial_orders SET state = 'ended', ended_at = now(), cancel_at = coalesce(cancel_at, now()), end_party = 'gateway', end_reason = 'cancelled'
      WHERE id = ANY($1) AND state = 'queued'`,
    [ids],
  );
  await client.query(`UPDATE dial_orders SET ${ERASED_ORDER} WHERE id = ANY($1) AND state = 'ended'`, [ids]);
}

/** Erases what is over of what was found. @returns what there was, and what has to end first. */
export async function eraseRows(
  client: pg.ClientBase,
  rows: Omit<PersonRows, 'doNotCall'>,
): Promise<{ readonly found: Found; readonly waits: Waits }> {
  const over = rows.calls.filter(({ live }) => !live).map(({ id }) => id);
  await eraseOrders(
    client,
    rows.orders.filter(({ live }) => !live).map(({ id }) => id),
  );
  const { turns, orders } = await eraseCalls(client, over); // and orders that were not found by their own numbers
  await client.query('DELETE FROM refused_calls WHERE seq = ANY($1)', [rows.refusals]);
  const { rows: left } = await client.query<{ id: string }>(
    'SELECT call_id AS id FROM recordings WHERE call_id = ANY($1) AND NOT wanted',
    [over],
  );
  return {
    found: {
      ...{ ...NOTHING, calls: rows.calls.length, turns, recordings: left.length },
      ...{ orders: rows.orders.length + orders, refusals: rows.refusals.length },
    },
    waits: {
      calls: rows.calls.filter(({ live }) => live).map(({ id }) => id),
      orders: rows.orders.filter(({ live }) => live).map(({ id }) => id),
      recordings: left.map(({ id }) => id),
      nodes: [],
    },
  };
}

/** Nodes that live, or died and did not come back, as ids of gateways name them: one that has ended by itself has left nothing in its journal. */
export async function nodesWithJournals(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ node: string }>(
    `SELECT DISTINCT split_part(id, '_', 2) AS node FROM (SELECT DISTINCT ON (node) id, expires_at FROM gateways ORDER BY node, started_at DESC, id) g
      WHERE expires_at IS DISTINCT FROM '-infinity' ORDER BY 1`,
  );
  return rows.map(({ node }) => node);
}

/** Rows of one of `WALKS`, and what belongs to them: the things said on a call. */
export interface Within {
  readonly table: Walk['table'];
  readonly ids: readonly string[];
}
/** By what the rows of a place are told that is gone through with others; undefined: it is not. */
function keyWithin(one: NamingPlace, { table }: Within): string | undefined {
  if (table === 'calls' && one.ofCall !== undefined) return one.ofCall;
  return one.table === table ? WALKS.find((walk) => walk.table === table)!.key : undefined;
}

/**
 * Takes the number out of what others have said, done and been answered.
 *
 * @param within - these rows alone; without it everything, and `apart` everything that nobody walks through.
 * @returns in how many places it stood.
 */
export async function eraseMentions(
  client: pg.ClientBase,
  { key, countryCode, accountId }: Person,
  within?: Within | 'apart',
): Promise<number> {
  const pattern = numberPattern(key, countryCode);
  if (pattern === undefined) return 0;
  /** Which rows, as a condition and its value; undefined: none of this place. */
  const rowsOf = (one: NamingPlace): readonly [string, ...unknown[]] | undefined => {
    const isMine = [mineOf(one), accountId ?? null] as const;
    if (within === undefined) return isMine;
    if (within !== 'apart') {
      const own = keyWithin(one, within);
      return own === undefined ? undefined : [`${own} = ANY($2)`, within.ids];
    }
    if (one.table === 'sip_ladders') return ['call_id IS NULL']; // of no call: everybody's
    return one.ofCall !== undefined || WALKS.some(({ table }) => table === one.table) ? undefined : isMine;
  };
  let count = 0;
  const rewritten = new Set<string>();
  for (const one of NAMING_COLUMNS) {
    const [which, ...values] = rowsOf(one) ?? [];
    if (which === undefined) continue;
    const column = quoted(one.column);
    const taken =
      one.is === 'json'
        ? `regexp_replace(${column}::text, $1, '0', 'g')::jsonb`
        : `regexp_replace(${column}, $1, '[erased]', 'g')`;
    const call = one.ofCall ?? (one.table === 'calls' ? 'id' : undefined);
    const { rows } = await client.query<{ id?: string }>(
      `UPDATE ${one.table} SET ${column} = ${taken} WHERE ${column}::text ~ $1 AND ${which} RETURNING ${call ? `${call} AS id` : '1'}`,
      [pattern, ...values],
    );
    count += rows.length;
    for (const { id } of rows) if (id !== undefined) rewritten.add(id);
  }
  // Keys one by one are the number as well, and so are the words that calls are found by.
  if (rewritten.size > 0) {
    await client.query(`UPDATE calls SET keys = NULL WHERE id = ANY($1) AND dtmf LIKE '%[erased]%'`, [[...rewritten]]);
    await client.query(
      `UPDATE calls SET words = call_words(id, analysis ->> 'summary') WHERE id = ANY($1) AND words IS NOT NULL`,
      [[...rewritten]],
    );
  }
  for (const one of NAMING_ROWS) {
    const [which, ...values] = rowsOf(one) ?? [];
    if (which === undefined) continue;
    const named = one.columns.map((column) => `${quoted(column)}::text ~ $1`);
    if (one.bytes) named.push(`encode(coalesce(${one.bytes}, ''), 'escape') ~ $1`);
    const { rowCount } = await client.query(`DELETE FROM ${one.table} WHERE (${named.join(' OR ')}) AND ${which}`, [
      pattern,
      ...values,
    ]);
    count += rowCount ?? 0;
  }
  return count;
}
