import type pg from 'pg';
import { numberKey, numberPattern } from '../../core/caller-number.ts';
import { type Person, rowsOfPerson } from './erase-person.ts';
import { NAMING_COLUMNS } from './places.ts';

/** What is kept of a person, in words and numbers that they know. Times are RFC 3339 in UTC. */
export interface PersonData {
  readonly number: string;
  readonly calls: readonly PersonCall[];
  readonly orders: readonly object[];
  readonly refused_calls: readonly object[];
  readonly do_not_call: readonly object[];
  /** Where they are named in what is of others: how often, by `table.column`. */
  readonly named_elsewhere: Readonly<Record<string, number>>;
}
export interface PersonCall {
  readonly id: string;
  readonly recording: string | null;
  readonly gateway: string;
}

const CALL = `json_build_object('id', id, 'direction', direction, 'from', from_number, 'to', to_number, 'answered_by_agent', agent_name,
  'started_at', started_at, 'answered_at', answered_at, 'ended_at', ended_at, 'end', end_reason, 'end_detail', end_detail,
  'keys_pressed', dtmf, 'transferred_to', transfers, 'outcome', outcome, 'summary_and_values', analysis, 'recording', recording, 'gateway', gateway,
  'said', (SELECT coalesce(json_agg(json_build_object('who', role, 'at_ms', started_ms, 'text', text, 'understood', details) ORDER BY index), '[]')
    FROM turns WHERE call_id = c.id))`;
const ORDER = `json_build_object('id', id, 'to', target, 'from', from_number, 'variables', variables, 'message', message, 'ordered_at', created_at,
  'state', state, 'ended_at', ended_at, 'end', end_reason)`;
const REFUSED = `json_build_object('at', at, 'from', from_number, 'to', to_number, 'source_address', source_address, 'reason', reason, 'detail', detail)`;

/** @param client - within one moment of the database. */
export async function collectPerson(client: pg.ClientBase, person: Person): Promise<PersonData> {
  const { key, countryCode, accountId } = person;
  const rows = await rowsOfPerson(client, person);
  const all = async <T extends object>(sql: string, ids: readonly unknown[]): Promise<readonly T[]> =>
    (await client.query<{ one: T }>(sql, [ids])).rows.map(({ one }) => one);
  const calls = await all<PersonCall>(
    `SELECT ${CALL} AS one FROM calls c WHERE id = ANY($1) ORDER BY started_at`,
    rows.calls.map(({ id }) => id),
  );
  const orders = await all(
    `SELECT ${ORDER} AS one FROM dial_orders WHERE id = ANY($1) ORDER BY created_at`,
    rows.orders.map(({ id }) => id),
  );
  const refused = await all(
    `SELECT ${REFUSED} AS one FROM refused_calls WHERE seq = ANY($1) ORDER BY seq`,
    rows.refusals,
  );
  const { rows: listed } = await client.query<{ number: string; note: string; created_at: Date }>(
    'SELECT number, note, until, created_at FROM do_not_call WHERE ($1::text IS NULL OR account_id = $1)',
    [accountId ?? null],
  );
  return {
    ...{ number: key, calls, orders, refused_calls: refused },
    do_not_call: listed.filter(({ number }) => numberKey(number, countryCode) === key),
    named_elsewhere: await namedElsewhere(
      client,
      person,
      rows.calls.map(({ id }) => id),
    ),
  };
}

async function namedElsewhere(
  client: pg.ClientBase,
  { key, countryCode, accountId }: Person,
  calls: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const pattern = numberPattern(key, countryCode);
  const found: Record<string, number> = {};
  if (pattern === undefined) return found;
  for (const { table, column, ofCall } of NAMING_COLUMNS) {
    const call = ofCall ?? (table === 'calls' ? 'id' : undefined);
    const mine = ofCall ? `${ofCall} IN (SELECT id FROM calls WHERE account_id = $2)` : 'account_id = $2';
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE "${column}"::text ~ $1 AND ($2::text IS NULL OR ${mine})
        ${call ? `AND NOT ${call} = ANY($3)` : 'AND $3::text[] IS NOT NULL'}`,
      [pattern, accountId ?? null, calls],
    );
    if (rows[0]!.count > 0) found[`${table}.${column}`] = rows[0]!.count;
  }
  return found;
}
