/**
 * Rows come many times faster into tables without indexes, and an index over all rows is built many times faster than it grows.
 * So the filling takes them away first, with the constraints that lean on them, and puts back what the migrations made.
 */
const PLACE = `NOT IN ('pg_catalog', 'information_schema')`;
const CONSTRAINTS = `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS text FROM pg_constraint
  WHERE contype IN ('f', 'p', 'u') AND conparentid = 0
    AND (conrelid::regclass::text = ANY($1) OR confrelid::regclass::text = ANY($1)) ORDER BY contype = 'f', conname`;
const INDEXES = `SELECT indexname AS name, replace(indexdef, ' ON ONLY ', ' ON ') AS text FROM pg_indexes WHERE tablename = ANY($1) AND schemaname ${PLACE}
  ORDER BY indexname`;
const HOURS = 8;

/** @returns puts them back, one after the other, and tells of each. */
export async function withoutIndexes(pool, tables) {
  const { rows: constraints } = await pool.query(CONSTRAINTS, [tables]);
  for (const { table, name } of constraints.toReversed())
    await pool.query(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`);
  const { rows: indexes } = await pool.query(INDEXES, [tables]);
  for (const { name } of indexes) await pool.query(`DROP INDEX "${name}"`);
  const steps = [
    ...constraints.map(({ table, name, text }) => ({
      name,
      text: `ALTER TABLE ${table} ADD CONSTRAINT "${name}" ${text}`,
    })),
    ...indexes,
  ];
  return async (tell) => {
    for (const { name, text } of steps) {
      await atLeisure(pool, text, `SET maintenance_work_mem = '512MB'`);
      tell(name);
    }
  };
}

/** A statement that may take hours, on a connection of its own. */
export async function atLeisure(pool, text, ...settings) {
  const client = await pool.connect();
  try {
    await client.query(['SET statement_timeout = 0', ...settings].join(';'));
    return await client.query({ text, query_timeout: HOURS * 3_600_000 });
  } finally {
    client.release(true);
  }
}
