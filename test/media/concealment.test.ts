import { describe, expect, it } from 'vitest';
import { peakLevel } from '../../src/audio/level.ts';
import { Concealment } from '../../src/media/codec/concealment.ts';
import { amplitudeAt, tone } from '../support/tones.ts';

/** Plays a tone of 100 ms, then `lostBlocks` blocks of 10 ms that never came, then the tone again. */
function run(hz: number, lostBlocks: number): { whole: Int16Array; invented: Int16Array } {
  const concealment = new Concealment(8_000);
  const total = 800 + lostBlocks * 80 + 800;
  const whole = tone(hz, total);
  for (let at = 0; at < total; at += 80) {
    const lost = at >= 800 && at < 800 + lostBlocks * 80;
    if (lost) concealment.conceal(whole, at, 80);
    else concealment.good(whole, at, 80);
  }
  return { whole, invented: whole.subarray(800, 800 + lostBlocks * 80) };
}
const biggestStep = (samples: Int16Array): number =>
  Math.max(...Array.from(samples.subarray(1), (sample, i) => Math.abs(sample - (samples[i] as number))));

describe('Concealment', () => {
  it.each([100, 160, 200, 400])('goes on with a tone of %i Hz for 20 ms', (hz) => {
    expect(amplitudeAt(run(hz, 2).invented, hz)).toBeGreaterThan(0.2);
  });

  it.each([100, 200, 400])('makes no click at either end (%i Hz)', (hz) => {
    const natural = biggestStep(tone(hz, 800));
    for (const lost of [1, 2, 4, 9]) expect(biggestStep(run(hz, lost).whole)).toBeLessThan(natural * 3);
  });

  it('fades to silence by 60 ms and stays there', () => {
    const { invented } = run(200, 12);
    const peaks = Array.from({ length: 12 }, (_, i) => peakLevel(invented.subarray(i * 80, i * 80 + 80)));
    expect(peaks[0]).toBeGreaterThan(7_000);
    for (let i = 1; i < 6; i += 1) expect(peaks[i]).toBeLessThanOrEqual(peaks[i - 1] as number);
    expect(peaks.slice(6)).toEqual(Array(6).fill(0));
  });

  it('is silent when nothing was ever heard, and after a reset', () => {
    const concealment = new Concealment(8_000);
    const block = new Int16Array(80).fill(99);
    concealment.conceal(block, 0, 80);
    expect(peakLevel(block)).toBe(0);
    concealment.good(tone(200, 800), 0, 800);
    concealment.reset();
    concealment.conceal(block.fill(99), 0, 80);
    expect(peakLevel(block)).toBe(0);
  });

  it('leaves the first audio as it came, after nothing that could be joined to it', () => {
    const concealment = new Concealment(8_000);
    concealment.conceal(new Int16Array(80), 0, 80);
    const first = tone(200, 800);
    concealment.good(first, 0, 800);
    expect(first).toEqual(tone(200, 800));
  });

  it('keeps a history whatever the block sizes', () => {
    const concealment = new Concealment(8_000);
    const audio = tone(200, 1_600);
    for (let at = 0, size = 1; at + size <= 1_600; at += size, size = (size % 700) + 97)
      concealment.good(audio, at, size);
    const block = new Int16Array(80);
    concealment.conceal(block, 0, 80);
    expect(peakLevel(block)).toBeGreaterThan(7_000);
  });
});
