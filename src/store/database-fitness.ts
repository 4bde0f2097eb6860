import type pg from 'pg';
import { DatabaseTrouble } from './database-trouble.ts';

/** PostgreSQL 18 comes with us; 15 is the oldest the statements were written for. */
const SERVER_VERSION_MIN = 150_000;

/** What a database has to be for: `reading` alone, for tools beside a gateway. */
export type DatabaseUse = 'reading' | 'serving';

interface Facts {
  readonly version: string;
  readonly number: number;
  readonly encoding: string;
  readonly readOnly: boolean;
  readonly role: string;
  readonly database: string;
  readonly mayMakeTables: boolean;
  readonly mayMakeSchemas: boolean;
  readonly shut: readonly string[]; // tables of ours that others made
}

/** Nothing is changed by it. `shut` is empty before there are tables. */
const LOOK = `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
  current_setting('server_encoding') AS encoding, current_user AS role, current_database() AS database,
  pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "readOnly",
  coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayMakeTables",
  has_database_privilege(current_database(), 'CREATE') AS "mayMakeSchemas",
  ARRAY(SELECT relname::text FROM pg_class c WHERE relkind IN ('r', 'p') AND NOT relispartition
    AND relowner = (SELECT relowner FROM pg_class WHERE oid = to_regclass('schema_migrations')) AND relnamespace = to_regnamespace(current_schema())
    AND NOT (has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
      AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'))
    ORDER BY relname) AS shut`;

/**
 * Looks whether a database is what a gateway needs, and what its role may do there.
 *
 * @param jobs - job queues live in it as well, in a schema of their own.
 * @returns the server's version. @throws DatabaseTrouble for the first thing that is wrong.
 */
export async function requireFit(
  client: Pick<pg.ClientBase, 'query'>,
  use: DatabaseUse,
  jobs: boolean,
): Promise<string> {
  const { rows } = await client.query<Facts>(LOOK);
  const facts = rows[0]!;
  if (facts.number < SERVER_VERSION_MIN) {
    throw new DatabaseTrouble(
      `PostgreSQL ${facts.version} is too old: the gateway needs 15 or newer.`,
      'Move the database to a newer server (pg_upgrade, or pg_dump and psql).',
    );
  }
  if (facts.encoding !== 'UTF8') {
    throw new DatabaseTrouble(
      `The database ${facts.database} keeps text as ${facts.encoding}, which has no Arabic letters or breaks them.`,
      `Make one that has them: CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0.`,
    );
  }
  if (use === 'serving') requireRights(facts, jobs);
  return facts.version;
}

function requireRights({ readOnly, mayMakeTables, mayMakeSchemas, shut, role, database }: Facts, jobs: boolean): void {
  // In the words of the server, so that there is one sentence for what is found here and what it says itself.
  if (readOnly) throw serverSays('25006', 'cannot write in a read-only transaction');
  if (!mayMakeTables) throw serverSays('42501', 'permission denied for schema public');
  if (shut.length > 0) {
    const more = shut.length > 3 ? ` and ${shut.length - 3} more` : '';
    throw serverSays('42501', `permission denied for table ${shut.slice(0, 3).join(', ')}${more}`);
  }
  if (jobs && !mayMakeSchemas) throw serverSays('42501', `permission denied for database ${database} of ${role}`);
}

const serverSays = (code: string, message: string): Error => Object.assign(new Error(message), { code });
