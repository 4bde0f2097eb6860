import { describe, expect, it } from 'vitest';
import { Pieces, ToDevice } from '../../src/console/audio/pieces.ts';

/** A second of a tone, as a device gives it: 128 samples at a time. */
function* device(rateHz: number, toneHz: number, amplitude = 0.5): Generator<Float32Array> {
  for (let at = 0; at < rateHz; at += 128) {
    yield Float32Array.from(
      { length: 128 },
      (_none, i) => amplitude * Math.sin((2 * Math.PI * toneHz * (at + i)) / rateHz),
    );
  }
}
/** Strength of a tone in samples, as an amplitude (Goertzel). */
function strength(samples: ArrayLike<number>, rateHz: number, toneHz: number): number {
  const w = (2 * Math.PI * toneHz) / rateHz;
  let [re, im] = [0, 0];
  for (let i = 0; i < samples.length; i += 1) {
    re += samples[i]! * Math.cos(w * i);
    im += samples[i]! * Math.sin(w * i);
  }
  return (2 * Math.hypot(re, im)) / samples.length;
}
const loudness = (samples: readonly number[]): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

describe.each([
  { from: 48_000, to: 8_000 },
  { from: 44_100, to: 8_000 },
  { from: 48_000, to: 16_000 },
  { from: 44_100, to: 16_000 },
  { from: 16_000, to: 8_000 },
  { from: 96_000, to: 16_000 },
])('a microphone at $from Hz, sent at $to Hz', ({ from, to }) => {
  const sent = (toneHz: number) => {
    const pieces = new Pieces(from, to);
    return [...device(from, toneHz)].flatMap((block) => pieces.push([block]));
  };

  it('keeps a tone of speech, its length and its loudness', () => {
    const pieces = sent(1_000);
    const samples = pieces.flatMap(({ samples: some }) => [...some]).slice(to / 10);
    expect(pieces.length).toBeGreaterThanOrEqual(49);
    expect(samples.length + to / 10).toBeGreaterThan(to * 0.97);
    expect(strength(samples, to, 1_000) / 32_767).toBeCloseTo(0.5, 1);
    expect(pieces[10]!.level).toBeCloseTo(0.5 / Math.SQRT2, 2);
  });

  it('folds nothing back: a tone above half of the new rate is gone', () => {
    const samples = sent(to * 0.7).flatMap(({ samples: some }) => [...some]);
    expect(loudness(samples.slice(to / 10))).toBeLessThan(32_767 * 0.5 * 0.003); // 50 dB down
  });
});

describe('pieces of a microphone', () => {
  it('mix channels, and do not run over', () => {
    const pieces = new Pieces(8_000, 8_000);
    const [quiet] = pieces.push([new Float32Array(160).fill(0.5), new Float32Array(160).fill(-0.5)]);
    const [loud] = pieces.push([new Float32Array(160).fill(3)]);
    expect(quiet!.level).toBe(0);
    expect(new Set(loud!.samples)).toEqual(new Set([32_767]));
  });

  it('are none where no device is connected', () => {
    expect(new Pieces(48_000, 8_000).push([])).toEqual([]);
  });
});

describe.each([44_100, 48_000, 16_000, 8_000])('speech of 8 kHz on a device at %i Hz', (to) => {
  it('is the same tone, as long, with no image of it above', () => {
    const device8k = new ToDevice(8_000, to);
    const tone = Int16Array.from({ length: 8_000 }, (_none, i) => 16_000 * Math.sin((2 * Math.PI * 1_000 * i) / 8_000));
    const out: number[] = [];
    for (let at = 0; at < 8_000; at += 160) out.push(...device8k.push(tone.subarray(at, at + 160)));
    const steady = out.slice(Math.round(to / 10), Math.round(to * 0.9));
    expect(out.length).toBeGreaterThan(to * 0.99);
    expect(strength(steady, to, 1_000)).toBeCloseTo(16_000 / 32_768, 1);
    if (to > 14_000) expect(strength(steady, to, 7_000)).toBeLessThan(0.002);
  });
});
