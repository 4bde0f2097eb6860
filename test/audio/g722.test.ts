import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { G722Decoder, G722Encoder } from '../../src/audio/g722.ts';
import { levelDbfs, peakLevel } from '../../src/audio/level.ts';
import { amplitudeAt, decibels, tone } from '../support/tones.ts';

const RATE_HZ = 16_000;
/** Of both mirror filters together. */
const DELAY_SAMPLES = 22;

function noise(count: number, amplitude: number): Int16Array {
  let seed = 1;
  return Int16Array.from({ length: count }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.round((seed / 2 ** 32 - 0.5) * 2 * amplitude);
  });
}
const wide = (hz: number, count: number, amplitude = 0.25): Int16Array =>
  tone(hz, count, { rateHz: RATE_HZ, amplitude });
const mixed = (...parts: Int16Array[]): Int16Array =>
  (parts[0] as Int16Array).map((_, i) => parts.reduce((sum, part) => sum + (part[i] as number), 0));

function encode(samples: Int16Array, chunk = samples.length): Uint8Array {
  const encoder = new G722Encoder();
  const bytes = new Uint8Array(samples.length / 2);
  for (let at = 0; at < samples.length; at += chunk) encoder.encode(samples.subarray(at, at + chunk), bytes, at / 2);
  return bytes;
}
function decode(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length * 2);
  expect(new G722Decoder().decode(bytes, bytes.length, samples)).toBe(samples.length);
  return samples;
}
const digest = (data: ArrayBufferView): string =>
  createHash('sha256')
    .update(Buffer.from(data.buffer, data.byteOffset, data.byteLength))
    .digest('hex')
    .slice(0, 16);

/** Signal to noise in dB over the second half, after the predictors have settled. */
function snr(samples: Int16Array): number {
  const heard = decode(encode(samples));
  let signal = 0;
  let error = 0;
  for (let i = samples.length / 2; i < samples.length - DELAY_SAMPLES; i += 1) {
    const sample = samples[i] as number;
    signal += sample ** 2;
    error += (sample - (heard[i + DELAY_SAMPLES] as number)) ** 2;
  }
  return 10 * Math.log10(signal / error);
}

describe('G.722', () => {
  it.each([
    { name: '300 Hz', samples: wide(300, 8_000), above: 45 },
    { name: '1 kHz', samples: wide(1_000, 8_000), above: 35 },
    { name: '3 kHz', samples: wide(3_000, 8_000), above: 25 },
    { name: '6 kHz, which a telephone does not carry', samples: wide(6_000, 8_000), above: 10 },
    {
      name: 'a voice-like chord',
      samples: mixed(wide(150, 8_000), wide(900, 8_000, 0.1), wide(2_500, 8_000, 0.05)),
      above: 28,
    },
    { name: 'noise', samples: noise(8_000, 8_000), above: 10 },
    { name: 'a whisper', samples: wide(500, 8_000, 0.003), above: 20 },
  ])('carries $name', ({ samples, above }) => {
    expect(snr(samples)).toBeGreaterThan(above);
  });

  it('keeps a tone of 6 kHz at its level, and nothing of it below 4 kHz', () => {
    const heard = decode(encode(wide(6_000, 16_000))).subarray(8_000);
    expect(Math.abs(decibels(amplitudeAt(heard, 6_000, RATE_HZ) / 0.25))).toBeLessThan(1.5);
    expect(amplitudeAt(heard, 2_000, RATE_HZ)).toBeLessThan(0.01);
  });

  /** The codes equal those of an independent implementation of the recommendation, bit for bit. */
  it.each([
    { name: 'noise', samples: noise(4_000, 6_000), codes: 'e3887472337d940b', audio: '8cb40a2ae3d81bd1' },
    {
      name: 'a chord',
      samples: mixed(wide(440, 4_000), wide(5_000, 4_000, 0.1)),
      codes: '00dda1811ed1cf5a',
      audio: '58f25757b741ee0c',
    },
    { name: 'full scale', samples: wide(97, 4_000, 0.999), codes: '0d05dda855fa79fc', audio: undefined },
  ])('codes $name as everybody does', ({ samples, codes, audio }) => {
    const bytes = encode(samples);
    expect(digest(bytes)).toBe(codes);
    if (audio) expect(digest(decode(bytes))).toBe(audio);
  });

  it('is the same stream whatever the packet time', () => {
    const samples = noise(4_800, 9_000);
    expect(encode(samples, 320)).toEqual(encode(samples, 160));
    expect(encode(samples, 960)).toEqual(encode(samples));
  });

  it('is silent for silence', () => {
    expect(levelDbfs(decode(encode(new Int16Array(3_200))).subarray(1_600))).toBeLessThan(-75);
  });

  it('finds back to the stream after a loss', () => {
    const samples = wide(1_000, 16_000);
    const bytes = encode(samples);
    const rest = bytes.subarray(1_280); // 160 ms never came
    const heard = decode(rest).subarray(8_000);
    expect(amplitudeAt(heard, 1_000, RATE_HZ)).toBeGreaterThan(0.2);
  });

  it('limits what is too loud, and takes any bytes', () => {
    expect(peakLevel(decode(encode(noise(4_000, 32_767))))).toBeLessThanOrEqual(32_768);
    const bytes = Uint8Array.from(noise(8_000, 127));
    expect(peakLevel(decode(bytes))).toBeGreaterThan(0);
  });

  it('begins anew after a reset', () => {
    const samples = noise(640, 5_000);
    const encoder = new G722Encoder();
    const [first, second] = [new Uint8Array(320), new Uint8Array(320)];
    encoder.encode(samples, first);
    encoder.reset();
    encoder.encode(samples, second);
    expect(second).toEqual(first);
    const decoder = new G722Decoder();
    const [one, two] = [new Int16Array(640), new Int16Array(640)];
    decoder.decode(first, 320, one);
    decoder.reset();
    decoder.decode(first, 320, two);
    expect(two).toEqual(one);
  });
});
