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
      // Charges of a call begin with its id: their own table has as many rows as the ledger, and is not read. Calls are looked up once each.
      `WITH spent AS (SELECT (created_at AT TIME ZONE $4)::date AS day, kind, CASE WHEN id LIKE 'call\\_%/%' THEN split_part(id, '/', 1) END AS call,
           count(*) AS count, -sum(cents) AS cents
         FROM ledger WHERE account_id = $1 AND created_at >= $2 AND created_at < $3 AND cents < 0 GROUP BY 1, 2, 3)
       SELECT to_char(day, 'YYYY-MM-DD') AS day, kind, k.agent_id AS "agentId", sum(count)::int AS count, sum(cents) AS cents
       FROM spent LEFT JOIN calls k ON k.id = spent.call
       GROUP BY spent.day, kind, k.agent_id ORDER BY spent.day, kind, k.agent_id NULLS LAST LIMIT ${LINES_MAX}`,
      [accountId, from, to, timeZone],
    );
    return rows.map((row) => ({ ...row, cents: Number(row.cents) }));
  }
}
