import { and, desc, eq, isNull, lt, or } from 'drizzle-orm';
import type { Database } from './database.ts';
import type { Owner } from './gateway-identity.ts';
import { KeptRows, storableText } from './kept-rows.ts';
import { refusedCalls } from './schema.ts';

/** Kept in all; a scanner must not fill the disk. */
export const REFUSED_CALLS_MAX = 10_000;
const LIST_MAX = 1_000;
const TEXT_CHARS_MAX = 512;

export type RefusedCallRow = typeof refusedCalls.$inferSelect;

/** A call that came to nothing before it had a record. `from` and `to` are personal data. */
export interface RefusedCall {
  readonly at: Date;
  readonly from: string;
  readonly to: string;
  readonly sourceAddress: string;
  readonly transport: string;
  readonly sipCallId: string;
  readonly trunk?: string; // its name
  readonly accountId?: string;
  readonly reason: string; // of `CallEnd`
  readonly detail: string;
  readonly remedy: string; // what would let it in
}

const clean = (text: string): string => storableText(text.slice(0, TEXT_CHARS_MAX));

/** The last calls that were refused. */
export class RefusedCallRows {
  readonly #kept: KeptRows;

  constructor(
    private readonly db: Database,
    private readonly owner: Owner,
  ) {
    this.#kept = new KeptRows(db, { table: refusedCalls, max: REFUSED_CALLS_MAX });
  }

  /** Writes several at once: a flood is one statement a while. */
  async add(calls: readonly RefusedCall[]): Promise<void> {
    if (calls.length === 0) return;
    await this.db.insert(refusedCalls).values(
      calls.map((call) => ({
        ...{ at: call.at, from: clean(call.from), to: clean(call.to), sourceAddress: clean(call.sourceAddress) },
        ...{ transport: clean(call.transport), sipCallId: clean(call.sipCallId), reason: call.reason },
        ...{ trunk: call.trunk ?? null, accountId: call.accountId ?? null },
        ...{ detail: clean(call.detail), remedy: clean(call.remedy), gateway: this.owner.id },
      })),
    );
    await this.#kept.wrote(calls.length);
  }

  /** The newest first. */
  list(limit = 50): Promise<readonly RefusedCallRow[]> {
    return this.page({ limit });
  }

  /** Those of one account, where it is named; `strangers`: and those that nobody is known of. Before `seq`, newest first. */
  page({ limit, accountId, strangers = false, seq }: RefusedQuery): Promise<readonly RefusedCallRow[]> {
    const mine = accountId === undefined ? undefined : eq(refusedCalls.accountId, accountId);
    return this.db
      .select()
      .from(refusedCalls)
      .where(
        and(
          strangers && mine ? or(mine, isNull(refusedCalls.accountId)) : mine,
          seq === undefined ? undefined : lt(refusedCalls.seq, seq),
        ),
      )
      .orderBy(desc(refusedCalls.seq))
      .limit(Math.min(limit, LIST_MAX));
  }
}

export interface RefusedQuery {
  readonly limit: number;
  readonly accountId?: string;
  readonly strangers?: boolean;
  readonly seq?: number;
}

/** A refused call as tools show it. */
export const presentRefused = (row: RefusedCallRow) => ({
  ...{ at: row.at.toISOString(), from: row.from, to: row.to, source_address: row.sourceAddress },
  ...{ transport: row.transport, sip_call_id: row.sipCallId, trunk: row.trunk, account_id: row.accountId },
  ...{ reason: row.reason, detail: row.detail, remedy: row.remedy },
});
