import type pg from 'pg';
import { type Clock, delay } from '../core/clock.ts';
import { inTransaction } from './database.ts';

/** What was spent on one kind of thing on one day. */
export interface UsageLine {
  readonly day: string; // 2026-01-31, in the time zone that was asked for
  readonly kind: string;
  readonly agentId: string | null; // of a call; null for what the public API was asked
  readonly count: number;
  readonly cents: number;
}

export interface UsageQuery {
  readonly from: Date;
  readonly to: Date; // not part of it
  readonly timeZone: string;
}

/** Days that are asked for at once. */
export const USAGE_DAYS_MAX = 93;
const LINES_MAX = 20_000;
const HOUR_MS = 3_600_000;

/** Numbers of bookings that are added up in one transaction: well within the time of a statement. */
const PIECE = 5_000;
const PIECES_MAX = 60; // of one round; the rest next time
/** How often, and how long apart, it is looked whether those who were writing have ended. */
const LOOKS_MAX = 20;
const LOOK_MS = 100;
/** The setting that says up to which number of the ledger everything is in the sums. */
const SUMMED = 'usage-summed';

/** The call that a booking is of: its charges begin with its id. Their own table has as many rows as the ledger, and is not read. */
const CALL_OF = `CASE WHEN id LIKE 'call\\_%/%' THEN split_part(id, '/', 1) END`;
/** Looked up one by one: a join would read all calls wherever many are expected. */
const AGENT_OF = '(SELECT k.agent_id FROM calls k WHERE k.id = spent.call)';
const HOUR_OF = `date_trunc('hour', created_at, 'UTC')`;

/** Up to where the sums go, and the hours of [$3, $4) in which a day ends in the time zone $2, as in Asia/Kolkata. */
const STATE = `SELECT (SELECT value #>> '{}' FROM settings WHERE name = $1) AS seq, ARRAY(
    SELECT hour FROM generate_series($3::timestamptz, $4::timestamptz - interval '1 hour', interval '1 hour') AS hour
    WHERE (hour AT TIME ZONE $2)::date <> ((hour + interval '1 hour' - interval '1 microsecond') AT TIME ZONE $2)::date) AS split`;

/**
 * Sums of the hours of [$5, $6), but the rest from the ledger itself: what is not in the sums yet (beyond $7), the ends of the period
 * ([$2, $5) and [$6, $3)), and hours in which a day ends ($8).
 */
const USAGE = `WITH hours AS MATERIALIZED (
    SELECT hour, (hour AT TIME ZONE $4)::date AS day
    FROM generate_series($5::timestamptz, $6::timestamptz - interval '1 hour', interval '1 hour') AS hour WHERE hour <> ALL ($8::timestamptz[])),
  parts AS (
    SELECT $2::timestamptz AS since, $5::timestamptz AS until UNION ALL SELECT $6, $3
    UNION ALL SELECT hour, hour + interval '1 hour' FROM unnest($8::timestamptz[]) AS hour),
  found AS (
    SELECT (created_at AT TIME ZONE $4)::date AS day, kind, id, cents
    FROM parts, LATERAL (SELECT * FROM ledger WHERE account_id = $1 AND created_at >= since AND created_at < until AND cents < 0) AS l
    UNION ALL SELECT day, kind, id, cents
    FROM (SELECT * FROM ledger WHERE account_id = $1 AND seq > $7 AND created_at >= $5 AND created_at < $6 AND cents < 0) AS l
      JOIN hours ON hour = ${HOUR_OF}),
  spent AS (SELECT day, kind, ${CALL_OF} AS call, count(*) AS count, -sum(cents) AS cents FROM found GROUP BY 1, 2, 3),
  lines AS (
    SELECT day, kind, ${AGENT_OF} AS agent_id, count, cents FROM spent
    UNION ALL SELECT day, kind, nullif(agent_id, ''), count, cents
    FROM usage_hours JOIN hours USING (hour) WHERE account_id = $1 AND hour >= $5 AND hour < $6)
  SELECT to_char(day, 'YYYY-MM-DD') AS day, kind, agent_id AS "agentId", sum(count)::int AS count, sum(cents) AS cents
  FROM lines GROUP BY lines.day, kind, agent_id ORDER BY lines.day, kind, agent_id NULLS LAST LIMIT ${LINES_MAX}`;

/** Sums, and what is not in them. Far more is expected of the parts than there is: compiling the question would take longer than it does. */
const ONE_MOMENT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off';

