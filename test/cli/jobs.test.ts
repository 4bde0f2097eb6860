import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueueDesk } from '../../src/core/job-queues.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { type JobBackend, openPostgresBackend, openRedisBackend } from '../../src/jobs/job-backend.ts';
import { queueDesk, queueNames } from '../../src/jobs/queue-states.ts';
import { RedisServer } from '../../src/store/redis-server.ts';
import { BothWays } from '../support/both-ways.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { someOf } from '../support/property-runs.ts';
import { haveRedis, RedisProcess } from '../support/redis.ts';
import { until } from '../support/until.ts';

const BACKENDS = [
  { on: 'PostgreSQL', run: true },
  { on: 'Redis (Debian: redis-server)', run: haveRedis },
];

describe.each(
  someOf(
    BACKENDS.filter(({ run }) => run),
    2,
  ),
)('nidaa jobs on $on', ({ on }) => {
  let rig: ManageRig;
  let ways: BothWays;
  let redis: RedisProcess | undefined;
  let backend: JobBackend;
  let desk: QueueDesk;
  beforeAll(async () => {
    const later: QueueDesk = {
      states: () => desk.states(),
      failedJob: (...asked) => desk.failedJob(...asked),
      retryFailed: (...asked) => desk.retryFailed(...asked),
      discardFailed: (...asked) => desk.discardFailed(...asked),
    };
    rig = await manageRig(() => ({ queueDesk: later }));
    if (on !== 'PostgreSQL') redis = await RedisProcess.start();
    backend = redis
      ? openRedisBackend(await RedisServer.open({ url: redis.url }, { logger: silentLogger }))
      : await openPostgresBackend(rig.store.connection, silentLogger);
    ways = new BothWays(rig, redis ? { REDIS_URL: redis.url } : {});
    const names = queueNames(rig.store.gateways.node);
    const queues = Object.fromEntries(Object.entries(names).map(([name, full]) => [name, backend.queue(full)]));
    desk = queueDesk(queues);
    await until(() => backend.isUp);
    const worker = backend.worker(names.recordings, () => Promise.reject(new Error('ENOSPC')));
    for (const call of ['call_a', 'call_b', 'call_c', 'call_d']) {
      await queues['recordings']!.waitUntilReady();
      await queues['recordings']!.add('finalize', { callId: call }, { jobId: `recording-${call}`, attempts: 1 });
    }
    await until(async () => (await queues['recordings']!.getJobCounts('failed'))['failed'] === 4);
    await worker.close();
  });
  afterAll(async () => {
    await backend?.close();
    await redis?.stop();
    await rig?.close();
  });
  const run = (...args: string[]) => ways.run('here', ['jobs', ...args]);

  it.each([
    { args: ['list'], says: /recordings +0 +0 +0 +4[\s\S]+recording-call_a +ENOSPC/, code: 0 },
    { args: ['list', '--queue', 'documents'], says: /documents +0 +0 +0 +0/, code: 0 },
    { args: ['list', '--queue', 'none'], says: /No queue none/, code: 1 },
    { args: ['show', 'recordings', 'recording-call_a'], says: /callId call_a +ENOSPC/, code: 0 },
    { args: ['show', 'recordings', 'recording-none'], says: /No job recording-none/, code: 1 },
    { args: ['show', 'none', 'recording-call_a'], says: /No job recording-call_a/, code: 1 },
    { args: ['retry', 'none'], says: /No queue none/, code: 1 },
    { args: ['retry', 'calls'], says: /begin again: 0/, code: 0 },
    { args: ['discard', 'recordings', 'recording-none'], says: /No job recording-none/, code: 1 },
  ])('$args, the same here and from afar', async ({ args, says, code }) => {
    const { here, afar } = await ways.results(async () => ['jobs', ...args]);
    expect(afar).toEqual(here);
    const [program, person] = here;
    expect([program!.code, person!.code]).toEqual([code, code]);
    expect(person!.text + person!.error).toMatch(says);
  });

  it('has one begin again, and forgets one, here and from afar', async () => {
    expect((await run('retry', 'recordings', 'recording-call_a')).stdout).toContain('begin again: 1');
    expect((await ways.run('afar', ['jobs', 'retry', 'recordings', 'recording-call_b'])).stdout).toContain('again: 1');
    const [queue] = JSON.parse((await run('list', '--queue', 'recordings', '--json')).stdout) as [object];
    expect(queue).toMatchObject({ waiting: 2, failed: 2 });
    expect((await run('discard', 'recordings', 'recording-call_c')).stdout).toContain('forgotten: 1');
    expect((await ways.run('afar', ['jobs', 'discard', 'recordings'])).stdout).toContain('forgotten: 1');
    expect((await desk.states()).find(({ name }) => name === 'recordings')).toMatchObject({ waiting: 2, failed: 0 });
  });

  it.runIf(on !== 'PostgreSQL')('says that Redis is away', async () => {
    await redis!.kill();
    const { code, stderr } = await run('list');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Redis does not answer')]);
    await redis!.begin();
  });
});
