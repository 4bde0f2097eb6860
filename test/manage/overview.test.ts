import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import type { TurnDetails } from '../../src/core/turn-details.ts';
import type { CallFinish } from '../../src/store/call-rows.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { DEFINITION } from '../support/manage-things.ts';
import { beginCall, moneyOf } from '../support/money.ts';

interface Overview {
  readonly calls: {
    readonly live: number;
    readonly today: number;
    readonly days: readonly Record<string, number | string | null>[];
  };
  readonly understood_percent: number | null;
  readonly last_day: { readonly calls: number; readonly answers: object; readonly mos: object };
  readonly money: Record<string, number>;
  readonly trunks: readonly object[];
  readonly problems: readonly Record<string, unknown>[];
  readonly checklist: readonly { readonly item: string; readonly done: boolean }[];
}

let rig: ManageRig;
let agentId: string;
beforeAll(async () => {
  rig = await manageRig();
});
afterAll(() => rig?.close());

const HOUR_MS = 3_600_000;
const overview = async (query = ''): Promise<Overview> => (await rig.ask<Overview>(`GET /overview${query}`)).body;

interface Told {
  readonly agoMs: number;
  readonly answers?: readonly number[];
  readonly details?: readonly TurnDetails[];
  readonly end?: Partial<CallFinish>;
  readonly goesOn?: boolean;
}

async function call({ agoMs, answers = [], details = [], end = {}, goesOn = false }: Told): Promise<string> {
  const { store, accountId, clock } = rig;
  const id = newId('call');
  const startedAt = new Date(clock.utc().getTime() - agoMs);
  await beginCall(
    store,
    {
      ...{ id, sipCallId: id, accountId, agentId, agentVersion: 1, agentName: 'A', direction: 'inbound' },
      ...{ from: '1', to: '2', startedAt },
    },
    { id: `${id}/minute/0`, accountId, cents: 3, owner: id, kind: 'call-minute' },
  );
  await store.calls.answered(store.pool, id, startedAt);
  for (const [index, one] of details.entries()) {
    await store.calls.turn(store.pool, id, {
      index,
      role: 'caller',
      text: 'x',
      startedMs: 0,
      heardMs: 1,
      details: one,
    });
  }
  for (const [at, latencyMs] of answers.entries()) {
    const turn = { role: 'agent', text: 'x', startedMs: 0, heardMs: 1, latencyMs } as const;
    await store.calls.turn(store.pool, id, { index: details.length + at, ...turn });
  }
  if (goesOn) return id;
  await moneyOf(store).settle(`${id}/minute/0`, 3);
  const finish = {
    endedAt: startedAt,
    talkMs: 1,
    party: 'caller',
    reason: 'caller-hangup',
    dtmf: '',
    ...end,
  };
  await store.calls.finish(store.pool, id, finish);
  return id;
}

it('says of an account that is new what is to be done, and makes up nothing', async () => {
  const told = await overview();
  expect(told).toMatchObject({
    ...{ understood_percent: null, trunks: [], problems: [] },
    calls: { live: 0, today: 0 },
    last_day: {
      calls: 0,
      answers: { count: 0, p50_ms: null, p95_ms: null },
      mos: { calls: 0, median: null, worst: null, worst_call_id: null },
    },
    money: { spent_today_cents: 0, spent_month_cents: 0, balance_cents: 0 },
  });
  expect(told.checklist.filter(({ done }) => done)).toEqual([]);
  expect((await rig.ask('GET /overview?time_zone=Riyadh')).status).toBe(400);
});

