import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Billing } from '../../src/billing/billing.ts';
import { Bookings } from '../../src/billing/bookings.ts';
import type { ChargeFact } from '../../src/billing/charge-fact.ts';
import { ChargeJournal } from '../../src/billing/charge-journal.ts';
import { DEFAULT_PRICES } from '../../src/billing/prices.ts';
import { type Recovered, recoverInterrupted } from '../../src/billing/recovery.ts';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { Store } from '../../src/store/store.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { moneyOf } from '../support/money.ts';
import {
  moneyFaults,
  openTestStore,
  type SharedTestStore,
  type TestStore,
  temporaryFolder,
} from '../support/postgres-store.ts';
import { until } from '../support/until.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 }); // a real database, on a machine that may be busy

const DEAD = 'gw_dead';
/** As long as this trigger is there the database takes no booking, as if it were starting; holds can be given back. */
const TAKES_NO_BOOKING = `
  CREATE FUNCTION not_yet() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'starting' USING ERRCODE = '57P03'; END $$;
  CREATE TRIGGER not_yet BEFORE INSERT ON ledger FOR EACH ROW EXECUTE FUNCTION not_yet()`;

describe('a gateway that starts after another was killed', () => {
  let test: TestStore;
  beforeAll(async () => {
    test = await openTestStore();
  });
  afterAll(() => test.close());

  it('gives back no hold that a fact on disk still has to settle, however long that takes', async () => {
    const { store, dataFolder } = test;
    const { pool } = store;
    const accountId = (await store.accounts.create('test')).id;
    await store.charges.topup('credit', accountId, 100, 'topup', '');
    await pool.query('INSERT INTO gateways (id, node) SELECT $1, $2', [DEAD, store.gateways.node]);
    const held = { accountId, cents: 5, owner: 'request', kind: 'speech' } as const;
    for (const id of ['served', 'cut']) await moneyOf(store, DEAD).reserve({ id, ...held });
    const journal = new ChargeJournal<ChargeFact>(join(dataFolder, 'journal'), silentLogger);
    journal.append({ type: 'settle', chargeId: 'served', cents: 5 });
    await journal.flush();
    const states = async (): Promise<Record<string, string>> =>
      Object.fromEntries((await pool.query('SELECT id, state FROM charges')).rows.map(({ id, state }) => [id, state]));

    await pool.query(TAKES_NO_BOOKING);
    const clock = new FakeClock();
    let opened: Billing | undefined;
    void Billing.open({ store, dataFolder, logger: silentLogger, metrics: createMetrics(), clock }).then((open) => {
      opened = open;
    });
    const inTime = <T>(look: () => T | undefined | false, what: string): Promise<T> =>
      until(async () => {
        await clock.advanceAsync(1_000, 100);
        return look();
      }, what) as Promise<T>;
    const billing = await inTime(() => opened, 'billing is open');
    await billing.recover();
    expect(await states()).toEqual({ served: 'reserved', cut: 'reserved' });

    await pool.query('DROP TRIGGER not_yet ON ledger');
    await inTime(() => billing.pending === 0, 'what was on disk is booked');
    expect(await billing.recover()).toMatchObject({ charges: 1 });
    expect(await states()).toEqual({ served: 'settled', cut: 'presumed' });
    expect(await moneyFaults(store)).toEqual([]);
    await billing.close();
  });
});

