import pg from 'pg';
import { OperatorError } from '../../core/errors.ts';

/** A table that has rows to be kept, with the columns that are written. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}
/** What a table has in it; `digest` is the same wherever the same rows are, in whatever order. */
export interface TableFacts {
  readonly rows: number;
  readonly digest: string;
}
export interface Partition {
  readonly name: string;
  readonly parent: string;
  readonly bound: string; // FOR VALUES FROM (...) TO (...)
  readonly options?: string | null; // autovacuum_... = ...; of backups from before there were months: none
}
/** Amounts over all accounts, in cents. */
export interface Money {
  readonly ledger: number;
  readonly balances: number;
  readonly reserved: number;
}
export interface DatabaseFacts {
  readonly tables: Readonly<Record<string, TableFacts>>;
  readonly money: Money;
}

/** A connection on which rows read the same everywhere, and nothing is hurried. Its owner ends it. */
export async function connect(config: pg.PoolConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 10_000, application_name: 'nidaa-backup' });
  client.on('error', () => undefined); // what is under way fails with it
  await client.connect();
  await client.query(`SET datestyle = 'ISO, YMD'; SET timezone = 'UTC'; SET intervalstyle = 'postgres';
    SET extra_float_digits = 1; SET bytea_output = 'hex'; SET statement_timeout = 0; SET lock_timeout = '30s';
    SET idle_in_transaction_session_timeout = 0`);
  return client;
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A table, and of a part (by month) the table whose part it is: parts may have references of their own. */
const wholeOf = (oid: string): string => `coalesce(pg_partition_root(${oid}), ${oid})::regclass`;

/** Tables whose rows outlive a crash, those first that others refer to. Which migrations were taken is told apart. */
export async function tablesOf(client: pg.Client): Promise<readonly Table[]> {
  const { rows } = await client.query<Table & { needs: string[] }>(`SELECT c.relname AS name,
      array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns,
      ARRAY(SELECT DISTINCT ${wholeOf('f.confrelid')}::text FROM pg_constraint f
        WHERE f.contype = 'f' AND ${wholeOf('f.conrelid')} = c.oid AND ${wholeOf('f.confrelid')} <> c.oid) AS needs
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = to_regnamespace(current_schema()) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relpersistence = 'p' AND c.relname <> 'schema_migrations' GROUP BY c.oid ORDER BY 1`);
  const ordered: Table[] = [];
  const waiting = new Set(rows);
  while (waiting.size > 0) {
    const next = [...waiting].find(({ needs }) => needs.every((need) => ordered.some(({ name }) => name === need)));
    if (!next) throw new Error('tables that refer to each other in a circle');
    waiting.delete(next);
    ordered.push({ name: next.name, columns: next.columns });
  }
  return ordered;
}

export async function partitionsOf(client: pg.Client): Promise<readonly Partition[]> {
  const { rows } = await client.query<Partition>(`SELECT c.relname AS name, i.inhparent::regclass::text AS parent,
      pg_get_expr(c.relpartbound, c.oid) AS bound, array_to_string(c.reloptions, ', ') AS options FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid
    WHERE c.relispartition AND c.relkind = 'r' AND c.relnamespace = to_regnamespace(current_schema()) ORDER BY 1`);
  return rows;
}

/** The next values of columns that count by themselves, by `table.column`. */
export async function countersOf(client: pg.Client): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `SELECT c.relname AS table, a.attname AS column, pg_get_serial_sequence(c.oid::regclass::text, a.attname) AS sequence
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND a.attidentity <> ''
      WHERE c.relnamespace = to_regnamespace(current_schema()) AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
  );
  const found: Record<string, string> = {};
  for (const { table, column, sequence } of rows) {
    const { rows: at } = await client.query<{ next: string }>(
      `SELECT (last_value + is_called::int)::text AS next FROM ${sequence}`,
    );
    found[`${table}.${column}`] = at[0]!.next;
  }
  return found;
}

export async function setCounters(client: pg.Client, counters: Readonly<Record<string, string>>): Promise<void> {
  for (const [place, next] of Object.entries(counters)) {
    const [table = '', column = ''] = place.split('.');
    await client.query(`SELECT setval(pg_get_serial_sequence($1, $2), $3::bigint, false)`, [
      quoted(table),
      column,
      next,
    ]);
  }
}

/** Counts and adds up everything. Sums of hashes do not depend on the order of rows. */
export async function factsOf(client: pg.Client, tables: readonly Table[]): Promise<DatabaseFacts> {
  const found: Record<string, TableFacts> = {};
  for (const { name, columns } of tables) {
    const { rows } = await client.query<{ rows: string; digest: string }>(
      `SELECT count(*) AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS digest
        FROM (SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(name)}) AS t`,
    );
    found[name] = { rows: Number(rows[0]!.rows), digest: rows[0]!.digest };
  }
  const { rows } = await client.query<Readonly<Record<keyof Money, string>>>(
    `SELECT (SELECT coalesce(sum(cents), 0) FROM ledger) AS ledger, (SELECT coalesce(sum(balance_cents), 0) FROM accounts) AS balances,
      (SELECT coalesce(sum(reserved_cents), 0) FROM accounts) AS reserved`,
  );
  const { ledger, balances, reserved } = rows[0]!;
  return { tables: found, money: { ledger: Number(ledger), balances: Number(balances), reserved: Number(reserved) } };
}

/** @throws OperatorError where the two are not the same: it says in what. */
export function requireSame(was: DatabaseFacts, is: DatabaseFacts): void {
  const names = [...new Set([...Object.keys(was.tables), ...Object.keys(is.tables)])];
  const other = names.filter((name) => {
    const [before, after] = [was.tables[name], is.tables[name]];
    return before?.rows !== after?.rows || before?.digest !== after?.digest;
  });
  if (other.length > 0) {
    const told = other.map(
      (name) => `${name} (${was.tables[name]?.rows ?? 0} rows, now ${is.tables[name]?.rows ?? 0})`,
    );
    throw new OperatorError(`What was written is not what was read: ${told.join(', ')}. Nothing was changed.`);
  }
  for (const what of ['ledger', 'balances', 'reserved'] as const) {
    if (was.money[what] === is.money[what]) continue;
    throw new OperatorError(`The sums differ: ${what} ${was.money[what]}, now ${is.money[what]}. Nothing was changed.`);
  }
}
