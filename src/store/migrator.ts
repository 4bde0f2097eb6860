import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { delay, systemClock } from '../core/clock.ts';
import { OperatorError } from '../core/errors.ts';
import { buildIndexBeside } from './index-step.ts';

/** One numbered step of the database's shape: `0001_base.sql`. Never changed once it was released. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
  /** The step that a gateway has to know to run on what this one leaves; 0: whatever it knows. As the head of the file says. */
  readonly needs: number;
  /** It builds an index beside running gateways, which no transaction can: one statement, repeated where it broke off. */
  readonly outside: boolean;
}

/** Who takes steps: what is left of an earlier start in the same place is no other gateway. */
export interface StepTaker {
  readonly node: string;
  readonly place: string;
}

export interface MigrateOptions {
  readonly migrations?: readonly Migration[];
  readonly own?: StepTaker;
  /** How long a step rests that found a table in use. */
  readonly againMs?: number;
  /** Runs work on a second connection, while this one keeps others from taking steps. */
  readonly aside?: (work: (client: pg.ClientBase) => Promise<void>) => Promise<void>;
}

/** Both `src/store/` and its built twin `dist/store/` lie two folders below the project, which holds the SQL once. */
const MIGRATIONS_URL = new URL('../../src/store/migrations/', import.meta.url);
/** Steps from here on say in their head who may run on them; before, only who knew them. */
export const FIRST_WITH_HEAD = 43;
/** Any fixed numbers. Gateways that start together on one database take turns. */
export const MIGRATION_LOCK = 7_102_318_344;
/** Held by a step that takes something away, and shared by who becomes a gateway on the database. */
export const CONTRACT_KEY = 7_102_318_345;
/** Another gateway takes steps: it may build an index of a large table. */
const TURN_WAIT_MS_MAX = 3_600_000;
const TURN_LOOK_MS = 100;
/** Whoever comes while a step waits for a table waits behind it: it waits seldom. */
const AGAIN_MS = 5_000;
const TAKES_STEPS = 'Start a gateway of this version on it once: that brings it up to date.';
const BEGIN_STEP = 'BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';

/** Reads the numbered SQL files, in order. @throws OperatorError when a number is missing or taken twice, or a head. */
export function readMigrations(folder: URL = MIGRATIONS_URL): readonly Migration[] {
  const names = readdirSync(folder).filter((name) => /^\d{4}_[a-z0-9-]+\.sql$/.test(name));
  return names.sort().map((name, position) => {
    const number = Number(name.slice(0, 4));
    if (number !== position + 1) {
      throw new OperatorError(`Migrations in ${fileURLToPath(folder)} are not numbered one by one: ${name}.`);
    }
    const sql = readFileSync(new URL(name, folder), 'utf8');
    return { number, name, sql, sha256: createHash('sha256').update(sql).digest('hex'), ...headOf(number, name, sql) };
  });
}

/** `-- expand: ...`, `-- expand outside a transaction: ...` or `-- contract 0042: ...`, the first line of a file. */
function headOf(number: number, name: string, sql: string): Pick<Migration, 'needs' | 'outside'> {
  if (number < FIRST_WITH_HEAD) return { needs: number, outside: false };
  const head = /^-- (?:expand( outside a transaction)?|contract (\d{4})): \S/.exec(sql);
  if (!head) throw new OperatorError(`${name} does not begin with "-- expand: why" or "-- contract 0042: why".`);
  return { needs: Number(head[2] ?? 0), outside: head[1] !== undefined };
}

let known: number | undefined;
/** The last step that this program knows. */
export function tablesVersion(): number {
  known ??= readMigrations().length;
  return known;
}

/**
 * Brings the database up to date: every step that is not there yet, each in a transaction of its own together with its
 * entry in `schema_migrations`. It goes through a pooler as well: no lock outlasts its transaction.
 *
 * @returns how many steps were applied.
 * @throws OperatorError when the database is too new for this program, a step that it has was changed since, or one may not be
 * taken while older gateways run.
 */
