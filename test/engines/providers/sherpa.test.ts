import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { failoverStt } from '../../../src/engines/failover.ts';
import { sherpaMissing } from '../../../src/engines/providers/sherpa/installed.ts';
import {
  type ModelHost,
  type StartModel,
  startModelProcess,
} from '../../../src/engines/providers/sherpa/model-host.ts';
import type { SherpaSettings } from '../../../src/engines/providers/sherpa/settings.ts';
import { SherpaStt } from '../../../src/engines/providers/sherpa/sherpa-stt.ts';
import { SherpaTts } from '../../../src/engines/providers/sherpa/sherpa-tts.ts';
import type { SttEvent, SttStream } from '../../../src/engines/stt/contract.ts';
import { createScriptedStt } from '../../../src/engines/stt/scripted.ts';
import { sttConformance } from '../../conformance/stt.ts';
import { collectSpeech, ttsConformance, ttsRequest } from '../../conformance/tts.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { LogCapture } from '../../support/log-capture.ts';
import { EVERY_TEST, someOf } from '../../support/property-runs.ts';
import { ScriptedModel } from '../../support/scripted-model.ts';
import { framesOf, joined, silence } from '../../support/speech-clips.ts';
import { tinyDetector, tinyNemoCtc, tinyTransducer, tinyVits, tinyWhisper } from '../../support/tiny-models.ts';
import { tone } from '../../support/tones.ts';
import { until } from '../../support/until.ts';

const modelsDir = mkdtempSync(join(tmpdir(), 'nidaa-models-'));
afterAll(() => rmSync(modelsDir, { recursive: true, force: true }));
tinyTransducer(join(modelsDir, 'streaming'));
tinyNemoCtc(join(modelsDir, 'ctc'));
tinyVits(join(modelsDir, 'voice'));
tinyWhisper(join(modelsDir, 'whisper'));
tinyDetector(join(modelsDir, 'detector'));

const settings = (change: Partial<SherpaSettings>): SherpaSettings => ({
  ...{ threads: 1, idleMinutes: 0, ears: [], voices: [], modelsDir },
  ...change,
});
const deps = { clock: systemClock, logger: silentLogger };
const EARS = {
  streaming: { model: 'streaming', kind: 'streaming-transducer' as const, languages: ['en'] },
  ctc: { model: 'ctc', kind: 'nemo-ctc' as const, languages: ['en'] },
  whisper: { model: 'whisper', kind: 'whisper' as const, languages: ['en'] },
};
const ears = (name: keyof typeof EARS, change: Partial<SherpaSettings> = {}) =>
  new SherpaStt(settings({ ears: [EARS[name]], ...change }), deps);
const VOICE = { model: 'voice', kind: 'vits' as const, languages: ['en', 'ar'], speaker: 0 };
const OPTIONS = { language: 'en-US', sampleRateHz: 8000, interim: false } as const;
const voice = () => new SherpaTts(settings({ voices: [VOICE] }), deps);
const LOW = joined(silence(200), tone(500, 4_000), silence(200));
const HIGH = joined(silence(200), tone(2_600, 4_000), silence(200));

