import type pg from 'pg';
import type { Clock } from '../core/clock.ts';

/** The table of the next month is there for at least as long before it is needed. */
const AHEAD_DAYS = 20;
/** What is said of a call that is over may come late. */
const LATE_DAYS = 40;
const DAY_MS = 86_400_000;
/** It was in use; the next round finds it otherwise. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Tables by month, see months.md. */
export class MonthRows {
  constructor(
    private readonly pool: pg.Pool,
    private readonly clock: Clock,
  ) {}

  /** Makes the tables of this month and the next where there are none. @returns how many. */
  async prepare(): Promise<number> {
    const now = this.clock.utc();
    const { rows } = await this.pool.query<{ root: string; at: Date }>(
      `SELECT r.name AS root, m.at FROM month_roots() r, unnest($1::timestamptz[]) AS m (at)
        WHERE to_regclass(r.name || to_char(m.at AT TIME ZONE 'UTC', '_YYYY_MM')) IS NULL`,
      [[now, new Date(now.getTime() + AHEAD_DAYS * DAY_MS)]],
    );
    return this.#count(rows.map(({ root, at }) => ['SELECT make_month($1, $2) AS done', [root, at]]));
  }

  /** Takes away what retention has emptied and a vacuum has seen empty: its place on the disk is free at once. @returns how many tables. */
  async dropEmpty(): Promise<number> {
    const { rows } = await this.pool.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'turns_timed'::regclass
        AND c.reltuples <= 0 AND substr(c.relname, 13) < to_char($1::timestamptz AT TIME ZONE 'UTC', 'YYYY_MM') ORDER BY 1`,
      [new Date(this.clock.utc().getTime() - LATE_DAYS * DAY_MS)],
    );
    return this.#count(rows.map(({ name }) => ['SELECT drop_month($1) AS done', [name]]));
  }

  /** One statement each, so that no lock is held for the next. */
  async #count(statements: readonly (readonly [string, unknown[]])[]): Promise<number> {
    let done = 0;
    for (const [text, values] of statements) {
      const made = await this.pool.query<{ done: boolean }>(text, values).catch(unlessInUse);
      done += made?.rows[0]?.done ? 1 : 0;
    }
    return done;
  }
}

function unlessInUse(error: unknown): undefined {
  if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
}
