import { and, asc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { LadderRecord } from '../core/sip-ladder.ts';
import { callIdsFrom } from './call-query.ts';
import type { Database } from './database.ts';
import type { Owner } from './gateway-identity.ts';
import { KeptRows, storableText } from './kept-rows.ts';
import { calls, sipLadders } from './schema.ts';

/** Ladders of calls that have no record; a scanner must not fill the disk. */
export const LADDERS_WITHOUT_CALL_MAX = 10_000;
/** Of one call: its caller, and everybody who was dialled into it. */
const DIALOGS_MAX = 20;

export type LadderRow = typeof sipLadders.$inferSelect;

/** SIP messages of calls. */
export class LadderRows {
  readonly #kept: KeptRows;

  constructor(
    private readonly db: Database,
    private readonly owner: Owner,
  ) {
    const where = isNull(sipLadders.callId);
    this.#kept = new KeptRows(db, { table: sipLadders, max: LADDERS_WITHOUT_CALL_MAX, where });
  }

  /** Each goes to its call, else to the one that has its Call-ID, to the latest of them where a peer gave several the same. */
  async add(ladders: readonly LadderRecord[]): Promise<void> {
    if (ladders.length === 0) return;
    const written = await this.db
      .insert(sipLadders)
      .values(
        ladders.map(({ steps, callId = '', ...ladder }) => ({
          ...ladder,
          sipCallId: storableText(ladder.sipCallId),
          callId: sql`coalesce((SELECT id FROM calls WHERE id = ${callId}),
          (SELECT id FROM calls WHERE sip_call_id = ${storableText(ladder.sipCallId)} AND id >= ${callIdsFrom(ladder.startedAt)}
            ORDER BY started_at DESC LIMIT 1))`,
          steps: steps.map((step) => ({ ...step, line: storableText(step.line), text: storableText(step.text) })),
          gateway: this.owner.id,
        })),
      )
      .returning({ seq: sipLadders.seq });
    // Of calls that were erased before their messages came.
    const erased = this.db.select({ id: calls.id }).from(calls).where(isNotNull(calls.erasedAt));
    await this.db.delete(sipLadders).where(
      and(
        inArray(
          sipLadders.seq,
          written.map(({ seq }) => seq),
        ),
        inArray(sipLadders.callId, erased),
      ),
    );
    await this.#kept.wrote(ladders.length);
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

/** The messages of a dialog as tools show them. */
export function presentLadder({ callId, sipCallId, startedAt, inbound, answered, steps }: LadderRow) {
  return {
    ...{ call_id: callId, sip_call_id: sipCallId, started_at: startedAt.toISOString() },
    direction: inbound ? ('inbound' as const) : ('outbound' as const),
    ...{ answered, messages: steps },
  };
}
