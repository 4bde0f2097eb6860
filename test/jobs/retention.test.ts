import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { type Forgotten, forgetOld as round } from '../../src/jobs/retention.ts';
import type { RetentionDays } from '../../src/store/retention-rows.ts';
import type { Store } from '../../src/store/store.ts';
import { callOf, DEFINITION, endCall } from '../support/manage-things.ts';
import { moneyFaults, openTestStore, type TestStore } from '../support/postgres-store.ts';

const NEVER: RetentionDays = { recordingsDays: 0, transcriptsDays: 0, callsDays: 0, ordersDays: 0, refusalsDays: 0 };
const KEPT = { recordingsDays: null, transcriptsDays: null, callsDays: null, ordersDays: null, refusalsDays: null };
const forgetOld = (store: Store, days: RetentionDays): Promise<Forgotten> =>
  round({ store, clock: systemClock, isClosing: () => false, passedOver: ({ id }) => void passed.push(id) }, days);
const passed: string[] = [];

describe('retention', () => {
  let test: TestStore;
  let store: Store;
  let account: string;
  let agent: string;
  beforeAll(async () => {
    test = await openTestStore();
    store = test.store;
    account = (await store.accounts.create('Bakery')).id;
    await store.charges.topup('credit', account, 1_000, 'topup', '');
    agent = (await store.agents.create(account, DEFINITION)).id;
  });
  afterAll(() => test.close());

  /** A call of so many days ago, recorded, with an order, and a caller who was refused then. */
  async function ofDaysAgo(days: number) {
    const { call, order } = await callOf(store, account, agent);
    await endCall(store, call, `recordings/${call}.wav`);
    const at = new Date(Date.now() - days * 86_400_000);
    await store.pool.query('UPDATE calls SET ended_at = $2 WHERE id = $1', [call, at]);
    await store.pool.query('UPDATE dial_orders SET ended_at = $2 WHERE id = $1', [order, at]);
    const refused = { from: call, to: '2', sourceAddress: '192.0.2.1', transport: 'udp', sipCallId: call };
    await store.refusedCalls.add([
      { ...refused, at, accountId: account, reason: 'busy', detail: '', remedy: '' },
      { ...refused, at, reason: 'stranger', detail: '', remedy: '' },
    ]);
    return { call, order };
  }
  async function left({ call, order }: { call: string; order: string }) {
    const found = (await store.calls.get(call))!;
    const { target } = (await store.dialOrders.get(order))!;
    const refused = (await store.refusedCalls.list(1_000)).filter(({ from }) => from === call);
    return {
      numbers: found.call.from !== '',
      words: found.turns.length > 0 || found.call.dtmf !== '',
      recording: found.call.recording !== null,
      ladder: (await store.ladders.of(call)).length > 0,
      order: target !== '',
      refused: refused.map(({ accountId }) => accountId !== null),
    };
  }
  const ALL = { numbers: true, words: true, recording: true, ladder: true, order: true, refused: [false, true] };

  it.each([
    ['recordings', { recordingsDays: 5 }, { recording: false }],
    ['what was said', { transcriptsDays: 5 }, { words: false }],
    ['calls', { callsDays: 5 }, { numbers: false, words: false, recording: false, ladder: false, order: false }],
    ['orders', { ordersDays: 5 }, { order: false }],
    ['refusals', { refusalsDays: 5 }, { refused: [false] }],
  ])('of %s leaves the rest, and what is younger', async (_name, days, gone) => {
    const [young, older] = [await ofDaysAgo(4), await ofDaysAgo(6)];
    await store.accounts.change(account, { ...KEPT, ...days });
    for (let round = 0; round < 2; round += 1) {
      await forgetOld(store, NEVER);
      expect(await left(older)).toEqual({ ...ALL, ...gone });
      expect(await left(young)).toEqual(ALL);
    }
    expect(await forgetOld(store, NEVER)).toEqual({ calls: 0, orders: 0, refusals: 0 });
    expect(await moneyFaults(store)).toEqual([]);
  });

  it.each([
    ['recordings', { recordingsDays: 5 }],
    ['what was said', { transcriptsDays: 5 }],
    ['calls', { callsDays: 5 }],
    ['orders', { ordersDays: 5 }],
  ])('tells for how long the oldest of %s should have been gone', async (_name, days) => {
    await store.accounts.change(account, { ...KEPT, ...days });
    await forgetOld(store, NEVER);
    expect(await store.retention.overdueSeconds(NEVER)).toBe(0);
    await ofDaysAgo(6);
    await ofDaysAgo(8);
    // A day of the database may have an hour more or less.
    expect(Math.round((await store.retention.overdueSeconds(NEVER)) / 86_400)).toBe(3);
    await forgetOld(store, NEVER);
    expect(await store.retention.overdueSeconds(NEVER)).toBe(0);
  });

  it('of a call that always fails keeps no other from its own', async () => {
    const [broken, other] = [await ofDaysAgo(9), await ofDaysAgo(8)];
    await store.pool.query(`CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'this one fails'; END $$;
      CREATE TRIGGER fails BEFORE UPDATE ON calls FOR EACH ROW WHEN (OLD.id = '${broken.call}') EXECUTE FUNCTION fails()`);
    await store.accounts.change(account, { ...KEPT, callsDays: 7 });
    expect((await forgetOld(store, NEVER)).calls).toBeGreaterThanOrEqual(1);
    expect([(await left(other)).numbers, (await left(broken)).numbers, passed]).toEqual([false, true, [broken.call]]);
    await store.pool.query('DROP FUNCTION fails CASCADE');
    await forgetOld(store, NEVER);
    expect((await left(broken)).numbers).toBe(false);
  });

  it('goes by the gateway where the account says nothing, and by the account where it does', async () => {
    const older = await ofDaysAgo(20);
    await store.accounts.change(account, { ...KEPT, transcriptsDays: 30 });
    await forgetOld(store, { ...NEVER, transcriptsDays: 10, refusalsDays: 10 });
    expect(await left(older)).toEqual({ ...ALL, refused: [] });
    await forgetOld(store, { ...NEVER, recordingsDays: 10 });
    expect(await left(older)).toEqual({ ...ALL, recording: false, refused: [] });
  });

  it('holds for words that come late, and the end that corrects another', async () => {
    const older = await ofDaysAgo(20);
    await store.accounts.change(account, { ...KEPT, transcriptsDays: 10 });
    await forgetOld(store, NEVER);
    await store.pool.query(`UPDATE calls SET end_reason = 'interrupted' WHERE id = $1`, [older.call]);
    await store.calls.turn(store.pool, older.call, {
      index: 9,
      role: 'caller',
      text: 'late',
      startedMs: 0,
      heardMs: 0,
    });
    await endCall(store, older.call, `recordings/${older.call}.wav`);
    expect(await left(older)).toEqual({ ...ALL, words: false });
  });
});
