import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig, SHIPPED_CONFIG_DIR } from '../../src/config/load.ts';
import { loadVoices } from '../../src/config/voices.ts';
import { systemClock } from '../../src/core/clock.ts';
import { ErrorRing } from '../../src/core/error-ring.ts';
import type { QueueDesk } from '../../src/core/job-queues.ts';
import { createLogger, silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { sentence } from '../../src/core/notice.ts';
import { EngineSet } from '../../src/engines/engine-set.ts';
import { createNormalizer } from '../../src/engines/text/normalize/speakable-normalizer.ts';
import type { TtsEngine } from '../../src/engines/tts/contract.ts';
import { ScriptedTts } from '../../src/engines/tts/scripted.ts';
import { EngineDesk, type EngineDeskDeps } from '../../src/manage/engine-desk.ts';
import { VoiceDesk } from '../../src/manage/voice-desk.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { SpeechTestServer } from '../support/speech-server.ts';

interface Code {
  readonly error: { readonly code: string; readonly message: string };
}
interface EngineBody {
  readonly name: string;
  readonly state: string;
  readonly place: string;
  readonly last_check: CheckBody | null;
}
interface CheckBody {
  readonly ok: boolean;
  readonly detail: string | null;
  readonly first_ms: number | null;
  readonly total_ms: number;
  readonly answer: string | null;
  readonly audio_ms: number | null;
}
interface QueueBody {
  readonly items: { name: string; failed_jobs: { id: string; why: string; failed_at: string | null }[] }[];
}

/** Fails at will, and keeps a queue with one job that was given up. */
class Faulty {
  broken = false;
  readonly retried: (string | undefined)[] = [];
  readonly queues: QueueDesk = {
    states: async () => {
      if (this.broken) throw new Error('no database at 10.1.2.3');
      const job = {
        id: 'recording-1',
        name: 'finalize',
        tries: 8,
        failedAt: new Date(0),
        why: 'ENOSPC',
        about: { callId: 'call_1' },
      };
      return [{ name: 'recordings', waiting: 1, delayed: 2, active: 3, failed: 1, failedJobs: [job] }];
    },
    failedJob: async () => undefined,
    retryFailed: async (name, jobId) => {
      if (name !== 'recordings') return undefined;
      this.retried.push(jobId);
      return 1;
    },
    discardFailed: async () => undefined,
  };
}

const VOICES = loadVoices(`${SHIPPED_CONFIG_DIR}/voices.yaml`);
const fromMemory = (): never => {
  throw new Error('said from memory');
};

let rig: ManageRig;
let engines: EngineSet;
let server: SpeechTestServer;
const faulty = new Faulty();
const errors = new ErrorRing();
let fails = false;
beforeAll(async () => {
  server = await SpeechTestServer.start();
  server.hears = () => 'متى تفتحون';
  const { engines: choice } = loadConfig({ env: {} });
  const remember = (engine: TtsEngine): TtsEngine => ({ ...engine, synthesize: fromMemory });
  const deps = { clock: systemClock, logger: silentLogger, metrics: createMetrics(), cacheDir: '/tmp', remember };
  engines = await EngineSet.open(
    {
      ...choice,
      ...{ stt: { en: ['none'], ar: ['openai'] }, tts: ['espeak', 'openai'], openai: server.settings },
      speechPrivacy: 'local',
    },
    deps,
  );
  const logger = createLogger({ level: 'error', redactPersonal: true }, errors.tap({ write: () => undefined }));
  rig = await manageRig(
    (_store, dataFolder) => ({
      ...{ errors, queueDesk: faulty.queues, engineDesk: deskOf(engines.members) },
      system: async () => {
        if (fails) throw new Error('Noura is in the way');
        const media = { calls: 0, capacity: 400, threads: 1, cpuPercent: 1.5, tickLatenessP99Ms: 0.2 };
        const deaf = { state: 'degraded', detail: sentence('engine.no-recogniser', { tag: 'ar' }) } as const;
        return { parts: { sip: { state: 'ok' }, transcription_ar: deaf }, media, dataFolder };
      },
    }),
    logger,
  );
});
afterAll(async () => {
  expect(await rig?.unaudited()).toEqual([]);
  await rig?.close();
  await engines?.close();
  await server?.close();
});

function deskOf(members: EngineDeskDeps['members'], clock: EngineDeskDeps['clock'] = systemClock): EngineDesk {
  const tts = new ScriptedTts();
  const voices = new VoiceDesk({
    ...{ voices: VOICES, normalizer: createNormalizer(), speakingOf: () => tts, byDefault: 'local' },
    engines: { local: { name: 'scripted', place: 'local' }, remote: undefined },
  });
  const voice = VOICES.get('emma')!;
  return new EngineDesk({
    ...{ clock, members, voiceOf: () => voice, compile: (agent) => engines.compile(agent) },
    say: (_language, text, rateHz, signal) =>
      voices.samples({ voice, text, speed: 1, pitchSemitones: 0, privacy: 'local' }, rateHz, signal),
  });
}

const check = async (name: string): Promise<CheckBody> => {
  rig.clock.advance(60_000); // checks before it count no more
  const { status, body } = await rig.ask<CheckBody>(`POST /system/engines/${name}/check`);
  expect(status).toBe(200);
  return body;
};
const listed = async (): Promise<readonly EngineBody[]> =>
  (await rig.ask<{ engines: readonly EngineBody[] }>('GET /system')).body.engines;

it('a part says what it lacks, as data too', async () => {
  const { body } = await rig.ask<{ parts: Record<string, unknown> }>('GET /system');
  expect(body.parts).toEqual({
    sip: { state: 'ok', detail: null, detail_notice: null },
    transcription_ar: {
      ...{ state: 'degraded', detail: expect.stringContaining('engines.stt.ar') },
      detail_notice: { code: 'engine.no-recogniser', params: { tag: 'ar' } },
    },
  });
});

describe('the engines', () => {
  it('are listed one by one, and what sends something out is not made for that', async () => {
    const names = (await listed()).map(({ name, place, state }) => [name, place, state]);
    expect(names).toEqual([
      ['stt-ar-openai', 'remote', 'unused'],
      ['tts-espeak', 'local', 'ok'],
      ['tts-openai', 'remote', 'unused'],
      ['reply-scripted', 'local', 'ok'],
      ['document-retrieval', 'local', 'ok'],
    ]);
    expect(server.arrivals).toBe(0);
  });

  it.each([
    ['tts-espeak', null],
    ['reply-scripted', 'We are open from nine to five.'],
    ['document-retrieval', 'The library is open from nine to five.'],
    ['stt-ar-openai', 'متى تفتحون'],
  ])('%s is asked what callers ask, and measured', async (name, answer) => {
    const found = await check(name);
    expect(found).toMatchObject({ ok: true, detail: null, answer });
    expect(found.first_ms).toBeGreaterThan(0);
    expect(found.total_ms).toBeGreaterThanOrEqual(found.first_ms!);
    expect((await listed()).find((one) => one.name === name)).toMatchObject({ state: 'ok', last_check: found });
  });

  it('each speaks for itself: another voice does not hide one that fails, and no memory answers for it', async () => {
    const before = server.asked.length;
    expect(await check('tts-openai')).toMatchObject({ ok: true, detail: null });
    expect(await check('tts-openai')).toMatchObject({ ok: true, detail: null });
    expect(server.asked.length).toBe(before + 2);
    server.failNextAt('/speech', { type: 'refuse', status: 401 });
    const found = await check('tts-openai');
    expect(found).toMatchObject({ ok: false, first_ms: null, audio_ms: null });
    expect(found.detail).toMatch(/401/);
    const left = { code: 'engine.key-refused', params: { seconds: expect.stringMatching(/^(300|2\d\d)$/) } };
    const paused = (await listed()).find(({ name }) => name === 'tts-openai');
    expect(paused).toMatchObject({ state: 'down', detail_notice: left });
    server.failNextAt('/speech', { type: 'refuse', status: 401 });
    expect(await check('tts-openai')).toMatchObject({ ok: false, detail_notice: left });
    // The key is taken again: a check is enough, and nobody waits five minutes.
    expect(await check('tts-openai')).toMatchObject({ ok: true });
    expect((await listed()).find(({ name }) => name === 'tts-openai')).toMatchObject({ state: 'ok', detail: null });
    server.hears = () => '';
    expect(await check('stt-ar-openai')).toMatchObject({ ok: false, detail: 'it understood nothing' });
  });

  it('that never answer are given up', async () => {
    const clock = new FakeClock();
    const reader = { ask: () => new Promise<never>(() => {}) };
    const made = { made: () => reader, get: () => reader, retry: async () => {} };
    const silent = { capability: 'document', engine: 'silent', place: 'remote', order: 1, ...made } as const;
    const desk = deskOf([silent], clock);
    const found = desk.check('document-silent');
    clock.advance(20_000);
    expect(await found).toMatchObject({ ok: false, detail: 'nothing within 20 s', totalMs: 20_000 });
    expect(await desk.check('document-none')).toBeUndefined();
  });

  it('are checked at a rate that leaves them to callers', async () => {
    const states = [];
    for (let time = 0; time < 4; time += 1) {
      states.push((await rig.ask('POST /system/engines/reply-scripted/check')).status);
    }
    expect(states).toEqual([200, 200, 200, 429]);
  });
});

describe('the queues', () => {
  it('are shown with what was given up, which is tried again', async () => {
    const { body } = await rig.ask<QueueBody>('GET /system/queues');
    expect(body.items).toEqual([
      {
        ...{ name: 'recordings', waiting: 1, delayed: 2, active: 3, failed: 1 },
        failed_jobs: [
          {
            ...{ id: 'recording-1', name: 'finalize', tries: 8, why: 'ENOSPC', about: { callId: 'call_1' } },
            failed_at: '1970-01-01T00:00:00.000Z',
          },
        ],
      },
    ]);
    const one = await rig.ask('POST /system/queues/recordings/retry', { body: { job_id: 'recording-1' } });
    const all = await rig.ask('POST /system/queues/recordings/retry', { body: {} });
    expect([one.body, all.body]).toEqual([{ retried: 1 }, { retried: 1 }]);
    expect(faulty.retried).toEqual(['recording-1', undefined]);
  });

  it('that do not answer are said to, without where they are', async () => {
    faulty.broken = true;
    const { status, text } = await rig.ask<Code>('GET /system/queues');
    faulty.broken = false;
    expect(status).toBe(503);
    expect(text).not.toContain('10.1.2.3');
  });
});

interface NodeBody {
  readonly id: string;
  readonly state: string;
  readonly this: boolean;
  readonly drain_asked: boolean;
  readonly calls: number | null;
}

describe('the gateways on the database', () => {
  const FACTS = {
    version: '1',
    sip: '127.0.0.1:5060',
    api: 'http://127.0.0.1:8080',
    phase: 'serving',
    calls: 2,
  } as const;
  const nodes = async (): Promise<readonly NodeBody[]> =>
    (await rig.ask<{ items: NodeBody[] }>('GET /system/nodes')).body.items;

  it('are listed with what they say of themselves; one hears that it is to be empty, and that it is not', async () => {
    const { gateways } = rig.store;
    await gateways.claim({ id: gateways.id, beat: 'first', leaseSeconds: 30 });
    expect(await gateways.tell({ ...FACTS, capacity: 400 })).toBe(false);
    const own = (await nodes()).find((one) => one.this)!;
    expect(own).toMatchObject({ id: gateways.id, state: 'serving', drain_asked: false, calls: 2, capacity: 400 });
    const path = `POST /system/nodes/${own.id}/drain` as const;
    expect((await rig.ask<NodeBody>(path, { body: { drain: true } })).body.drain_asked).toBe(true);
    expect(await gateways.tell({ ...FACTS, phase: 'draining', capacity: 400 })).toBe(true);
    expect((await nodes()).find((one) => one.this)?.state).toBe('draining');
    await rig.ask(path, { body: { drain: false } });
    expect(await gateways.tell({ ...FACTS, capacity: 400 })).toBe(false);
  });

  it('that was lost is shown for an hour, and takes no wish', async () => {
    const lost = 'gw_lost00000000000000000';
    await rig.store.pool.query(
      `INSERT INTO gateways (id, node, seen_at, expires_at) VALUES ($1, 'lostnode', now() - interval '2 minutes', now() - interval '1 minute')`,
      [lost],
    );
    expect((await nodes()).find(({ id }) => id === lost)?.state).toBe('lost');
    expect((await rig.ask(`POST /system/nodes/${lost}/drain`, { body: { drain: true } })).status).toBe(404);
    await rig.store.pool.query(`UPDATE gateways SET seen_at = now() - interval '2 hours' WHERE id = $1`, [lost]);
    expect((await nodes()).find(({ id }) => id === lost)).toBeUndefined();
  });
});

describe('errors of late', () => {
  it('are found by the id that the client was answered with', async () => {
    fails = true;
    const failed = await rig.ask<Code>('GET /system', { headers: { 'x-request-id': 'req_of_the_test' } });
    fails = false;
    expect([failed.status, failed.headers.get('x-request-id')]).toEqual([500, 'req_of_the_test']);
    const { body, text } = await rig.ask<{ items: object[] }>('GET /system/errors?request_id=req_of_the_test');
    expect(body.items).toEqual([
      {
        ...{ level: 'error', component: 'api', message: 'request failed', code: 'internal_error', times: 1 },
        ...{ request_id: 'req_of_the_test', call_id: null, at: expect.stringMatching(/Z$/) },
      },
    ]);
    expect(text).not.toContain('Noura');
    expect((await rig.ask<{ items: object[] }>('GET /system/errors?request_id=req_other')).body.items).toEqual([]);
  });
});