it('says what goes on, how the last day went, and what was understood', async () => {
  const { store, accountId } = rig;
  agentId = (await store.agents.create(accountId, DEFINITION, 'live')).id;
  await store.numbers.assign('+966112345678', accountId, agentId);
  await store.charges.topup(newId('chg'), accountId, 1_000, 'topup', 'of a test');
  const quality = (mos: number, packetsReceived = 100) => ({ quality: { mos, packetsReceived } });
  const yes = { understood: true };
  await call({
    agoMs: HOUR_MS,
    answers: [100, 200, 300],
    details: [yes, yes, { understood: false }],
    end: quality(4.2),
  });
  const worst = await call({ agoMs: 2 * HOUR_MS, answers: [400], details: [yes, {}], end: quality(2.5) });
  await call({ agoMs: HOUR_MS, end: quality(1, 0) }); // nobody was heard
  await call({ agoMs: 3 * 24 * HOUR_MS, answers: [9_000], details: [{ understood: false }], end: quality(1.1) });
  const broken = await call({ agoMs: HOUR_MS, end: { party: 'gateway', reason: 'engine-failed', detail: 'no voice' } });
  await call({ agoMs: 1_000, goesOn: true });
  const told = await overview('?time_zone=UTC');
  expect(told.calls.live).toBe(1);
  expect(told.calls.days).toHaveLength(7);
  expect(told.calls.days.reduce((sum, { calls }) => sum + Number(calls), 0)).toBe(6);
  expect(told.calls.days.at(-4)).toMatchObject({
    calls: 1,
    judged_turns: 1,
    understood_turns: 0,
    understood_percent: 0,
  });
  expect(told.understood_percent).toBe(60);
  expect(told.last_day).toEqual({
    calls: 4,
    answers: { count: 4, p50_ms: 200, p95_ms: 400 },
    mos: { calls: 2, median: 2.5, worst: 2.5, worst_call_id: worst },
  });
  expect(told.problems).toMatchObject([
    { kind: 'failed', call_id: broken, reason: 'engine-failed', detail: 'no voice' },
  ]);
  expect(told.money['available_cents']).toBe(1_000 - 5 * 3 - 3);
  expect(told.checklist.filter(({ done }) => done).map(({ item }) => item)).toEqual([
    ...['agent-live', 'way-in', 'first-call', 'call-understood'],
  ]);
});

it('counts what was spent today and this month, in the days of whoever looks', async () => {
  const { store } = rig;
  const account = await store.accounts.create('Spender');
  await store.charges.topup(newId('chg'), account.id, 1_000, 'topup', 'of a test');
  const spend = async (cents: number, at: string): Promise<void> => {
    const id = newId('chg');
    await moneyOf(store).charge({ id, accountId: account.id, cents, owner: id, kind: 'reply' });
    await store.pool.query('ALTER TABLE ledger DISABLE TRIGGER ledger_append_only');
    await store.pool.query('UPDATE ledger SET created_at = $2 WHERE id = $1', [id, at]);
    await store.pool.query('ALTER TABLE ledger ENABLE TRIGGER ledger_append_only');
  };
  await spend(1, '2026-03-31T20:59:00Z'); // still March in Riyadh
  await spend(10, '2026-03-31T21:01:00Z');
  await spend(100, '2026-04-14T21:30:00Z');
  const moment = { accountId: account.id, now: new Date('2026-04-15T09:00:00Z'), timeZone: 'Asia/Riyadh' };
  expect(await store.overview.spent(moment)).toEqual({ today: 100, month: 110 });
  await spend(200, '2026-04-15T08:59:00Z');
  expect(await store.overview.spent(moment)).toEqual({ today: 300, month: 310 });
  expect(await store.overview.spent({ ...moment, timeZone: 'UTC' })).toEqual({ today: 200, month: 300 });
});

it('shows refused calls to their account, and trunks with the best state that is seen', async () => {
  const { store, accountId, otherAccountId } = rig;
  const refused = {
    at: new Date(),
    from: '1',
    to: '2',
    sourceAddress: 'x:1',
    transport: 'udp',
    sipCallId: 'r',
    reason: 'no-credit',
    detail: '',
  };
  await store.refusedCalls.add([
    { ...refused, accountId, remedy: 'top up' },
    { ...refused, accountId: otherAccountId, remedy: 'theirs' },
  ]);
  const trunk = (await store.trunks.put(accountId, { name: 'carrier', hosts: [] } as never)) as { id: string };
  const host = (state: 'up' | 'down') => ({
    hosts: [
      { uri: 'sip:a', state },
      { uri: 'sip:b', state: 'down' as const },
    ],
  });
  const registration = (state: string) => ({ ...host('up'), registration: { state, since: '2026-01-01T00:00:00Z' } });
  const seen = async (status: object): Promise<readonly object[]> => {
    await store.trunkStates.tell(new Map([[trunk.id, status as never]]));
    return (await overview()).trunks;
  };
  expect((await overview()).trunks).toMatchObject([{ id: trunk.id, state: 'unknown', registration: null }]);
  expect(await seen(host('up'))).toMatchObject([{ state: 'up' }]);
  expect(await seen(host('down'))).toMatchObject([{ state: 'down' }]);
  expect(await seen(registration('waiting'))).toMatchObject([{ state: 'down', registration: 'waiting' }]);
  expect(await seen(registration('refreshing'))).toMatchObject([{ state: 'up' }]);
  await store.trunks.setEnabled(trunk.id, false);
  expect((await overview()).trunks).toMatchObject([{ state: 'off', registration: null }]);
  expect((await overview()).problems[0]).toMatchObject({ kind: 'refused', remedy: 'top up' });
  expect(JSON.stringify((await overview()).problems)).not.toContain('theirs');
});
