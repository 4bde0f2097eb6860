import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Clock, systemClock, type Timer } from '../../../src/core/clock.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { EspeakTts } from '../../../src/engines/tts/espeak.ts';
import { EspeakProcess } from '../../../src/engines/tts/espeak-process.ts';
import {
  decodeSamples,
  encodeFrame,
  encodeSamples,
  FRAME,
  FrameReader,
} from '../../../src/engines/tts/speech-frames.ts';
import { collectSpeech, TEST_VOICE, ttsConformance, ttsRequest } from '../../conformance/tts.ts';
import { EVERY_TEST, LONG } from '../../support/property-runs.ts';
import { until } from '../../support/until.ts';

const installed = spawnSync('espeak-ng', ['--version'], { stdio: 'ignore' }).status === 0;

/** Counts the sentences that are spoken the direct way. */
class CountedTts extends EspeakTts {
  sentences = 0;
  override synthesize(...order: Parameters<EspeakTts['synthesize']>): ReturnType<EspeakTts['synthesize']> {
    this.sentences += 1;
    return super.synthesize(...order);
  }
}

const create = (direct = new CountedTts({ clock: systemClock })): EspeakProcess =>
  new EspeakProcess({ direct, clock: systemClock, logger: silentLogger });

interface Started {
  readonly engine: EspeakProcess;
  readonly direct: CountedTts;
}

/** With its process up and nothing spoken the direct way. */
async function started(): Promise<Started> {
  const direct = new CountedTts({ clock: systemClock });
  const engine = create(direct);
  await collectSpeech(engine, ttsRequest({ text: 'One.' }));
  await until(() => engine.up);
  direct.sentences = 0;
  return { engine, direct };
}

async function running(): Promise<Started> {
  const both = await started();
  onTestFinished(() => both.engine.close());
  return both;
}

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe.runIf(installed)('with espeak-ng installed', () => {
  if (EVERY_TEST) {
    ttsConformance('espeak while its process starts', () => create(), LONG);
    ttsConformance('espeak in a process of its own', async () => (await started()).engine);
  }

  it('makes the same samples there as here', async () => {
    const { engine, direct } = await running();
    const there = await collectSpeech(engine, ttsRequest());
    expect(direct.sentences).toBe(0);
    expect(there.samples).toEqual((await collectSpeech(direct, ttsRequest())).samples);
  });

  it('tells why a sentence failed', async () => {
    const { engine, direct } = await running();
    const voice = { ...TEST_VOICE, espeak: { ...TEST_VOICE.espeak, voice: 'xx-nowhere' } };
    await expect(collectSpeech(engine, ttsRequest({ voice }))).rejects.toMatchObject({ code: 'synthesis_failed' });
    expect(direct.sentences).toBe(0);
    expect(engine.up).toBe(true);
  });

  it.runIf(EVERY_TEST)('passes a long text on at the pace of its reader', async () => {
    const { engine } = await running();
    const text = 'We are open from nine to five. '.repeat(100);
    let samples = 0;
    for await (const chunk of engine.synthesize(ttsRequest({ text }), new AbortController().signal)) {
      if (samples === 0) await new Promise((resolve) => setTimeout(resolve, 300));
      samples += chunk.length;
    }
    expect(samples / 8000).toBeGreaterThan(100);
  });

  it('speaks the direct way when the process was killed, and then has a new one', async () => {
    const { engine, direct } = await running();
    const { pid } = engine;
    process.kill(pid!, 'SIGKILL');
    expect((await collectSpeech(engine, ttsRequest())).seconds).toBeGreaterThan(1);
    await until(() => !engine.up);
    expect((await collectSpeech(engine, ttsRequest())).seconds).toBeGreaterThan(1);
    expect(direct.sentences).toBeGreaterThan(0);
  });

  it.runIf(EVERY_TEST)('does not wait for a process that stands still', async () => {
    const { engine, direct } = await running();
    process.kill(engine.pid!, 'SIGSTOP');
    expect((await collectSpeech(engine, ttsRequest())).seconds).toBeGreaterThan(1);
    expect(direct.sentences).toBe(1);
    await until(() => !engine.up);
  });

  it('lets its process go when nobody has spoken for a while, and has one when the next call rings', async () => {
    const IDLE: Timer = {};
    let idle: (() => void) | undefined;
    let laterMs = 0;
    const clock: Clock = {
      ...systemClock,
      nowMs: () => systemClock.nowMs() + laterMs,
      setTimer: (ms, callback) => {
        if (ms < 30_000) return systemClock.setTimer(ms, callback);
        idle = callback;
        return IDLE;
      },
      clearTimer: (timer) => {
        if (timer === IDLE) idle = undefined;
        else systemClock.clearTimer(timer);
      },
    };
    const direct = new CountedTts({ clock });
    const engine = new EspeakProcess({ direct, clock, logger: silentLogger });
    onTestFinished(() => engine.close());
    engine.warmUp();
    await until(() => engine.up);
    await collectSpeech(engine, ttsRequest());
    await until(() => idle !== undefined);
    const { pid, folder } = engine;
    laterMs = 30_000;
    idle!();
    expect(engine.up).toBe(false);
    await until(() => !lives(pid!) && !existsSync(folder!));
    engine.warmUp();
    await until(() => engine.up);
    await collectSpeech(engine, ttsRequest());
    expect(direct.sentences).toBe(0);
  });

  it('leaves neither process nor folder behind', async () => {
    const { engine } = await running();
    const { pid, folder } = engine;
    expect(existsSync(folder!)).toBe(true);
    await engine.close();
    await until(() => !lives(pid!) && !existsSync(folder!));
  });
});

describe('frames', () => {
  it('survive any cut', () => {
    const samples = Int16Array.from({ length: 300 }, (_, i) => (i * 257) % 32_768);
    const bytes = Buffer.concat([encodeFrame(FRAME.hello), encodeSamples(samples), encodeFrame(FRAME.done)]);
    for (const size of [1, 2, 5, 7, 64, 10_000]) {
      const reader = new FrameReader();
      const frames = [];
      for (let at = 0; at < bytes.length; at += size) frames.push(...reader.push(bytes.subarray(at, at + size)));
      expect(frames.map(({ kind }) => kind)).toEqual([FRAME.hello, FRAME.samples, FRAME.done]);
      expect(decodeSamples(frames[1]!.payload)).toEqual(samples);
    }
  });

  it('are refused when their length is beyond reason', () => {
    expect(() => new FrameReader().push(Buffer.from([FRAME.order, 255, 255, 255, 127]))).toThrow('too long');
  });
});
