import type pg from 'pg';
import { numberKey, tailOf, usualForms } from '../../core/caller-number.ts';
import {
  eraseMentions,
  eraseRows,
  type Found,
  NOTHING,
  nodesWithJournals,
  type Person,
  type PersonRows,
  type Waits,
} from './erase-person.ts';
import { WALKS, type Walk } from './places.ts';

/** How far the search for a person is: in which of `WALKS`, behind which row. */
export interface Search {
  readonly walk: number;
  readonly after: { readonly key: string; readonly time: string | null } | null;
  /** Calls that were looked through. */
  readonly calls: number;
}
export interface Erasing {
  readonly found: Found;
  readonly waits: Waits;
  readonly search: Search | null; // null: everything was looked through
}
interface Row {
  readonly key: string;
  readonly time: string | null;
  readonly live: boolean;
  readonly recorded: boolean;
  readonly numbers: readonly string[];
}

const NOT_YET: Search = { walk: 0, after: null, calls: 0 };
const NO_ROWS = { values: [], calls: [], orders: [], refusals: [] } satisfies Omit<PersonRows, 'doNotCall'>;
const LIVE_ORDER = `state IN ('dialling', 'ringing', 'answered')`;
/** Calls that an index finds at once; those beyond are found as everything else is. */
const AT_ONCE_MAX = 500;

/** What is found without a search: calls and waiting orders by the usual ways to write a number, and whatever no table of many rows has. */
export async function beginErasing(client: pg.ClientBase, person: Person): Promise<Erasing> {
  const { key, countryCode } = person;
  const asked = [usualForms(key, countryCode), person.accountId ?? null];
  const isThem = isOf(person);
  const calls = await client.query<PersonRows['calls'][number]>(
    `SELECT c.id, c.ended_at IS NULL AS live, c.recording IS NOT NULL AS recorded FROM accounts a CROSS JOIN LATERAL
      (SELECT * FROM calls WHERE account_id = a.id AND from_number = ANY($1)
        UNION SELECT * FROM calls WHERE account_id = a.id AND to_number = ANY($1) LIMIT ${AT_ONCE_MAX}) c
      WHERE $2::text IS NULL OR a.id = $2`,
    asked,
  );
  const orders = await client.query<{ id: string; target: string; from: string }>(
    `SELECT id, target, from_number AS "from" FROM dial_orders WHERE state = 'queued' AND ($1::text IS NULL OR account_id = $1)
      AND ($2::text IS NULL OR ${latin('target')} ~ $2 OR ${latin('from_number')} ~ $2)`,
    [person.accountId ?? null, tailPattern(person)],
  );
  const refused = await client.query<{ seq: string; from: string; to: string }>(
    `SELECT seq, from_number AS "from", to_number AS "to" FROM refused_calls WHERE ($1::text IS NULL OR account_id = $1)
      AND ($2::text IS NULL OR ${latin('from_number')} ~ $2 OR ${latin('to_number')} ~ $2)`,
    [person.accountId ?? null, tailPattern(person)],
  );
  const { found, waits } = await eraseRows(client, {
    ...{ values: [], calls: calls.rows },
    orders: orders.rows
      .filter(({ target, from }) => isThem(target) || isThem(from))
      .map(({ id }) => ({ id, live: false })),
    refusals: refused.rows.filter(({ from, to }) => isThem(from) || isThem(to)).map(({ seq }) => seq),
  });
  const mentions = await eraseMentions(client, person, 'apart');
  const doNotCall = await timesOnLists(client, person);
  return {
    found: { ...found, mentions, doNotCall },
    waits: { ...waits, nodes: await nodesWithJournals(client) },
    search: NOT_YET,
  };
}

/** Looks through the next rows and erases what they have of the person. Nodes are waited for from the end of the search on: until then, each writes on. */
export async function eraseNext(client: pg.ClientBase, person: Person, so: Erasing): Promise<Erasing> {
  const { search } = so;
  if (search === null) return so;
  const walk = WALKS[search.walk]!;
  const rows = await nextRows(client, person, walk, search.after);
  const made = await eraseFrom(client, person, walk, rows, so.waits);
  const last = rows.at(-1);
  const isWalkOver = last === undefined || rows.length < walk.rows;
  const isOver = isWalkOver && search.walk + 1 === WALKS.length;
  const both = { found: sum(so.found, made.found), waits: join(so.waits, made.waits) };
  if (isOver) return { ...both, waits: { ...both.waits, nodes: await nodesWithJournals(client) }, search: null };
  return {
    ...both,
    search: {
      ...(isWalkOver
        ? { walk: search.walk + 1, after: null }
        : { walk: search.walk, after: { key: last.key, time: last.time } }),
      calls: search.calls + (walk.table === 'calls' ? rows.length : 0),
    },
  };
}

