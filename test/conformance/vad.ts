import { describe, expect, it } from 'vitest';
import { FRAME_SAMPLES } from '../../src/audio/pcm.ts';
import type { VadChange, VadDetector, VadEngine, VadOptions } from '../../src/engines/vad/contract.ts';
import { amplified, framesOf, joined, mixed, noise, readClip, silence } from '../support/speech-clips.ts';

const OPTIONS: VadOptions = { startMs: 80, hangoverMs: 500, minLevelDb: 8 };
/** "go forward ten meters": speech from 0.5 s to 2.2 s, with pauses shorter than the hang-over. */
const SPEECH_FILE = 'read/goforward.wav';

function run(detector: VadDetector, samples: Int16Array): VadChange[] {
  return framesOf(samples).flatMap((frame) => detector.push(frame) ?? []);
}

/** What every `VadEngine` must do, whatever it is made of. */
export function vadConformance(name: string, make: () => Promise<VadEngine>): void {
  describe(`VadEngine contract: ${name}`, () => {
    const speech = readClip(SPEECH_FILE);

    it.each([
      { name: 'digital silence', samples: silence(3000) },
      { name: 'comfort noise', samples: noise(3000, -58) },
      { name: 'idle line, one bit of noise', samples: noise(3000, -84) },
      { name: 'DC', samples: silence(3000).fill(9000) },
      {
        name: 'silence suppressed by the sender: zeros and noise in turn',
        samples: joined(silence(900), noise(900, -60), silence(900)),
      },
    ])('hears no speech in $name', async ({ samples }) => {
      expect(run((await make()).open(OPTIONS), samples)).toEqual([]);
    });

    it.each([
      { name: 'between zeros', samples: joined(silence(1000), speech, silence(1500)) },
      { name: 'over comfort noise', samples: mixed(joined(silence(1000), speech, silence(1500)), noise(5000, -55)) },
      { name: 'clipped', samples: amplified(joined(silence(1000), speech, silence(1500)), 18) },
      { name: 'faint', samples: amplified(joined(silence(1000), speech, silence(1500)), -15) },
      { name: 'over DC', samples: joined(silence(1000), speech, silence(1500)).map((s) => Math.min(32_767, s + 4000)) },
    ])('hears one stretch of speech, $name, and dates it truly', async ({ samples }) => {
      const detector = (await make()).open(OPTIONS);
      const changes = run(detector, samples);
      expect(changes.map((c) => c.type)).toEqual(['start', 'end']);
      const [start, end] = changes;
      expect(start?.atSample).toBeGreaterThan(8000 + 2000);
      expect(start?.atSample).toBeLessThan(8000 + 6000);
      expect(end?.atSample).toBeGreaterThan(8000 + 13_000);
      expect(end?.atSample).toBeLessThan(8000 + speech.length + FRAME_SAMPLES);
      expect(detector.speaking).toBe(false);
    });

    it('hears a caller who speaks from the first sample', async () => {
      const changes = run((await make()).open(OPTIONS), joined(speech.subarray(4500), silence(1000)));
      expect(changes[0]).toMatchObject({ type: 'start' });
      expect(changes[0]?.atSample).toBeLessThan(1600);
    });

    it('stops calling steady noise speech', async () => {
      const detector = (await make()).open(OPTIONS);
      run(detector, joined(silence(1000), noise(5000, -35)));
      expect(detector.speaking).toBe(false);
      expect(detector.floorDb).toBeGreaterThan(-40);
      expect(run(detector, noise(3000, -35, 2))).toEqual([]);
    });

    it('needs startMs of voice in a row', async () => {
      const click = joined(silence(1000), speech.subarray(6000, 6000 + 2 * FRAME_SAMPLES), silence(1000));
      expect(run((await make()).open(OPTIONS), click)).toEqual([]);
    });

    it('regroups frames that are not 20 ms', async () => {
      const engine = await make();
      const samples = joined(silence(1000), speech, silence(1500));
      const whole = run(engine.open(OPTIONS), samples);
      const detector = engine.open(OPTIONS);
      const pieces: VadChange[] = [];
      for (let offset = 0; offset < samples.length; offset += 240) {
        const change = detector.push({ samples: samples.subarray(offset, offset + 240), sampleRateHz: 8000 });
        if (change) pieces.push(change);
      }
      expect(pieces).toEqual(whole);
    });

    it('starts afresh after reset', async () => {
      const detector = (await make()).open(OPTIONS);
      const samples = joined(silence(1000), speech, silence(1500));
      const first = run(detector, samples);
      run(detector, joined(noise(800, -20), speech.subarray(0, 9000)));
      detector.reset();
      expect(detector.speaking).toBe(false);
      expect(run(detector, samples)).toEqual(first);
    });

    it('keeps streams apart', async () => {
      const engine = await make();
      const one = engine.open(OPTIONS);
      const other = engine.open(OPTIONS);
      for (const frame of framesOf(joined(silence(500), speech.subarray(4000, 12_000)))) {
        one.push(frame);
        other.push({ samples: new Int16Array(FRAME_SAMPLES), sampleRateHz: 8000 });
      }
      expect([one.speaking, other.speaking]).toEqual([true, false]);
    });

    it('closes twice without harm, and hears nothing afterwards', async () => {
      const detector = (await make()).open(OPTIONS);
      detector.close();
      detector.close();
      expect(run(detector, joined(silence(500), speech))).toEqual([]);
    });
  });
}
