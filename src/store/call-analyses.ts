import type pg from 'pg';
import type { Localized } from '../core/agent.ts';

/** What calls of an account came to. */
export interface OutcomeCount {
  readonly outcome: string;
  readonly label: Localized | null; // of the latest call
  readonly calls: number;
}

const OUTCOMES_MAX = 100;

/** What was made of calls that are over. */
export class CallAnalyses {
  constructor(private readonly pool: pg.Pool) {}

  /** Every outcome that calls of the account ever had, with how many since then. Reads nothing but an index and one call for each. */
  async outcomes(accountId: string, since: Date): Promise<readonly OutcomeCount[]> {
    const { rows } = await this.pool.query<OutcomeCount>(
      `WITH RECURSIVE known AS (
          (SELECT outcome FROM calls WHERE account_id = $1 AND outcome IS NOT NULL ORDER BY outcome LIMIT 1)
          UNION ALL SELECT (SELECT outcome FROM calls WHERE account_id = $1 AND outcome > known.outcome ORDER BY outcome LIMIT 1)
            FROM known WHERE known.outcome IS NOT NULL)
        SELECT outcome, (SELECT analysis -> 'label' FROM calls WHERE account_id = $1 AND outcome = known.outcome
            ORDER BY started_at DESC LIMIT 1) AS label,
          (SELECT count(*)::integer FROM calls WHERE account_id = $1 AND outcome = known.outcome AND started_at >= $2) AS calls
        FROM known WHERE outcome IS NOT NULL LIMIT $3`,
      [accountId, since, OUTCOMES_MAX],
    );
    return rows.sort((a, b) => b.calls - a.calls || (a.outcome < b.outcome ? -1 : 1));
  }
}