/** By the index of the account's latest where there is one of time, else by the key. */
async function nextRows(
  client: pg.ClientBase,
  { accountId }: Person,
  walk: Walk,
  after: Search['after'],
): Promise<readonly Row[]> {
  const values: unknown[] = [];
  const value = (one: unknown): string => `$${values.push(one)}`;
  // Orders of all accounts have no index of time.
  const time = 'time' in walk && (walk.table === 'calls' || accountId !== undefined) ? walk.time : undefined;
  const where: string[] = [];
  if (accountId !== undefined) where.push(`account_id = ${value(accountId)}`);
  if (after && time !== undefined) {
    const since = `${value(after.time)}::timestamptz`;
    where.push(`${time} <= ${since}`, `(${time} < ${since} OR ${walk.key} > ${value(after.key)})`);
  } else if (after) where.push(`${walk.key} > ${value(after.key)}`);
  const of = {
    calls: `ended_at IS NULL AS live, recording IS NOT NULL AS recorded`,
    dial_orders: `${LIVE_ORDER} AS live, false AS recorded`,
  };
  const numbers = 'numbers' in walk ? walk.numbers.join(', ') : `''`;
  const { rows } = await client.query<Row>(
    `SELECT ${walk.key}::text AS key, ${time === undefined ? 'NULL' : `${time}::text`} AS time, ARRAY[${numbers}]::text[] AS numbers,
      ${walk.table in of ? of[walk.table as keyof typeof of] : 'false AS live, false AS recorded'}
      FROM ${walk.table} ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}
      ORDER BY ${time === undefined ? '' : `${time} DESC, `}${walk.key} LIMIT ${walk.rows}`,
    values,
  );
  return rows;
}

async function eraseFrom(
  client: pg.ClientBase,
  person: Person,
  { table }: Walk,
  rows: readonly Row[],
  { calls, orders }: Waits,
): Promise<Omit<Erasing, 'search'>> {
  const isThem = isOf(person);
  const known = new Set([...calls, ...orders]); // that are waited for are counted
  const theirs = rows
    .filter(({ key, numbers }) => !known.has(key) && numbers.some(isThem))
    .map(({ key: id, live, recorded }) => ({ id, live, recorded }));
  const of = { calls: { ...NO_ROWS, calls: theirs }, dial_orders: { ...NO_ROWS, orders: theirs } };
  const made =
    theirs.length > 0 && table in of
      ? await eraseRows(client, of[table as keyof typeof of])
      : { found: NOTHING, waits: { calls: [], orders: [], recordings: [], nodes: [] } };
  const mentions =
    rows.length > 0 ? await eraseMentions(client, person, { table, ids: rows.map(({ key }) => key) }) : 0;
  return { found: { ...made.found, mentions }, waits: made.waits };
}

async function timesOnLists(client: pg.ClientBase, person: Person): Promise<number> {
  const tail = tailOf(person.key);
  const { rows } = await client.query<{ number: string }>(
    'SELECT number FROM do_not_call WHERE ($1::text IS NULL OR account_id = $1) AND ($2::text IS NULL OR number LIKE $2)',
    [person.accountId ?? null, tail === undefined ? null : `%${tail}`],
  );
  return rows.filter(({ number }) => isOf(person)(number)).length;
}

const isOf =
  ({ key, countryCode }: Person) =>
  (written: string): boolean =>
    written !== '' && numberKey(written, countryCode) === key;

const latin = (column: string): string => `translate(${column}, '٠١٢٣٤٥٦٧٨٩', '0123456789')`;

function tailPattern({ key }: Person): string | null {
  const tail = tailOf(key);
  return tail === undefined ? null : [...tail].join('[^0-9]?');
}

const sum = (one: Found, other: Found): Found =>
  Object.fromEntries(
    (Object.keys(NOTHING) as (keyof Found)[]).map((kind) => [kind, one[kind] + other[kind]]),
  ) as unknown as Found;

const join = (one: Waits, other: Waits): Waits => ({
  calls: [...one.calls, ...other.calls],
  orders: [...one.orders, ...other.orders],
  recordings: [...new Set([...one.recordings, ...other.recordings])],
  nodes: one.nodes,
});
