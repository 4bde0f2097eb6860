import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Billing } from '../../src/billing/billing.ts';
import type { ChargeFact } from '../../src/billing/charge-fact.ts';
import { ChargeJournal } from '../../src/billing/charge-journal.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { ChargeRows } from '../../src/store/charge-rows.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { moneyFaults, openTestStore, type TestStore } from '../support/postgres-store.ts';
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
    for (const id of ['served', 'cut']) await new ChargeRows(pool, { id: DEAD }).reserve({ id, ...held });
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
    expect(await states()).toEqual({ served: 'settled', cut: 'released' });
    expect(await moneyFaults(store)).toEqual([]);
    await billing.close();
  });
});
