import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { prepareModel, type SpeechModel, sphinxInstalled } from '../../../src/engines/stt/model-folder.ts';
import { type RecogniserHost, startRecogniserThread } from '../../../src/engines/stt/recogniser-host.ts';
import { RECOGNITION_RESTARTS, RecognitionThread } from '../../../src/engines/stt/recognition-thread.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { EVERY_TEST } from '../../support/property-runs.ts';
import { until } from '../../support/until.ts';

const cacheDir = mkdtempSync(join(tmpdir(), 'nidaa-stt-'));
afterAll(() => rmSync(cacheDir, { recursive: true, force: true }));

describe.skipIf(!sphinxInstalled())('a recognition thread', () => {
  const open = (changes: Partial<SpeechModel> = {}, free = false) => {
    const clock = new FakeClock();
    const waits: number[] = [];
    const none = (): void => {};
    const events = {
      ...{ unspeakable: none, fewerInterims: none, noSentences: none, settled: none },
      restarted: (_: string, waitMs: number) => waits.push(waitMs),
    };
    const setup = { model: { ...prepareModel(cacheDir), ...changes }, free, fillerWeight: 0.02, minFit: -15 };
    const thread = new RecognitionThread({ ...setup, idleMs: 30_000, liveDecodersMax: 1 }, events, clock);
    return { clock, thread, waits };
  };
  const REQUEST = { hints: { phrases: ['yes'], expect: [] }, interim: false } as const;
  const LISTENER = { taken: () => {}, interim: () => {}, final: () => {}, failed: () => {} };

  it.runIf(EVERY_TEST)(
    'that crashes again and again says so while it waits for its next start, and is never given up',
    async () => {
      const { clock, thread, waits } = open();
      const burst = RECOGNITION_RESTARTS.delaysMs.length;
      for (let n = 0; n < burst + 3; n += 1) {
        expect([thread.unableWhy, thread.begin(REQUEST, LISTENER) !== undefined]).toEqual([undefined, true]);
        thread.restart('it does not answer any more');
        expect(thread.begin(REQUEST, LISTENER)).toBeUndefined();
        expect(thread.unableWhy !== undefined).toBe(n >= burst);
        clock.advance(waits.at(-1) ?? 0);
      }
      expect(waits.slice(0, burst)).toEqual(RECOGNITION_RESTARTS.delaysMs);
      expect(waits.at(-1)).toBeCloseTo(RECOGNITION_RESTARTS.earnMs);
      await thread.close();
      expect(clock.pending).toBe(0);
    },
  );

  /** Says something, ends it, and hangs up before it is settled. */
  const hangUp = (thread: RecognitionThread): void => {
    const id = thread.begin(REQUEST, LISTENER);
    if (id === undefined) throw new Error('the thread does not work');
    for (let piece = 0; piece < 20; piece += 1) thread.audio(id, new Int16Array(480));
    thread.finish(id, 'account');
    thread.drop(id);
  };
  const answerOf = (thread: RecognitionThread): Promise<string> =>
    new Promise((resolve) => {
      setTimeout(() => resolve('nothing'), 30_000).unref();
      const id = thread.begin(REQUEST, { ...LISTENER, final: () => resolve('final'), failed: resolve });
      if (id !== undefined) thread.finish(id, 'account');
    });

  it('answers the next caller, however many hung up before they were answered', async () => {
    const { thread } = open();
    for (let caller = 0; caller < 5; caller += 1) hangUp(thread);
    expect(await answerOf(thread)).toBe('final');
    await thread.close();
  });

  it.runIf(EVERY_TEST)('of free speech does not go while it owes an answer, wanted or not', async () => {
    const { thread } = open({}, true);
    for (let caller = 0; caller < 3; caller += 1) {
      hangUp(thread);
      thread.rest();
    }
    expect(await answerOf(thread)).not.toBe('nothing');
    await thread.close();
  });

  it('that could not load its model says so, tries again, and recognises once it can', async () => {
    const dictionary = join(cacheDir, 'dict-that-comes-later');
    const { clock, thread, waits } = open({ dictionary });
    thread.prepare({ phrases: ['yes'], expect: [] }); // it starts when it is wanted
    for (const [n, waitMs] of RECOGNITION_RESTARTS.delaysMs.entries()) {
      await until(() => waits.length === n + 1, `failure ${n}`);
      expect([waits.at(-1), thread.begin(REQUEST, LISTENER)]).toEqual([waitMs, undefined]);
      expect(thread.unableWhy).toContain('ENOENT');
      if (n === 2) copyFileSync(prepareModel(cacheDir).dictionary, dictionary);
      clock.advance(waitMs);
      if (n < 2) continue;
      await until(() => thread.unableWhy === undefined, 'a model that is loaded');
      break;
    }
    const heard = new Promise<string>((resolve) => {
      const id = thread.begin(REQUEST, { ...LISTENER, final: ({ text }) => resolve(text), failed: resolve });
      if (id !== undefined) thread.finish(id, 'account');
    });
    expect(await heard).toBe('');
    expect(waits.length).toBe(3);
    await thread.close();
  });

  it.runIf(EVERY_TEST)('that is asked to end twice frees what it has once', async () => {
    for (let time = 0; time < 3; time += 1) {
      const setup = { model: prepareModel(cacheDir), free: false, fillerWeight: 0.02, minFit: -15 };
      const gone: string[] = [];
      const host = await new Promise<RecogniserHost>((resolve) => {
        const events = { heard: () => resolve(started), gone: (why: string) => void gone.push(why) };
        const started = startRecogniserThread({ ...setup, idleMs: 30_000, liveDecodersMax: 1 }, events);
      });
      const { over, release } = host.ended();
      host.dismiss();
      host.abandon();
      await over;
      release();
      expect(gone).toEqual(['the thread ended with 0']);
    }
  });

  it('is not told the same again at once, but by another list, for something else, later and after a crash', async () => {
    const posted: unknown[] = [];
    const onWorker = (worker: Worker): void => {
      const post = worker.postMessage.bind(worker);
      worker.postMessage = (message: { type?: string }) => {
        if (message.type === 'prepare') posted.push(message);
        post(message);
      };
    };
    process.on('worker', onWorker);
    const { clock, thread, waits } = open();
    thread.prepare({ phrases: ['no'], expect: [] }); // it starts when it is wanted
    await new Promise((resolve) => setImmediate(resolve));
    const phrases = ['yes'];
    const count = (expect: readonly 'digits'[] = [], list = phrases): number => {
      thread.prepare({ phrases: list, expect });
      return posted.length;
    };
    expect([count(), count(), count([], ['yes']), count(['digits']), count(['digits'])]).toEqual([1, 1, 2, 3, 3]);
    clock.advance(5_000);
    expect(count(['digits'])).toBe(4);
    thread.restart('it does not answer any more');
    clock.advance(waits.at(-1) ?? 0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(count(['digits'])).toBe(5);
    process.off('worker', onWorker);
    await thread.close();
  });

  it('has a small heap for what lives shortly', async () => {
    let started: Worker | undefined;
    process.once('worker', (worker) => {
      started = worker;
    });
    const { thread } = open();
    thread.prepare({ phrases: ['yes'], expect: [] }); // it starts when it is wanted
    await new Promise((resolve) => setImmediate(resolve));
    expect(started?.resourceLimits?.maxYoungGenerationSizeMb).toBeLessThanOrEqual(6);
    await thread.close();
  });
});
