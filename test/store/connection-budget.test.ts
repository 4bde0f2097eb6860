import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { budgetFault, budgetOf, CONNECTIONS_MIN, sumOf, TOOL_BUDGET } from '../../src/store/connection-budget.ts';
import { locksFault } from '../../src/store/lock-room.ts';
import { Store } from '../../src/store/store.ts';
import { LogCapture } from '../support/log-capture.ts';
import { openTestStore, type SharedTestStore, temporaryFolder } from '../support/postgres-store.ts';

describe('the connections of a gateway', () => {
  let test: SharedTestStore;
  beforeAll(async () => {
    test = await openTestStore();
    const { rows } = await test.store.pool.query('SELECT current_database() AS name');
    await test.store.pool.query(`ALTER DATABASE ${rows[0].name} CONNECTION LIMIT 50`);
  });
  afterAll(() => test.close());

  it.each([
    { connections: 21, jobs: true, pool: 10 },
    { connections: 21, jobs: false, pool: 18 },
    { connections: CONNECTIONS_MIN, jobs: true, pool: 2 },
  ])('$connections, jobs in the database: $jobs', ({ connections, jobs, pool }) => {
    const budget = budgetOf(connections, jobs);
    expect([budget.pool, sumOf(budget)]).toEqual([pool, connections]);
  });

  it('a command keeps to a few', () => expect(test.store.pool.options.max).toBe(TOOL_BUDGET.pool));

  it('fit, or are told of with the numbers', async () => {
    const { pool, gateways } = test.store;
    expect(await budgetFault(pool, budgetOf(21, true), gateways.node)).toBeUndefined();
    await pool.query(
      `INSERT INTO gateways (id, node, expires_at) SELECT 'gw_' || n, 'node ' || n, now() + interval '1 minute' FROM generate_series(1, 2) n`,
    );
    const fault = await budgetFault(pool, budgetOf(21, true), gateways.node);
    expect(fault).toMatch(
      /^the database allows 50 connections, .* have 0 now: 50 are left\. This gateway opens up to 21, and so may each of the 2 others.* by 13, or lower/,
    );
    expect(await budgetFault(pool, budgetOf(21, true), 'node 1')).toBeUndefined(); // an earlier start of its own
  });

  it('have room for their locks, or it is told how much they need', async () => {
    const { pool, gateways } = test.store;
    expect(await locksFault(pool, budgetOf(21, true), gateways.node)).toBeUndefined();
    const asked = await locksFault(pool, { pool: 1_000, trips: 2, jobs: 0, lease: 1 }, gateways.node);
    expect(asked).toMatch(
      /^a question to calls of all months takes \d{3} locks, and .*1000 connections.* room for \d+\. Set max_locks_per_transaction to \d+/,
    );
    const [, each, enough] = /takes (\d+) locks.* to (\d+) /.exec(asked!)!;
    expect(Number(enough)).toBeGreaterThan(256);
    const client = await pool.connect();
    await client.query('BEGIN; SELECT FROM calls ORDER BY started_at DESC LIMIT 1');
    const { rows } = await client.query<{ taken: number }>(
      `SELECT count(*)::int AS taken FROM pg_locks WHERE pid = pg_backend_pid() AND relation::regclass::text LIKE 'calls%'`,
    );
    client.release(true);
    expect([rows[0]!.taken <= Number(each), rows[0]!.taken > Number(each) / 2]).toEqual([true, true]);
  });

  it('a gateway says it when it starts', async () => {
    const log = new LogCapture();
    const { databaseUrl } = test;
    const store = await Store.open({
      databaseUrl,
      dataFolder: temporaryFolder(),
      logger: log.logger,
      budget: budgetOf(21, true),
    });
    await store.close();
    expect(log.text).toContain('connections to the database may run out');
    expect(log.text).toContain('allows 50 connections');
  });
});
