import type { Queryable } from './database.ts';

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

/** What an account has used, from its ledger. */
export class UsageRows {
  constructor(private readonly queryable: Queryable) {}

  /** By day, kind and agent; the oldest first. Only what was paid is in it. */
  async of(accountId: string, { from, to, timeZone }: UsageQuery): Promise<readonly UsageLine[]> {
    const { rows } = await this.queryable.query<UsageLine & { readonly cents: string }>(
      `SELECT to_char(l.created_at AT TIME ZONE $4, 'YYYY-MM-DD') AS day, l.kind, k.agent_id AS "agentId",
         count(*)::int AS count, -sum(l.cents) AS cents
       FROM ledger l LEFT JOIN charges c ON c.id = l.id LEFT JOIN calls k ON k.id = c.owner
       WHERE l.account_id = $1 AND l.created_at >= $2 AND l.created_at < $3 AND l.cents < 0
       GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 NULLS LAST LIMIT ${LINES_MAX}`,
      [accountId, from, to, timeZone],
    );
    return rows.map((row) => ({ ...row, cents: Number(row.cents) }));
  }
}
