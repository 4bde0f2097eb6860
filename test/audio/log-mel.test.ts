import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LogMel, MEL_BANDS } from '../../src/audio/log-mel.ts';
import { MixedFft } from '../../src/audio/mixed-fft.ts';

interface Case {
  readonly name: string;
  readonly samples: number;
  readonly seed: number;
  readonly frames: readonly number[];
  readonly values: string;
}
const fixture = new URL('../fixtures/log-mel/expected.json', import.meta.url);
const { cases, scale } = JSON.parse(readFileSync(fixture, 'utf8')) as { cases: Case[]; scale: number };

/** As `signal` of the reference. */
function signal(count: number, seed: number): Int16Array {
  let state = BigInt(seed);
  let phase = 0;
  return Int16Array.from({ length: count }, (_, i) => {
    state = (state * 1103515245n + 12345n) % 2147483648n;
    const noise = (Number(state >> 16n) % 2001) - 1000;
    const swell = Math.abs((Math.floor(i / 40) % 400) - 200);
    phase = (phase + 200 + Math.floor(i / 16)) % 65536;
    const tone = phase < 32768 ? 6000 : -6000;
    return Math.floor((noise * swell) / 100) + tone * (Math.floor(i / 8000) % 2);
  });
}

describe('log-mel features', () => {
  const mel = new LogMel(8);

  it.each(cases)('are those of an independent computation within 0.001: $name', ({ samples, seed, frames, values }) => {
    const made = mel.of(signal(samples, seed));
    expect(made.length).toBe(MEL_BANDS * 800);
    const bytes = Buffer.from(values, 'base64');
    let worst = 0;
    frames.forEach((frame, row) => {
      for (let band = 0; band < MEL_BANDS; band += 1) {
        const expected = bytes.readInt16LE(2 * (row * MEL_BANDS + band)) / scale;
        worst = Math.max(worst, Math.abs(expected - made[band * 800 + frame]!));
      }
    });
    expect(worst).toBeLessThan(0.001);
  });

  it('are those of the end of what is longer, and of silence where there is nothing', () => {
    const long = signal(140_000, 5);
    expect(mel.of(long)).toEqual(mel.of(long.slice(-128_000)));
    const none = mel.of(new Int16Array(0));
    expect(new Set(none).size).toBe(1);
    expect(mel.of(signal(4_321, 3))).toEqual(new LogMel(8).of(signal(4_321, 3))); // nothing stays of what came before
  });
});

describe('a transform of any size', () => {
  it.each([400, 30, 8, 5])('is the sum that defines it: %i', (size) => {
    const x = Float64Array.from({ length: size }, (_, i) => Math.sin(i * i));
    const y = Float64Array.from({ length: size }, (_, i) => Math.cos(3 * i));
    const [re, im] = [x.slice(), y.slice()];
    new MixedFft(size).forward(re, im);
    for (let k = 0; k < size; k += 1) {
      let [r, m] = [0, 0];
      for (let i = 0; i < size; i += 1) {
        const angle = (-2 * Math.PI * i * k) / size;
        r += x[i]! * Math.cos(angle) - y[i]! * Math.sin(angle);
        m += x[i]! * Math.sin(angle) + y[i]! * Math.cos(angle);
      }
      expect(re[k]).toBeCloseTo(r, 8);
      expect(im[k]).toBeCloseTo(m, 8);
    }
  });

  it('is refused where a factor is large', () => expect(() => new MixedFft(14)).toThrow(RangeError));
});
