import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Billing } from '../../src/billing/billing.ts';
import { delay, systemClock } from '../../src/core/clock.ts';
import { newId } from '../../src/core/ids.ts';
import { createLogger, silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { Jobs, type JobsOptions } from '../../src/jobs/queues.ts';
import { peaksPath } from '../../src/recordings/recording-files.ts';
import type { AgentDocument } from '../../src/store/agent-documents.ts';
import { RedisServer } from '../../src/store/redis-server.ts';
import { localRecordings } from '../support/local-recordings.ts';
import { DEFINITION } from '../support/manage-things.ts';
import { patientReader } from '../support/patient-reader.ts';
import { openOwnServer, type TestStore } from '../support/postgres-store.ts';
import { EVERY_TEST, someOf } from '../support/property-runs.ts';
import { haveRedis, RedisProcess } from '../support/redis.ts';
import { serverProcesses, signalAll } from '../support/server-processes.ts';
import { until } from '../support/until.ts';
import { wavBytes } from '../support/wav-bytes.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 }); // a real database, on a machine that may be busy

const BACKENDS = [
  { on: 'PostgreSQL', run: true },
  { on: 'Redis (Debian: redis-server)', run: haveRedis },
];

describe.each(
  someOf(
    BACKENDS.filter(({ run }) => run),
    2,
  ),
)('Jobs on $on', ({ on }) => {
  let test: TestStore;
  let redis: RedisProcess | undefined;
  let billing: Billing;
  let accountId: string;
  let jobs: Jobs | undefined;
  const reader = patientReader();
  beforeAll(async () => {
    test = await openOwnServer();
    if (on !== 'PostgreSQL') redis = await RedisProcess.start();
    const { store, dataFolder } = test;
    accountId = (await store.accounts.create('test')).id;
    await store.charges.topup('credit', accountId, 1_000, 'topup', '');
    billing = await Billing.open({ store, dataFolder, logger: silentLogger, metrics: createMetrics() });
    mkdirSync(join(dataFolder, 'recordings'));
  });
  afterAll(async () => {
    reader.close();
    await billing.close();
    await test.close();
    await redis?.stop();
  });
  afterEach(() => jobs?.close());
  beforeEach(() => {
    jobs = undefined;
  });

  const open = async (more: Partial<JobsOptions> = {}): Promise<Jobs> => {
    const { store, dataFolder } = test;
    const server = redis && (await RedisServer.open({ url: redis.url }, { logger: silentLogger }));
    jobs = await Jobs.open({
      ...(server && { redis: server }),
      ...{ store, billing, logger: silentLogger, metrics: createMetrics(), reader },
      recordings: localRecordings(dataFolder, store),
      ...more,
    });
    return jobs;
  };

  /** A finished call with a recording on disk, as far as the database knows. */
  async function recordedCall(withFile = true): Promise<{ readonly id: string; readonly recording: string }> {
    const id = newId('call');
    const recording = `recordings/${id}.wav`;
    const bytes = wavBytes({ frames: [[1, 2]], claimedBytes: 0 });
    if (withFile) writeFileSync(join(test.dataFolder, recording), bytes);
    const call = {
      id,
      sipCallId: id,
      accountId,
      agentId: 'agt_x',
      agentVersion: 1,
      direction: 'inbound' as const,
      recording,
      agentName: 'a',
      from: '1',
      to: '2',
    };
    expect(await billing.callBook.begin({ ...call, startedAt: new Date() })).toBe('ok');
    const end = { party: 'caller', reason: 'caller-hangup' };
    await billing.callBook.finish(id, { endedAt: new Date(), answered: false, talkMs: 0, end, dtmf: '', recording });
    return { id, recording };
  }

  const stateOf = async (id: string): Promise<string | null | undefined> =>
    (await test.store.calls.get(id))?.call.recordingState;

  it('a recording queued twice is worked on, and marked ready', async () => {
    const { id, recording } = await recordedCall();
    const opened = await open();
    opened.finalizeRecording(id, recording);
    opened.finalizeRecording(id, recording);
    await until(async () => (await stateOf(id)) === 'ready');
    expect(existsSync(join(test.dataFolder, peaksPath(recording)))).toBe(true);
  });

  it('a recording that is not there is marked failed and not tried again', async () => {
    const { id, recording } = await recordedCall(false);
    (await open()).finalizeRecording(id, recording);
    await until(async () => (await stateOf(id)) === 'failed');
    expect(await test.store.recordings.pending(10)).toEqual([]);
  });

  it('what was given up stays for a look and is tried again by hand, or when it is queued again', async () => {
    const opened = await open();
    const lost = [await recordedCall(false), await recordedCall(false)] as const;
    for (const { id, recording } of lost) opened.finalizeRecording(id, recording);
    const failedJobs = async () => {
      const states = await opened.desk.states();
      return states.find(({ name }) => name === 'recordings')!.failedJobs;
    };
    const ids = lost.map(({ id }) => `recording-${id}`);
    await until(async () => (await failedJobs()).filter(({ id }) => ids.includes(id)).length === 2);
    const shown = (await failedJobs()).find(({ id }) => id === ids[0])!;
    expect(shown).toMatchObject({ name: 'finalize', tries: 1, why: 'recording: missing' });
    expect(shown.failedAt!.getTime()).toBeGreaterThan(Date.now() - 3_600_000);
    const found = ({ recording }: { readonly recording: string }): void =>
      writeFileSync(join(test.dataFolder, recording), wavBytes({ frames: [[1, 2]], claimedBytes: 0 }));
    for (const call of lost) found(call);
    expect(await opened.desk.retryFailed('recordings', ids[0])).toBe(1);
    await until(async () => (await stateOf(lost[0].id)) === 'ready');
    expect(await stateOf(lost[1].id)).toBe('failed');
    opened.finalizeRecording(lost[1].id, lost[1].recording);
    await until(async () => (await stateOf(lost[1].id)) === 'ready');
    expect(await opened.desk.retryFailed('recordings', ids[0])).toBe(0);
    expect(await opened.desk.retryFailed('nobodys')).toBeUndefined();
    expect(await opened.desk.retryFailed('constructor')).toBeUndefined();
  });

  it('failures are counted and told without what was personal in them, and can be forgotten', async () => {
    const metrics = createMetrics();
    const lines: unknown[] = [];
    const logger = createLogger({ level: 'warn', redactPersonal: true }, { write: (line) => void lines.push(line) });
    const query = Object.assign(new Error('Failed query: select params: +966512345678'), {
      ...{ query: 'select', params: ['+966512345678'], cause: new Error('connection reset') },
    });
    const opened = await open({
      metrics,
      logger,
      billing: { recover: () => Promise.reject(query), forgetApplied: () => undefined, forgetSoFar: async () => true },
      caretakerMs: 500,
    });
    const { id, recording } = await recordedCall(false);
    opened.finalizeRecording(id, recording);
    const jobId = `recording-${id}`;
    await until(async () => (await opened.desk.failedJob('recordings', jobId)) !== undefined);
    const failures = async (queue: string, outcome: string): Promise<number | undefined> =>
      (await metrics.jobsDone.get()).values.find(
        ({ labels }) => labels['queue'] === queue && labels['outcome'] === outcome,
      )?.value;
    await until(async () => (await failures('recordings', 'given_up')) === 1);
    await until(async () => ((await failures('caretaker', 'failed')) ?? 0) > 0);
    expect(await opened.desk.failedJob('recordings', jobId)).toMatchObject({ about: { callId: id, recording } });
    expect(lines.join('')).toContain('connection reset');
    expect(lines.join('')).not.toContain('+966512345678');
    expect(await opened.desk.discardFailed('recordings', jobId)).toBe(1);
    expect(await opened.desk.discardFailed('recordings', jobId)).toBe(0);
    expect(await opened.desk.failedJob('recordings', jobId)).toBeUndefined();
    expect(await opened.desk.discardFailed('nobodys')).toBeUndefined();
    expect(await opened.desk.failedJob('nobodys', jobId)).toBeUndefined();
  });

  it('a recording whose job was lost is found by the caretaker', async () => {
    const { id } = await recordedCall();
    expect(await stateOf(id)).toBe('pending');
    await open({ caretakerMs: 200 });
    await until(async () => (await stateOf(id)) === 'ready');
  });

  /** A document that an agent was given, as far as the database knows. */
  async function givenDocument(): Promise<AgentDocument> {
    const { agents, agentDocuments } = test.store;
    const agent = await agents.create(accountId, { ...DEFINITION, name: newId('agt') });
    const file = { name: 'hours.txt', type: 'text/plain', bytes: Buffer.from('Open from seven to nine.') };
    return (await agentDocuments.add(accountId, agent.id, file, { bytesMax: 1_000 })) as AgentDocument;
  }
  const documentState = async ({ agentId, id }: AgentDocument): Promise<string | undefined> =>
    (await test.store.agentDocuments.get(accountId, agentId, id))?.state;

  it('a document queued twice is read', async () => {
    const document = await givenDocument();
    const opened = await open();
    opened.indexDocument(document.id);
    opened.indexDocument(document.id);
    await until(async () => (await documentState(document)) === 'ready', 'a document that is read', 120_000);
  });

  it.runIf(EVERY_TEST)(
    'a document whose job was lost, in the queue or while it was read, is found by the caretaker',
    async () => {
      const [queued, read, fresh] = [await givenDocument(), await givenDocument(), await givenDocument()];
      await test.store.agentDocuments.begin(read.id); // and killed
      await test.store.pool.query(
        `UPDATE agent_documents SET touched_at = now() - interval '1 hour' WHERE id = ANY($1)`,
        [[queued.id, read.id]],
      );
      expect(await test.store.agentDocuments.leftOver()).not.toContain(fresh.id); // its job may be on its way
      await open({ caretakerMs: 200 });
      for (const document of [queued, read])
        await until(async () => (await documentState(document)) === 'ready', 'a document that is read', 120_000);
    },
  );

  it.runIf(EVERY_TEST)(
    'what its account does not want to keep goes: the recording first, then all that is personal',
    async () => {
      const { store, dataFolder } = test;
      const calls = [await recordedCall(), await recordedCall(), await recordedCall()] as const;
      const age = (id: string, days: number) =>
        store.pool.query('UPDATE calls SET ended_at = now() - make_interval(days => $2) WHERE id = $1', [id, days]);
      await age(calls[1].id, 5);
      await age(calls[2].id, 11);
      const elsewhere = await recordedCall();
      await age(elsewhere.id, 20);
      await store.pool.query(`UPDATE calls SET gateway = 'gw_other123_x', recording_state = 'ready' WHERE id = $1`, [
        elsewhere.id,
      ]);
      await store.pool.query(`UPDATE recordings SET node = 'other123' WHERE call_id = $1`, [elsewhere.id]);
      const opened = await open({ caretakerMs: 200 });
      for (const { id, recording } of calls) opened.finalizeRecording(id, recording);
      for (const { id } of calls) await until(async () => (await stateOf(id)) === 'ready');
      await store.accounts.change(accountId, { recordingsDays: 4, callsDays: 10 });
      const kept = async ({ id, recording }: { id: string; recording: string }) => {
        const { call } = (await store.calls.get(id))!;
        const files = [recording, peaksPath(recording)].map((path) => existsSync(join(dataFolder, path)));
        return { from: call.from, erased: call.erasedAt !== null, recording: call.recording !== null, files };
      };
      await until(async () => (await kept(calls[2])).erased);
      await until(async () => !(await kept(calls[1])).recording);
      for (const call of calls.slice(1)) {
        await until(async () => !(await kept(call)).files.includes(true));
        await until(async () => (await store.recordings.get(call.id)) === undefined);
      }
      expect(await kept(calls[0])).toEqual({ from: '1', erased: false, recording: true, files: [true, true] });
      expect(await kept(calls[1])).toEqual({ from: '1', erased: false, recording: false, files: [false, false] });
      expect(await kept(calls[2])).toEqual({ from: '', erased: true, recording: false, files: [false, false] });
      await until(async () => (await kept(elsewhere)).erased);
      // Its file is for its node to remove, which knows of it until then.
      expect(await store.recordings.get(elsewhere.id)).toMatchObject({ node: 'other123', wanted: false });
      await store.accounts.change(accountId, { recordingsDays: null, callsDays: null });
    },
  );

  it.runIf(EVERY_TEST)('jobs wait for a database that stands still, and the process goes on', async () => {
    const opened = await open();
    const { id, recording } = await recordedCall();
    const pids = serverProcesses(test.store.server!.pid!);
    signalAll(pids, 'SIGSTOP');
    try {
      opened.finalizeRecording(id, recording);
      await delay(systemClock, 300);
    } finally {
      signalAll(pids, 'SIGCONT');
    }
    await until(async () => (await stateOf(id)) === 'ready');
  });

  it('goes on after the database was killed', async () => {
    const opened = await open({ caretakerMs: 500 });
    const server = test.store.server!;
    const before = server.pid!;
    process.kill(before, 'SIGKILL');
    await until(async () => server.state === 'running' && server.pid !== before && (await test.store.isUp()));
    const { id, recording } = await recordedCall();
    opened.finalizeRecording(id, recording);
    await until(async () => (await stateOf(id)) === 'ready');
  });

  it.runIf(EVERY_TEST)('closes in a bounded time, twice, also with work waiting', async () => {
    const opened = await open();
    const calls = await Promise.all(Array.from({ length: 20 }, () => recordedCall()));
    for (const call of calls) opened.finalizeRecording(call.id, call.recording);
    await Promise.all([opened.close(), opened.close()]);
    const states = await Promise.all(calls.map((call) => stateOf(call.id)));
    expect(states.every((state) => state === 'ready' || state === 'pending')).toBe(true);
    await open();
    await until(async () =>
      (await Promise.all(calls.map((call) => stateOf(call.id)))).every((state) => state === 'ready'),
    );
  });
});
