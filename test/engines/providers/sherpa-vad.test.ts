import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/core/clock.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { sherpaMissing } from '../../../src/engines/providers/sherpa/installed.ts';
import { startModelProcess } from '../../../src/engines/providers/sherpa/model-host.ts';
import type { FromModel } from '../../../src/engines/providers/sherpa/process-protocol.ts';
import { LATE_MS, LATE_REST_MS, SherpaVad } from '../../../src/engines/providers/sherpa/sherpa-vad.ts';
import type { HeardWindow } from '../../../src/engines/providers/sherpa/silero-net.ts';
import { VoiceWork } from '../../../src/engines/providers/sherpa/voice-work.ts';
import type { VoiceVerdict } from '../../../src/engines/vad/contract.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { EVERY_TEST, someOf } from '../../support/property-runs.ts';
import { ScriptedModel } from '../../support/scripted-model.ts';
import { framesOf, joined, noise, silence } from '../../support/speech-clips.ts';
import { LOUDNESS, tinySilero } from '../../support/tiny-silero.ts';
import { tone } from '../../support/tones.ts';
import { until } from '../../support/until.ts';

const modelsDir = mkdtempSync(join(tmpdir(), 'nidaa-models-'));
afterAll(() => rmSync(modelsDir, { recursive: true, force: true }));
tinySilero(join(modelsDir, 'v5'), { version: 'v5' });
tinySilero(join(modelsDir, 'v4'), { version: 'v4' });
tinySilero(join(modelsDir, 'v5-single'), { version: 'v5', single: true });
tinySilero(join(modelsDir, 'v4-scalar'), { version: 'v4', rateShape: [] });
tinySilero(join(modelsDir, 'k2'), { version: 'k2' });
tinySilero(join(modelsDir, 'shouting'), { version: 'v5', most: 30 });

const SETTINGS = { threads: 1, idleMinutes: 0, ears: [], voices: [], modelsDir };
const made = (model: string, deps: Partial<ConstructorParameters<typeof SherpaVad>[2]> = {}) =>
  new SherpaVad({ model, kind: 'silero-vad', voice: 0.5 }, SETTINGS, {
    ...{ clock: systemClock, logger: silentLogger },
    ...deps,
  });

/** What the tiny detector has to say of each window, by itself; in `context` samples of the one before. */
function expected(samples: Int16Array, context: number): number[] {
  const likely: number[] = [];
  let remembered = 0;
  for (let at = 0; at + 256 <= samples.length; at += 256) {
    let sum = 0;
    for (let i = at - context; i < at + 256; i += 1) sum += Math.abs((samples[i] ?? 0) / 32_768);
    remembered = (remembered + Math.min(1, (LOUDNESS * sum) / (256 + context))) / 2;
    likely.push(remembered);
  }
  return likely;
}

/** Of a batch sums are made in another order. */
const expectNear = (likely: number[], wanted: number[]): void =>
  expect(Math.max(...likely.map((one, at) => Math.abs(one - wanted[at]!)))).toBeLessThan(1e-4);

class Listener {
  readonly heard: VoiceVerdict[] = [];
  readonly aways: string[] = [];
  readonly follower;
  constructor(model: SherpaVad) {
    this.follower = model.follow({
      heard: (verdict) => this.heard.push(verdict),
      away: (why) => this.aways.push(why),
    });
  }
  hear(samples: Int16Array): void {
    for (const frame of framesOf(samples)) this.follower.push(frame.samples);
  }
  get likely(): number[] {
    return this.heard.map(({ probability }) => probability);
  }
}

const SPOKEN = joined(silence(100), tone(500, 3_200, { amplitude: 0.04 }), noise(300, -50), silence(400));
const OTHER = joined(noise(500, -40), silence(300), tone(900, 3_200, { amplitude: 0.05 }));

