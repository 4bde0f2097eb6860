import { describe, expect, it } from 'vitest';
import { createResampler, resampleAll } from '../../src/audio/resampler.ts';
import { amplitudeAt, decibels, tone } from '../support/tones.ts';

const RATES = [8000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 8_001, 47_999];

function throughStream(samples: Int16Array, fromHz: number, toHz: number, chunk: number): Int16Array {
  const resampler = createResampler(fromHz, toHz);
  const parts: Int16Array[] = [];
  for (let at = 0; at < samples.length; at += chunk) parts.push(resampler.push(samples.subarray(at, at + chunk)));
  parts.push(resampler.flush());
  return Int16Array.from(parts.flatMap((part) => [...part]));
}

/** Gain in dB of a tone of `hz` after resampling, where it comes out at `outHz`. */
function gainDb(hz: number, fromHz: number, toHz: number, outHz = hz): number {
  const input = tone(hz, fromHz / 2, { rateHz: fromHz, amplitude: 0.5 });
  const output = throughStream(input, fromHz, toHz, 320);
  const middle = output.subarray(Math.round(output.length * 0.2), Math.round(output.length * 0.8));
  return decibels(amplitudeAt(middle, outHz, toHz) / 0.5);
}

/** The tones that would fold back, of rates that have any. */
const FOLDING = RATES.map((rate) => ({ rate, tones: [4600, 5000, 7000, 10_000].filter((hz) => hz < rate / 2) })).filter(
  ({ tones }) => tones.length > 0,
);
it.each(FOLDING)('$rate Hz to 8000 Hz removes what would fold back, by 50 dB or more', ({ rate, tones }) => {
  for (const hz of tones) {
    const folded = Math.abs(hz - 8000 * Math.round(hz / 8000));
    expect(gainDb(hz, rate, 8000, folded)).toBeLessThan(-50);
  }
});

describe.each(RATES)('%i Hz to 8000 Hz', (rate) => {
  it.each([300, 1000, 3000, 3400])('leaves %i Hz alone within 0.35 dB', (hz) => {
    expect(Math.abs(gainDb(hz, rate, 8000))).toBeLessThan(0.35);
  });

  it('keeps the length and does not drift', () => {
    const output = throughStream(new Int16Array(rate * 3), rate, 8000, 441);
    expect(Math.abs(output.length - 24_000)).toBeLessThanOrEqual(40);
  });

  it('gives the same samples whatever the chunk sizes', () => {
    const input = tone(700, 3000, { rateHz: rate });
    const whole = throughStream(input, rate, 8000, 3000);
    for (const chunk of [1, 7, 160, 2999]) {
      expect(Buffer.from(throughStream(input, rate, 8000, chunk).buffer)).toEqual(Buffer.from(whole.buffer));
    }
  });
});

describe.each([11_025, 16_000, 24_000, 48_000])('8000 Hz to %i Hz', (rate) => {
  it('keeps the tone and adds no image', () => {
    expect(Math.abs(gainDb(1000, 8000, rate))).toBeLessThan(0.2);
    expect(gainDb(1000, 8000, rate, rate > 14_000 ? 7000 : 5000)).toBeLessThan(-50);
  });
});

describe('resampler limits', () => {
  it.each([0, -1, 3_999, 192_001, 8000.5, Number.NaN])('refuses %s Hz', (rate) => {
    expect(() => createResampler(rate, 8000)).toThrow(RangeError);
  });

  it('clips instead of wrapping', () => {
    const square = Int16Array.from({ length: 4000 }, (_, i) => ((i >> 4) & 1 ? 32_767 : -32_768));
    const output = throughStream(square, 16_000, 8000, 160);
    expect(Math.max(...output)).toBe(32_767);
    expect(Math.min(...output)).toBe(-32_768);
  });

  it.each([16_000, 22_050, 48_000])('aligns a whole recording of %i Hz with its original', (rate) => {
    const impulse = new Int16Array(rate);
    impulse[rate / 2] = 30_000;
    const output = resampleAll(impulse, rate, 8000);
    expect(output.length).toBe(8000);
    expect(output.indexOf(Math.max(...output))).toBe(4000);
  });
});
