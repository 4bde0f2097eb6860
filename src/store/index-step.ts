import type pg from 'pg';

const STATEMENT =
  /^\s*(?:--[^\n]*\s+)*CREATE (?<unique>UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (?<index>\w+)\s+ON (?<table>\w+) (?<rest>[^;]*);?\s*$/;

/**
 * Builds an index while others write. Of a table by month it is built part by part, and then for the whole, which takes those for its own.
 *
 * @param sql - one `CREATE INDEX CONCURRENTLY IF NOT EXISTS name ON table ...`.
 */
export async function buildIndexBeside(client: pg.ClientBase, sql: string): Promise<void> {
  const { unique = '', index, table, rest } = STATEMENT.exec(sql)?.groups ?? {};
  if (!index || !table || !rest) throw new Error('a step outside a transaction builds an index, and nothing else');
  await client.query('SET statement_timeout = 0');
  const { rows: parts } = await client.query<{ name: string }>(
    `SELECT relid::regclass::text AS name FROM pg_partition_tree($1) WHERE isleaf AND relid <> $1::regclass`,
    [table],
  );
  for (const { name } of parts) await build(client, `${index}_${name}`.slice(0, 63), name);
  await build(client, index, table, parts.length === 0);

  /** One that broke off left an index that is kept up and never used. */
  async function build(on: pg.ClientBase, name: string, of: string, beside = true): Promise<void> {
    const way = beside ? 'CONCURRENTLY ' : '';
    const broken = await on.query('SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid', [name]);
    if (broken.rowCount === 1) await on.query(`DROP INDEX ${way}${name}`);
    await on.query(`CREATE ${unique}INDEX ${way}IF NOT EXISTS ${name} ON ${of} ${rest}`);
  }
}
