import { afterAll, beforeAll, expect, it } from 'vitest';
import { Billing } from '../../src/billing/billing.ts';
import { callEnd } from '../../src/call/call-end.ts';
import { CallRegistry } from '../../src/call/call-registry.ts';
import { CallTicker } from '../../src/call/call-ticker.ts';
import { OutgoingCalls } from '../../src/call/outgoing-calls.ts';
import { systemClock } from '../../src/core/clock.ts';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { DialDesk } from '../../src/outbound/dial-desk.ts';
import { DialPump } from '../../src/outbound/dial-pump.ts';
import { OrderEvents } from '../../src/outbound/order-events.ts';
import type { OutboundSettings } from '../../src/outbound/outbound-settings.ts';
import { AGENT } from '../support/conversation-rig.ts';
import { moneyFaults, openTestStore, type SharedTestStore } from '../support/postgres-store.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { receptionRig } from '../support/reception-rig.ts';
import { routeTo } from '../support/route.ts';
import { until } from '../support/until.ts';

const MINUTE_CENTS = 3;
const SETTINGS: OutboundSettings = {
  ...{ callsAtOncePerAccount: 100, callsPerSecondPerAccount: 500, callsPerDay: 1000, spendCentsPerDay: 1000 },
  ...{ queuedMax: 1000, timeZone: 'Asia/Riyadh', countryCode: '966', maxRingSeconds: 30, expireHours: 24 },
  callingHours: { from: '00:00', to: '24:00', days: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
  retrySeconds: { busy: [], noAnswer: [], failed: [] },
  ...{ anyCallerId: false, interruptedLineSeconds: 30, speakAfterMs: 0 },
};

let database: SharedTestStore;
beforeAll(async () => {
  database = await openTestStore();
});
afterAll(() => database.close());

it.runIf(EVERY_TEST)(
  'credit for three calls lets three of a hundred ring at once, and the rest end before they are dialled',
  async () => {
    const { store, dataFolder } = database;
    const billing = await Billing.open({ store, dataFolder, logger: silentLogger, metrics: createMetrics() });
    const { id: accountId } = await store.accounts.create('poor');
    await billing.ledger.topup(newId('chg'), accountId, 3 * MINUTE_CENTS);
    const agent = await store.agents.create(accountId, AGENT.definition, 'live');
    await store.numbers.assign('+966112223344', accountId, agent.id);
    const { deps, dialer } = receptionRig({ recorded: false });
    const registry = new CallRegistry(200, systemClock);
    const shared = { registry, clock: systemClock, logger: silentLogger, metrics: createMetrics() };
    const ticker = new CallTicker(systemClock, silentLogger);
    const pump = new DialPump({
      ...{ ...shared, store, settings: SETTINGS, events: new OrderEvents(silentLogger) },
      calls: new OutgoingCalls({ ...deps, ...shared, ticker, book: billing.callBook }),
      router: { route: async () => routeTo('sip:x@127.0.0.1') },
      limitsOf: () => undefined,
    });
    const desk = new DialDesk({ store, settings: SETTINGS, clock: systemClock, firstMinuteCents: MINUTE_CENTS });
    const wish = (n: number) => ({ accountId, agent: AGENT.definition.name, to: `+96650000${1000 + n}` });
    // Ten at once, as there are connections: who waits for one on a busy machine is sent away after a while.
    for (let first = 0; first < 100; first += 10) {
      const placed = await Promise.all(Array.from({ length: 10 }, (_, n) => desk.place(wish(first + n))));
      expect(placed.every((one) => 'order' in one)).toBe(true);
    }
    pump.start();
    const ends = async () => (await store.dialOrders.list({ accountId, states: ['ended'], limit: 100 })).length;
    await until(async () => (await ends()) === 97, 'the end of 97 orders');
    await until(() => dialer.dialled.length === 3, 'three calls'); // and at the end no more
    expect((await billing.ledger.balance(accountId))!.availableCents).toBe(0);
    for (const dial of dialer.dialled) dial.refuse(callEnd('network', 'no-such-number'), 404);
    await until(async () => (await ends()) === 100, 'the end of all');
    const reasons = (await store.dialOrders.list({ accountId, limit: 100 })).map(({ endReason }) => endReason);
    expect([reasons.filter((reason) => reason === 'no-credit').length, dialer.dialled.length]).toEqual([97, 3]);
    expect(await billing.drained(10_000)).toBe(true);
    expect((await billing.ledger.balance(accountId))!).toMatchObject({ balanceCents: 9, reservedCents: 0 });
    await pump.close();
    await billing.close();
    expect(await moneyFaults(store)).toEqual([]);
  },
);
