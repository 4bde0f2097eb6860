import { describe, expect, it } from 'vitest';
import { WavStream } from '../../src/console/audio/wav-stream.ts';

function wav(samples: readonly number[], channels = 2): Uint8Array {
  const bytes = new Uint8Array(44 + samples.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x52494646);
  view.setUint16(22, channels, true);
  view.setUint32(24, 16_000, true);
  for (const [n, sample] of samples.entries()) view.setInt16(44 + n * 2, sample, true);
  return bytes;
}

describe('a WAV that comes as a network cuts it', () => {
  const samples = [16_384, -32_768, 8_192, 0, -16_384, 32_767];

  it.each([1, 3, 7, 44, 46, 1_000])('is the same in pieces of %i bytes', (size) => {
    const stream = new WavStream();
    const bytes = wav(samples);
    const heard: [number[], number[]] = [[], []];
    for (let at = 0; at < bytes.length; at += size) {
      const piece = stream.push(bytes.subarray(at, at + size));
      expect(piece?.rateHz ?? 16_000).toBe(16_000);
      for (const side of [0, 1] as const) heard[side].push(...(piece?.channels[side] ?? []));
    }
    expect(heard[0]).toEqual([0.5, 0.25, -0.5]);
    expect(heard[1].map((value) => Math.round(value * 100) / 100)).toEqual([-1, 0, 1]);
  });

  it('is refused where it is none, or of one channel', () => {
    expect(() => new WavStream().push(new Uint8Array(100))).toThrow('no WAV');
    expect(() => new WavStream().push(wav(samples, 1))).toThrow('no WAV');
  });
});