const SUM_UP = `INSERT INTO usage_hours (account_id, hour, kind, agent_id, count, cents)
  SELECT account_id, hour, kind, coalesce(${AGENT_OF}, ''), sum(count), sum(cents)
  FROM (SELECT account_id, ${HOUR_OF} AS hour, kind, ${CALL_OF} AS call, count(*) AS count, -sum(cents) AS cents
    FROM ledger WHERE seq > $1 AND seq <= $2 AND cents < 0 GROUP BY 1, 2, 3, 4) AS spent
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (account_id, hour, kind, agent_id)
    DO UPDATE SET count = usage_hours.count + excluded.count, cents = usage_hours.cents + excluded.cents`;

/** What an account has used, from its ledger: that of hours which are over is summed beside the bookings, never by them. */
export class UsageRows {
  constructor(
    private readonly pool: pg.Pool,
    private readonly clock: Clock,
  ) {}

  /** By day, kind and agent; the oldest first. Only what was paid is in it. */
  async of(accountId: string, { from, to, timeZone }: UsageQuery): Promise<readonly UsageLine[]> {
    const begin = Math.ceil(from.getTime() / HOUR_MS) * HOUR_MS;
    const end = Math.floor(to.getTime() / HOUR_MS) * HOUR_MS;
    const hours = begin < end ? [new Date(begin), new Date(end)] : [to, to];
    return inTransaction(
      this.pool,
      async (client) => {
        const state = await client.query<{ seq: string | null; split: Date[] }>(STATE, [SUMMED, timeZone, ...hours]);
        const { seq, split } = state.rows[0]!;
        // As values, so that the plan goes by how much there is.
        const values = [accountId, from, to, timeZone, ...hours, seq ?? 0, split];
        const { rows } = await client.query<UsageLine & { readonly cents: string }>(USAGE, values);
        return rows.map((row) => ({ ...row, cents: Number(row.cents) }));
      },
      (client) => client.query(ONE_MOMENT),
    );
  }

  /**
   * Adds to the sums what was booked since the last time. Safe to be killed, to be run twice, and by several gateways at once.
   *
   * @returns how many numbers of the ledger it has come on; 0 where nothing is new, or a transaction of before goes on yet.
   */
  async sumUp(): Promise<number> {
    const until = await this.#finished();
    let done = 0;
    for (let piece = 0; piece < PIECES_MAX; piece += 1) {
      const more = until === undefined ? 0 : await this.#sumPiece(until);
      if (more === 0) break;
      done += more;
    }
    return done;
  }

  /**
   * The last number of the ledger, if it is new and it is sure that no lower one will come: numbers are taken before they are committed. Whoever
   * has taken one holds a lock on the table until then, so those who write when we have seen the number have to end; nobody waits for us.
   */
  async #finished(): Promise<number | undefined> {
    const { rows } = await this.pool.query<{ seq: string; isSummed: boolean }>(
      `SELECT max(seq) AS seq, max(seq) IS NOT DISTINCT FROM (SELECT value #>> '{}' FROM settings WHERE name = $1)::bigint AS "isSummed" FROM ledger`,
      [SUMMED],
    );
    if (rows[0]!.isSummed) return undefined; // Nothing is written where nothing was booked.
    let writers = await this.#writers();
    for (let look = 0; writers.length > 0 && look < LOOKS_MAX; look += 1) {
      await delay(this.clock, LOOK_MS);
      const still = new Set(await this.#writers());
      writers = writers.filter((writer) => still.has(writer));
    }
    return writers.length === 0 ? Number(rows[0]!.seq) : undefined;
  }

  /** Transactions that have written to the ledger and go on. */
  async #writers(): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      `SELECT virtualtransaction AS id FROM pg_locks WHERE mode = 'RowExclusiveLock' AND relation = 'ledger'::regclass
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return rows.map(({ id }) => id);
  }

  #sumPiece(until: number): Promise<number> {
    return inTransaction(this.pool, async (client) => {
      // Whoever else sums waits here, and goes on from where we have come to.
      const { rows } = await client.query<{ seq: string }>(
        `INSERT INTO settings (name, value) VALUES ($1, '0') ON CONFLICT (name) DO UPDATE SET updated_at = now() RETURNING value #>> '{}' AS seq`,
        [SUMMED],
      );
      const from = Number(rows[0]!.seq);
      const to = Math.min(until, from + PIECE);
      if (to <= from) return 0;
      await client.query(SUM_UP, [from, to]);
      await client.query('UPDATE settings SET value = to_jsonb($2::bigint) WHERE name = $1', [SUMMED, to]);
      return to - from;
    });
  }
}
