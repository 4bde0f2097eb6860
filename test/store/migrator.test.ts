import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as agentDocuments from '../../src/store/agent-document-schema.ts';
import * as agentTests from '../../src/store/agent-test-schema.ts';
import * as management from '../../src/store/management-schema.ts';
import { type Migration, migrate, readMigrations, requireMigrated } from '../../src/store/migrator.ts';
import * as schema from '../../src/store/schema.ts';
import * as webhook from '../../src/store/webhook-schema.ts';
import { openTestStore, type TestStore } from '../support/postgres-store.ts';

const tables = Object.values({ ...schema, ...management, ...agentTests, ...agentDocuments, ...webhook }).filter(
  (value) => is(value, PgTable),
) as PgTable[];

const next = (number: number, name: string): Omit<Migration, 'sql'> => ({
  ...{ number, name },
  sha256: 'x',
  needs: 0,
  outside: false,
});

describe('migrations', () => {
  let test: TestStore;
  let client: pg.Client;
  beforeAll(async () => {
    test = await openTestStore();
    client = new pg.Client(test.store.connection);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await test.close();
  });

  it('are applied once', async () => {
    expect(await migrate(client)).toBe(0);
    const { rows } = await client.query('SELECT number FROM schema_migrations ORDER BY number');
    expect(rows.map((row) => row.number)).toEqual(readMigrations().map((migration) => migration.number));
  });

  it('a changed step is refused', async () => {
    const changed = readMigrations().map((step) => (step.number === 1 ? { ...step, sha256: 'other' } : step));
    await expect(migrate(client, { migrations: changed })).rejects.toThrow(/0001_base.sql was changed/);
  });

  it('a database newer than the program is refused', async () => {
    await expect(migrate(client, { migrations: readMigrations().slice(0, 1) })).rejects.toThrow(
      /newer than this gateway/,
    );
  });

  it('a step that fails leaves nothing behind, and can be tried again', async () => {
    const number = readMigrations().length + 1;
    const broken = { ...next(number, 'broken'), sql: 'CREATE TABLE half (a int); SELECT 1 / 0;' };
    await expect(migrate(client, { migrations: [...readMigrations(), broken] })).rejects.toThrow(/division by zero/);
    expect((await client.query(`SELECT to_regclass('half') AS half`)).rows[0].half).toBeNull();
    expect(await migrate(client)).toBe(0);
  });

  it('a look at a database changes nothing in it, and names what it lacks', async () => {
    const step = { ...next(readMigrations().length + 1, '9999_next.sql'), sql: 'CREATE TABLE next (a int)' };
    await requireMigrated(client);
    await expect(requireMigrated(client, [...readMigrations(), step])).rejects.toThrow(
      'The database is older than this program: it lacks 9999_next.',
    );
    await expect(requireMigrated(client, readMigrations().slice(0, 1))).rejects.toThrow(/newer than this gateway/);
    expect((await client.query(`SELECT to_regclass('next') AS next`)).rows[0].next).toBeNull();
  });

  it.each(tables.map((table) => [getTableConfig(table).name, table] as const))(
    'table %s: the queries see the columns that the migrations made',
    async (name, table) => {
      const { rows } = await client.query(
        `SELECT column_name AS name, is_nullable = 'NO' AS required FROM information_schema.columns
         WHERE table_schema = 'public' AND table_name = $1 ORDER BY column_name`,
        [name],
      );
      const seen = getTableConfig(table).columns.map((column) => ({ name: column.name, required: column.notNull }));
      expect(seen.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(rows);
    },
  );
});
