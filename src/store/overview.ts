import type pg from 'pg';
import type { Clock } from '../core/clock.ts';
import { callIdsFrom, liveCallIds } from './call-query.ts';

/** One day of an account's calls, by when they began. */
export interface DayFigures {
  readonly day: string; // 2026-01-31, in the time zone that was asked for
  readonly calls: number;
  readonly answered: number;
  /** Turns of callers of which it was judged whether they were understood, and those that were; of calls that are over. */
  readonly judgedTurns: number;
  readonly understoodTurns: number;
}

/** How calls of the last day went. */
export interface RecentFigures {
  readonly calls: number;
  readonly answers: number;
  readonly answerP50Ms: number | null;
  readonly answerP95Ms: number | null;
  readonly heardCalls: number; // whose media was measured
  readonly mosMedian: number | null;
  readonly mosWorst: number | null;
  readonly worstCallId: string | null;
}

export interface SetUp {
  readonly liveAgent: boolean;
  readonly number: boolean;
  readonly phone: boolean;
  readonly trunk: boolean;
  readonly called: boolean;
  readonly understood: boolean;
  readonly password: boolean;
}

/** Ends that are no doing of the people on the line. */
export interface FaultyCall {
  readonly id: string;
  readonly at: Date;
  readonly reason: string;
  readonly detail: string | null;
}

export interface Moment {
  readonly accountId: string;
  readonly now: Date;
  readonly timeZone: string;
}

const DAYS = 7;
const DAY_MS = 86_400_000;
/** Figures of the last day are of so many calls at most, the latest. */
export const RECENT_CALLS_MAX = 2_000;
/** A call without a packet of the other side says nothing of the network. */
const MOS = `CASE WHEN coalesce((quality->>'packetsReceived')::bigint, 1) > 0 THEN (quality->>'mos')::float END`;
/** As the index `calls_faults` has them. */
export const CALL_FAULTS: readonly string[] = [
  ...['internal', 'engine-failed', 'media-failed', 'media-timeout'],
  ...['signalling-lost', 'ack-timeout', 'interrupted', 'credit-exhausted'],
];
const FAULTS = `(${CALL_FAULTS.map((reason) => `'${reason}'`).join(', ')})`;
const LOOKED_AT = 1_000; // calls, for one that was understood
/** Midnight, `days` ago, in the time zone `$3`. */
const midnight = (days: string): string =>
  `(date_trunc('day', $2::timestamptz AT TIME ZONE $3) - make_interval(days => ${days})) AT TIME ZONE $3`;
/** What was spent before today does not change any more a little after midnight. */
const SETTLED_MS = 60_000;
const MONTHS_KEPT = 1_000;

/** What a first page shows of an account: few rows each, whatever there is. */
export class OverviewRows {
  readonly #months = new Map<string, number>(); // spent this month before today, by account and day

  constructor(
    private readonly pool: pg.Pool,
    private readonly clock: Clock,
  ) {}

