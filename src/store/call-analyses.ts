import type pg from 'pg';
import type { AgentDefinition, Localized } from '../core/agent.ts';
import type { CallAnalysis } from '../core/call-analysis.ts';
import type { ServicesUsed } from '../core/service-use.ts';
import { storedJson } from './stored-text.ts';

/** What calls of an account came to. */
export interface OutcomeCount {
  readonly outcome: string;
  readonly label: Localized | null; // of the latest call
  readonly calls: number;
}

/** A call that somebody has still to look at; without a definition where its agent was never saved like that. */
export interface UnreadCall {
  readonly id: string;
  readonly accountId: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly party: string;
  readonly reason: string;
  readonly answeredBy: string | null;
  readonly transfers: readonly { readonly outcome: string }[] | null;
  readonly outcome: string | null;
  readonly analysis: Omit<CallAnalysis, 'outcome'> | null;
  readonly definition: AgentDefinition | null;
  readonly services: ServicesUsed | null;
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

  /** Ids of calls that wait to be looked at, the oldest first: what a lost job queue is filled again from. */
  async pending(limit: number): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      `SELECT id FROM calls WHERE analysis_state = 'pending' ORDER BY ended_at LIMIT $1`,
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Undefined where nobody waits for it any more. */
  async unread(id: string): Promise<UnreadCall | undefined> {
    const { rows } = await this.pool.query<UnreadCall>(
      `SELECT c.id, c.account_id AS "accountId", c.started_at AS "startedAt", c.ended_at AS "endedAt", c.end_party AS party,
          c.end_reason AS reason, c.answered_by AS "answeredBy", c.transfers, c.outcome, c.analysis, c.services, v.definition
        FROM calls c LEFT JOIN agent_versions v ON v.agent_id = c.agent_id AND v.version = c.agent_version
        WHERE c.id = $1 AND c.analysis_state = 'pending' AND c.ended_at IS NOT NULL AND coalesce(c.erased_at, c.transcript_erased_at) IS NULL`,
      [id],
    );
    return rows[0];
  }

  /**
   * Once; one that was erased meanwhile stays so.
   *
   * @param services - what the call has taken of services with this, where it took of them.
   */
  async write(id: string, analysis: CallAnalysis | undefined, services?: ServicesUsed): Promise<void> {
    const { outcome, ...rest } = analysis ?? {};
    await this.pool.query(
      `UPDATE calls SET analysis_state = 'ready', outcome = coalesce($2, outcome), analysis = coalesce($3::jsonb, analysis),
          services = coalesce($4::jsonb, services),
          words = CASE WHEN $3::jsonb IS NULL THEN words ELSE call_words(id, $3::jsonb ->> 'summary') END
        WHERE id = $1 AND analysis_state = 'pending' AND coalesce(erased_at, transcript_erased_at) IS NULL`,
      [id, outcome ?? null, analysis ? storedJson(rest) : null, services ? storedJson(services) : null],
    );
  }
}