export async function migrate(client: pg.ClientBase, options: MigrateOptions = {}): Promise<number> {
  const { migrations = readMigrations() } = options;
  if (!(await hasBook(client))) await inTurn(client, () => makeBook(client));
  let applied = 0;
  while ((await missingOf(client, migrations)).length > 0) {
    await inTurn(
      client,
      async () => {
        const [next] = await missingOf(client, migrations); // another gateway may have taken it meanwhile
        if (next) await apply(client, next, options);
        applied += next ? 1 : 0;
      },
      options.againMs,
    );
  }
  return applied;
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

/**
 * For who becomes a gateway, in the transaction in which it does: from here to its end nothing is taken away.
 *
 * @throws OperatorError where something was that it needs.
 */
export async function requireMayRun(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock_shared($1)', [CONTRACT_KEY]);
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM schema_migrations m WHERE number > $1 AND coalesce((to_jsonb(m) ->> 'needs')::int, number) > $1 ORDER BY number LIMIT 1`,
    [tablesVersion()],
  );
  if (rows[0]) throw tooNew(rows[0].name);
}

type Row = Pick<Migration, 'number' | 'name' | 'sha256'> & { readonly needs: number };

async function missingOf(client: pg.ClientBase, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const { rows } = await client.query<Row>(
    `SELECT number, name, sha256, coalesce((to_jsonb(m) ->> 'needs')::int, number) AS needs FROM schema_migrations m ORDER BY number`,
  );
  for (const row of rows) checkApplied(row, migrations);
  return migrations.slice(rows.length);
}

function checkApplied(row: Row, migrations: readonly Migration[]): void {
  const own = migrations[row.number - 1];
  if (!own && row.needs > migrations.length) throw tooNew(row.name);
  if (own && own.sha256 !== row.sha256) {
    throw new OperatorError(
      `${own.name} was changed after the database took it. Restore the file; add changes as a new number.`,
    );
  }
}

const tooNew = (name: string): OperatorError =>
  new OperatorError(`The database is newer than this gateway (it has ${name}). Start the newer version.`);

async function hasBook(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_attribute WHERE attrelid = to_regclass('schema_migrations') AND attname = 'needs'`,
  );
  return rowCount === 1;
}

/** What says which steps a database has taken. */
export async function makeBook(client: pg.ClientBase): Promise<void> {
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
    number integer PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  await client.query('ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS needs integer'); // none: only who knows the step
}

/**
 * Runs `work` in a transaction while no other gateway takes steps. The lock is asked for again and again: a statement that waits
 * for it would keep its snapshot, and an index that another builds beside would wait for that.
 */
async function inTurn(client: pg.ClientBase, work: () => Promise<void>, againMs = AGAIN_MS): Promise<void> {
  const endMs = systemClock.nowMs() + TURN_WAIT_MS_MAX;
  for (;;) {
    let pauseMs = TURN_LOOK_MS;
    await client.query(BEGIN_STEP);
    try {
      const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS mine', [
        MIGRATION_LOCK,
      ]);
      if (rows[0]?.mine) {
        await work();
        await client.query('COMMIT');
        return;
      }
      await client.query('ROLLBACK');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      if (!isInTheWay(error)) throw error;
      pauseMs = againMs;
    }
    if (systemClock.nowMs() > endMs) {
      throw new OperatorError(
        'For an hour another gateway has been bringing the database up to date, or a table that a step needs was in use. Look what hangs, and start again.',
      );
    }
    await delay(systemClock, pauseMs);
  }
}

/** A step that waits for nobody for long found a table in use (lock_not_available): a backup reads for hours. */
const isInTheWay = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '55P03';

async function apply(client: pg.ClientBase, migration: Migration, { own, aside }: MigrateOptions): Promise<void> {
  const { number, needs, outside, sql } = migration;
  if (number >= FIRST_WITH_HEAD && needs > 0) await requireNobodyOlder(client, migration, own);
  if (!outside || !aside) return takeStep(client, migration);
  await aside((other) => buildIndexBeside(other, sql));
  await note(client, migration);
}

/** Takes a step within a transaction of the caller's, with its entry: an index is built while others wait. */
export async function takeStep(client: pg.ClientBase, migration: Migration): Promise<void> {
  const { sql, outside } = migration;
  await client.query(outside ? sql.replace(' CONCURRENTLY', '') : sql);
  await note(client, migration);
}

async function note(client: pg.ClientBase, { number, name, sha256, needs }: Migration): Promise<void> {
  await client.query('INSERT INTO schema_migrations (number, name, sha256, needs) VALUES ($1, $2, $3, $4)', [
    ...[number, name, sha256, needs],
  ]);
}

interface OlderGateway {
  readonly id: string;
  readonly host: string;
  readonly version: string;
}

/** A gateway that has not said yet which tables it knows counts as older: it has only just begun, and the next try finds it told. */
async function requireNobodyOlder(
  client: pg.ClientBase,
  { name, needs }: Migration,
  own: StepTaker | undefined,
): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [CONTRACT_KEY]);
  const { rows } = await client.query<OlderGateway>(
    `SELECT id, coalesce(host, '?') AS host, coalesce(says ->> 'version', '?') AS version FROM gateways g
     WHERE gateway_lives(g) AND coalesce((says ->> 'tables')::int, 0) < $1
       AND (node, place) IS DISTINCT FROM ($2::text, $3::text) ORDER BY started_at LIMIT 10`,
    [needs, own?.node ?? null, own?.place ?? null],
  );
  if (rows.length === 0) return;
  const list = rows.map(({ id, host, version }) => `${id} on ${host} (${version})`).join(', ');
  throw new OperatorError(
    `${name} takes away what older gateways use, and there are such on this database: ${list}. Stop them, or bring them up to date, ` +
      '(`nidaa nodes` lists them), and start this one again.',
  );
}