describe.skipIf(sherpaMissing() !== undefined)('a judge of voices, with the real library', () => {
  /** Nothing is late by it: what is judged here comes all at once. */
  const still: Clock = { ...systemClock, nowMs: () => 0 };
  /** Waits until its process is there: until then the detector is alone. */
  async function ready(model: SherpaVad): Promise<void> {
    const scout = new Listener(model);
    await until(() => {
      scout.hear(silence(40));
      return scout.heard.length > 0;
    }, 'it judges');
    scout.follower.close();
  }

  it.each([
    { model: 'v5', context: 32 },
    { model: 'v4', context: 0 },
    { model: 'v5-single', context: 32 },
    { model: 'v4-scalar', context: 0 },
  ])(
    'V1 hears 8 kHz as it is, window by window, and remembers of each call what was heard of that call: $model',
    async ({ model, context }) => {
      const judge = made(model, { clock: still });
      await ready(judge);
      const [one, other, third] = [new Listener(judge), new Listener(judge), new Listener(judge)];
      one.hear(SPOKEN.subarray(0, 2_400));
      other.hear(OTHER);
      third.hear(SPOKEN);
      one.hear(SPOKEN.subarray(2_400));
      const windows = Math.floor(SPOKEN.length / 256);
      await until(() => one.heard.length === windows && third.heard.length === windows);
      await until(() => other.heard.length === Math.floor(OTHER.length / 256));
      for (const [listener, samples] of [
        [one, SPOKEN],
        [other, OTHER],
        [third, SPOKEN],
      ] as const) {
        // biome-ignore format: rows
        const wanted = expected(samples, context);
        expect(Math.max(...wanted)).toBeGreaterThan(0.3);
        expectNear(listener.likely, wanted);
        expect(listener.heard.map(({ atSample }) => atSample)).toEqual(wanted.map((_, at) => (at + 1) * 256));
      }
      // Another sound on the same line is heard as if nothing had been before it.
      one.follower.reset();
      one.heard.length = 0;
      one.hear(SPOKEN);
      await until(() => one.heard.length === windows);
      expectNear(one.likely, third.likely);
      expect([one, other, third].flatMap(({ aways }) => aways)).toEqual([]);
      await judge.close();
    },
  );

  it.each(
    someOf(
      [
        { model: 'k2', says: 'it takes input, h, c' },
        { model: 'shouting', says: undefined },
      ],
      4,
    ),
  )('says what is wrong with a file that is no such model: $model', async ({ model, says }) => {
    const judge = made(model, { clock: still });
    judge.warmUp();
    if (says !== undefined) {
      await until(() => judge.why?.includes(says) ?? false, 'it says why');
      return;
    }
    await ready(judge); // silence is a probability
    const listener = new Listener(judge);
    listener.hear(tone(500, 3_200, { amplitude: 0.9 }));
    await until(() => listener.aways.length > 0, 'it is given up');
    expect(listener.aways).toEqual(['gone']);
    await judge.close();
  });

  it.runIf(EVERY_TEST)(
    'leaves calls to their detectors when its process is killed, and judges them anew in another',
    async () => {
      const pids: (number | undefined)[] = [];
      const judge = made('v5', {
        start: (setup, events) => {
          const host = startModelProcess(setup, events);
          pids.push(host.pid);
          return host;
        },
      });
      await ready(judge);
      const listener = new Listener(judge);
      listener.hear(silence(200));
      await until(() => listener.heard.length > 0);
      process.kill(pids[0]!, 'SIGKILL');
      await until(() => listener.aways.length > 0, 'it is missed');
      expect(listener.aways[0]).toMatch(/^(?:gone|late)$/);
      listener.heard.length = 0;
      await until(() => {
        listener.hear(silence(20));
        return listener.heard.length > 0;
      }, 'it judges again');
      expect(pids).toHaveLength(2);
      await judge.close();
    },
  );
});

