import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BookingRequest, BookingResult } from '../../src/billing/booking.ts';
import { BookingQueue } from '../../src/billing/booking-queue.ts';
import { Bookings } from '../../src/billing/bookings.ts';
import type { ChargeFact } from '../../src/billing/charge-fact.ts';
import { NotSent } from '../../src/billing/group-commit.ts';
import { Ledger } from '../../src/billing/ledger.ts';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { NewCharge } from '../../src/store/charge-rows.ts';
import { moneyOf } from '../support/money.ts';
import { moneyFaults, openTestStore, type TestStore } from '../support/postgres-store.ts';
import { EVERY_TEST, runs } from '../support/property-runs.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 }); // a real database, on a machine that may be busy

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test.close());

const queueOn = (pool: pg.Pool): BookingQueue => {
  return new BookingQueue({ pool, bookings: new Bookings(test.store.bookings), logger: silentLogger });
};

async function accountWith(cents: number): Promise<string> {
  const { id } = await test.store.accounts.create('test');
  if (cents > 0) await test.store.charges.topup(newId('chg'), id, cents, 'topup', '');
  return id;
}

const charge = (accountId: string, cents: number, id = newId('chg')): NewCharge => ({
  ...{ id, accountId, cents, owner: id, kind: 'ask' },
});

describe('bookings one by one, together and as facts of the journal', () => {
  // What decided before, in the database of an older gateway: nothing of this one asks it.
  beforeAll(() =>
    test.store.pool.query(`DROP FUNCTION charge_reserve, charge_raise, charge_settle, charge_release, charge_now, charge_void,
      charge_presume, session_book, account_refusal(text, text), account_refusal(text, text, integer), account_available`),
  );

  it.runIf(EVERY_TEST)(
    'have the same results and leave the same rows, also where another gateway is in between',
    async () => {
      const step = fc.record({
        what: fc.constantFrom(
          'reserve',
          'raise',
          'settle',
          'release',
          'charge',
          'given',
          'void',
          'presume',
          'end-session',
        ),
        which: fc.nat(5),
        cents: fc.nat(40),
      });
      const cut = fc.nat(39);
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 40 }), fc.array(cut), async (steps, cuts) => {
          const history = async (): Promise<BookingRequest[]> => {
            const accounts = [await accountWith(50), await accountWith(90), 'acc_none'];
            await test.store.accounts.change(accounts[1]!, { spendADayMaxCents: 45 });
            const ids = Array.from({ length: 6 }, () => newId('chg'));
            return steps.map(({ what, which, cents }) => {
              const [id, accountId] = [ids[which]!, accounts[which % 3]!];
              if (what === 'release' || what === 'presume') return { type: what, id };
              if (what === 'raise' || what === 'settle' || what === 'end-session') return { type: what, id, cents };
              if (what === 'given') return { type: 'charge', charge: charge(accountId, cents, id), isGiven: true };
              return { type: what, charge: charge(accountId, cents, id) };
            });
          };
          const [first, second, third] = [await history(), await history(), await history()];
          const { pool, oneTrip, bookings: rows } = test.store;
          const queue = queueOn(pool);
          const together = await Promise.all(first.map((request) => queue.submit(request)));

          const other = new Bookings(rows);
          const alone: BookingResult[] = [];
          for (const [n, request] of second.entries()) {
            alone.push(await queue.submit(request));
            // Another gateway holds nothing and gives it back: all is as before, but none of it as it was read.
            if (cuts.includes(n)) await touch(other, second);
          }
          expect(alone).toEqual(together);

          const between = cuts.map(() => () => touch(other, third));
          const [facts] = await Promise.all([new Bookings(rows).on(oneTrip, third), ...between.map((work) => work())]);
          expect(facts).toEqual(together);
          for (const requests of [second, third]) expect(await rowsOf(requests)).toEqual(await rowsOf(first));
          expect(await moneyFaults(test.store)).toEqual([]);
        }),
        { numRuns: runs(15) },
      );
    },
  );

  async function touch(bookings: Bookings, requests: readonly BookingRequest[]): Promise<void> {
    const accounts = new Set(requests.flatMap((request) => ('charge' in request ? request.charge.accountId : [])));
    for (const accountId of accounts) {
      const none = charge(accountId, 0);
      await bookings.on(test.store.pool, [{ type: 'reserve', charge: none }]);
      await bookings.on(test.store.pool, [{ type: 'release', id: none.id }]);
    }
  }

  /** What the requests left behind, without what is never the same twice. */
  async function rowsOf(requests: readonly BookingRequest[]): Promise<unknown> {
    const ids = [
      ...new Set(
        requests.map((request) =>
          'charge' in request ? request.charge.id : 'id' in request ? request.id : request.owner,
        ),
      ),
    ];
    const { rows } = await test.store.pool.query(
      `SELECT array_position($1, c.id) AS place, c.state, c.reserved_cents, c.settled_cents, c.shortfall_cents, c.kind,
        c.closed_at IS NULL AS open, l.cents, l.balance_after_cents, a.balance_cents, a.reserved_cents AS held
       FROM charges c JOIN accounts a ON a.id = c.account_id LEFT JOIN ledger l ON l.id = c.id
       WHERE c.id = ANY($1) ORDER BY 1`,
      [ids],
    );
    return rows;
  }

  it('one that the database does not take fails alone', async () => {
    const accountId = await accountWith(100);
    const queue = queueOn(test.store.pool);
    const outcomes = await Promise.allSettled(
      ['ok', 'not \0 a text', 'ok'].map((owner) =>
        queue.submit({ type: 'reserve', charge: { ...charge(accountId, 2), owner } }),
      ),
    );
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await test.store.charges.balance(accountId))!.reservedCents).toBe(4);
  });

  it('more than can wait are turned away, those that wait are served', async () => {
    const accountId = await accountWith(100);
    const queue = queueOn(test.store.pool);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10_000 }, () => queue.submit({ type: 'charge', charge: charge(accountId, 1) })),
    );
    const served = outcomes.filter((outcome) => outcome.status === 'fulfilled').map((outcome) => outcome.value.outcome);
    expect(served.filter((outcome) => outcome === 'settled')).toHaveLength(100);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBe(10_000 - served.length);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every((outcome) => outcome.reason instanceof NotSent)).toBe(true);
    expect(await moneyFaults(test.store)).toEqual([]);
  });

  it('many accounts at once, beside others that lock the same ones the other way round: all are served', async () => {
    const accounts = await Promise.all(Array.from({ length: 10 }, () => accountWith(1_000)));
    const [one, two] = [queueOn(test.store.pool), queueOn(test.store.pool)];
    const results = await Promise.all(
      Array.from({ length: 400 }, (_, n) => {
        const queue = n % 2 === 0 ? one : two;
        const accountId = accounts.at(n % 2 === 0 ? n % 10 : -1 - (n % 10))!;
        return queue.submit({ type: 'charge', charge: charge(accountId, 1) });
      }),
    );
    expect(results.every((result) => result.outcome === 'settled')).toBe(true);
    expect(await moneyFaults(test.store)).toEqual([]);
  });
});

