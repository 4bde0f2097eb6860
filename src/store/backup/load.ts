import type pg from 'pg';
import { OperatorError } from '../../core/errors.ts';
import { MIGRATION_LOCK, type Migration, makeBook, takeStep } from '../migrator.ts';
import { PERSONAL_DATA } from '../personal-data.ts';
import { copyIn } from './copy.ts';
import { type DatabaseFacts, factsOf, type Partition, quoted, requireSame, setCounters, type Table } from './tables.ts';

/** What a database had in it, and at which step of its shape. */
export interface Snapshot {
  readonly migrations: readonly Pick<Migration, 'number' | 'name' | 'sha256'>[];
  readonly tables: readonly Table[];
  readonly partitions: readonly Partition[];
  readonly counters: Readonly<Record<string, string>>;
  readonly facts: DatabaseFacts;
}

/** @throws OperatorError where a snapshot is of a newer program, or of one whose steps were others. */
export function requireKnown({ migrations }: Pick<Snapshot, 'migrations'>, known: readonly Migration[]): void {
  for (const { number, name, sha256 } of migrations) {
    const step = known[number - 1];
    if (!step)
      throw new OperatorError(`It is of a newer version (it has ${name}). Use that version. Nothing was changed.`);
    if (step.sha256 !== sha256)
      throw new OperatorError(`${name} is another here than it was there. Nothing was changed.`);
  }
}

/** What is in a database already. @throws OperatorError where tables of other programs are among it. */
export async function occupants(client: pg.Client): Promise<{ readonly isEmpty: boolean; readonly accounts: number }> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = to_regnamespace(current_schema()) AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  const foreign = rows.map(({ name }) => name).filter((name) => !(name in PERSONAL_DATA));
  if (foreign.length > 0) {
    throw new OperatorError(
      `The database has tables of another program: ${foreign.slice(0, 5).join(', ')}. Give the gateway a database of its own. Nothing was changed.`,
    );
  }
  if (!rows.some(({ name }) => name === 'accounts')) return { isEmpty: rows.length === 0, accounts: 0 };
  const { rows: counted } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM accounts');
  return { isEmpty: false, accounts: counted[0]!.count };
}

/** @throws OperatorError where a gateway lives on the database. */
export async function requireNobody(client: pg.Client): Promise<void> {
  const { rows: made } = await client.query<{ made: boolean }>(
    `SELECT to_regproc('gateway_lives') IS NOT NULL AS made`,
  );
  if (!made[0]?.made) return;
  const { rows } = await client.query<{ id: string; host: string | null }>(
    'SELECT id, host FROM gateways g WHERE gateway_lives(g) LIMIT 1',
  );
  const [living] = rows;
  if (!living) return;
  throw new OperatorError(
    `A gateway runs on that database: ${living.id} on ${living.host ?? 'another machine'}. Stop it first; one that died by force counts as ` +
      'running for up to half a minute. Nothing was changed.',
  );
}

const CLEAR = `DO $$
DECLARE one record;
BEGIN
  FOR one IN SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace(current_schema()) AND relkind IN ('r', 'p') AND NOT relispartition LOOP
    EXECUTE format('DROP TABLE IF EXISTS %I CASCADE', one.relname);
  END LOOP;
  FOR one IN SELECT p.oid::regprocedure AS signature FROM pg_proc p WHERE pronamespace = to_regnamespace(current_schema())
      AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') LOOP
    EXECUTE 'DROP ROUTINE IF EXISTS ' || one.signature || ' CASCADE';
  END LOOP;
END $$`;

/** Takes everything away that is ours, job queues too: they are filled again from the tables. */
export async function clear(client: pg.Client): Promise<void> {
  await client.query(CLEAR);
  await client.query('DROP SCHEMA IF EXISTS bullmq CASCADE');
}

/** Begins the one transaction of it all; a gateway that starts meanwhile waits for its end. */
export async function begin(client: pg.Client): Promise<void> {
  await client.query('BEGIN');
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
}

export async function takeSteps(client: pg.Client, steps: readonly Migration[]): Promise<void> {
  await makeBook(client);
  for (const step of steps) await takeStep(client, step);
}

/**
 * Fills a database that has no tables, within a transaction of the caller's, and compares.
 *
 * @param rowsOf - what COPY gave of a table.
 * @throws OperatorError where what is there then is not what was there: nothing may be committed.
 */
export async function load(
  client: pg.Client,
  snapshot: Snapshot,
  known: readonly Migration[],
  rowsOf: (table: Table) => AsyncIterable<Uint8Array>,
): Promise<void> {
  const { tables, partitions, counters, facts, migrations } = snapshot;
  await takeSteps(client, known.slice(0, migrations.length));
  for (const { name, parent, bound, options } of partitions) {
    const { rows } = await client.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
      quoted(name),
    ]);
    const having = options ? ` WITH (${options})` : '';
    if (!rows[0]?.there)
      await client.query(`CREATE TABLE ${quoted(name)} PARTITION OF ${quoted(parent)} ${bound}${having}`);
  }
  // What triggers make of rows is among the rows already.
  for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
  for (const { name } of [...tables].reverse()) await client.query(`DELETE FROM ${quoted(name)}`); // what steps put there
  for (const table of tables) {
    const columns = table.columns.map(quoted).join(', ');
    await copyIn(client, `COPY ${quoted(table.name)} (${columns}) FROM STDIN`, rowsOf(table));
  }
  await setCounters(client, counters);
  for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
  requireSame(facts, await factsOf(client, tables));
}

/** Nobody who ran there runs here: leases are given back, and what was under way is closed by the usual recovery. */
export async function forgetWhoRan(client: pg.Client): Promise<void> {
  await client.query(
    `UPDATE gateways SET fenced_at = coalesce(fenced_at, now()), expires_at = '-infinity', drain_asked_at = NULL`,
  );
  await client.query('UPDATE webhook_deliveries SET lease = NULL, leased_until = NULL WHERE lease IS NOT NULL');
}
