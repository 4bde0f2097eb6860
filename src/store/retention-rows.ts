import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Database } from './database.ts';
import { ERASED_ORDER } from './erasure/places.ts';
import type { RetentionKind } from './personal-data.ts';

/** How long each kind is kept where an account says nothing; 0: until somebody erases it. */
export type RetentionDays = Readonly<Record<`${RetentionKind}Days`, number>>;

/** A call of which its account does not want to keep everything any longer. */
export interface OldCall {
  readonly id: string;
  readonly accountId: string;
  /** Everything personal; else what of it. */
  readonly whole: boolean;
  readonly transcript: boolean;
  readonly recording: boolean;
}

const NOT_ERASED = 'erased_at IS NULL';
const WITH_TRANSCRIPT = 'erased_at IS NULL AND transcript_erased_at IS NULL';
const WITH_RECORDING = 'recording IS NOT NULL';
/** NULL: for ever. */
const kept = (kind: RetentionKind, days: string): string =>
  `make_interval(days => coalesce(a.${kind}_days, nullif((${days}::jsonb ->> '${kind}Days')::integer, 0)))`;

/**
 * Calls of one kind that is kept for too long; every branch has its own limit, so that a first round reads no more than the others.
 * By account, the oldest first, which is the order of an index: where nothing is old, nothing is read.
 */
const old = (
  kind: RetentionKind,
  what: string,
  open: string,
): string => `(SELECT c.id, a.id AS account_id, '${what}' AS what
  FROM accounts a CROSS JOIN LATERAL (SELECT id FROM calls WHERE account_id = a.id AND ${open}
    AND ended_at < now() - ${kept(kind, '$2')} AND id <> ALL ($3)
    ORDER BY ended_at LIMIT $1) AS c
  LIMIT $1)`;
const OLD_CALLS = `SELECT id, account_id AS "accountId", bool_or(what = 'whole') AS whole, bool_or(what = 'transcript') AS transcript,
    bool_or(what = 'recording') AS recording
  FROM (${[
    old('calls', 'whole', NOT_ERASED),
    old('transcripts', 'transcript', WITH_TRANSCRIPT),
    old('recordings', 'recording', WITH_RECORDING),
  ].join(' UNION ALL ')}) AS old GROUP BY id, account_id LIMIT $1`;

/** Since when the oldest of each account should be gone, found as `old` finds it. Not of refused callers, who have no index by account. */
const due = (
  kind: RetentionKind,
  table: string,
  open: string,
): string => `(SELECT o.ended_at + ${kept(kind, '$1')} AS at
  FROM accounts a CROSS JOIN LATERAL (SELECT ended_at FROM ${table} WHERE account_id = a.id AND ${open}
    AND ended_at < now() - ${kept(kind, '$1')}
    ORDER BY ended_at LIMIT 1) AS o)`;
const OVERDUE = `SELECT coalesce(extract(epoch FROM now() - min(at)), 0)::float8 AS seconds FROM (${[
  due('calls', 'calls', NOT_ERASED),
  due('transcripts', 'calls', WITH_TRANSCRIPT),
  due('recordings', 'calls', WITH_RECORDING),
  due('orders', 'dial_orders', `state = 'ended' AND target <> ''`),
].join(' UNION ALL ')}) AS due`;

/** What is kept for longer than accounts want it, whoever wrote it. */
export class RetentionRows {
  constructor(
    private readonly db: Database,
    private readonly pool: pg.Pool,
  ) {}

  /** @param except - which are not asked for now. */
  async oldCalls(days: RetentionDays, limit: number, except: readonly string[] = []): Promise<readonly OldCall[]> {
    return (await this.pool.query<OldCall>(OLD_CALLS, [limit, JSON.stringify(days), except])).rows;
  }

  /** For how long the oldest call or order should have been gone; 0 where nothing waits. */
  async overdueSeconds(days: RetentionDays): Promise<number> {
    return (await this.pool.query<{ seconds: number }>(OVERDUE, [JSON.stringify(days)])).rows[0]!.seconds;
  }

  /** What was said and keyed on a call that is over goes, and what was made of it. Its numbers, times and costs stay. */
  async forgetTranscript(callId: string): Promise<void> {
    await this.db.transaction(async (tx) => {
      await tx.execute(sql`UPDATE calls SET transcript_erased_at = coalesce(transcript_erased_at, now()), dtmf = '', keys = NULL,
        words = NULL, outcome = NULL, analysis = NULL, analysis_state = NULL WHERE id = ${callId} AND ended_at IS NOT NULL`);
      await tx.execute(sql`DELETE FROM turns WHERE call_id IN
        (SELECT id FROM calls WHERE id = ${callId} AND transcript_erased_at IS NOT NULL)`);
      // What receivers have answered may repeat what they got.
      await tx.execute(sql`UPDATE webhook_deliveries
        SET history = (SELECT coalesce(jsonb_agg(one - 'answer'), '[]') FROM jsonb_array_elements(history) AS one)
        WHERE event_id IN (SELECT id FROM webhook_events WHERE subject_id = ${callId})`);
    });
  }

  /** Whom orders that are over were for, and what they were to hear. @returns how many. */
  async forgetOrders(days: RetentionDays, limit: number): Promise<number> {
    const { rowCount } = await this.pool.query(
      `UPDATE dial_orders SET ${ERASED_ORDER} WHERE id IN (
        SELECT o.id FROM accounts a JOIN dial_orders o ON o.account_id = a.id WHERE o.state = 'ended' AND o.target <> ''
          AND o.ended_at < now() - make_interval(days => coalesce(a.orders_days, nullif($2::integer, 0))) LIMIT $1)`,
      [limit, days.ordersDays],
    );
    return rowCount ?? 0;
  }

  /** Callers who were refused; those that no account is known of go by what holds where none says anything. @returns how many. */
  async forgetRefusals(days: RetentionDays, limit: number): Promise<number> {
    const { rowCount } = await this.pool.query(
      `DELETE FROM refused_calls WHERE seq IN (
        SELECT r.seq FROM refused_calls r LEFT JOIN accounts a ON a.id = r.account_id
        WHERE r.at < now() - make_interval(days => coalesce(a.refusals_days, nullif($2::integer, 0))) LIMIT $1)`,
      [limit, days.refusalsDays],
    );
    return rowCount ?? 0;
  }
}
