import { rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { NodeLease } from '../../src/store/node-lease.ts';
import { Store } from '../../src/store/store.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { moneyOf } from '../support/money.ts';
import { openTestStore, type SharedTestStore, temporaryFolder } from '../support/postgres-store.ts';
import { until } from '../support/until.ts';

const LEASE_SECONDS = 30;
const LEASE_MS = LEASE_SECONDS * 1_000;
const BEAT_MS = LEASE_MS / 3;

let test: SharedTestStore;
let clock: FakeClock;
let closing: (() => unknown)[];
beforeEach(async () => {
  test = await openTestStore();
  clock = new FakeClock();
  closing = [() => test.close()];
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const leaseOf = (store: Store, whenTaken: 'refuse' | 'new-identity' = 'refuse'): Promise<NodeLease> =>
  NodeLease.claim({
    gateways: store.gateways,
    settings: { leaseSeconds: LEASE_SECONDS, whenTaken },
    clock,
    logger: silentLogger,
  });

/** Another start on the same folder, or on `folder`. */
async function another(folder = test.dataFolder): Promise<Store> {
  const store = await Store.open({ databaseUrl: test.databaseUrl, dataFolder: folder, logger: silentLogger });
  closing.push(() => store.close());
  return store;
}
async function copied(): Promise<Store> {
  const folder = temporaryFolder();
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  await cp(test.dataFolder, folder, { recursive: true });
  return another(folder);
}

/** How the lease of `node` stands. */
async function rows(): Promise<readonly { readonly id: string; readonly lives: boolean }[]> {
  const found = await test.store.pool.query(
    'SELECT id, gateway_lives(g) AS lives FROM gateways g ORDER BY started_at, id',
  );
  return found.rows;
}
/** The database says that the lease has run out, as after that time. */
const runOut = (id: string): Promise<unknown> =>
  test.store.pool.query(`UPDATE gateways SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);

/** Whether `work` has come to something while time passes, and to what. */
async function passing<T>(work: Promise<T>, meanwhile: () => unknown = () => undefined): Promise<T | Error> {
  let result: T | Error | undefined;
  work.then(
    (value) => {
      result = value;
    },
    (error: Error) => {
      result = error;
    },
  );
  return (await until(async () => {
    await meanwhile();
    await clock.advanceAsync(500, 100);
    return result;
  })) as T | Error;
}

describe('the lease of a node', () => {
  it('is taken over at once by another start in the same place, and by nobody else while it is renewed', async () => {
    await leaseOf(test.store);
    const restarted = await another();
    await leaseOf(restarted);
    expect(await rows()).toEqual([
      { id: test.store.gateways.id, lives: false },
      { id: restarted.gateways.id, lives: true },
    ]);
    const copy = await copied();
    const renewed = (): Promise<unknown> =>
      test.store.pool.query('UPDATE gateways SET beat = $2 WHERE id = $1', [restarted.gateways.id, newId('lse')]);
    const refused = await passing(leaseOf(copy), renewed);
    expect(refused).toBeInstanceOf(Error);
    expect((refused as Error).message).toMatch(
      /is in use: a gateway on .* runs with it.*copy of its folder.*NIDAA_NODE_WHEN_TAKEN/s,
    );
    expect((await rows()).map(({ lives }) => lives)).toEqual([false, true]);
  });

  it('is had by a copy with an identity of its own, which lasts, where that is wanted', async () => {
    await leaseOf(test.store);
    const copy = await copied();
    expect(copy.gateways.node).toBe(test.store.gateways.node);
    const renewed = (): Promise<unknown> =>
      test.store.pool.query('UPDATE gateways SET beat = $2 WHERE id = $1', [test.store.gateways.id, newId('lse')]);
    expect(await passing(leaseOf(copy, 'new-identity'), renewed)).toBeInstanceOf(NodeLease);
    expect(copy.gateways.node).not.toBe(test.store.gateways.node);
    expect((await rows()).map(({ lives }) => lives)).toEqual([true, true]);
  });

  it('is waited for where its holder elsewhere renews it no more', async () => {
    await leaseOf(test.store);
    const moved = await copied();
    let looks = 0;
    const lease = await passing(leaseOf(moved), async () => {
      looks += 1;
      if (looks === 4) await runOut(test.store.gateways.id);
    });
    expect(lease).toBeInstanceOf(NodeLease);
    expect(looks).toBeGreaterThanOrEqual(4);
  });

  it('is renewed, and given back at the end: nobody waits for it then', async () => {
    const lease = await leaseOf(test.store);
    await runOut(test.store.gateways.id);
    let beats = 0;
    lease.start(async () => {
      beats += 1;
    });
    clock.advance(BEAT_MS);
    await until(() => beats === 1);
    expect((await rows()).map(({ lives }) => lives)).toEqual([true]);
    await lease.close(true);
    await leaseOf(await copied());
  });

  it('is renewed while what another gateway left is closed, however long that takes', async () => {
    const lease = await leaseOf(test.store);
    let [renewals, looks] = [0, 0];
    const { gateways } = test.store;
    const { renew } = gateways;
    gateways.renew = async (...said) => {
      const isRenewed = await renew.apply(gateways, said);
      renewals += 1;
      return isRenewed;
    };
    let end: (() => void) | undefined;
    lease.start(() => {
      looks += 1;
      if (looks > 1) return Promise.resolve();
      return new Promise((resolve) => {
        end = resolve;
      });
    });
    for (let beat = 1; beat <= 6; beat += 1) {
      clock.advance(BEAT_MS);
      await until(() => renewals === beat);
    }
    await until(() => looks === 1);
    expect([lease.state, lease.mayJudge]).toEqual(['held', true]);
    end?.();
    await until(() => {
      clock.advance(BEAT_MS);
      return looks > 1;
    });
    await lease.close(true);
  });

  it('is renewed while every other connection is taken', async () => {
    const lease = await leaseOf(test.store);
    await runOut(test.store.gateways.id);
    const { pool, oneTrip } = test.store;
    const taken = [pool, oneTrip].flatMap((of) => Array.from({ length: of.options.max }, () => of.connect()));
    const clients = await Promise.all(taken);
    let beats = 0;
    lease.start(async () => {
      beats += 1;
    });
    for (let beat = 1; beat <= 4; beat += 1) {
      clock.advance(BEAT_MS);
      await until(() => beats === beat);
    }
    expect([lease.state, pool.idleCount, oneTrip.idleCount]).toEqual(['held', 0, 0]);
    for (const client of clients) client.release();
    expect((await rows()).map(({ lives }) => lives)).toEqual([true]);
    await lease.close(true);
  });

  it('is tried again soon after a renewal that failed, and not once it is closed', async () => {
    const lease = await leaseOf(test.store);
    const { gateways } = test.store;
    let tries = 0;
    gateways.renew = () => {
      tries += 1;
      return Promise.reject(new Error('timeout exceeded when trying to connect'));
    };
    lease.start(async () => undefined);
    await clock.advanceAsync(BEAT_MS + 3_500, 500);
    expect(tries).toBe(4);
    await lease.close(false);
    await clock.advanceAsync(2 * BEAT_MS, 500);
    expect(tries).toBe(4);
    expect(clock.pending).toBe(0);
  });

  it('is unsure where the database did not answer for so long, and sure again with its answer', async () => {
    const lease = await leaseOf(test.store);
    expect(lease.state).toBe('held');
    clock.leap(LEASE_MS);
    expect(lease.state).toBe('unsure');
    let beats = 0;
    lease.start(async () => {
      beats += 1;
    });
    clock.advance(BEAT_MS);
    await until(() => beats === 1);
    expect([lease.state, lease.mayJudge]).toEqual(['held', false]);
    for (; beats < 4; ) {
      const before = beats;
      clock.advance(BEAT_MS);
      await until(() => beats > before);
    }
    expect(lease.mayJudge).toBe(true);
    await lease.close(false);
  });

  it('that another gateway took for lost is had again under another id, with what is open', async () => {
    const lease = await leaseOf(test.store);
    const { store } = test;
    const former = store.gateways.id;
    const accountId = (await store.accounts.create('one')).id;
    await store.charges.topup('credit', accountId, 100, 'topup', '');
    const charge = { id: 'held', accountId, cents: 5, owner: 'request', kind: 'speech' } as const;
    expect(await moneyOf(store).reserve(charge)).toBe('reserved');
    await store.gateways.askDrain(former, true);
    await runOut(former);
    const other = await another(temporaryFolder());
    expect((await other.gateways.fenceSilent()).map(({ id }) => id)).toEqual([former]);
    await expect(moneyOf(store).reserve({ ...charge, id: 'late' })).rejects.toThrow(/has lost its lease/);

    let beats = 0;
    lease.start(async () => {
      beats += 1;
    });
    clock.advance(BEAT_MS);
    await until(() => beats === 1);
    expect([lease.state, store.gateways.id === former]).toEqual(['held', false]);
    expect(await moneyOf(store).reserve({ ...charge, id: 'later' })).toBe('reserved');
    const { rows: held } = await store.pool.query('SELECT gateway FROM charges WHERE state = $1', ['reserved']);
    expect(held.map(({ gateway }) => gateway)).toEqual([store.gateways.id, store.gateways.id]);
    const own = (await store.gateways.nodes()).find(({ id }) => id === store.gateways.id);
    expect(own, 'is to be empty as before').toMatchObject({ drainAsked: true });
    await lease.close(true);
  });

  it('that a copy of the process renews is lost: nothing new is begun until the copy is gone', async () => {
    const lease = await leaseOf(test.store);
    const { id } = test.store.gateways;
    await test.store.pool.query(`UPDATE gateways SET beat = 'said by the copy' WHERE id = $1`, [id]);
    let beats = 0;
    lease.start(async () => {
      beats += 1;
    });
    clock.advance(BEAT_MS);
    await until(() => lease.state === 'displaced');
    await runOut(id);
    clock.advance(BEAT_MS);
    await until(() => beats === 1);
    expect([lease.state, test.store.gateways.id === id]).toEqual(['held', false]);
    await lease.close(true);
  });
});
