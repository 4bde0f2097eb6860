import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Billing } from '../../src/billing/billing.ts';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { moneyFaults, openTestStore, type TestStore } from '../support/postgres-store.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 }); // a real database, on a machine that may be busy

/** What went over each transaction's connection: statements, and how often it waited for answers before it sent more. */
interface Trip {
  statements: number;
  trips: number;
  readFirst: boolean; // before it began
}

let test: TestStore;
let billing: Billing;
let accountId: string;
const transactions: Trip[] = [];
beforeAll(async () => {
  test = await openTestStore();
  const { store, dataFolder } = test;
  accountId = (await store.accounts.create('trips')).id;
  await store.charges.topup(newId('chg'), accountId, 100_000, 'topup', '');
  counted(store.oneTrip);
  billing = await Billing.open({ store, dataFolder, logger: silentLogger, metrics: createMetrics() });
});
afterAll(async () => {
  await billing.close();
  await test.close();
});

function counted(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const counting = async (): Promise<pg.PoolClient> => {
    const client = await connect();
    const trip: Trip = { statements: 0, trips: 0, readFirst: false };
    transactions.push(trip);
    let unanswered = 0;
    const query = (...args: [string]): Promise<unknown> => {
      if (trip.statements === 1) trip.readFirst = args[0] === 'BEGIN';
      trip.statements += 1;
      if (unanswered === 0) trip.trips += 1;
      unanswered += 1;
      return client.query(...args).finally(() => {
        unanswered -= 1;
      });
    };
    return { query, release: (error?: Error) => client.release(error) } as unknown as pg.PoolClient;
  };
  Object.assign(pool, { connect: counting });
}

const END = { endedAt: new Date(), answered: true, talkMs: 1, dtmf: '', end: { party: 'caller', reason: 'x' } };

describe('a batch is one message to the database, and one answer, after it has read without a lock', () => {
  it('of facts of calls, sessions and requests', async () => {
    const { callBook, sessionBook } = billing;
    const calls = Array.from({ length: 10 }, () => newId('call'));
    for (const id of calls) {
      const call = { id, sipCallId: id, accountId, agentId: 'agt_x', agentVersion: 1, agentName: 'a' };
      const route = { direction: 'inbound', from: '1', to: '2', startedAt: new Date() } as const;
      expect(await callBook.begin({ ...call, ...route })).toBe('ok');
    }
    const session = newId('ts');
    await sessionBook.begin(session, accountId);
    expect(await billing.drained(10_000)).toBe(true);
    transactions.length = 0;
    for (const id of calls) {
      callBook.answered(id, new Date());
      const turn = { index: 0, role: 'agent', text: 'x', startedMs: 1, heardMs: 1 } as const;
      callBook.turn(id, { ...turn, charge: { reply: true, characters: 10, model: 'sada-1' } });
      callBook.transferred(id, []);
    }
    sessionBook.end(session, 61_000, 'stop');
    const finished = calls.map((id) => callBook.finish(id, END));
    expect(await billing.drained(10_000)).toBe(true);
    await Promise.all(finished);
    expect(transactions.map(({ trips, readFirst }) => [trips, readFirst])).toEqual(transactions.map(() => [2, true]));
    // BEGIN, the money, the records, COMMIT: what a batch books is one statement, however much that is.
    expect(Math.max(...transactions.map(({ statements }) => statements))).toBeGreaterThan(20);
    const { rows } = await test.store.pool.query<{ cost: number }>(
      `SELECT DISTINCT cost_cents::int AS cost FROM calls WHERE ended_at IS NOT NULL`,
    );
    expect(rows).toEqual([{ cost: 6 }]); // a minute, and a reply of ten characters
    const ended = await test.store.pool.query('SELECT cost_cents::int AS cost FROM sessions WHERE id = $1', [session]);
    expect(ended.rows).toEqual([{ cost: 6 }]);
    expect((await test.store.charges.linesOf(session)).map(({ cents }) => cents)).toEqual([6]);
    expect(await moneyFaults(test.store)).toEqual([]);
  });

  it('one fact that the database never takes is put aside, and the others are booked', async () => {
    const { callBook, health } = billing;
    const ids = [newId('call'), newId('call')];
    for (const id of ids) {
      const call = { id, sipCallId: id, accountId, agentId: 'agt_x', agentVersion: 1, agentName: 'a' };
      await callBook.begin({ ...call, direction: 'inbound', from: '1', to: '2', startedAt: new Date() });
    }
    expect(health.rejected).toBe(0);
    const turn = { index: 0, role: 'agent', text: 'x', startedMs: 1, heardMs: 1 } as const;
    callBook.turn(ids[0]!, { ...turn, index: 2 ** 40 }); // no integer of the database
    callBook.turn(ids[1]!, { ...turn, charge: { reply: true, characters: 10, model: 'sada-1' } });
    expect(await billing.drained(10_000)).toBe(true);
    expect(billing.health.rejected).toBe(1);
    const said = await Promise.all(ids.map((id) => test.store.calls.turnsOf(id)));
    expect(said.map((turns) => turns.length)).toEqual([0, 1]);
    expect(await moneyFaults(test.store)).toEqual([]);
  });
});
