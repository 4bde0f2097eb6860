import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Billing } from '../../src/billing/billing.ts';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { CallStart } from '../../src/store/call-rows.ts';
import { moneyFaults, openTestStore, type TestStore } from '../support/postgres-store.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 }); // a real database, on a machine that may be busy

/** More than a gateway has connections. */
const CALLS = 40;
/** Longer than anybody waits for a connection. */
const LOCKED_MS = 2_300;

let test: TestStore;
let billing: Billing;
beforeAll(async () => {
  test = await openTestStore();
  const { store, dataFolder } = test;
  billing = await Billing.open({ store, dataFolder, logger: silentLogger, metrics: createMetrics() });
});
afterAll(async () => {
  await billing.close();
  await test.close();
});

async function accountWith(cents: number): Promise<string> {
  const { id } = await test.store.accounts.create('hot');
  await test.store.charges.topup(newId('chg'), id, cents, 'topup', '');
  return id;
}
const callOf = (accountId: string, id = newId('call')): CallStart => ({
  ...{ id, sipCallId: `${id}@peer`, accountId, agentId: 'agt_x', agentVersion: 1, agentName: 'a' },
  ...{ direction: 'inbound', from: '1', to: '2', startedAt: new Date() },
});

it('calls of an account that others hold locked wait on one connection, and begin together when it is free', async () => {
  const { pool } = test.store;
  const [hot, other] = [await accountWith(CALLS * 3 + 2), await accountWith(1_000)];
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [hot]);
  const ids = Array.from({ length: CALLS + 1 }, () => newId('call'));
  const begun = ids.map((id) => billing.callBook.begin(callOf(hot, id)));
  // Meanwhile those of another account begin, however many there are.
  const others = await Promise.all(Array.from({ length: CALLS }, () => billing.callBook.begin(callOf(other))));
  expect(new Set(others)).toEqual(new Set(['ok']));
  expect(pool.totalCount - pool.idleCount).toBeLessThanOrEqual(2); // who holds it, and who waits
  await sleep(LOCKED_MS);
  await holder.query('COMMIT');
  holder.release();
  const outcomes = await Promise.all(begun);
  // Its credit is for all but one, in the order that they came.
  expect(outcomes).toEqual([...ids.slice(1).map(() => 'ok'), 'insufficient-credit']);
  const { rows } = await pool.query(
    'SELECT count(DISTINCT xmin::text)::int AS commits FROM calls WHERE account_id = $1',
    [hot],
  );
  expect(rows[0].commits).toBeLessThan(4);
  expect(await moneyFaults(test.store)).toEqual([]);
});

it('minutes of many calls that begin at once are booked together, each once', async () => {
  const { pool } = test.store;
  const account = await accountWith(1_000);
  const ids = Array.from({ length: CALLS }, () => newId('call'));
  for (const outcome of await Promise.all(ids.map((id) => billing.callBook.begin(callOf(account, id)))))
    expect(outcome).toBe('ok');
  const minutes = [...ids, ...ids].map((id) => billing.callBook.startMinute(id, 1));
  expect(new Set(await Promise.all(minutes))).toEqual(new Set(['ok']));
  const { rows } = await pool.query(
    `SELECT count(*)::int AS minutes, count(DISTINCT xmin::text)::int AS commits FROM charges WHERE account_id = $1 AND id LIKE '%/minute/1'`,
    [account],
  );
  expect(rows[0].minutes).toBe(CALLS);
  expect(rows[0].commits).toBeLessThan(6);
  expect(await moneyFaults(test.store)).toEqual([]);
});

it('a call that the database does not take keeps nobody else from beginning', async () => {
  const account = await accountWith(1_000);
  const calls = Array.from({ length: 5 }, () => callOf(account));
  const wrong = { ...callOf(account), direction: 'sideways' } as unknown as CallStart;
  const stranger = callOf('acc_none');
  const outcomes = await Promise.all(
    [...calls, wrong, stranger, callOf(account)].map((call) => billing.callBook.begin(call)),
  );
  expect(outcomes).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'unavailable', 'unavailable', 'ok']);
  expect(await moneyFaults(test.store)).toEqual([]);
});