describe('a judge of voices whose process a test scripts', () => {
  const rig = () => {
    const scripted = new ScriptedModel();
    const clock = new FakeClock();
    const judge = made('v5', { clock, start: scripted.start, lacking: () => undefined });
    const settle = async (): Promise<void> => {
      for (let i = 0; i < 6; i += 1) await Promise.resolve();
    };
    /** 20 ms of the loop, in which each hears a frame. */
    const tick = async (...listeners: Listener[]): Promise<void> => {
      for (const listener of listeners) listener.hear(new Int16Array(160).fill(3_277));
      clock.advance(20);
      await settle();
    };
    return { scripted, clock, judge, settle, tick };
  };

  it('gets the windows of all calls in one message, and each call its own answers', async () => {
    const { scripted, judge, tick, settle } = rig();
    const listeners = Array.from({ length: 50 }, () => new Listener(judge));
    await settle(); // it is loaded
    for (let frames = 0; frames < 8; frames += 1) await tick(...listeners);
    expect(scripted.windows.map(({ streams }) => streams.length)).toEqual([50, 50, 50, 50, 50]);
    expect(new Set(scripted.windows[0]!.streams).size).toBe(50);
    for (const { heard } of listeners)
      expect(heard.map(({ atSample }) => atSample)).toEqual([256, 512, 768, 1024, 1280]);
    expect(listeners[0]!.likely[0]).toBeCloseTo(0.1, 3);
  });

  it('is given nothing while it loads: the detectors are alone', async () => {
    const { scripted, judge, tick } = rig();
    scripted.greeting = undefined;
    const listener = new Listener(judge);
    for (let frames = 0; frames < 50; frames += 1) await tick(listener);
    expect([scripted.windows.length, listener.aways.length]).toEqual([0, 0]);
  });

  it('V3 is left for two seconds by a call that it is late for, at once, and begins with it anew', async () => {
    const { scripted, judge, tick, settle, clock } = rig();
    const listener = new Listener(judge);
    await settle();
    for (let frames = 0; frames < 10; frames += 1) await tick(listener);
    const before = listener.heard.length;
    scripted.holdsVoices = true;
    let lateMs = 0;
    while (listener.aways.length === 0) {
      await tick(listener);
      lateMs += 20;
    }
    expect(listener.aways).toEqual(['late']);
    expect(lateMs).toBeGreaterThan(LATE_MS);
    expect(lateMs).toBeLessThanOrEqual(LATE_MS + 60); // the window had to become whole
    scripted.releaseVoices();
    scripted.holdsVoices = false;
    const sinceMs = clock.nowMs();
    while (listener.heard.length === before) await tick(listener);
    expect(clock.nowMs() - sinceMs).toBeGreaterThanOrEqual(LATE_REST_MS - 20);
    expect(clock.nowMs() - sinceMs).toBeLessThanOrEqual(LATE_REST_MS + 60);
    const streams = scripted.windows.flatMap((message) => [...message.streams]);
    expect([...new Set(streams)]).toHaveLength(2);
    expect(scripted.windows.flatMap(({ over }) => [...over])).toEqual([streams[0]]); // forgotten there
    expect(listener.heard.at(-1)!.atSample).toBeGreaterThan(8 * 2_000);
  });

  it('V3 is away for all at once when its process dies, and stays so while it cannot be used', async () => {
    const { scripted, judge, tick, settle } = rig();
    const listeners = [new Listener(judge), new Listener(judge)];
    await settle();
    for (let frames = 0; frames < 10; frames += 1) await tick(...listeners);
    scripted.greeting = { type: 'unable', why: 'scripted' };
    scripted.crash();
    expect(listeners.map(({ aways }) => aways)).toEqual([['gone'], ['gone']]);
    for (let frames = 0; frames < 400; frames += 1) await tick(...listeners);
    expect(scripted.starts).toBeLessThan(6);
    expect(judge.why).toContain('scripted');
    scripted.greeting = { type: 'ready', memoryMb: 1 };
    const before = listeners[0]!.heard.length;
    for (let frames = 0; frames < 2_000 && listeners[0]!.heard.length === before; frames += 1) await tick(...listeners);
    expect(listeners[0]!.heard.length).toBeGreaterThan(before);
  });

  it('V3 is given up with its process when it says nothing for five seconds', async () => {
    const { scripted, judge, tick, settle } = rig();
    const listener = new Listener(judge);
    await settle();
    scripted.holdsVoices = true;
    for (let frames = 0; frames < 600; frames += 1) await tick(listener);
    expect(scripted.starts).toBe(2);
  });

  it('follows as many calls as it can and no more, and gives their places back', async () => {
    const { judge, settle } = rig();
    const listeners = Array.from({ length: 1_001 }, () => new Listener(judge));
    await settle();
    expect(listeners.at(-1)!.aways).toEqual(['full']);
    expect(listeners.flatMap(({ aways }) => aways)).toEqual(['full']);
    listeners[0]!.follower.close();
    listeners[0]!.follower.close();
    expect([new Listener(judge).aways, new Listener(judge).aways]).toEqual([[], ['full']]);
  });

  it('drops what it knows when nobody is followed', async () => {
    const { scripted, judge, tick, settle } = rig();
    const listener = new Listener(judge);
    await settle();
    for (let frames = 0; frames < 4; frames += 1) await tick(listener);
    listener.follower.close();
    listener.hear(silence(100));
    const next = new Listener(judge);
    for (let frames = 0; frames < 4; frames += 1) await tick(next);
    expect(new Set(scripted.windows.map(({ id }) => id)).size).toBe(2);
    expect(listener.heard.length).toBe(2);
  });

  it('says that a model which is not installed lacks its files', () => {
    expect(made('nowhere', { lacking: () => undefined }).why).toContain('nowhere');
  });
});

