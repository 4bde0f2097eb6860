import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CallEnd, callEnd } from '../../src/call/call-end.ts';
import type { CallRoute } from '../../src/call/call-router.ts';
import type { OutgoingCall } from '../../src/call/outgoing-calls.ts';
import { systemClock } from '../../src/core/clock.ts';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { DialDesk, type DialRequest } from '../../src/outbound/dial-desk.ts';
import { DialPump } from '../../src/outbound/dial-pump.ts';
import { type OrderChange, OrderEvents } from '../../src/outbound/order-events.ts';
import type { OutboundSettings } from '../../src/outbound/outbound-settings.ts';
import { Store } from '../../src/store/store.ts';
import { AGENT } from '../support/conversation-rig.ts';
import { openTestStore, type SharedTestStore } from '../support/postgres-store.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { takeLease } from '../support/take-lease.ts';
import { until } from '../support/until.ts';

const SETTINGS: OutboundSettings = {
  ...{ callsAtOncePerAccount: 100, callsPerSecondPerAccount: 500, callsPerDay: 1000, spendCentsPerDay: 1000 },
  queuedMax: 1000,
  callingHours: { from: '00:00', to: '24:00', days: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
  ...{ timeZone: 'Asia/Riyadh', countryCode: '966', maxRingSeconds: 30, expireHours: 24, anyCallerId: false },
  retrySeconds: { busy: [1], noAnswer: [], failed: [] },
  ...{ interruptedLineSeconds: 30, speakAfterMs: 1000 },
};
const OWN_NUMBER = '+966112223344';

/** A call that the pump has placed; the test says what becomes of it. */
class PlacedCall {
  readonly id = newId('call');
  readonly atMs = performance.now();
  held: CallEnd | undefined;
  left = false;
  constructor(readonly order: OutgoingCall) {}
  async leave(): Promise<void> {
    this.held = await this.order.watch!.mayLeave(this.id);
    this.left = this.held === undefined;
    if (this.held) await this.end(this.held);
  }
  ring(): void {
    this.order.onProgress?.(180, 'Ringing');
  }
  answer(): void {
    this.order.watch!.onAnswered();
  }
  async end(end: CallEnd): Promise<void> {
    await this.order.watch!.onEnd(end);
  }
}

let database: SharedTestStore;
let accountId: string;
let numberOf = 0;
beforeAll(async () => {
  database = await openTestStore();
});
afterAll(() => database.close());

const pumps: DialPump[] = [];
const stores: Store[] = [];
beforeEach(async () => {
  const { store } = database;
  await takeLease(store);
  accountId = (await store.accounts.create('out')).id;
  await store.charges.topup(newId('chg'), accountId, 1000, 'topup', 'test');
  const agent = await store.agents.create(accountId, AGENT.definition, 'live');
  numberOf += 1;
  await store.numbers.assign(`${OWN_NUMBER}${numberOf}`, accountId, agent.id);
});
afterEach(async () => {
  await store().pool.query(`UPDATE dial_orders SET state = 'ended' WHERE state <> 'ended'`);
  await Promise.all(pumps.splice(0).map((pump) => pump.close()));
  await Promise.all(stores.splice(0).map((one) => one.close()));
});
const store = (): Store => database.store;

function desk(settings: Partial<OutboundSettings> = {}): DialDesk {
  return new DialDesk({
    store: store(),
    settings: { ...SETTINGS, ...settings },
    clock: systemClock,
    firstMinuteCents: 3,
  });
}
const request = (more: Partial<DialRequest> = {}): DialRequest => ({
  ...{ accountId, agent: AGENT.definition.name, to: '+966500000007' },
  ...more,
});
async function ordered(more: Partial<DialRequest> = {}, settings: Partial<OutboundSettings> = {}): Promise<string> {
  const placed = await desk(settings).place(request(more));
  if ('refusal' in placed) throw new Error(placed.refusal.text);
  return placed.order.id;
}
const order = async (id: string) => (await store().dialOrders.get(id))!;

interface Rig {
  readonly calls: PlacedCall[];
  readonly changes: OrderChange[];
  readonly pump: DialPump;
  readonly taken: { now: number; most: number };
}
interface RigOptions {
  readonly of?: Store;
  readonly settings?: Partial<OutboundSettings>;
  readonly trunk?: { readonly calls: number; readonly perSecond: number };
  readonly route?: () => CallRoute | CallEnd;
  readonly placed?: (call: PlacedCall) => void;
}

function rig(options: RigOptions = {}): Rig {
  const calls: PlacedCall[] = [];
  const changes: OrderChange[] = [];
  const events = new OrderEvents(silentLogger);
  events.listen(() => {
    throw new Error('a listener that fails');
  });
  events.listen((change) => changes.push(change));
  const taken = { now: 0, most: 0 };
  const route = (): CallRoute => {
    taken.now += 1;
    taken.most = Math.max(taken.most, taken.now);
    let isFree = false;
    return {
      attempts: [{ uri: 'sip:x@127.0.0.1', from: OWN_NUMBER }],
      ...(options.trunk && { trunk: { id: `trk_${accountId}`, name: 'carrier' } }),
      release: () => {
        if (!isFree) taken.now -= 1;
        isFree = true;
      },
    };
  };
  const pump = new DialPump({
    store: options.of ?? store(),
    router: { route: async () => (options.route ?? route)() },
    calls: {
      problemOf: () => undefined,
      place: async (placed) => {
        const call = new PlacedCall(placed);
        calls.push(call);
        await call.leave();
        options.placed?.(call);
        return undefined;
      },
    },
    registry: {
      draining: false,
      list: () => calls.map((call) => ({ id: call.id, close: (end: CallEnd) => call.end(end) })) as never,
    },
    limitsOf: () => options.trunk,
    settings: { ...SETTINGS, ...options.settings },
    ...{ events, clock: systemClock, logger: silentLogger, metrics: createMetrics() },
  });
  pumps.push(pump);
  pump.start();
  return { calls, changes, pump, taken };
}

describe('an order', () => {
  it('is dialled, rings, is answered and ends; every step is in its row with its time, and told', async () => {
    const r = rig();
    const id = await ordered({ variables: { name: 'Sara' }, maxRingSeconds: 7 });
    await until(() => r.calls[0]?.left, 'the INVITE');
    const [call] = r.calls;
    const dialling = await order(id);
    expect(dialling).toMatchObject({ state: 'dialling', attempt: 1, callId: call!.id });
    expect(dialling.sipCallId).toBe(call!.order.sipCallId);
    expect(dialling.sentAt).not.toBeNull();
    expect(call!.order).toMatchObject({ to: '+966500000007', ringTimeoutMs: 7000, variables: { name: 'Sara' } });
    call!.ring();
    call!.ring();
    await until(async () => (await order(id)).state === 'ringing', 'ringing');
    call!.answer();
    await until(async () => (await order(id)).state === 'answered', 'answered');
    await call!.end(callEnd('callee', 'callee-hangup'));
    const row = await order(id);
    expect(row).toMatchObject({ state: 'ended', endParty: 'callee', endReason: 'callee-hangup' });
    const times = [row.createdAt, row.diallingAt, row.sentAt, row.ringingAt, row.answeredAt, row.endedAt];
    expect(times).toEqual([...times].sort((a, b) => a!.getTime() - b!.getTime()));
    expect(r.changes.map(({ event, state }) => `${event}: ${state}`)).toEqual([
      ...['dial: dialling', 'ring: ringing', 'answer: answered', 'hangup: ended'],
    ]);
    expect([r.pump.size, r.taken.now]).toEqual([0, 0]);
  });

  it.runIf(EVERY_TEST)(
    'of a busy callee is dialled again under another Call-ID, and no more often than it may',
    async () => {
      const r = rig({ placed: (call) => void call.end(callEnd('network', 'busy', '486 Busy Here')) });
      const id = await ordered();
      await until(async () => (await order(id)).state === 'ended', 'the end');
      const attempts = await store().dialOrders.attemptsOf(id);
      expect(attempts.map(({ attempt, endReason }) => [attempt, endReason])).toEqual([
        [1, 'busy'],
        [2, 'busy'],
      ]);
      expect(new Set(r.calls.map((call) => call.order.sipCallId)).size).toBe(2);
      expect(r.calls[1]!.atMs - r.calls[0]!.atMs).toBeGreaterThan(950);
    },
  );

  it.each<[string, (call: PlacedCall) => void, string]>([
    ['rings', (call) => call.ring(), 'cancelled'],
    ['is answered', (call) => call.answer(), 'cancelled'],
    ['is being dialled', () => undefined, 'cancelled'],
  ])('that %s is cancelled soon', async (_name, act, reason) => {
    const r = rig({ placed: act });
    const id = await ordered();
    await until(() => r.calls[0]?.left, 'the INVITE');
    await desk().cancel(id);
    await until(async () => (await order(id)).state === 'ended', 'the end', 15_000); // a few polls, on a machine that does much else
    expect((await order(id)).endReason).toBe(reason);
    await until(() => r.pump.size === 0, 'the pump to forget it'); // after the row says it
  });

  it('of a busy callee that was cancelled just before is not dialled again, and ends as cancelled', async () => {
    const r = rig({
      placed: async (call) => {
        await store().dialOrders.cancel(ids[0]!);
        await call.end(callEnd('network', 'busy', '486 Busy Here'));
      },
    });
    const ids = [await ordered()];
    await until(async () => (await order(ids[0]!)).state === 'ended', 'the end');
    await until(() => r.pump.size === 0, 'the pump to forget it');
    expect(await order(ids[0]!)).toMatchObject({ endParty: 'gateway', endReason: 'cancelled', attempt: 1 });
    expect([r.calls.length, r.changes.at(-1)?.event]).toEqual([1, 'cancel']); // by the pump's own look, or by what the row says
  });

  it('that was cancelled while it had no line ends, and holds up nobody', async () => {
    const { dialOrders } = store();
    const id = await ordered();
    const limits = {
      trunk: undefined,
      accountCalls: 9,
      accountPerSecond: 9,
      dayStart: new Date(0),
      dayCalls: 9,
      dayCents: 9,
    };
    expect(await dialOrders.claim(id, 'call-id', limits)).toBe('claimed');
    await dialOrders.cancel(id);
    expect(await dialOrders.hold(id, 1, 1)).toBe('ended');
    expect(await order(id)).toMatchObject({ state: 'ended', endReason: 'cancelled', attempt: 0, sipCallId: null });
    expect(await dialOrders.attemptsOf(id)).toEqual([]);
    expect((await dialOrders.due()).map((due) => due.id)).not.toContain(id);
  });

  it('that waits is cancelled at once, and is never dialled', async () => {
    const id = await ordered();
    expect((await desk().cancel(id))?.state).toBe('ended');
    const r = rig();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(r.calls).toEqual([]);
    expect(await desk().cancel(id, 'acc_other')).toBeUndefined();
  });

  it('that has no line waits, and is not counted as a call', async () => {
    let full = true;
    const free = { attempts: [{ uri: 'sip:x@127.0.0.1', from: OWN_NUMBER }], release: () => undefined };
    const r = rig({ route: () => (full ? callEnd('gateway', 'busy') : free) });
    const id = await ordered();
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect([await order(id), r.calls.length]).toMatchObject([{ state: 'queued', attempt: 0 }, 0]);
    full = false;
    await until(() => r.calls[0]?.left, 'the INVITE');
    await r.calls[0]!.end(callEnd('callee', 'no-answer'));
  });

  it('to a number that was put on the do-not-call list meanwhile, or may not be called, is not dialled', async () => {
    const listed = await ordered({ to: '+966500000099' });
    await store().doNotCall.add('+966500000099', undefined);
    const forbidden = await ordered({ to: '+966500000098' });
    const r = rig({ route: () => callEnd('gateway', 'not-allowed', 'no trunk') });
    const ended = async (id: string): Promise<boolean> => (await order(id)).state === 'ended';
    await until(async () => (await ended(listed)) && (await ended(forbidden)) && r.changes.length === 2, 'both ends');
    expect([(await order(listed)).endReason, (await order(forbidden)).endReason]).toEqual([
      ...['do-not-call', 'not-allowed'],
    ]);
    expect([r.calls.length, r.changes.map(({ event }) => event)]).toEqual([0, ['refuse', 'refuse']]);
  });
});

describe('the pace', () => {
  it.runIf(EVERY_TEST)('is never passed, at once and by the second, and everything is dialled', async () => {
    const live = { now: 0, most: 0 };
    const leftMs: number[] = [];
    const r = rig({
      trunk: { calls: 4, perSecond: 10 },
      placed: (call) => {
        leftMs.push(performance.now());
        live.now += 1;
        live.most = Math.max(live.most, live.now);
        setTimeout(() => {
          live.now -= 1;
          void call.end(callEnd('callee', 'no-answer'));
        }, 500);
      },
    });
    for (let n = 0; n < 24; n += 1) await ordered({ to: `+96650000${1000 + n}` });
    await until(
      () => leftMs.length === 24 && r.pump.size === 0,
      () => `24 calls (${leftMs.length})`,
      20_000,
    );
    const most = Math.max(...leftMs.map((from) => leftMs.filter((at) => at >= from && at < from + 1000).length));
    expect(live.most).toBeLessThanOrEqual(4);
    expect(live.most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(10);
    expect(new Set(r.calls.map(({ order: { to } }) => to)).size).toBe(24);
  });

  it.runIf(EVERY_TEST)('of an account holds as well, and ends with its calls of the day', async () => {
    const settings = { callsAtOncePerAccount: 2, callsPerDay: 3 };
    const r = rig({ settings });
    const ids = await Promise.all([1, 2, 3, 4].map((n) => ordered({ to: `+96650000200${n}` })));
    await until(() => r.calls.length === 2);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(r.calls.length).toBe(2);
    for (const call of r.calls) await call.end(callEnd('callee', 'callee-hangup'));
    await until(async () => (await Promise.all(ids.map(order))).some(({ endReason }) => endReason === 'daily-calls'));
    await until(() => r.calls.length === 3, 'the third call'); // it may be placed after the fourth was refused
    const placed = await desk(settings).place(request());
    expect(placed).toMatchObject({ refusal: { reason: 'daily-calls' } });
  });
});

describe('a gateway that dies', () => {
  it('leaves orders that the next one ends as interrupted where the INVITE may have left, and dials where it has not', async () => {
    const { databaseUrl, dataFolder } = database;
    const dead = await Store.open({ databaseUrl, dataFolder, logger: silentLogger });
    stores.push(dead);
    const limits = {
      ...{ trunk: { id: `trk_${accountId}`, calls: 10, perSecond: 100 }, accountCalls: 10, accountPerSecond: 100 },
      ...{ dayStart: new Date(0), dayCalls: 100, dayCents: 100 },
    };
    const [rang, never] = [await ordered(), await ordered({ to: '+966500000008' })];
    for (const id of [rang, never]) expect(await dead.dialOrders.claim(id, `${id}-1`, limits)).toBe('claimed');
    expect(await dead.dialOrders.sent(rang, 1, 'call_rang')).toBe(true);
    await dead.dialOrders.ringing(rang, 1);

    const r = rig({ trunk: { calls: 1, perSecond: 100 } });
    await until(async () => (await order(rang)).state === 'ended', 'the end');
    expect(await order(rang)).toMatchObject({ endReason: 'interrupted', attempt: 1 });
    expect((await order(never)).state).toBe('queued');
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(r.calls).toEqual([]); // The line of the call that was cut off may still be taken.
    await store().pool.query(`UPDATE dial_orders SET line_until = now() WHERE id = $1`, [rang]);
    await until(() => r.calls[0]?.left, 'the INVITE');
    expect(await order(never)).toMatchObject({ state: 'dialling', attempt: 1 });
    expect((await order(never)).sipCallId).not.toBe(`${never}-1`);
    expect(await dead.dialOrders.sent(never, 1, 'late')).toBe(false);
    await r.calls[0]!.end(callEnd('callee', 'callee-hangup'));
  });
});

describe('what may not be', () => {
  it.each<[string, Partial<DialRequest>, Partial<OutboundSettings>]>([
    ['no-such-agent', { agent: 'nobody' }, {}],
    ['bad-number', { to: 'ahmed' }, {}],
    ['bad-caller-id', { from: '+966119999999' }, {}],
    ['bad-caller-id', { from: 'nobody' }, { anyCallerId: true }],
    ['bad-ring-time', { maxRingSeconds: 0 }, {}],
    ['bad-time-zone', { timeZone: 'Mars/Base' }, {}],
    ['bad-time', { startsAt: new Date(Number.NaN) }, {}],
    ['bad-variables', { variables: { 'a b': 'x' } }, {}],
    ['bad-variables', { message: 'x'.repeat(1001) }, {}],
    ['bad-text', { message: 'a\0b' }, {}],
    ['bad-text', { variables: { name: 'half of \ud83d' } }, {}],
    ['bad-text', { to: 'sip:a\0b@host' }, {}],
    ['bad-text', { idempotencyKey: 'k\0' }, {}],
    ['bad-text', { agent: 'Swift\0' }, {}],
    ['bad-retries', { retrySeconds: { busy: [0] } }, {}],
    ['bad-key', { idempotencyKey: '' }, {}],
    ['outside-calling-hours', {}, { callingHours: { from: '09:00', to: '21:00', days: [] } }],
    ['do-not-call', { to: '0500000666' }, {}],
    ['daily-calls', {}, { callsPerDay: 0 }],
    ['daily-spend', {}, { spendCentsPerDay: 0 }],
    ['too-many-queued', {}, { queuedMax: 0 }],
  ])('%s: %o', async (reason, wish, settings) => {
    await store().doNotCall.add('+966500000666', accountId);
    expect(await desk(settings).place(request(wish))).toMatchObject({ refusal: { reason } });
    expect(await store().dialOrders.list({ accountId })).toEqual([]);
  });

  it.each([
    ['daily-calls', { callsADayMax: 0 }],
    ['daily-spend', { spendADayMaxCents: 0 }],
  ] as const)('%s: what the account sets for itself: %o', async (reason, settings) => {
    await store().accounts.change(accountId, settings);
    expect(await desk().place(request())).toMatchObject({ refusal: { reason } });
    await store().accounts.change(accountId, { callsADayMax: null, spendADayMaxCents: null, callsAtOnceMax: 0 });
    expect(await desk().place(request())).toMatchObject({ order: { state: 'queued' } }); // it waits for its line
  });

  it('a number that is switched off is called from by nobody', async () => {
    const [own] = await store().numbers.list(accountId);
    await store().numbers.setEnabled(own!.number, accountId, false);
    for (const wish of [{}, { from: own!.number }]) {
      expect(await desk().place(request(wish))).toMatchObject({ refusal: { reason: 'bad-caller-id' } });
    }
    await store().numbers.setEnabled(own!.number, accountId, true);
  });

  it('an agent that is not live, an account without credit', async () => {
    const agent = (await store().agents.getByName(accountId, AGENT.definition.name))!;
    await store().charges.topup(newId('chg'), accountId, -999, 'correction', 'test');
    expect(await desk().place(request())).toMatchObject({ refusal: { reason: 'no-credit' } });
    await store().agents.setStatus(accountId, agent.id, 'paused');
    expect(await desk().place(request())).toMatchObject({ refusal: { reason: 'agent-not-live' } });
  });

  it('a number by which no trunk may call is refused where that is known', async () => {
    const asked: string[] = [];
    const careful = new DialDesk({
      ...{ store: store(), settings: SETTINGS, clock: systemClock, firstMinuteCents: 3 },
      mayCall: async ({ target }) => {
        asked.push(target);
        return callEnd('gateway', 'not-allowed', 'no prefix');
      },
    });
    expect(await careful.place(request({ to: '00966 900 000 000' }))).toMatchObject({
      refusal: { reason: 'not-allowed' },
    });
    expect(asked).toEqual(['+966900000000']);
  });
});

describe('a key', () => {
  it('makes one call however often it is sent, at once or later', async () => {
    const wish = request({ idempotencyKey: 'k1', variables: { b: '2', a: '1' } });
    const placed = await Promise.all(Array.from({ length: 20 }, () => desk().place(wish)));
    const ids = new Set(placed.map((one) => ('order' in one ? one.order.id : 'refused')));
    expect([ids.size, placed.filter((one) => 'order' in one && one.isNew).length]).toEqual([1, 1]);
    const turned = await desk().place({ ...wish, variables: { a: '1', b: '2' } });
    expect('order' in turned && turned.order.id).toBe([...ids][0]);
    const other = await desk().place({ ...wish, to: '+966500000001' });
    expect(other).toMatchObject({ refusal: { reason: 'key-reused' } });
  });
});

it('people are called in their hours: an order that comes in the night waits for the morning', async () => {
  const now = new Date();
  const minutes = (add: number): string => {
    const at = new Date(now.getTime() + 3 * 3_600_000 + add * 60_000); // Riyadh
    return at.toISOString().slice(11, 16);
  };
  const from = minutes(60);
  const to = minutes(120) > from ? minutes(120) : '24:00'; // in the last hour before midnight
  const hours = { callingHours: { ...SETTINGS.callingHours, from, to } };
  const id = await ordered({}, hours);
  expect((await order(id)).nextAt.getTime()).toBeGreaterThan(now.getTime() + 50 * 60_000);
  const r = rig({ settings: hours });
  await store().pool.query('UPDATE dial_orders SET next_at = now() WHERE id = $1', [id]);
  await until(async () => (await order(id)).nextAt.getTime() > now.getTime() + 50 * 60_000, 'it is put off');
  expect(r.calls).toEqual([]);
});
