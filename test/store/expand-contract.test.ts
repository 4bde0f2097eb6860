import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onConnection } from '../../src/store/database-access.ts';
import {
  FIRST_WITH_HEAD,
  type Migration,
  migrate,
  readMigrations,
  requireMayRun,
  requireMigrated,
} from '../../src/store/migrator.ts';
import { expandFaults } from '../support/migration-rules.ts';
import { openTestStore, type SharedTestStore } from '../support/postgres-store.ts';

const LAST = readMigrations().length;
const step = (number: number, sql: string, more: Partial<Migration> = {}): Migration => ({
  ...{ number, name: `${number}_test.sql`, sha256: `of ${number}`, sql, needs: 0, outside: false },
  ...more,
});

describe('steps that expand and contract', () => {
  let test: SharedTestStore;
  let client: pg.Client;
  beforeAll(async () => {
    test = await openTestStore();
    client = new pg.Client(test.databaseUrl);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await test.close();
  });
  const gateway = (id: string, says: object | null): Promise<unknown> =>
    client.query(
      `INSERT INTO gateways (id, node, place, host, beat, expires_at, says) VALUES ($1, $1, $1, 'box', 'b', now() + interval '1 minute', $2)`,
      [id, says && JSON.stringify(says)],
    );

  it('a gateway goes on beside an expanded database, and one that does not know the step starts on it', async () => {
    const added = step(LAST + 1, 'ALTER TABLE accounts ADD COLUMN colour text');
    expect(await migrate(client, { migrations: [...readMigrations(), added] })).toBe(1);
    expect(await migrate(client)).toBe(0);
    await requireMigrated(client);
    await client.query('BEGIN');
    await requireMayRun(client);
    await client.query('COMMIT');
  });

  it('a step that takes something away waits for every older gateway, and says which there are', async () => {
    const contract = step(LAST + 2, 'ALTER TABLE accounts DROP COLUMN colour', { needs: LAST + 1 });
    const all = [...readMigrations(), step(LAST + 1, ''), contract];
    await gateway('gw_old', { version: '0.1.0', tables: LAST });
    await gateway('gw_new', { version: '0.2.0', tables: LAST + 1 });
    await gateway('gw_silent', null);
    const refused = migrate(client, { migrations: all });
    await expect(refused).rejects.toThrow(/gw_old on box \(0\.1\.0\), gw_silent on box/);
    await expect(refused).rejects.not.toThrow(/gw_new/);
    await client.query(`UPDATE gateways SET expires_at = '-infinity' WHERE id = 'gw_old'`);
    const own = { node: 'gw_silent', place: 'gw_silent' };
    expect(await migrate(client, { migrations: all, own })).toBe(1);
  });

  it('from then on an older gateway does not start, nor come back from where it was cut off', async () => {
    await expect(migrate(client)).rejects.toThrow(`newer than this gateway (it has ${LAST + 2}_test.sql)`);
    await expect(requireMigrated(client)).rejects.toThrow('newer than this gateway');
    const claim = { id: test.store.gateways.id, beat: 'b', leaseSeconds: 5 };
    await expect(test.store.gateways.claim(claim)).rejects.toThrow('newer than this gateway');
    await client.query('DELETE FROM schema_migrations WHERE number > $1', [LAST]);
    expect((await test.store.gateways.claim(claim)).outcome).toBe('held');
  });

  it('who becomes a gateway waits for a step that takes something away', async () => {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock(7102318345)');
    let isHeld = false;
    const claim = test.store.gateways.claim({ id: 'gw_other', beat: 'c', leaseSeconds: 5 }).then(() => {
      isHeld = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(isHeld).toBe(false);
    await client.query('COMMIT');
    await claim;
  });

  it('an index is built beside running gateways, also where an earlier try broke off', async () => {
    const sql = 'CREATE INDEX CONCURRENTLY IF NOT EXISTS accounts_by_test ON accounts (name)';
    await client.query('CREATE INDEX accounts_by_test ON accounts (name)');
    await client.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'accounts_by_test'::regclass`);
    const migrations = [...readMigrations(), step(LAST + 1, sql, { outside: true })];
    const aside = (work: (other: pg.ClientBase) => Promise<void>): Promise<void> =>
      onConnection({ connectionString: test.databaseUrl }, work);
    const two = await Promise.all([
      migrate(client, { migrations, aside }),
      onConnection({ connectionString: test.databaseUrl }, (other) => migrate(other, { migrations, aside })),
    ]);
    expect(two.sort()).toEqual([0, 1]);
    const { rows } = await client.query(
      `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'accounts_by_test'::regclass`,
    );
    expect(rows).toEqual([{ valid: true }]);
    await client.query('DELETE FROM schema_migrations WHERE number > $1; ', [LAST]);
  });
});

describe('what a step that expands may not do', () => {
  it.each([
    ['drops a column', 'ALTER TABLE calls DROP COLUMN a'],
    ['drops a column', 'ALTER TABLE calls DROP a'],
    ['drops what older gateways use', 'DROP TABLE calls'],
    ['drops what older gateways use', 'DROP FUNCTION charge_now(text)'],
    ['renames', 'ALTER TABLE calls RENAME a TO b'],
    ['wants a value', 'ALTER TABLE calls ALTER COLUMN a SET NOT NULL'],
    ['no default', 'ALTER TABLE calls ADD COLUMN a text NOT NULL'],
    ['no default', `ALTER TABLE calls ADD COLUMN b text DEFAULT 'x', ADD COLUMN a text NOT NULL`],
    ['changes a type', 'ALTER TABLE calls ALTER COLUMN a TYPE integer'],
    ['changes a type', 'ALTER TABLE calls ALTER a SET DATA TYPE integer'],
    ['adds a constraint', 'ALTER TABLE calls ADD CONSTRAINT few CHECK (a < 5)'],
    ['unique', 'CREATE UNIQUE INDEX CONCURRENTLY x ON calls (a)'],
    ['trigger', 'CREATE TRIGGER x BEFORE INSERT ON calls FOR EACH ROW EXECUTE FUNCTION f()'],
    ['locks a table', 'CREATE INDEX x ON calls (a)'],
    ['removes rows', 'DELETE FROM calls'],
  ])('%s: %s', (name, sql) => {
    expect(expandFaults(sql).join()).toContain(name);
  });

  it.each([
    `ALTER TABLE calls ADD COLUMN a text NOT NULL DEFAULT 'x'`,
    `ALTER TABLE calls ADD COLUMN a text DEFAULT 'x' NOT NULL, ADD COLUMN b text`,
    'CREATE TABLE fresh (a text NOT NULL); CREATE UNIQUE INDEX x ON fresh (a); ALTER TABLE fresh ADD CONSTRAINT y CHECK (a > 1)',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS x ON calls (a)',
    'ALTER TABLE calls DROP CONSTRAINT few',
    '-- safe few: it has one more word than before\nALTER TABLE calls DROP CONSTRAINT few, ADD CONSTRAINT few CHECK (a IN (1, 2, 3))',
    `CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DELETE FROM calls; DROP TABLE x; END $$`,
    `-- DROP TABLE calls;\nUPDATE calls SET a = 'DROP TABLE; x'`,
    'ALTER TABLE charges SET (autovacuum_vacuum_scale_factor = 0.02)',
  ])('allowed: %s', (sql) => {
    expect(expandFaults(sql)).toEqual([]);
  });

  const headed = readMigrations().filter(({ number }) => number >= FIRST_WITH_HEAD);
  it('holds for all that there are', () => {
    expect(headed.filter(({ needs }) => needs === 0).map(({ name, sql }) => [name, expandFaults(sql)])).toEqual(
      headed.filter(({ needs }) => needs === 0).map(({ name }) => [name, []]),
    );
    expect(headed.filter(({ number, needs }) => needs >= number)).toEqual([]);
  });
});
