import { and, asc, eq, isNull, or } from 'drizzle-orm';
import type { Database } from './database.ts';
import { doNotCall } from './schema.ts';

export type DoNotCallRow = typeof doNotCall.$inferSelect;

const LISTED_MAX = 10_000;
const NOTE_CHARACTERS_MAX = 500;

/** Numbers that nobody calls, in their canonical form. Without an account an entry holds for all. */
export class DoNotCallRows {
  constructor(private readonly db: Database) {}

  /** @returns whether it was not on the list yet. */
  async add(number: string, accountId: string | undefined, note = ''): Promise<boolean> {
    const rows = await this.db
      .insert(doNotCall)
      .values({ number, accountId: accountId ?? null, note: note.slice(0, NOTE_CHARACTERS_MAX) })
      .onConflictDoNothing()
      .returning({ id: doNotCall.id });
    return rows.length > 0;
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

  /** Whether an account must not call `number`. */
  async has(number: string, accountId: string): Promise<boolean> {
    const rows = await this.db
      .select({ id: doNotCall.id })
      .from(doNotCall)
      .where(and(eq(doNotCall.number, number), or(isNull(doNotCall.accountId), eq(doNotCall.accountId, accountId))))
      .limit(1);
    return rows.length > 0;
  }

  /** What holds for an account, entries for all included; everything without one. */
  list(accountId?: string): Promise<readonly DoNotCallRow[]> {
    const mine =
      accountId === undefined ? undefined : or(isNull(doNotCall.accountId), eq(doNotCall.accountId, accountId));
    return this.db.select().from(doNotCall).where(mine).orderBy(asc(doNotCall.number)).limit(LISTED_MAX);
  }
}
