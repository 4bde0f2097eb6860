import type { ConnectionBudget } from './connection-budget.ts';
import type { Queryable } from './database.ts';

/** What a question to calls of all months locks, the server's room for locks, and how many gateways live beside this one. */
interface LockRoom {
  readonly each: number;
  readonly room: number;
  readonly sessions: number;
  readonly gateways: number;
}

/** Of the server's table of locks two are counted for each that it names: one lock is held by two at the same time in the mean. */
const ROOM = `SELECT
    (SELECT count(*)::int FROM pg_class WHERE relkind IN ('r', 'p', 'i', 'I') AND (pg_partition_root(oid) = to_regclass('calls')
      OR pg_partition_root(oid) IN (SELECT indexrelid FROM pg_index WHERE indrelid = to_regclass('calls')))) AS each,
    2 * current_setting('max_locks_per_transaction')::int * sessions AS room, sessions,
    (SELECT count(*)::int FROM gateways g WHERE gateway_lives(g) AND node <> $1) AS gateways
  FROM (SELECT current_setting('max_connections')::int + current_setting('max_prepared_transactions')::int AS sessions) AS s`;

/**
 * Whether the server has room for the locks of gateways that ask of all months with every connection at once: without it statements end with
 * `out of shared memory`, those that move money too.
 *
 * @param node - of this gateway, whose earlier start may have a row yet.
 * @returns a sentence with the numbers where it has not.
 */
export async function locksFault(
  queryable: Queryable,
  { pool }: ConnectionBudget,
  node: string,
): Promise<string | undefined> {
  const made = await queryable.query<{ made: boolean }>(`SELECT to_regproc('gateway_lives') IS NOT NULL AS made`);
  if (!made.rows[0]?.made) return undefined; // no gateway of these tables has started on it yet
  const { each, room, sessions, gateways } = (await queryable.query<LockRoom>(ROOM, [node])).rows[0]!;
  const wanted = each * pool * (gateways + 1);
  if (wanted <= room) return undefined;
  const of = gateways > 0 ? `${gateways + 1} gateways with ${pool} connections each` : `${pool} connections`;
  return (
    `a question to calls of all months takes ${each} locks, and ${of} may ask at once: the server has room for ${room}. ` +
    `Set max_locks_per_transaction to ${Math.ceil(wanted / (2 * sessions))} (it takes a restart of the server)`
  );
}