  /** Calls that go on, on every gateway. */
  async living(accountId: string): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM calls WHERE account_id = $1 AND id >= $2 AND ended_at IS NULL',
      [accountId, liveCallIds(this.clock.utc())],
    );
    return rows[0]!.count;
  }

  /** The last seven days, the oldest first; the last one is today. Answered by an index that has no ids in it, so by that of each month. */
  async days({ accountId, now, timeZone }: Moment): Promise<readonly DayFigures[]> {
    const { rows } = await this.pool.query<DayFigures>(
      `SELECT to_char(since AT TIME ZONE $3, 'YYYY-MM-DD') AS day, figures.* FROM (
         SELECT ${midnight('n')} AS since, ${midnight('n - 1')} AS until FROM generate_series(0, ${DAYS - 1}) AS n) AS days,
       LATERAL (SELECT count(*)::int AS calls, count(answered_at)::int AS answered,
         coalesce(sum(judged_turns), 0)::int AS "judgedTurns", coalesce(sum(understood_turns), 0)::int AS "understoodTurns"
         FROM calls WHERE account_id = $1 AND started_at >= since AND started_at < until) AS figures ORDER BY since`,
      [accountId, now, timeZone],
    );
    return rows;
  }

  /** Of the last 24 hours. */
  async recent({ accountId, now }: Moment): Promise<RecentFigures> {
    const { rows } = await this.pool.query<RecentFigures>(
      `WITH latest AS MATERIALIZED (
         SELECT id, answer_ms, ${MOS} AS mos FROM calls
         WHERE account_id = $1 AND id >= $3 AND started_at >= $2::timestamptz - interval '24 hours' AND answered_at IS NOT NULL AND ended_at IS NOT NULL
         ORDER BY started_at DESC LIMIT ${RECENT_CALLS_MAX}),
       answers AS (SELECT count(*)::int AS answers, percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY ms) AS ms
         FROM latest, unnest(answer_ms) AS ms),
       heard AS (SELECT count(mos)::int AS "heardCalls", percentile_disc(0.5) WITHIN GROUP (ORDER BY mos) AS "mosMedian",
         min(mos) AS "mosWorst" FROM latest)
       SELECT (SELECT count(*)::int FROM latest) AS calls, answers, ms[1] AS "answerP50Ms", ms[2] AS "answerP95Ms", heard.*,
         (SELECT id FROM latest WHERE mos IS NOT NULL ORDER BY mos LIMIT 1) AS "worstCallId" FROM answers, heard`,
      [accountId, now, callIdsFrom(new Date(now.getTime() - DAY_MS))],
    );
    return rows[0]!;
  }

  /** What was spent today and this month, in cents. */
  async spent(moment: Moment): Promise<{ readonly today: number; readonly month: number }> {
    const { rows } = await this.pool.query<{ today: Date; month: Date }>(
      `SELECT ${midnight('0')} AS today, date_trunc('month', $2::timestamptz AT TIME ZONE $3) AT TIME ZONE $3 AS month, $1::text`,
      [moment.accountId, moment.now, moment.timeZone],
    );
    const { today, month } = rows[0]!;
    const spentToday = await this.#spent(moment.accountId, today, moment.now);
    const key = `${moment.accountId} ${today.getTime()}`;
    const before = this.#months.get(key) ?? (await this.#spent(moment.accountId, month, today));
    if (moment.now.getTime() - today.getTime() > SETTLED_MS) this.#keep(key, before);
    return { today: spentToday, month: before + spentToday };
  }

  async setUp(accountId: string): Promise<SetUp> {
    const { rows } = await this.pool.query<SetUp>(
      `SELECT EXISTS (SELECT 1 FROM agents WHERE account_id = $1 AND status = 'live' AND deleted_at IS NULL) AS "liveAgent",
         EXISTS (SELECT 1 FROM numbers WHERE account_id = $1) AS number,
         EXISTS (SELECT 1 FROM phones WHERE account_id = $1) AS phone,
         EXISTS (SELECT 1 FROM trunks WHERE account_id = $1 OR account_id IS NULL) AS trunk,
         EXISTS (SELECT 1 FROM calls WHERE account_id = $1) AS called,
         EXISTS (SELECT 1 FROM (SELECT understood_turns FROM calls WHERE account_id = $1 ORDER BY started_at DESC LIMIT ${LOOKED_AT}) AS k
           WHERE understood_turns > 0) AS understood,
         EXISTS (SELECT 1 FROM people WHERE account_id = $1 AND password_hash IS NOT NULL) AS password`,
      [accountId],
    );
    return rows[0]!;
  }

  /** Calls that a fault has ended, the newest first. */
  async faulty(accountId: string, limit: number): Promise<readonly FaultyCall[]> {
    const { rows } = await this.pool.query<FaultyCall>(
      `SELECT id, coalesce(ended_at, started_at) AS at, end_reason AS reason, end_detail AS detail FROM calls
       WHERE account_id = $1 AND end_reason IN ${FAULTS} ORDER BY started_at DESC LIMIT $2`,
      [accountId, limit],
    );
    return rows;
  }

  async #spent(accountId: string, since: Date, until: Date): Promise<number> {
    const { rows } = await this.pool.query<{ cents: string }>(
      `SELECT coalesce(-sum(cents), 0) AS cents FROM ledger
       WHERE account_id = $1 AND created_at >= $2 AND created_at < $3 AND cents < 0`,
      [accountId, since, until],
    );
    return Number(rows[0]!.cents);
  }

  #keep(key: string, cents: number): void {
    this.#months.set(key, cents);
    const [oldest] = this.#months.keys();
    if (this.#months.size > MONTHS_KEPT) this.#months.delete(oldest!);
  }
}
