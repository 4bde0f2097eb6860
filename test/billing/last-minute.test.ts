import { expect, it, vi } from 'vitest';
import { Billing } from '../../src/billing/billing.ts';
import type { BookingResult } from '../../src/billing/booking.ts';
import { Bookings } from '../../src/billing/bookings.ts';
import { StoredCallBook } from '../../src/billing/call-book.ts';
import { type ChargeFact, writeFacts } from '../../src/billing/charge-fact.ts';
import type { CallSummary } from '../../src/billing/contract.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { CallStart } from '../../src/store/call-rows.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { moneyFaults, openTestStore } from '../support/postgres-store.ts';

vi.setConfig({ testTimeout: 120_000 }); // a real database, on a machine that may be busy

const CALL = { id: 'call_1', accountId: 'acc_1' } as CallStart;
const SUMMARY: CallSummary = {
  ...{ endedAt: new Date(0), answered: true, talkMs: 60_010, dtmf: '' },
  end: { party: 'caller', reason: 'caller-hangup' },
};
const MINUTE = { type: 'minute', callId: CALL.id, accountId: CALL.accountId, minute: 1, cents: 5 };

/** The facts of a call whose second minute is booked with `outcome`: before its end, or after it. */
async function factsOf(outcome: BookingResult['outcome'], when: 'before' | 'after'): Promise<readonly ChargeFact[]> {
  const facts: ChargeFact[] = [];
  let tell = (): void => {};
  const booked = new Promise<BookingResult>((resolve) => {
    tell = () => resolve({ outcome, cents: 5, shortfallCents: 0 });
  });
  const book = new StoredCallBook({
    openings: { begin: async () => 'reserved' },
    bookings: { submit: () => booked },
    applier: { pending: 0, add: (fact: ChargeFact) => void facts.push(fact) },
    flush: async () => {},
    prices: { liveMinuteCents: 5 },
    clock: new FakeClock(),
    logger: silentLogger,
    metrics: createMetrics(),
  } as unknown as ConstructorParameters<typeof StoredCallBook>[0]);
  await book.begin(CALL);
  const minute = book.startMinute(CALL.id, 1);
  if (when === 'before') {
    tell();
    await minute;
  }
  const finished = book.finish(CALL.id, SUMMARY);
  tell();
  await minute;
  const end = facts.find((fact) => fact.type === 'finish');
  if (end) book.committed(end);
  await finished;
  return facts;
}

it('a minute that is booked after the end of its call is told as a fact, too: the call may have been summed up without it', async () => {
  expect(await factsOf('settled', 'after')).toMatchObject([{ type: 'finish' }, MINUTE]);
});

it.each([
  ['that is booked in time', 'settled', 'before'],
  ['that there is no credit for', 'insufficient-credit', 'after'],
] as const)('a minute %s is no fact', async (_, outcome, when) => {
  expect(await factsOf(outcome, when)).toMatchObject([{ type: 'finish' }]);
});

it('a minute that comes after the end of its call is in what the call has cost', async () => {
  const test = await openTestStore();
  const { store, dataFolder } = test;
  const billing = await Billing.open({ store, dataFolder, logger: silentLogger, metrics: createMetrics() });
  try {
    const accountId = (await store.accounts.create('last')).id;
    await store.charges.topup('last/credit', accountId, 100, 'topup', '');
    const call = { ...CALL, accountId, sipCallId: 'one@peer', agentId: 'agt_x', agentVersion: 1, agentName: 'a' };
    const route = { direction: 'inbound', from: '1', to: '2', startedAt: new Date() } as const;
    expect(await billing.callBook.begin({ ...call, ...route })).toBe('ok');
    billing.callBook.answered(call.id, new Date());
    await billing.callBook.finish(call.id, SUMMARY);
    expect(await billing.drained(60_000)).toBe(true);
    const minute = { type: 'minute', callId: call.id, accountId, minute: 1, cents: 3 } as const;
    await writeFacts(store, new Bookings(store.bookings), [minute, minute]);
    const { rows } = await store.pool.query('SELECT cost_cents::int AS cost FROM calls WHERE id = $1', [call.id]);
    expect(rows).toEqual([{ cost: 6 }]);
    expect(await moneyFaults(store)).toEqual([]);
  } finally {
    await billing.close();
    await test.close();
  }
});
