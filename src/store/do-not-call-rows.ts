import { and, asc, desc, eq, getTableColumns, gt, isNull, lt, or, sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { doNotCall } from './schema.ts';

export type DoNotCallRow = typeof doNotCall.$inferSelect;

/** A number that is not called, in its canonical form, for ever or until then. */
export interface DoNotCallEntry {
  readonly number: string;
  readonly note?: string;
  readonly until?: Date | null;
}
export interface DoNotCallQuery {
  readonly limit: number;
  readonly before?: number; // id of the last entry of the page before
  readonly number?: string;
}

const LISTED_MAX = 10_000;
const NOTE_CHARACTERS_MAX = 500;
/** Of one account. */
export const DO_NOT_CALL_MAX = 1_000_000;
const ROWS_AT_ONCE = 5_000;

const inForce = or(isNull(doNotCall.until), gt(doNotCall.until, sql`now()`));
const ofAccount = (accountId: string) => or(isNull(doNotCall.accountId), eq(doNotCall.accountId, accountId));

/** Numbers that nobody calls. Without an account an entry holds for all. */
export class DoNotCallRows {
  constructor(private readonly db: Database) {}

  /** @returns whether it was not on the list yet. */
  async add(number: string, accountId: string | undefined, note = ''): Promise<boolean> {
    const [row] = await this.put([{ number, note }], accountId);
    return row!.isNew;
  }

  /** Puts numbers on the list, or gives those that are on it another reason and end. Each number once. */
  async put(
    entries: readonly DoNotCallEntry[],
    accountId: string | undefined,
  ): Promise<readonly (DoNotCallRow & { readonly isNew: boolean })[]> {
    const written: (DoNotCallRow & { readonly isNew: boolean })[] = [];
    for (let at = 0; at < entries.length; at += ROWS_AT_ONCE) {
      const rows = await this.db
        .insert(doNotCall)
        .values(
          entries.slice(at, at + ROWS_AT_ONCE).map(({ number, note = '', until = null }) => ({
            ...{ number, accountId: accountId ?? null, until, note: note.slice(0, NOTE_CHARACTERS_MAX) },
          })),
        )
        .onConflictDoUpdate({
          target: [doNotCall.number, doNotCall.accountId],
          set: { note: sql`excluded.note`, until: sql`excluded.until` },
        })
        .returning({ ...getTableColumns(doNotCall), isNew: sql<boolean>`xmax = 0` });
      written.push(...rows);
    }
    return written;
  }

  /** @returns whether it was on the list. */
  async remove(number: string, accountId: string | undefined): Promise<boolean> {
    const whose = accountId === undefined ? isNull(doNotCall.accountId) : eq(doNotCall.accountId, accountId);
    const rows = await this.db
      .delete(doNotCall)
      .where(and(eq(doNotCall.number, number), whose))
      .returning({ id: doNotCall.id });
    return rows.length > 0;
  }

  /** One of the account's own; `ofAll`: or one that holds for all. @returns it as it was. */
  async removeId(id: number, accountId: string, ofAll = false): Promise<DoNotCallRow | undefined> {
    const own = ofAll ? ofAccount(accountId) : eq(doNotCall.accountId, accountId);
    const [row] = await this.db
      .delete(doNotCall)
      .where(and(eq(doNotCall.id, id), own))
      .returning();
    return row;
  }

  /** Whether an account must not call `number`. */
  async has(number: string, accountId: string): Promise<boolean> {
    const rows = await this.db
      .select({ id: doNotCall.id })
      .from(doNotCall)
      .where(and(eq(doNotCall.number, number), ofAccount(accountId), inForce))
      .limit(1);
    return rows.length > 0;
  }

  /** How many an account has put there itself, counted no further than there may be. */
  async countOf(accountId: string): Promise<number> {
    const { rows } = await this.db.execute<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM (SELECT 1 FROM do_not_call WHERE account_id = ${accountId} LIMIT ${DO_NOT_CALL_MAX}) AS own`,
    );
    return rows[0]?.count ?? 0;
  }

  /** What holds for an account, the latest first. */
  page(accountId: string, { limit, before, number }: DoNotCallQuery): Promise<readonly DoNotCallRow[]> {
    const older = before === undefined ? undefined : lt(doNotCall.id, before);
    const named = number === undefined ? undefined : eq(doNotCall.number, number);
    return this.db
      .select()
      .from(doNotCall)
      .where(and(ofAccount(accountId), older, named))
      .orderBy(desc(doNotCall.id))
      .limit(limit);
  }

  /** What holds for an account, entries for all included; everything without one. */
  list(accountId?: string): Promise<readonly DoNotCallRow[]> {
    const mine = accountId === undefined ? undefined : ofAccount(accountId);
    return this.db.select().from(doNotCall).where(mine).orderBy(asc(doNotCall.number)).limit(LISTED_MAX);
  }
}
