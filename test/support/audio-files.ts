import { readFileSync } from 'node:fs';
import { amplitudeAt, tone } from './tones.ts';

/** A file of `test/fixtures/audio`. */
export const audioFile = (name: string): Buffer => readFileSync(new URL(`../fixtures/audio/${name}`, import.meta.url));

/** What the fixture files hold: which tone sounds when, in seconds. */
export const FIXTURE_TONES = [
  { hz: 440, from: 0.1, to: 0.4 },
  { hz: 880, from: 0.6, to: 0.9 },
  { hz: 1320, from: 1.1, to: 1.4 },
] as const;

/** Amplitude of each fixture tone where it sounds. */
export const fixtureTones = (samples: Int16Array, rateHz: number): number[] =>
  FIXTURE_TONES.map(({ hz, from, to }) =>
    amplitudeAt(samples.subarray(Math.round(from * rateHz), Math.round(to * rateHz)), hz, rateHz),
  );

/** Speech-like enough for codecs: two tones that swell and fade. */
export function melody(seconds: number, rateHz: number): Int16Array {
  const low = tone(300, Math.round(seconds * rateHz), { rateHz, amplitude: 0.3 });
  const high = tone(1100, low.length, { rateHz, amplitude: 0.2 });
  return low.map((sample, i) => (sample + high[i]!) * (0.5 + 0.5 * Math.sin((2 * Math.PI * 2.5 * i) / rateHz)));
}

/** Best normalised correlation of `b` with `a` over lags of up to `lagMax` samples either way. */
export function correlation(
  a: Int16Array,
  b: Int16Array,
  lagMax: number,
): { readonly best: number; readonly lag: number } {
  let best = { best: -1, lag: 0 };
  for (let lag = -lagMax; lag <= lagMax; lag += 1) {
    let ab = 0;
    let aa = 0;
    let bb = 0;
    for (let i = Math.max(0, -lag); i < a.length && i + lag < b.length; i += 1) {
      const x = a[i]!;
      const y = b[i + lag]!;
      ab += x * y;
      aa += x * x;
      bb += y * y;
    }
    const value = ab / Math.sqrt(aa * bb);
    if (value > best.best) best = { best: value, lag };
  }
  return best;
}

/** Deterministic numbers below `below`, the same for the same seed. */
export function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
