import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Billing } from '../../src/billing/billing.ts';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { type JobBackend, openPostgresBackend, openRedisBackend } from '../../src/jobs/job-backend.ts';
import { Jobs } from '../../src/jobs/queues.ts';
import { RedisServer } from '../../src/store/redis-server.ts';
import { localRecordings } from '../support/local-recordings.ts';
import { moneyFaults, openTestStore, type SharedTestStore } from '../support/postgres-store.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { haveRedis, RedisProcess } from '../support/redis.ts';
import { until } from '../support/until.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const TIMING = { lockDuration: 1_000, stalledInterval: 300 };

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', resolve));

describe.skipIf(!haveRedis)('jobs whose Redis goes away (Debian: redis-server)', () => {
  let test: SharedTestStore;
  let billing: Billing;
  let redis: RedisProcess;
  const ends: (() => unknown)[] = [];
  beforeAll(async () => {
    test = await openTestStore();
    const { store, dataFolder } = test;
    billing = await Billing.open({ store, dataFolder, logger: silentLogger, metrics: createMetrics() });
    redis = await RedisProcess.start();
  });
  afterAll(async () => {
    await redis.stop();
    await billing.close();
    await test.close();
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  const server = () => RedisServer.open({ url: redis.url }, { logger: silentLogger });
  const backend = async (): Promise<JobBackend> => {
    const opened = openRedisBackend(await server(), TIMING);
    ends.push(() => opened.close());
    return opened;
  };

  it('killed in the middle of a job: the job runs again, and what it books is booked once', async () => {
    const { store } = test;
    const accountId = (await store.accounts.create(newId('acc'))).id;
    await store.charges.topup(newId('req'), accountId, 1_000, 'topup', '');
    const lost = new AbortController();
    let isBooked = false;
    const runs: string[] = [];
    const book = async (node: string, id: string): Promise<void> => {
      runs.push(node);
      await billing.ledger.charge({ id, accountId, cents: 100, owner: id, kind: 'speech' });
      isBooked = true;
      if (runs.length === 1) await aborted(lost.signal); // it has done its work, and nobody was told
    };
    const [here, there] = [await backend(), await backend()];
    const queue = here.queue('effects');
    queue.on('error', () => undefined);
    ends.push(() => queue.close());
    const begin = (node: string, at: JobBackend): void => {
      const worker = at.worker('effects', (job) => book(node, job.id!));
      worker.on('error', () => undefined);
      ends.push(() => worker.close(true));
    };
    begin('here', here);
    await until(() => here.isUp);
    await queue.waitUntilReady();
    const id = newId('req');
    await queue.add('book', {}, { jobId: id });
    await until(() => isBooked);
    await redis.kill();
    begin('there', there);
    await new Promise((resolve) => setTimeout(resolve, 2 * TIMING.lockDuration)); // what is locked has to be nobody's
    await redis.begin();
    await until(() => runs.length === 2, 'another run of the job');
    lost.abort();
    const isDone = (): Promise<boolean> =>
      queue.getJob(id).then(
        (job) => job?.finishedOn !== undefined,
        () => false, // its connection is being made again
      );
    await until(isDone);
    expect(runs).toEqual(['here', 'there']);
    expect(await store.charges.balance(accountId)).toMatchObject({ balanceCents: 900, reservedCents: 0 });
    expect(await moneyFaults(store)).toEqual([]);
  });

  it('away at the start: the gateway starts, says so, and works when it is there', async () => {
    const { store, dataFolder } = test;
    await redis.kill();
    const rounds = vi.fn(() => billing.recover());
    const jobs = await Jobs.open({
      ...{ store, logger: silentLogger, metrics: createMetrics(), redis: await server(), caretakerMs: 300 },
      billing: { recover: rounds, forgetApplied: () => undefined, forgetSoFar: async () => true },
      reader: { read: () => Promise.reject(new Error('nothing to read')) },
      recordings: localRecordings(dataFolder, store),
    });
    ends.push(() => jobs.close());
    expect(jobs.problem).toMatch(/Redis does not answer/);
    await expect(jobs.desk.states()).rejects.toThrow();
    expect(rounds).not.toHaveBeenCalled();
    await redis.begin();
    await until(() => jobs.problem === undefined);
    await until(() => rounds.mock.calls.length > 0, 'a round of the caretaker');
    await until(() => jobs.desk.states().catch(() => false));
  });

  it('away at the end: closing does not wait for it', async () => {
    const { store, dataFolder } = test;
    const jobs = await Jobs.open({
      ...{ store, logger: silentLogger, metrics: createMetrics(), redis: await server(), billing },
      reader: { read: () => Promise.reject(new Error('nothing to read')) },
      recordings: localRecordings(dataFolder, store),
    });
    await redis.kill();
    await jobs.close();
    await redis.begin();
  });
});

describe('an effect on PostgreSQL', () => {
  it.runIf(EVERY_TEST)('whose worker falls silent is run again by another', async () => {
    const test = await openTestStore();
    const backends = await Promise.all(
      [0, 1].map(() => openPostgresBackend(test.store.connection, silentLogger, TIMING)),
    );
    const runs: number[] = [];
    const silent = new AbortController();
    try {
      const queue = backends[0]!.queue('effects');
      const workers = backends.map((backend, node) => {
        const worker = backend.worker('effects', async () => {
          runs.push(node);
          if (runs.length > 1) return;
          await workers[node]!.close(true); // as a process that was killed: nothing renews what it holds
          await aborted(silent.signal);
        });
        worker.on('error', () => undefined);
        return worker;
      });
      await Promise.all(workers.map((worker) => worker.waitUntilReady()));
      await queue.add('once', {}, { jobId: 'one' });
      await until(() => runs.length === 2, 'another run of the job');
      await until(async () => (await queue.getJob('one'))?.finishedOn !== undefined);
      expect(new Set(runs).size).toBe(2);
      silent.abort();
      await queue.close();
      await Promise.all(workers.map((worker) => worker.close(true)));
    } finally {
      silent.abort();
      for (const backend of backends) await backend.close();
      await test.close();
    }
  });
});
