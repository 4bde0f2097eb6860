import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { OperatorError } from '../core/errors.ts';

/** One numbered step of the database's shape: `0001_base.sql`. Never changed once it was released. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

/** Both `src/store/` and its built twin `dist/store/` lie two folders below the project, which holds the SQL once. */
const MIGRATIONS_URL = new URL('../../src/store/migrations/', import.meta.url);
/** Any fixed number: gateways that start together on one database take turns. */
export const MIGRATION_LOCK = 7_102_318_344;
const TAKES_STEPS = 'Start a gateway of this version on it once: that brings it up to date.';

/** Reads the numbered SQL files, in order. @throws OperatorError when a number is missing or taken twice. */
export function readMigrations(folder: URL = MIGRATIONS_URL): readonly Migration[] {
  const names = readdirSync(folder).filter((name) => /^\d{4}_[a-z0-9-]+\.sql$/.test(name));
  return names.sort().map((name, position) => {
    const number = Number(name.slice(0, 4));
    if (number !== position + 1) {
      throw new OperatorError(`Migrations in ${fileURLToPath(folder)} are not numbered one by one: ${name}.`);
    }
    const sql = readFileSync(new URL(name, folder), 'utf8');
    return { number, name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
  });
}

/**
 * Brings the database up to date: every step that is not there yet, each in a transaction of its own together with its
 * entry in `schema_migrations`.
 *
 * @returns how many steps were applied.
 * @throws OperatorError when the database is newer than this program, or a step that it has was changed since.
 */
export async function migrate(
  client: pg.ClientBase,
  migrations: readonly Migration[] = readMigrations(),
): Promise<number> {
  await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  try {
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
      number integer PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
    const missing = await missingOf(client, migrations);
    for (const migration of missing) await apply(client, migration);
    return missing.length;
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  }
}

/**
 * Looks whether the database is up to date, and changes nothing in it.
 *
 * @throws OperatorError when it is not: it says which steps are missing, and what takes them.
 */
export async function requireMigrated(
  client: pg.ClientBase,
  migrations: readonly Migration[] = readMigrations(),
): Promise<void> {
  const { rows } = await client.query<{ made: boolean }>(`SELECT to_regclass('schema_migrations') IS NOT NULL AS made`);
  if (!rows[0]?.made) throw new OperatorError(`The database has no tables of a gateway. ${TAKES_STEPS}`);
  const missing = await missingOf(client, migrations);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name.replace('.sql', '')).join(', ');
  throw new OperatorError(`The database is older than this program: it lacks ${names}. ${TAKES_STEPS}`);
}

async function missingOf(client: pg.ClientBase, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const { rows } = await client.query<Migration>('SELECT number, name, sha256 FROM schema_migrations ORDER BY number');
  for (const row of rows) checkApplied(row, migrations[row.number - 1]);
  return migrations.slice(rows.length);
}

function checkApplied(row: Pick<Migration, 'number' | 'name' | 'sha256'>, known: Migration | undefined): void {
  if (!known) {
    throw new OperatorError(`The database is newer than this gateway (it has ${row.name}). Start the newer version.`);
  }
  if (known.sha256 !== row.sha256) {
    throw new OperatorError(
      `${known.name} was changed after the database took it. Restore the file; add changes as a new number.`,
    );
  }
}

async function apply(client: pg.ClientBase, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(migration.sql);
    await client.query('INSERT INTO schema_migrations (number, name, sha256) VALUES ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.sha256,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
