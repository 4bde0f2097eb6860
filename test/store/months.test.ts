import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { idsFrom, newId, spanOf } from '../../src/core/ids.ts';
import { onConnection } from '../../src/store/database-access.ts';
import { type Migration, migrate, readMigrations } from '../../src/store/migrator.ts';
import { MonthRows } from '../../src/store/months.ts';
import { openTestStore, type SharedTestStore } from '../support/postgres-store.ts';
import { databaseWithoutTables } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';

const CALL = `INSERT INTO calls (id, sip_call_id, account_id, agent_id, agent_version, agent_name, from_number, to_number, gateway, started_at)
  VALUES ($1, $1, 'acc', 'agt', 1, 'a', '1', '2', 'g', now())`;
const TURN = `INSERT INTO turns (call_id, index, role, text, started_ms, heard_ms) VALUES ($1, $2, 'caller', 'x', 0, 0)`;
const CHARGE = `INSERT INTO charges (id, account_id, owner, kind, state, reserved_cents, gateway) VALUES ($1, 'acc', $2, 'reply', 'settled', 1, 'g')`;
const ACCOUNT = `INSERT INTO accounts (id, name) VALUES ('acc', 'a')`;
const OLD = `call_${'a'.repeat(20)}`;
const indexesOf = `SELECT indexname, replace(indexdef, ' ON ONLY ', ' ON ') AS def FROM pg_indexes WHERE tablename = ANY($1) ORDER BY 1`;
const triggersOf = `SELECT pg_get_triggerdef(oid) AS def FROM pg_trigger WHERE tgrelid::regclass::text = ANY($1) AND NOT tgisinternal ORDER BY 1`;

describe('ids', () => {
  it.each([
    ['2020-01-01T00:59:59Z', 'call_0000000'],
    ['2026-11-28T10:15:00Z', 'call_0060562'],
    ['2133-12-31T23:59:59Z', 'call_0999311'],
    ['2019-05-05T00:00:00Z', 'call_0000000'],
  ])('of a call of %s begin with %s', (at, head) => {
    expect(idsFrom('call', new Date(at))).toBe(head);
    expect(newId('call', new Date(at))).toMatch(new RegExp(`^${head}[a-z2-7]{13}$`));
  });

  it('lie, with what is named after them, in a span of their hours', () => {
    const ids = ['2026-11-28T10:15:00Z', '2026-11-28T12:15:00Z'].map((at) => newId('call', new Date(at)));
    const [low, high] = spanOf('call', ['ts_0060562abc', ...ids])!;
    for (const id of [...ids, `${ids[1]}/minute/0`, `${ids[0]}/turn/12`])
      expect(low <= id && id <= high, id).toBe(true);
    expect(spanOf('ts', ids)).toBeUndefined();
  });
});

describe('a database from before there were months', () => {
  let client: pg.Client;
  let before: { indexes: unknown; triggers: unknown; files: unknown };
  const filesOf = `SELECT pg_relation_filepath(oid) AS file FROM pg_class WHERE relname = ANY($1) ORDER BY 1`;
  const TABLES = ['calls', 'turns', 'charges'];
  const ask = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;

  beforeAll(async () => {
    client = new pg.Client(await databaseWithoutTables(inject('postgresDesk')));
    await client.connect();
    await migrate(client, { migrations: readMigrations().slice(0, 55) });
    await client.query(ACCOUNT);
    for (const [text, values] of [
      [CALL, [OLD]],
      [TURN, [OLD, 0]],
      [CHARGE, [`${OLD}/minute/0`, OLD]],
    ] as const) {
      await client.query(text, [...values]);
    }
    await client.query(
      `INSERT INTO sip_ladders (call_id, sip_call_id, started_at, inbound, answered, steps, gateway)
      VALUES ($1, 'x', now(), true, true, '[]', 'g')`,
      [OLD],
    );
    await client.query('GRANT SELECT ON calls TO PUBLIC');
    before = {
      indexes: await ask(indexesOf, [TABLES]),
      triggers: await ask(triggersOf, [TABLES]),
      files: await ask(filesOf, [TABLES]),
    };
    await migrate(client);
  });
  afterAll(() => client.end());

  it('keeps its rows where they are, in tables that are parts now', async () => {
    expect(await ask(filesOf, [TABLES.map((name) => `${name}_untimed`)])).toEqual(before.files);
    expect(await ask('SELECT tableoid::regclass::text AS place, id FROM calls')).toEqual([
      { place: 'calls_untimed', id: OLD },
    ]);
    expect(await ask('SELECT call_id FROM turns NATURAL JOIN (SELECT owner AS call_id FROM charges) AS c')).toEqual([
      { call_id: OLD },
    ]);
  });

  it('keeps its indexes, triggers and rights, by their names', async () => {
    expect(await ask(indexesOf, [TABLES])).toEqual(before.indexes);
    expect(await ask(triggersOf, [TABLES])).toEqual(before.triggers);
    expect(
      await ask(
        `SELECT has_table_privilege('pg_monitor', 'calls', 'SELECT') AS calls, has_table_privilege('pg_monitor', 'turns', 'SELECT') AS turns`,
      ),
    ).toEqual([{ calls: true, turns: false }]);
    expect(await ask('SELECT indexrelid::regclass FROM pg_index WHERE NOT indisvalid')).toEqual([]);
  });

  it('still has what belongs to a call go with it, and nothing without one', async () => {
    await expect(client.query(TURN, [`call_${'b'.repeat(20)}`, 0])).rejects.toThrow(/foreign key/);
    await expect(client.query('DELETE FROM calls')).rejects.toThrow(/foreign key/);
    await client.query('DELETE FROM turns');
    await client.query('DELETE FROM calls');
    expect(await ask('SELECT FROM sip_ladders')).toEqual([]);
  });
});