describe('a gateway that was taken for dead, and lives', () => {
  let test: SharedTestStore;
  let other: Store;
  let billing: Billing;
  let accountId: string;
  const opened = (store: Store, dataFolder: string): Promise<Billing> =>
    Billing.open({ store, dataFolder, logger: silentLogger, metrics: createMetrics() });
  beforeEach(async () => {
    test = await openTestStore();
    const { store, dataFolder } = test;
    other = await Store.open({ databaseUrl: test.databaseUrl, dataFolder: temporaryFolder(), logger: silentLogger });
    billing = await opened(store, dataFolder);
    accountId = (await store.accounts.create('test')).id;
    await store.charges.topup('credit', accountId, 100, 'topup', '');
  });
  afterEach(async () => {
    await billing.close();
    await other.close();
    await test.close();
  });

  /** The other gateway finds the lease run out, and closes everything. */
  async function givenUp(): Promise<Recovered> {
    const { gateways, pool } = test.store;
    await pool.query(`UPDATE gateways SET expires_at = now() - interval '1 second' WHERE id = $1`, [gateways.id]);
    expect((await other.gateways.fenceSilent()).map(({ id }) => id)).toEqual([gateways.id]);
    const deps = { pool: other.pool, gateways: other.gateways, calls: other.calls, sessions: other.sessions };
    return recoverInterrupted(
      { ...deps, bookings: new Bookings(other.bookings), prices: DEFAULT_PRICES, logger: silentLogger },
      false,
    );
  }
  const entries = async (): Promise<Record<string, number>> => {
    const { rows } = await test.store.pool.query(
      `SELECT id, cents::int FROM ledger WHERE kind <> 'topup' ORDER BY seq`,
    );
    return Object.fromEntries(rows.map(({ id, cents }) => [id, cents]));
  };

  it.each([1, 2])('books late what it held, once, %i at a time', async (atOnce) => {
    const ids = Array.from({ length: atOnce }, (_, n) => `held-${n}`);
    const charge = { accountId, cents: 5, owner: 'request', kind: 'speech' } as const;
    for (const id of ids) await billing.ledger.reserve({ id, ...charge });
    expect(await givenUp()).toMatchObject({ charges: atOnce });
    expect((await billing.ledger.balance(accountId))!.availableCents).toBe(100);
    for (const _ of [1, 2]) await Promise.all(ids.map((id) => billing.ledger.settle(id, 4)));
    expect(await entries()).toEqual(Object.fromEntries(ids.map((id) => [id, -4])));
    expect(await moneyFaults(test.store)).toEqual([]);
  });

  it('has its calls closed, a set of them with each transaction', async () => {
    const calls = Array.from({ length: 120 }, () => newId('call'));
    await test.store.charges.topup('more credit', accountId, 1_000, 'topup', '');
    for (const id of calls) {
      const begun = await billing.callBook.begin({
        ...{ id, accountId, sipCallId: id, agentId: 'agt_x', agentVersion: 1, agentName: 'Clinic' },
        ...{ direction: 'inbound', source: { kind: 'loopback' }, from: '', to: '700', startedAt: new Date() },
      });
      expect(begun).toBe('ok');
    }
    const asked = vi.spyOn(other.pool, 'connect');
    expect(await givenUp()).toEqual({ calls: 120, sessions: 0, charges: 0 });
    expect(asked.mock.calls.filter(([callback]) => callback === undefined).length).toBe(3);
    const { rows } = await test.store.pool.query('SELECT end_reason, count(*)::int AS count FROM calls GROUP BY 1');
    expect(rows).toEqual([{ end_reason: 'interrupted', count: 120 }]);
    expect((await billing.ledger.balance(accountId))!.reservedCents).toBe(0);
    expect(await moneyFaults(test.store)).toEqual([]);
  });

  it.each([
    { name: 'ends late: what came after its last checkpoint is booked, once', fault: false, rest: { 'ts_a/rest': -9 } },
    { name: 'has failed: it gets back what was booked for it', fault: true, rest: { 'ts_a/reversal': 3 } },
  ])('a session $name', async ({ fault, rest }) => {
    await billing.sessionBook.begin('ts_a', accountId);
    await billing.sessionBook.checkpoint('ts_a', 30_000);
    expect(await givenUp()).toMatchObject({ sessions: 1 });
    expect(await entries()).toEqual({ ts_a: -3 });
    for (const _ of [1, 2]) billing.sessionBook.end('ts_a', 200_000, 'stop', fault);
    expect(await billing.drained(30_000)).toBe(true);
    expect(await entries()).toEqual({ ts_a: -3, ...rest });
    const { rows } = await test.store.pool.query('SELECT end_reason, checkpoint_ms, cost_cents::int FROM sessions');
    expect(rows).toEqual([{ end_reason: 'stop', checkpoint_ms: 200_000, cost_cents: fault ? 0 : 12 }]);
    expect(await moneyFaults(test.store)).toEqual([]);
  });
});