/** A pool whose connections break at a statement: `before` it reaches the server, or `after` it was carried out. */
function breakingPool(statement: RegExp, when: 'before' | 'after' | 'connect'): pg.Pool {
  const { pool } = test.store;
  const connect = async (): Promise<pg.PoolClient> => {
    if (when === 'connect') throw new Error('timeout exceeded when trying to connect');
    const client = await pool.connect();
    const query = async (config: string | { text: string }, values?: unknown[]): Promise<unknown> => {
      const hit = statement.test(typeof config === 'string' ? config : config.text);
      if (hit && when === 'before') throw new Error('Connection terminated unexpectedly');
      const result = await client.query(config as string, values);
      if (hit) throw new Error('Connection terminated unexpectedly');
      return result;
    };
    return { query, release: () => client.release(true) } as unknown as pg.PoolClient;
  };
  return { connect } as unknown as pg.Pool;
}

describe('a database that breaks in the middle', () => {
  const kept: ChargeFact[] = [];
  const ledgerOn = (pool: pg.Pool): Ledger => {
    kept.length = 0;
    const keep = (fact: ChargeFact): void => void kept.push(fact);
    const flush = async (): Promise<void> => {};
    const shared = { charges: test.store.charges, logger: silentLogger, metrics: createMetrics() };
    return new Ledger({ ...shared, bookings: queueOn(pool), keep, flush, found: [] });
  };

  describe.each([
    { name: 'many together', count: 5, statement: /COMMIT/ },
    { name: 'one alone', count: 1, statement: /UPDATE accounts/ },
  ])('$name', ({ count, statement }) => {
    it.each(['before', 'after'] as const)('%s the commit: refused, and nothing stays taken', async (when) => {
      for (const operation of ['reserve', 'charge'] as const) {
        const accountId = await accountWith(100);
        const ledger = ledgerOn(breakingPool(statement, when));
        const charges = Array.from({ length: count }, () => charge(accountId, 3));
        const outcomes = await Promise.allSettled(charges.map((one) => ledger[operation](one)));
        for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: 'unavailable' } });
        expect(kept.map((fact) => fact.type)).toEqual(charges.map(() => 'void'));
        await expect(ledger.paidBy('anybody')).rejects.toMatchObject({ code: 'unavailable' });
        for (let twice = 0; twice < 2; twice += 1) {
          for (const one of charges) expect(await moneyOf(test.store).void(one)).toBe('voided');
        }
        expect(await test.store.charges.balance(accountId)).toMatchObject({ balanceCents: 100, reservedCents: 0 });
        for (const fact of kept) ledger.committed(fact);
        expect(await ledger.paidBy(charges[0]!.id)).toBe(0);
        // One that comes through later than its voiding finds the place taken.
        for (const one of charges) expect(await moneyOf(test.store).reserve(one)).toBe('duplicate');
        expect(await moneyFaults(test.store)).toEqual([]);
      }
    });

    it.each(['before', 'after'] as const)('%s the commit of a settling: it is kept and booked once', async (when) => {
      const accountId = await accountWith(100);
      const charges = Array.from({ length: count }, () => charge(accountId, 3));
      for (const one of charges) await moneyOf(test.store).reserve(one);
      const ledger = ledgerOn(breakingPool(statement, when));
      const costs = await Promise.all(charges.map((one) => ledger.settle(one.id, 2)));
      expect(costs).toEqual(charges.map(() => 2));
      expect(kept.map((fact) => fact.type)).toEqual(charges.map(() => 'settle'));
      for (const one of charges) await moneyOf(test.store).settle(one.id, 2);
      const left = 100 - 2 * count;
      expect(await test.store.charges.balance(accountId)).toMatchObject({ balanceCents: left, reservedCents: 0 });
    });
  });

  it('that cannot be reached: refused at once, and nothing needs to be taken back', async () => {
    const ledger = ledgerOn(breakingPool(/./, 'connect'));
    await expect(ledger.charge(charge('acc_x', 1))).rejects.toMatchObject({ code: 'unavailable' });
    expect(kept).toEqual([]);
  });
});
