import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Billing } from '../../src/billing/billing.ts';
import type { CallSummary, TurnRecord } from '../../src/billing/contract.ts';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics, type Metrics } from '../../src/core/metrics.ts';
import { type CallStart, presentCall } from '../../src/store/call-rows.ts';
import { moneyFaults, openOwnServer, type TestStore, temporaryFolder } from '../support/postgres-store.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { serverProcesses, signalAll } from '../support/server-processes.ts';
import { until } from '../support/until.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 }); // a real database, on a machine that may be busy

const STARTED = new Date('2026-03-01T10:00:00Z');
const REPLY = { reply: true, characters: 150, model: 'sada-1' }; // 2 + 1 cents
const DRAIN_MS = 15_000;

describe('StoredCallBook on PostgreSQL', () => {
  let test: TestStore;
  let billing: Billing;
  let folder: string;
  let accountId: string;
  let written: unknown[];
  let metrics: Metrics;
  const openBilling = (): Promise<Billing> =>
    Billing.open({
      store: test.store,
      dataFolder: folder,
      logger: silentLogger,
      metrics,
      onCallWritten: (call) => written.push(call),
    });
  beforeAll(async () => {
    test = await openOwnServer();
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    folder = temporaryFolder();
    written = [];
    metrics = createMetrics();
    accountId = (await test.store.accounts.create('test')).id;
    billing = await openBilling();
    await billing.ledger.topup(newId('chg'), accountId, 1_000);
  });
  afterEach(async () => {
    await billing.close();
    expect(await moneyFaults(test.store)).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Money that was charged, and refusals, as metrics have them. */
  const counted = async (): Promise<Record<string, number>> => {
    const rows = [...(await metrics.callCents.get()).values, ...(await metrics.creditRefusals.get()).values];
    return Object.fromEntries(rows.map(({ labels, value }) => [Object.values(labels)[0], value]));
  };
  const newCall = (more: Partial<CallStart> = {}): CallStart => ({
    id: newId('call'),
    sipCallId: `${newId('call')}@peer`,
    accountId,
    agentId: 'agt_x',
    agentVersion: 3,
    direction: 'inbound',
    source: { kind: 'trunk', id: 'trk_1', name: 'carrier', accountId: undefined },
    agentName: 'Clinic',
    from: '+966500000001',
    to: '700',
    startedAt: STARTED,
    ...more,
  });
  const turn = (index: number, more: Partial<TurnRecord> = {}): TurnRecord => ({
    index,
    role: index % 2 === 0 ? 'agent' : 'caller',
    text: `turn ${index}`,
    startedMs: index * 1_000.4,
    heardMs: 900,
    ...more,
  });
  const summary = (more: Partial<CallSummary> = {}): CallSummary => ({
    endedAt: new Date(STARTED.getTime() + 70_000),
    answered: true,
    talkMs: 65_000,
    end: { party: 'caller', reason: 'caller-hangup' },
    dtmf: '12#',
    quality: { mos: 4.3, lost: 2, codec: undefined },
    recording: 'recordings/a.wav',
    ...more,
  });
  const balance = async (): Promise<unknown> => {
    const { balanceCents, reservedCents } = (await billing.ledger.balance(accountId))!;
    return { balanceCents, reservedCents };
  };

  it('a whole call: minutes, turns and speech are booked once, the record is complete', async () => {
    const call = newCall();
    const book = billing.callBook;
    expect(await book.begin(call)).toBe('ok');
    expect(await balance()).toEqual({ balanceCents: 1_000, reservedCents: 3 });
    book.answered(call.id, STARTED);
    book.turn(call.id, turn(0, { charge: { reply: false, characters: 40, model: 'sada-1' } }));
    book.turn(call.id, turn(1, { text: 'أبغى موعد' }));
    book.turn(call.id, turn(2, { charge: REPLY, latencyMs: 180.6 }));
    expect(await book.startMinute(call.id, 1)).toBe('ok');
    await Promise.all([book.finish(call.id, summary()), book.finish(call.id, summary())]);
    await book.finish(call.id, summary());
    expect(await balance()).toEqual({ balanceCents: 990, reservedCents: 0 });
    expect(await counted()).toEqual({ minutes: 6, turns: 4 });
    const shown = presentCall((await test.store.calls.get(call.id))!);
    expect(shown).toEqual({
      id: call.id,
      sip_call_id: call.sipCallId,
      direction: 'inbound',
      agent: 'Clinic',
      from: '+966500000001',
      to: '700',
      source: { kind: 'trunk', name: 'carrier' },
      started_at: '2026-03-01T10:00:00.000Z',
      ended_at: '2026-03-01T10:01:10.000Z',
      end: { party: 'caller', reason: 'caller-hangup' },
      dtmf: '12#',
      answered_by: null,
      turns: [
        { role: 'agent', text: 'turn 0', started_ms: 0, heard_ms: 900, latency_ms: null },
        { role: 'caller', text: 'أبغى موعد', started_ms: 1000, heard_ms: 900, latency_ms: null },
        { role: 'agent', text: 'turn 2', started_ms: 2001, heard_ms: 900, latency_ms: 181 },
      ],
      quality: { mos: 4.3, lost: 2 },
      cost_cents: 10,
      recording: 'recordings/a.wav',
    });
    expect(written).toEqual([{ id: call.id, recording: 'recordings/a.wav' }]);
    expect((await test.store.calls.get(call.sipCallId))?.call.id).toBe(call.id);
    expect(await test.store.calls.get(call.id, 'acc_other')).toBeUndefined();
  });

  it('what was made of a call is on record with its end, and costs no statement more', async () => {
    const statements = async (more: Partial<CallSummary>): Promise<{ readonly count: number; readonly id: string }> => {
      const call = newCall();
      await billing.callBook.begin(call);
      billing.callBook.answered(call.id, STARTED);
      billing.callBook.turn(call.id, turn(1));
      await until(() => billing.pending === 0, 'the turn is booked');
      const counted = vi.spyOn(pg.Query.prototype, 'submit');
      await billing.callBook.finish(call.id, summary(more));
      await until(() => billing.pending === 0, 'the end is booked');
      const count = counted.mock.contexts.filter((query) =>
        String((query as { text?: string }).text).includes('call'),
      ).length;
      counted.mockRestore();
      return { count, id: call.id };
    };
    const analysis = {
      ...{ outcome: 'done', label: { en: 'Done' }, by: 'dialogue', summary: 'All was done.\0' },
      fields: [{ name: 'order', value: '4521', turn: 1, words: 'four five two one' }],
    };
    const bare = await statements({});
    const told = await statements({ analysis, analysisState: 'ready' });
    expect(bare.count).toBeGreaterThan(0);
    expect(told.count).toBe(bare.count);
    const { outcome, ...rest } = { ...analysis, summary: 'All was done.' };
    expect((await test.store.calls.get(told.id))?.call).toMatchObject({
      outcome,
      analysis: rest,
      analysisState: 'ready',
    });
    expect(await test.store.calls.list({ accountId, words: 'done' })).toMatchObject([{ id: told.id }]);
  });

  it('a call with a person: who was tried, what they alone were told, what they said; minutes go on as before', async () => {
    const call = newCall();
    const book = billing.callBook;
    await book.begin(call);
    book.answered(call.id, STARTED);
    book.turn(call.id, turn(0, { heardBy: 'person', charge: { reply: false, characters: 40, model: 'sada-1' } }));
    book.turn(call.id, turn(1, { role: 'person' }));
    expect(await book.startMinute(call.id, 1)).toBe('ok');
    const first = {
      target: 'sip:a@b',
      by: 'bridge',
      outcome: 'busy',
      detail: '486 Busy Here',
      startedMs: 10,
      endedMs: 900,
    };
    const second = {
      target: '+9661',
      by: 'bridge',
      outcome: 'joined',
      startedMs: 1000,
      answeredMs: 2000,
      joinedMs: 3000,
    };
    await book.finish(call.id, summary({ transfers: [first, second] }));
    const shown = presentCall((await test.store.calls.get(call.id))!);
    expect(shown.turns.map(({ role, heard_by: by }) => [role, by])).toEqual([
      ['agent', 'person'],
      ['person', undefined],
    ]);
    expect(shown.transfers).toEqual(
      [
        { target: 'sip:a@b', by: 'bridge', outcome: 'busy', detail: '486 Busy Here' } as object,
        { target: '+9661', by: 'bridge', outcome: 'joined' } as object,
      ].map((one, n) => ({
        ...one,
        ...[
          { started_ms: 10, answered_ms: null, joined_ms: null, ended_ms: 900 },
          { started_ms: 1000, answered_ms: 2000, joined_ms: 3000, ended_ms: null },
        ][n],
      })),
    );
    expect(shown.cost_cents).toBe(2 * 3 + 1); // two minutes, and the speech of what was told
  });

  it('a call that was never answered costs nothing and holds nothing', async () => {
    const call = newCall();
    await billing.callBook.begin(call);
    await billing.callBook.finish(call.id, summary({ answered: false, talkMs: 0 }));
    expect(await balance()).toEqual({ balanceCents: 1_000, reservedCents: 0 });
    expect((await test.store.calls.get(call.id))?.call.costCents).toBe(0);
  });

  it('without credit no call begins, no minute starts, and a turn takes what is left', async () => {
    await billing.ledger.topup(newId('chg'), accountId, -996);
    const call = newCall();
    expect(await billing.callBook.begin(call)).toBe('ok');
    expect(await billing.callBook.begin(newCall())).toBe('insufficient-credit');
    billing.callBook.answered(call.id, STARTED);
    expect(await billing.callBook.startMinute(call.id, 1)).toBe('insufficient-credit');
    billing.callBook.turn(call.id, turn(0, { charge: REPLY }));
    await billing.callBook.finish(call.id, summary());
    expect(await balance()).toEqual({ balanceCents: 0, reservedCents: 0 });
    expect((await test.store.calls.get(call.id))?.call.costCents).toBe(4);
    const { rows } = await test.store.pool.query(
      'SELECT sum(shortfall_cents)::int AS short FROM charges WHERE owner = $1',
      [call.id],
    );
    expect(rows[0].short).toBe(2);
    expect(await counted()).toEqual({ call: 1, minute: 1, minutes: 3, turns: 3 });
  });

  it('an account that does not exist is refused', async () => {
    expect(await billing.callBook.begin(newCall({ accountId: 'acc_none' }))).toBe('unavailable');
  });

  it('the same minute and turn many times are booked once', async () => {
    const call = newCall();
    await billing.callBook.begin(call);
    for (let i = 0; i < 5; i += 1) billing.callBook.answered(call.id, STARTED);
    for (let i = 0; i < 5; i += 1) billing.callBook.turn(call.id, turn(0, { charge: REPLY }));
    await Promise.all(Array.from({ length: 10 }, () => billing.callBook.startMinute(call.id, 1)));
    await billing.callBook.finish(call.id, summary());
    expect(await balance()).toEqual({ balanceCents: 991, reservedCents: 0 });
  });

  it('events of calls that are not open change nothing', async () => {
    billing.callBook.answered('call_none', STARTED);
    billing.callBook.turn('call_none', turn(0, { charge: REPLY }));
    expect(await billing.callBook.startMinute('call_none', 1)).toBe('ok');
    await billing.callBook.finish('call_none', summary());
    expect(billing.pending).toBe(0);
    expect(await balance()).toEqual({ balanceCents: 1_000, reservedCents: 0 });
  });

  it('what a peer may send is kept, not refused: zero bytes, lone surrogates, huge text, odd numbers', async () => {
    const call = newCall({ from: 'a\0b', sipCallId: `x\0${newId('call')}` });
    expect(await billing.callBook.begin(call)).toBe('ok');
    billing.callBook.answered(call.id, STARTED);
    billing.callBook.turn(
      call.id,
      turn(0, { text: `\ud800\0${'x'.repeat(100_000)}`, startedMs: Number.NaN, heardMs: -1 }),
    );
    billing.callBook.turn(call.id, turn(1, { text: 'after' }));
    await billing.callBook.finish(call.id, summary({ dtmf: '1\0' }));
    const kept = (await test.store.calls.get(call.id))!;
    expect(kept.turns.map((row) => row.text.length)).toEqual([20_000, 5]);
    expect(billing.health).toEqual({ degraded: false, pending: 0, unwritten: 0, rejected: 0, torn: 0 });
  });

  it('a fact that the database will never take is put aside, and those behind it get in', async () => {
    const [bad, good] = [newCall(), newCall()];
    await billing.callBook.begin(bad);
    await billing.callBook.begin(good);
    billing.callBook.turn(bad.id, turn(2 ** 40)); // beyond an integer column
    billing.callBook.answered(good.id, STARTED);
    await billing.callBook.finish(good.id, summary());
    expect(billing.health).toMatchObject({ rejected: 1, pending: 0 });
    expect(readFileSync(join(folder, 'journal', 'rejected.jsonl'), 'utf8')).toContain(bad.id);
    expect((await test.store.calls.get(good.id))?.call.costCents).toBe(3);
    await billing.callBook.finish(bad.id, summary({ answered: false }));
  });

  it.runIf(EVERY_TEST)('the database stands still in the middle: nothing is lost, nothing booked twice', async () => {
    const calls = Array.from({ length: 10 }, () => newCall());
    for (const call of calls) await billing.callBook.begin(call);
    for (const call of calls) billing.callBook.answered(call.id, STARTED);
    const pids = serverProcesses(test.store.server!.pid!);
    signalAll(pids, 'SIGSTOP');
    const refused = newCall();
    try {
      for (const call of calls) billing.callBook.turn(call.id, turn(0, { charge: REPLY }));
      const minutes = Promise.all(calls.map((call) => billing.callBook.startMinute(call.id, 1)));
      const begin = billing.callBook.begin(refused);
      expect(await minutes).toEqual(calls.map(() => 'ok'));
      expect(await begin).toBe('unavailable');
      await Promise.all(calls.map((call) => billing.callBook.finish(call.id, summary())));
      expect(billing.pending).toBeGreaterThanOrEqual(30);
    } finally {
      signalAll(pids, 'SIGCONT');
    }
    expect(await billing.drained(DRAIN_MS)).toBe(true);
    expect(await balance()).toEqual({ balanceCents: 1_000 - calls.length * 9, reservedCents: 0 });
    for (const call of calls) expect((await test.store.calls.get(call.id))?.call.costCents).toBe(9);
  });

  it.runIf(EVERY_TEST)('the database is killed under load: it comes back, and the sums are right', async () => {
    const calls = Array.from({ length: 20 }, () => newCall());
    for (const call of calls) await billing.callBook.begin(call);
    const load = calls.map(async (call, position) => {
      billing.callBook.answered(call.id, STARTED);
      for (let index = 0; index < 10; index += 1) {
        billing.callBook.turn(call.id, turn(index, { charge: REPLY }));
        if (position === 10 && index === 5) process.kill(test.store.server!.pid!, 'SIGKILL');
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await billing.callBook.startMinute(call.id, 1)).toBe('ok');
      await billing.callBook.finish(call.id, summary());
    });
    await Promise.all(load);
    expect(await billing.drained(DRAIN_MS)).toBe(true);
    const cost = 3 + 30 + 3;
    for (const call of calls) expect((await test.store.calls.get(call.id))?.call.costCents).toBe(cost);
    expect(await balance()).toEqual({ balanceCents: 1_000 - calls.length * cost, reservedCents: 0 });
  });

  it('closed with the database away, the rest is brought in at the next start, once', async () => {
    const call = newCall();
    await billing.callBook.begin(call);
    const pids = serverProcesses(test.store.server!.pid!);
    signalAll(pids, 'SIGSTOP');
    billing.callBook.answered(call.id, STARTED);
    billing.callBook.turn(call.id, turn(0, { charge: REPLY }));
    await billing.callBook.finish(call.id, summary());
    try {
      await billing.close();
    } finally {
      signalAll(pids, 'SIGCONT');
    }
    billing = await openBilling();
    await billing.drained(DRAIN_MS);
    expect(await balance()).toEqual({ balanceCents: 994, reservedCents: 0 });
    expect((await test.store.calls.get(call.id))?.call.endReason).toBe('caller-hangup');
  });

  it('a second gateway on the same data folder is refused', async () => {
    await expect(openBilling()).rejects.toThrow(/Another gateway/);
  });

  describe('sessions', () => {
    it.each([
      { name: 'no audio costs nothing', audioMs: 0, fault: false, cost: 0 },
      { name: 'started minutes', audioMs: 61_000, fault: false, cost: 6 },
      { name: 'our fault costs nothing', audioMs: 61_000, fault: true, cost: 0 },
    ])('$name', async ({ audioMs, fault, cost }) => {
      const id = newId('ts');
      expect(await billing.sessionBook.begin(id, accountId)).toBe('ok');
      expect(await billing.sessionBook.checkpoint(id, audioMs)).toBe('ok');
      expect(billing.sessionBook.end(id, audioMs, 'stop', fault)).toBe(cost);
      billing.sessionBook.end(id, audioMs, 'disconnect', fault);
      await billing.drained(DRAIN_MS);
      expect(await balance()).toEqual({ balanceCents: 1_000 - cost, reservedCents: 0 });
    });

    it('holds grow with the minutes and stop at the credit', async () => {
      await billing.ledger.topup(newId('chg'), accountId, -994);
      const id = newId('ts');
      expect(await billing.sessionBook.begin(id, accountId)).toBe('ok');
      expect(await billing.sessionBook.checkpoint(id, 60_001)).toBe('ok');
      expect(await balance()).toEqual({ balanceCents: 6, reservedCents: 6 });
      expect(await billing.sessionBook.checkpoint(id, 120_001)).toBe('insufficient-credit');
      expect(await billing.sessionBook.begin(newId('ts'), accountId)).toBe('insufficient-credit');
      billing.sessionBook.end(id, 120_000, 'insufficient_credit');
      await billing.drained(DRAIN_MS);
      expect(await balance()).toEqual({ balanceCents: 0, reservedCents: 0 });
    });
  });
});