describe('tables by month', () => {
  let test: SharedTestStore;
  beforeAll(async () => {
    test = await openTestStore();
    await test.store.pool.query(ACCOUNT);
  });
  afterAll(() => test.close());
  const ask = async (text: string, values: unknown[] = []) => (await test.store.pool.query(text, values)).rows;
  const placeOf = async (table: string, key: string, id: string): Promise<string> =>
    (await ask(`SELECT tableoid::regclass::text AS place FROM ${table} WHERE ${key} = $1`, [id]))[0].place;
  const monthsAt = (at: string) => new MonthRows(test.store.pool, { ...systemClock, utc: () => new Date(at) });
  const addCall = async (at: string): Promise<string> => {
    const id = newId('call', new Date(at));
    await ask(CALL, [id]);
    await ask(TURN, [id, 0]);
    await ask(CHARGE, [`${id}/minute/0`, id]);
    return id;
  };
  const placesOf = async (id: string): Promise<string[]> => [
    await placeOf('calls', 'id', id),
    await placeOf('turns', 'call_id', id),
    await placeOf('charges', 'owner', id),
  ];

  it('of this month and the next are there from the start', async () => {
    expect(await test.store.months.prepare()).toBe(0);
    const id = await addCall(new Date().toISOString());
    expect((await placesOf(id)).map((place) => place.replace(/_\d{4}_\d\d$/, ''))).toEqual([
      'calls_timed',
      'turns_timed',
      'charges_call',
    ]);
  });

  it('are made before they are needed, once', async () => {
    expect(await monthsAt('2031-03-05T00:00:00Z').prepare()).toBe(5);
    expect(await monthsAt('2031-03-20T00:00:00Z').prepare()).toBe(5);
    expect(await monthsAt('2031-03-20T00:00:00Z').prepare()).toBe(0);
    expect(await placesOf(await addCall('2031-03-31T23:59:59Z'))).toEqual([
      'calls_timed_2031_03',
      'turns_timed_2031_03',
      'charges_call_2031_03',
    ]);
    expect(await placesOf(await addCall('2031-04-01T00:00:00Z'))).toEqual([
      'calls_timed_2031_04',
      'turns_timed_2031_04',
      'charges_call_2031_04',
    ]);
    const request = newId('chg', new Date('2031-04-30T23:00:00Z'));
    await ask(CHARGE, [request, request]);
    expect(await placeOf('charges', 'id', request)).toBe('charges_chg_2031_04');
  });

  it('nothing is refused where a month has none, and it stays in the rest', async () => {
    const id = await addCall('2032-06-10T00:00:00Z');
    expect(await placesOf(id)).toEqual(['calls_timed_rest', 'turns_timed_rest', 'charges_call_rest']);
    expect(await monthsAt('2032-06-10T00:00:00Z').prepare()).toBe(2); // charges of requests and live transcriptions
    expect(await placesOf(id)).toEqual(['calls_timed_rest', 'turns_timed_rest', 'charges_call_rest']);
  });

  it('a charge is made once, whatever its month', async () => {
    for (const id of [newId('chg', new Date('2031-04-30T23:00:00Z')), `chg_${'c'.repeat(20)}`, 'request 7']) {
      await ask(CHARGE, [id, id]);
      await expect(ask(CHARGE, [id, id])).rejects.toThrow(/duplicate key/);
    }
  });

  it('what retention has emptied goes, after a while', async () => {
    const id = await addCall('2031-03-31T23:59:59Z');
    await ask('DELETE FROM turns WHERE call_id <> $1', [id]);
    expect(await monthsAt('2031-06-01T00:00:00Z').dropEmpty()).toBe(2); // those of now, and not the one that has a row
    await ask('DELETE FROM turns');
    expect(await monthsAt('2031-05-09T00:00:00Z').dropEmpty()).toBe(0); // too soon
    expect(await monthsAt('2031-06-01T00:00:00Z').dropEmpty()).toBe(1);
    await ask(TURN, [id, 1]); // it comes late
    expect(await placesOf(id)).toEqual(['calls_timed_2031_03', 'turns_timed_rest', 'charges_call_2031_03']);
  });

  it('a role that owns no table makes them too, and takes no other table away', async () => {
    const client = await test.store.pool.connect();
    try {
      await client.query('BEGIN; CREATE ROLE stranger; SET LOCAL ROLE stranger');
      const { rows } = await client.query(
        `SELECT make_month('calls_timed', '2040-01-01') AS made, drop_month('turns_untimed') AS untimed, drop_month('trunks') AS other`,
      );
      expect(rows).toEqual([{ made: true, untimed: false, other: false }]);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('whoever is in the way is waited for in the next round', async () => {
    const other = await test.store.pool.connect();
    try {
      await other.query('BEGIN; LOCK TABLE charges_ts_rest IN ACCESS SHARE MODE');
      expect(await monthsAt('2033-01-02T00:00:00Z').prepare()).toBe(4);
    } finally {
      await other.query('ROLLBACK');
      other.release();
    }
    expect(await monthsAt('2033-01-02T00:00:00Z').prepare()).toBe(1);
  });

  it('the database says as the program does what ids of an hour begin with', async () => {
    for (const at of ['2020-01-01T00:00:00Z', '2026-11-28T10:59:59.999Z', '2100-02-28T12:00:00Z'].map(
      (text) => new Date(text),
    )) {
      expect(await ask(`SELECT timed_id('chg', $1) AS head`, [at])).toEqual([{ head: idsFrom('chg', at) }]);
    }
  });
});

describe('a step on a database that is in use', () => {
  const LAST = readMigrations().length;
  const step = (sql: string, more: Partial<Migration> = {}): Migration => ({
    ...{ number: LAST + 1, name: 'x.sql', sha256: 'x', sql, needs: 0, outside: false, ...more },
  });
  let test: SharedTestStore;
  let client: pg.Client;
  beforeEach(async () => {
    test = await openTestStore();
    client = new pg.Client(test.databaseUrl);
    await client.connect();
    return async () => {
      await client.end();
      await test.close();
    };
  });

  it('is tried again until a table that it needs is free', async () => {
    const reader = await test.store.pool.connect();
    await reader.query('BEGIN; LOCK TABLE calls IN ACCESS SHARE MODE');
    let waits = 0;
    client.query = new Proxy(client.query, {
      apply: (query, self, args: [string]) => {
        if (args[0] === 'ROLLBACK') waits += 1;
        return Reflect.apply(query, self, args);
      },
    });
    const sql = `SET LOCAL lock_timeout = '20ms'; ALTER TABLE calls ADD COLUMN colour text`;
    const done = migrate(client, { migrations: [...readMigrations(), step(sql)], againMs: 10 });
    await until(() => waits > 1, 'the step is tried again');
    await reader.query('ROLLBACK');
    reader.release();
    expect(await done).toBe(1);
  });

  it('builds an index of every month beside those who write, and again what broke off', async () => {
    const sql =
      '-- expand outside a transaction: why\nCREATE INDEX CONCURRENTLY IF NOT EXISTS calls_cost ON calls (cost_cents);\n';
    const broken = `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'calls_cost_calls_untimed'::regclass`;
    await client.query(`CREATE INDEX calls_cost_calls_untimed ON calls_untimed (cost_cents); ${broken}`);
    const aside = (work: (client: pg.ClientBase) => Promise<void>): Promise<void> =>
      onConnection({ connectionString: test.databaseUrl }, work);
    expect(await migrate(client, { migrations: [...readMigrations(), step(sql, { outside: true })], aside })).toBe(1);
    const { rows } = await client.query<{
      valid: boolean;
      parts: number;
    }>(`SELECT bool_and(indisvalid) AS valid, count(*)::int AS parts
      FROM pg_partition_tree('calls_cost') t JOIN pg_index i ON i.indexrelid = t.relid WHERE isleaf`);
    const { rows: tables } = await client.query(`SELECT FROM pg_partition_tree('calls') WHERE isleaf`);
    expect(rows).toEqual([{ valid: true, parts: tables.length }]);
  });
});