async function collect(stream: SttStream): Promise<SttEvent[]> {
  const events: SttEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe.skipIf(sherpaMissing() !== undefined)('models on disk, with the real library', () => {
  // Both others hear whole stretches.
  for (const name of EVERY_TEST ? (['streaming', 'ctc', 'whisper'] as const) : (['streaming', 'whisper'] as const)) {
    sttConformance(`sherpa, ${name}`, {
      make: () => ears(name),
      ...{ language: 'en-US', foreignLanguage: 'ar-SA', hints: { phrases: ['low'], expect: [] } },
      ...{ samples: joined(LOW, HIGH), text: 'low high', words: name !== 'whisper' },
    });
  }
  ttsConformance('sherpa, vits', voice);

  it.each(EVERY_TEST ? (['streaming', 'ctc'] as const) : (['streaming'] as const))(
    'keeps a hundred speakers apart, who are decoded together: %s',
    async (name) => {
      const engine = ears(name);
      const texts = [LOW, HIGH, joined(HIGH, LOW), joined(LOW, HIGH, LOW)];
      const streams = Array.from({ length: 100 }, () => engine.open(OPTIONS, new AbortController().signal));
      const heard = streams.map(collect);
      const frames = texts.map(framesOf);
      for (let at = 0; at < Math.max(...frames.map(({ length }) => length)); at += 1) {
        streams.forEach((stream, i) => {
          const frame = frames[i % 4]![at];
          if (frame) stream.write(frame);
        });
      }
      for (const stream of streams) stream.end();
      const said = (await Promise.all(heard)).map((events) => events.map(({ text }) => text));
      const wanted = ['low', 'high', 'high low', 'low high low'];
      expect(said).toEqual(streams.map((_, i) => [wanted[i % 4]]));
      await engine.close();
    },
  );

  it('loses nothing when its process is killed in the middle: the next engine hears all of it, and the model is loaded again', async () => {
    const processes: ModelHost[] = [];
    const start: StartModel = (setup, events) => {
      const host = startModelProcess(setup, events);
      processes.push(host);
      return host;
    };
    const log = new LogCapture();
    const engine = new SherpaStt(settings({ ears: [EARS.streaming] }), { ...deps, start, logger: log.logger });
    const spare = createScriptedStt({ texts: ['from the spare'] });
    const stream = failoverStt([engine, spare], silentLogger).open(OPTIONS, new AbortController().signal);
    const heard = collect(stream);
    for (const frame of framesOf(LOW)) stream.write(frame);
    await until(() => log.text.includes('model loaded'));
    const librariesOf = (pid: number): boolean =>
      /sherpa-onnx|onnxruntime/.test(readFileSync(`/proc/${pid}/maps`, 'utf8'));
    expect([librariesOf(processes[0]!.pid!), librariesOf(process.pid)]).toEqual([true, false]);
    process.kill(processes[0]!.pid!, 'SIGKILL');
    await processes[0]!.over;
    stream.flush();
    stream.end();
    expect(await heard).toMatchObject([{ text: 'from the spare', startMs: 0, endMs: 900 }]);
    const again = engine.open(OPTIONS, new AbortController().signal);
    const said = collect(again);
    for (const frame of framesOf(LOW)) again.write(frame);
    again.end();
    expect((await said).map(({ text }) => text)).toEqual(['low']);
    expect([processes.length, log.text.includes('SIGKILL')]).toEqual([2, true]);
    await engine.close();
    expect(isAlive(processes[1]!.pid!)).toBe(false);
  });

  it.runIf(EVERY_TEST)(
    'hears the end of what is longer than its model takes, and is told its language or tells it',
    async () => {
      const said = async (languages: string[], ...samples: Int16Array[]) => {
        const engine = ears('whisper', { ears: [{ ...EARS.whisper, languages }] });
        const stream = engine.open(OPTIONS, new AbortController().signal);
        for (const frame of framesOf(joined(...samples))) stream.write(frame);
        stream.end();
        const [heard] = await collect(stream);
        await engine.close();
        return heard?.type === 'final' ? [heard.text, heard.language, heard.endMs] : [];
      };
      expect(await said(['en'], HIGH, silence(32_000), LOW)).toEqual(['low', 'en', 33_800]);
      expect(await said(['en'], HIGH)).toEqual(['high', 'en', 900]);
      expect(await said(['en', 'ar'], HIGH)).toEqual(['high', 'ar', 900]);
    },
  );

  it.runIf(EVERY_TEST)('keeps from ears that hear whole stretches what its detector takes for no speech', async () => {
    const soft = joined(silence(200), tone(500, 4_000, { amplitude: 0.015 }), silence(200));
    const heard = async (detector?: SherpaSettings['detector']): Promise<readonly string[]> => {
      const engine = ears('ctc', detector ? { detector } : {});
      const stream = engine.open(OPTIONS, new AbortController().signal);
      for (const samples of [soft, LOW, soft]) {
        for (const frame of framesOf(samples)) stream.write(frame);
        stream.flush();
      }
      stream.end();
      const texts = (await collect(stream)).map(({ text }) => text);
      await engine.close();
      return texts;
    };
    expect(await heard()).toEqual(['low', 'low', 'low']);
    expect(await heard({ model: 'detector', kind: 'silero-vad' })).toEqual(['', 'low', '']);
  });

  it.runIf(EVERY_TEST)('gives its memory back when nobody needs it, and is there again for who does', async () => {
    const clock = new FakeClock();
    const pids: (number | undefined)[] = [];
    const start: StartModel = (setup, events) => {
      const host = startModelProcess(setup, events);
      pids.push(host.pid);
      return host;
    };
    const engine = new SherpaTts(settings({ voices: [VOICE], idleMinutes: 10 }), {
      clock,
      logger: silentLogger,
      start,
    });
    expect((await collectSpeech(engine, ttsRequest())).seconds).toBeGreaterThan(1);
    clock.advance(9 * 60_000);
    expect(isAlive(pids[0]!)).toBe(true);
    clock.advance(60_000);
    await until(() => !isAlive(pids[0]!));
    expect((await collectSpeech(engine, ttsRequest())).seconds).toBeGreaterThan(1);
    expect(pids.length).toBe(2);
    await engine.close();
  });

  it.each(
    someOf(
      [
        { name: 'a file that is no model', file: 'model.onnx', content: 'no model', told: /./ },
        { name: 'a model of another kind', file: 'model.onnx', content: undefined, told: /vocab_size|subsampling/ },
        { name: 'tokens without a blank', file: 'tokens.txt', content: 'a 0\nb 1\nc 2\n', told: /blk|tokens/ },
      ],
      4,
    ),
  )('says what is wrong with $name, and rests', async ({ name, file, content, told }) => {
    const folder = join(modelsDir, name.replaceAll(' ', '-'));
    tinyNemoCtc(folder);
    if (content !== undefined) writeFileSync(join(folder, file), content);
    else copyFileSync(join(modelsDir, 'voice', file), join(folder, file));
    const ear = { model: folder, kind: 'nemo-ctc' as const, languages: ['en'] };
    const engine = new SherpaStt(settings({ ears: [ear] }), deps);
    const stream = engine.open(OPTIONS, new AbortController().signal);
    for (const frame of framesOf(LOW)) stream.write(frame);
    await expect(collect(stream)).rejects.toMatchObject({ code: 'transcription_failed' });
    const state = engine.available('en-US');
    expect(state).toMatchObject({ ok: false, why: expect.stringContaining('failed and rests') });
    expect(state.ok ? '' : state.why).toMatch(told);
    await engine.close();
  });
});

describe('models on disk, without the library', () => {
  it('say what to install, and what is missing', () => {
    const lacking = () =>
      sherpaMissing(() => {
        throw new Error('not found');
      });
    const without = new SherpaStt(settings({ ears: [EARS.ctc] }), { ...deps, lacking });
    expect(without.available('en-US')).toMatchObject({
      ok: false,
      why: expect.stringContaining('npm install --no-save --include=optional sherpa-onnx-node'),
    });
    const own = { ...deps, lacking: () => undefined };
    const nothing = new SherpaStt(settings({ ears: [{ ...EARS.ctc, model: 'nowhere' }] }), own);
    expect(nothing.available('en-US')).toMatchObject({
      ok: false,
      why: expect.stringContaining(join(modelsDir, 'nowhere')),
    });
    const voiceless = new SherpaTts(settings({ voices: [{ ...VOICE, kind: 'kokoro' }] }), own);
    expect(voiceless.available()).toMatchObject({ ok: false, why: expect.stringContaining('voices.bin') });
  });

  it('load a model that fails again and again after longer and longer rests, five minutes at most', () => {
    const clock = new FakeClock();
    const model = new ScriptedModel();
    model.greeting = undefined;
    const ear = new SherpaStt(settings({ ears: [EARS.ctc] }), {
      ...deps,
      clock,
      start: model.start,
      lacking: () => undefined,
    });
    const startsAt: number[] = [];
    for (let ms = 0; ms < 1_000_000; ms += 500) {
      const { starts } = model;
      ear.warmUp({ language: 'en-US' });
      if (model.starts > starts) {
        startsAt.push(ms);
        model.crash();
      }
      clock.advance(500);
    }
    expect(startsAt).toEqual([0, 1_000, 6_000, 36_000, 336_000, 636_000, 936_000]);
  });

  it('stop waiting for a model that does not load', async () => {
    const clock = new FakeClock();
    const model = new ScriptedModel();
    model.greeting = undefined;
    const ear = new SherpaStt(settings({ ears: [EARS.ctc] }), {
      ...deps,
      clock,
      start: model.start,
      lacking: () => undefined,
    });
    ear.warmUp({ language: 'en-US' });
    clock.advance(175_000);
    expect(ear.available('en-US').ok).toBe(true);
    clock.advance(5_000);
    expect(ear.available('en-US')).toMatchObject({ ok: false, why: expect.stringContaining('180 s') });
    expect(clock.pending).toBe(0);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
