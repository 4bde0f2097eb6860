import type { Queryable } from './database.ts';

/** Job queues in PostgreSQL: each of five workers waits on a connection, the rest are for short statements. */
export const JOB_CONNECTIONS = 8;
/** The journal has one transaction at a time; calls of one account that begin at once have another. */
export const TRIP_CONNECTIONS = 2;
/** A gateway says over one of its own that it lives, whatever becomes of the others. */
const LEASE_CONNECTIONS = 1;
/** `store.connections` as shipped, and the fewest a gateway gets along with. */
export const CONNECTIONS_DEFAULT = 21;
export const CONNECTIONS_MIN = 13;
/** Of a command beside the gateway: it waits for itself alone. */
const TOOL_CONNECTIONS = 12;

/** How many connections a process opens at most, by what for. */
export interface ConnectionBudget {
  readonly pool: number; // calls and requests
  readonly trips: number; // the journal, calls that begin at once
  readonly jobs: number; // 0 where they live in Redis
  readonly lease: number; // 0 of a command, which has none
}

export const TOOL_BUDGET: ConnectionBudget = { pool: TOOL_CONNECTIONS, trips: TRIP_CONNECTIONS, jobs: 0, lease: 0 };

/** @param connections - in all, of which calls and requests have what is left. */
export function budgetOf(connections: number, hasJobs: boolean): ConnectionBudget {
  const jobs = hasJobs ? JOB_CONNECTIONS : 0;
  const others = { trips: TRIP_CONNECTIONS, jobs, lease: LEASE_CONNECTIONS };
  return { pool: connections - others.trips - others.jobs - others.lease, ...others };
}

export const sumOf = ({ pool, trips, jobs, lease }: ConnectionBudget): number => pool + trips + jobs + lease;

interface Room {
  readonly of: string; // what has the least left
  readonly max: number;
  readonly reserved: number; // for superusers and roles that keep some
  readonly others: number; // open now, of other roles
  readonly gateways: number; // that live, this one not among them
}

/** Gateways are told from others by their role: what waits for jobs has names of its own. */
const ROOM = `WITH others AS (SELECT datname FROM pg_stat_activity WHERE datid IS NOT NULL AND usename <> current_user)
  SELECT room.*, (SELECT count(*)::int FROM gateways g WHERE gateway_lives(g) AND node <> $1) AS gateways
  FROM pg_database d, pg_roles r, LATERAL (VALUES
    ('the server', current_setting('max_connections')::int, CASE WHEN r.rolsuper THEN 0
       ELSE current_setting('superuser_reserved_connections')::int + coalesce(current_setting('reserved_connections', true)::int, 0) END,
     (SELECT count(*)::int FROM others)),
    ('the database', d.datconnlimit, 0, (SELECT count(*)::int FROM others WHERE datname = d.datname)),
    ('the role', CASE WHEN r.rolsuper THEN -1 ELSE r.rolconnlimit END, 0, 0)
  ) AS room (of, max, reserved, others)
  WHERE d.datname = current_database() AND r.rolname = current_user AND max >= 0 ORDER BY max - reserved - others LIMIT 1`;

/**
 * Whether the server has room for what this gateway, and every other that lives, may open at most.
 *
 * @param node - of this gateway, whose earlier start may have a row yet.
 * @returns a sentence with the numbers where it has not.
 */
export async function budgetFault(
  queryable: Queryable,
  budget: ConnectionBudget,
  node: string,
): Promise<string | undefined> {
  const made = await queryable.query<{ made: boolean }>(`SELECT to_regproc('gateway_lives') IS NOT NULL AS made`);
  if (!made.rows[0]?.made) return undefined; // no gateway of these tables has started on it yet
  const { rows } = await queryable.query<Room>(ROOM, [node]);
  const { of, max, reserved, others, gateways } = rows[0]!;
  const own = sumOf(budget);
  const left = max - reserved - others;
  const wanted = own * (gateways + 1);
  if (wanted <= left) return undefined;
  const kept = reserved > 0 ? `, ${reserved} of them reserved` : '';
  const shared = gateways > 0 ? `, and so may each of the ${gateways} others` : '';
  return (
    `${of} allows ${max} connections${kept}, and other roles have ${others} now: ${Math.max(left, 0)} are left. ` +
    `This gateway opens up to ${own}${shared}. Raise ${of === 'the server' ? 'max_connections' : `the limit of ${of}`} by ` +
    `${wanted - left}, or lower store.connections`
  );
}
