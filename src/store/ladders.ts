import { asc, eq, or, sql } from 'drizzle-orm';
import type { LadderRecord } from '../core/sip-ladder.ts';
import type { Database } from './database.ts';
import { sipLadders } from './schema.ts';

/** Ladders of calls that have no record; a scanner must not fill the disk. */
export const LADDERS_WITHOUT_CALL_MAX = 10_000;
/** The oldest leave when so many were written since they last did. */
const TRIM_EVERY = 500;

/** Of one call: its caller, and everybody who was dialled into it. */
const DIALOGS_MAX = 20;

export type LadderRow = typeof sipLadders.$inferSelect;

/** What PostgreSQL takes as text, in JSON too: no zero character, and no half of a pair that a cut left. */
const clean = (text: string): string =>
  text.replace(/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '');

/** SIP messages of calls. */
export class LadderRows {
  #sinceTrim = TRIM_EVERY; // The first writes of a process trim what the one before left.
  constructor(
    private readonly db: Database,
    private readonly gateway: string,
  ) {}

  /** Each goes to its call, else to the one that has its Call-ID, to the latest of them where a peer gave several the same. */
  async add(ladders: readonly LadderRecord[]): Promise<void> {
    if (ladders.length === 0) return;
    await this.db.insert(sipLadders).values(
      ladders.map(({ steps, callId = '', ...ladder }) => ({
        ...ladder,
        sipCallId: clean(ladder.sipCallId),
        callId: sql`coalesce((SELECT id FROM calls WHERE id = ${callId}),
          (SELECT id FROM calls WHERE sip_call_id = ${clean(ladder.sipCallId)} ORDER BY started_at DESC LIMIT 1))`,
        steps: steps.map((step) => ({ ...step, line: clean(step.line), text: clean(step.text) })),
        gateway: this.gateway,
      })),
    );
    this.#sinceTrim += ladders.length;
    if (this.#sinceTrim < TRIM_EVERY) return;
    this.#sinceTrim = 0;
    await this.db.execute(sql`DELETE FROM sip_ladders WHERE call_id IS NULL AND seq <= (SELECT seq FROM sip_ladders
      WHERE call_id IS NULL ORDER BY seq DESC OFFSET ${LADDERS_WITHOUT_CALL_MAX} LIMIT 1)`);
  }

  /** By the id of the call, whose dialogs they are in the order in which they began, or a SIP Call-ID. */
  async of(idOrSipCallId: string): Promise<readonly LadderRow[]> {
    return await this.db
      .select()
      .from(sipLadders)
      .where(or(eq(sipLadders.callId, idOrSipCallId), eq(sipLadders.sipCallId, idOrSipCallId)))
      .orderBy(asc(sipLadders.startedAt), asc(sipLadders.seq))
      .limit(DIALOGS_MAX);
  }
}
