/// <reference path="../../../src/engines/vad/fvad-wasm.d.ts" />
import createFvad from '@echogarden/fvad-wasm';
import { describe, expect, it } from 'vitest';
import { createCombinedVad } from '../../../src/engines/vad/combined.ts';
import type { VadEngine } from '../../../src/engines/vad/contract.ts';
import type { FrameDetector } from '../../../src/engines/vad/frame-detector.ts';
import { createVadEngine, DEFAULT_VAD_OPTIONS, VAD_ENGINE_NAMES } from '../../../src/engines/vad/vad-engines.ts';
import { vadConformance } from '../../conformance/vad.ts';
import { framesOf, joined, noise, readClip, silence } from '../../support/speech-clips.ts';

for (const name of VAD_ENGINE_NAMES) vadConformance(name, () => createVadEngine(name));

describe('createVadEngine', () => {
  it.each(VAD_ENGINE_NAMES)('%s is called by its name', async (name) => {
    expect((await createVadEngine(name)).name).toBe(name);
  });

  it.each(VAD_ENGINE_NAMES)('%s calls nothing quiet from the first sound of a voice to its end', async (name) => {
    const detector = (await createVadEngine(name)).open(DEFAULT_VAD_OPTIONS);
    const bands = framesOf(joined(silence(1000), readClip('read/goforward.wav'), silence(1500))).map((frame) => {
      detector.push(frame);
      return { speaking: detector.speaking, band: detector.quietBand && { ...detector.quietBand } };
    });
    expect(bands.filter(({ speaking }) => speaking).length).toBeGreaterThan(50);
    expect(bands.filter(({ speaking, band }) => speaking && band)).toEqual([]);
    expect(bands.at(-1)?.band?.toDb).toBeLessThan(detector.floorDb + DEFAULT_VAD_OPTIONS.minLevelDb);
  });

  it('refuses audio of another rate', async () => {
    const detector = (await createVadEngine('energy')).open(DEFAULT_VAD_OPTIONS);
    expect(() => detector.push({ samples: new Int16Array(320), sampleRateHz: 16_000 })).toThrow(RangeError);
  });
});

/** Bursts of mains hum, faint but well over the floor. */
const hum = joined(
  silence(1000),
  ...[1, 2, 3, 4].flatMap(() => [
    Int16Array.from({ length: 1600 }, (_, i) => Math.round(184 * Math.sin((2 * Math.PI * 100 * i) / 8000))),
    silence(200),
  ]),
);
const hears = (engine: VadEngine, samples: Int16Array): boolean => {
  const detector = engine.open(DEFAULT_VAD_OPTIONS);
  return framesOf(samples).some((frame) => detector.push(frame)?.type === 'start');
};

describe('combined', () => {
  it('does not take bursts of hum for speech, where level alone does', async () => {
    expect(hears(await createVadEngine('combined'), hum)).toBe(false);
    expect(hears(await createVadEngine('energy'), hum)).toBe(true);
  });

  it('hears what the WebRTC detector hears, frame by frame, whatever digital silence it does not ask it about', async () => {
    const module = await createFvad();
    const instance = module._fvad_new();
    module._fvad_set_mode(instance, 2);
    module._fvad_set_sample_rate(instance, 8000);
    const scratch = module._malloc(320);
    const { confirmer } = (await createCombinedVad()).open(DEFAULT_VAD_OPTIONS) as FrameDetector;
    const speech = readClip('read/goforward.wav');
    const gaps = [60, 300, 340, 2000, 9000].flatMap((ms) => [speech.subarray(5000, 15_000), silence(ms)]);
    let voiced = 0;
    for (const [at, { samples }] of framesOf(joined(...gaps, noise(2000, -50), silence(1000), speech)).entries()) {
      module.HEAP16.set(samples, scratch >> 1);
      const isVoice = module._fvad_process(instance, scratch, 160) === 1;
      expect(confirmer?.isVoice(samples), `frame ${at}`).toBe(isVoice);
      voiced += isVoice ? 1 : 0;
    }
    expect(voiced).toBeGreaterThan(200);
  });

  it('gives the memory of closed streams back: the second opinion still works after ten thousand', async () => {
    const engine = await createVadEngine('combined');
    for (let round = 0; round < 20; round += 1) {
      const detectors = Array.from({ length: 500 }, () => engine.open(DEFAULT_VAD_OPTIONS));
      for (const detector of detectors) detector.close();
    }
    expect(hears(engine, hum)).toBe(false);
  });
});
