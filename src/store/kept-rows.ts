import { type SQL, sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import type { refusedCalls, sipLadders } from './schema.ts';

/** The oldest leave when so many were written since they last did: not a statement more for every row. */
const TRIM_EVERY = 500;

/** What PostgreSQL takes as text, in JSON too: no zero character, and no half of a pair that a cut left. */
export const storableText = (text: string): string =>
  text.replace(/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '');

export interface KeptRowsLimit {
  readonly table: typeof refusedCalls | typeof sipLadders;
  readonly max: number;
  /** Of those that are counted; all of them without it. */
  readonly where?: SQL;
}

/** Keeps the last of rows that strangers cause: a scanner must not fill the disk. */
export class KeptRows {
  #sinceTrim = TRIM_EVERY; // The first writes of a process trim what the one before left.
  constructor(
    private readonly db: Database,
    private readonly limit: KeptRowsLimit,
  ) {}

  /** So many were written. */
  async wrote(count: number): Promise<void> {
    this.#sinceTrim += count;
    if (this.#sinceTrim < TRIM_EVERY) return;
    this.#sinceTrim = 0;
    const { table, max, where = sql`true` } = this.limit;
    await this.db.execute(sql`DELETE FROM ${table} WHERE ${where} AND ${table.seq} <=
      (SELECT ${table.seq} FROM ${table} WHERE ${where} ORDER BY ${table.seq} DESC OFFSET ${max} LIMIT 1)`);
  }
}
