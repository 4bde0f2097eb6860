import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { BookingQueue } from '../../src/billing/booking-queue.ts';
import { Bookings } from '../../src/billing/bookings.ts';
import type { ChargeFact } from '../../src/billing/charge-fact.ts';
import {
  CHARGE_TRANSITIONS,
  type ChargeEvent,
  type ChargeState,
  nextChargeState,
} from '../../src/billing/charge-state.ts';
import { Ledger } from '../../src/billing/ledger.ts';
import { ServiceError } from '../../src/core/errors.ts';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { NewCharge } from '../../src/store/charge-rows.ts';
import { moneyOf } from '../support/money.ts';
import { moneyFaults, openTestStore, type TestStore } from '../support/postgres-store.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 }); // a real database, on a machine that may be busy

const EVENTS: readonly ChargeEvent[] = ['reserve', 'raise', 'settle', 'release', 'presume'];
const STATES = Object.keys(CHARGE_TRANSITIONS) as ChargeState[];

describe('ledger on PostgreSQL', () => {
  let test: TestStore;
  let ledger: Ledger;
  let accountId: string;
  const kept: ChargeFact[] = [];
  beforeAll(async () => {
    test = await openTestStore();
    const keep = (fact: ChargeFact): void => void kept.push(fact);
    const { pool, charges } = test.store;
    const queue = new BookingQueue({ pool, bookings: new Bookings(test.store.bookings), logger: silentLogger });
    const flush = async (): Promise<void> => {};
    ledger = new Ledger({
      charges,
      bookings: queue,
      keep,
      flush,
      found: [],
      logger: silentLogger,
      metrics: createMetrics(),
    });
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    accountId = (await test.store.accounts.create('test')).id;
  });

  const credit = (cents: number): Promise<unknown> => ledger.topup(newId('chg'), accountId, cents);
  const charge = (cents: number, id = newId('chg')): NewCharge => ({ id, accountId, cents, owner: id, kind: 'reply' });
  const available = async (): Promise<number> => (await ledger.balance(accountId))!.availableCents;

  async function stateOf(id: string): Promise<ChargeState> {
    const { rows } = await test.store.pool.query('SELECT state FROM charges WHERE id = $1', [id]);
    return rows[0]?.state ?? 'none';
  }

  describe.each(STATES)('a charge that is %s', (state) => {
    it.each(EVENTS)('%s: the database does what the table says', async (event) => {
      await credit(100);
      const { id, ...rest } = charge(10);
      if (state !== 'none') await ledger.reserve({ id, ...rest });
      if (state === 'settled') await ledger.settle(id, 10);
      if (state === 'released') await ledger.release(id);
      if (state === 'presumed') await moneyOf(test.store).presume(id);
      const before = await ledger.balance(accountId);
      const outcome = {
        reserve: () => ledger.reserve({ id, ...rest }),
        raise: () => ledger.raise(id, 20),
        settle: () => ledger.settle(id, 7),
        release: () => ledger.release(id),
        presume: () => moneyOf(test.store).presume(id),
      }[event];
      await outcome();
      const next = nextChargeState(state, event);
      expect(await stateOf(id)).toBe(next ?? state);
      if (next === undefined) expect(await ledger.balance(accountId)).toEqual(before);
      expect(await moneyFaults(test.store)).toEqual([]);
    });
  });

  it('100 parallel reserves with credit for 3: exactly 3 succeed, nothing is overdrawn', async () => {
    await credit(6);
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => ledger.reserve(charge(2))));
    expect(outcomes.filter((outcome) => outcome === 'reserved')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'insufficient-credit')).toHaveLength(97);
    expect(await ledger.balance(accountId)).toEqual({ balanceCents: 6, reservedCents: 6, availableCents: 0 });
    expect(await moneyFaults(test.store)).toEqual([]);
  });

  it('the same charge 50 times in parallel, reserved and settled: booked exactly once', async () => {
    await credit(1_000);
    const same = charge(4);
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => ledger.charge(same)));
    expect(outcomes.filter((booked) => booked.outcome === 'settled')).toHaveLength(1);
    expect(outcomes.every((booked) => booked.cents === 4)).toBe(true);
    expect(await available()).toBe(996);
    expect(await moneyFaults(test.store)).toEqual([]);
  });

  it('reserve, raise, settle and release of one charge all at once: one end, sums right', async () => {
    await credit(100);
    const same = charge(4);
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        [
          () => ledger.reserve(same),
          () => ledger.raise(same.id, 10),
          () => ledger.settle(same.id, 6),
          () => ledger.release(same.id),
        ][i % 4]!(),
      ),
    );
    expect(['settled', 'released', 'reserved']).toContain(await stateOf(same.id));
    expect(await moneyFaults(test.store)).toEqual([]);
    expect(kept).toEqual([]);
  });

  it('a top-up of one id counts once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => ledger.topup('pay-1', accountId, 500)));
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    expect(await available()).toBe(500);
  });

  it.each([
    { name: 'less than held gives the rest back', hold: 10, settle: 3, costs: 3, left: 97 },
    { name: 'nothing', hold: 10, settle: 0, costs: 0, left: 100 },
    { name: 'more than held comes from what is free', hold: 10, settle: 30, costs: 30, left: 70 },
    { name: 'more than there is stops at zero', hold: 10, settle: 130, costs: 100, left: 0 },
  ])('settle: $name', async ({ hold, settle, costs, left }) => {
    await credit(100);
    const one = charge(hold);
    await ledger.reserve(one);
    expect(await ledger.settle(one.id, settle)).toBe(costs);
    expect(await ledger.balance(accountId)).toEqual({ balanceCents: left, reservedCents: 0, availableCents: left });
    expect(await moneyFaults(test.store)).toEqual([]);
  });

  it('settling never takes what another charge holds', async () => {
    await credit(10);
    const [mine, other] = [charge(4), charge(5)];
    await ledger.reserve(mine);
    await ledger.reserve(other);
    expect(await ledger.settle(mine.id, 50)).toBe(5);
    expect(await ledger.settle(other.id, 5)).toBe(5);
    expect(await ledger.balance(accountId)).toEqual({ balanceCents: 0, reservedCents: 0, availableCents: 0 });
  });

  it('pay: books on success, gives back and passes the error on failure', async () => {
    await credit(10);
    expect(await ledger.pay(charge(4), async () => ({ value: 'done' }))).toEqual({ value: 'done', costCents: 4 });
    expect(await ledger.pay(charge(4), async () => ({ value: 'less', cents: 1 }))).toEqual({
      value: 'less',
      costCents: 1,
    });
    const failed = ledger.pay(charge(4), () => Promise.reject(new ServiceError('synthesis_failed')));
    await expect(failed).rejects.toMatchObject({ code: 'synthesis_failed' });
    expect(await available()).toBe(5);
    await expect(ledger.pay(charge(6), async () => ({ value: 'never' }))).rejects.toMatchObject({
      code: 'insufficient_credit',
    });
    expect(await available()).toBe(5);
  });

  it('an unknown account has no credit, a correction cannot overdraw', async () => {
    expect(await ledger.reserve({ ...charge(1), accountId: 'acc_none' })).toBe('unknown-account');
    await credit(5);
    expect(await ledger.topup(newId('chg'), accountId, -6)).toBe('insufficient-credit');
    expect(await ledger.topup(newId('chg'), accountId, -5, 'mistake')).toBe('done');
    expect(await available()).toBe(0);
  });

  it.each([Number.NaN, 1.5, -1, 2 ** 53])('%s is no amount', async (cents) => {
    await expect((async () => ledger.reserve(charge(cents)))()).rejects.toThrow(RangeError);
  });

  it.each(['UPDATE ledger SET cents = 1', 'DELETE FROM ledger', 'TRUNCATE ledger'])('refuses %s', async (statement) => {
    await credit(1);
    await expect(test.store.pool.query(statement)).rejects.toThrow(/append-only/);
  });

  it('any mix of operations in parallel keeps every balance the sum of its ledger', async () => {
    const step = fc.record({
      what: fc.constantFrom('reserve', 'raise', 'settle', 'release', 'charge', 'topup', 'correct'),
      which: fc.integer({ min: 0, max: 5 }),
      cents: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 8 }), async (steps, width) => {
        accountId = (await test.store.accounts.create('property')).id;
        await credit(50);
        const ids = Array.from({ length: 6 }, () => newId('chg'));
        const run = ({ what, which, cents }: (typeof steps)[number]): Promise<unknown> => {
          const id = ids[which]!;
          if (what === 'reserve') return ledger.reserve(charge(cents, id));
          if (what === 'raise') return ledger.raise(id, cents);
          if (what === 'settle') return ledger.settle(id, cents);
          if (what === 'release') return ledger.release(id);
          if (what === 'charge') return ledger.charge(charge(cents, id));
          return ledger.topup(newId('chg'), accountId, what === 'topup' ? cents : -cents);
        };
        for (let at = 0; at < steps.length; at += width) await Promise.all(steps.slice(at, at + width).map(run));
        expect(await moneyFaults(test.store)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