describe('the work of its process', () => {
  const work = (batchMax: number) => {
    const runs: number[][] = [];
    const said: FromModel[] = [];
    const net = {
      ...{ version: 'v5', batchMax },
      remember: () => ({ context: new Float32Array(0), values: new Float32Array(1) }),
      run: (windows: readonly HeardWindow[]) => {
        runs.push(windows.map(({ samples }) => samples[0]!));
        return Float32Array.from(windows, ({ memory, samples }) => {
          memory.values[0]! += samples[0]!;
          return memory.values[0]! / 1_000;
        });
      },
    };
    return { runs, said, work: new VoiceWork(net, (message) => said.push(message)) };
  };
  const windows = (id: number, streams: number[], firsts: number[], over: number[] = []) => ({
    ...{ type: 'windows' as const, id, streams: Uint32Array.from(streams), over: Uint32Array.from(over) },
    samples: joined(...firsts.map((first) => new Int16Array(256).fill(first))),
  });
  const likely = (message: FromModel | undefined) =>
    message?.type === 'voices' ? [...message.likely].map((one) => Math.round(one * 1_000)) : message;

  it('judges one window of each stream at once, and those of one in their order', () => {
    const { runs, said, work: process } = work(2);
    process.handle(windows(1, [7, 7, 8, 9, 7], [1, 2, 30, 40, 4]));
    expect(runs).toEqual([[1, 30], [2, 40], [4]]); // biome-ignore format: rows
    expect(likely(said[0])).toEqual([1, 3, 30, 40, 7]);
  });

  it('forgets streams that are over, and all with their job', () => {
    const { said, work: process } = work(4);
    process.handle(windows(1, [7, 8], [1, 2]));
    process.handle(windows(1, [7, 8], [1, 2], [7]));
    process.handle(windows(1, [7, 8], [1, 2]));
    process.handle(windows(2, [7, 8], [1, 2]));
    process.handle({ type: 'drop', id: 2 });
    process.handle(windows(2, [7, 8], [1, 2]));
    expect(said.map(likely)).toEqual([[1, 2], [2, 4], [1, 6], [1, 2], [1, 2]]); // biome-ignore format: rows
  });
});
