import { describe, expect, it } from 'vitest';
import * as g711 from '../../src/audio/g711.ts';

/** The highest sample of each segment of the positive half and its code (ITU-T G.711, tables 1a and 2a), 16 bits wide. */
const MULAW_SEGMENTS = [
  ...[
    [32_124, 0x80],
    [15_996, 0x90],
    [7_932, 0xa0],
    [3_900, 0xb0],
  ],
  ...[
    [1_884, 0xc0],
    [876, 0xd0],
    [372, 0xe0],
    [120, 0xf0],
  ],
] as const;
const ALAW_SEGMENTS = [
  ...[
    [32_256, 0xaa],
    [16_128, 0xba],
    [8_064, 0x8a],
    [4_032, 0x9a],
  ],
  ...[
    [2_016, 0xea],
    [1_008, 0xfa],
    [504, 0xca],
    [248, 0xda],
  ],
] as const;

describe('G.711 tables', () => {
  it.each([
    { name: 'mu-law', segments: MULAW_SEGMENTS, encode: g711.encodeMulaw, decode: g711.decodeMulaw },
    { name: 'A-law', segments: ALAW_SEGMENTS, encode: g711.encodeAlaw, decode: g711.decodeAlaw },
  ])('$name: ends of the segments, both signs', ({ segments, encode, decode }) => {
    for (const [sample, code] of segments) {
      expect([...decode(Uint8Array.of(code, code ^ 0x80))], `${code}`).toEqual([sample, -sample]);
      expect([...encode(Int16Array.of(sample, -sample))], `${sample}`).toEqual([code, code ^ 0x80]);
    }
  });

  it.each([
    { name: 'mu-law', encode: g711.encodeMulaw, decode: g711.decodeMulaw },
    { name: 'A-law', encode: g711.encodeAlaw, decode: g711.decodeAlaw },
  ])('$name: every sample becomes one near it, and louder stays louder', ({ encode, decode }) => {
    const samples = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768);
    const back = decode(encode(samples));
    let faults = 0;
    for (let i = 0; i < samples.length; i += 1) {
      const [sample, heard] = [samples[i]!, back[i]!];
      if (Math.abs(heard - sample) > Math.max(16, Math.abs(sample) / 16) || heard < (back[i - 1] ?? -32_768))
        faults += 1;
    }
    expect(faults).toBe(0);
    expect(Buffer.from(decode(encode(back)).buffer).equals(Buffer.from(back.buffer))).toBe(true);
  });

  it('decodes silence to (nearly) nothing', () => {
    expect(g711.MULAW_DECODE[g711.MULAW_SILENCE]).toBeCloseTo(0, 10);
    expect(Math.abs(g711.ALAW_DECODE[g711.ALAW_SILENCE] as number)).toBeLessThanOrEqual(8);
  });

  it('writes only what fits', () => {
    const into = new Uint8Array(5).fill(7);
    expect(g711.encodeG711(g711.MULAW_ENCODE, new Int16Array(10), into, 2)).toBe(3);
    expect([...into]).toEqual([7, 7, 255, 255, 255]);
    expect(g711.decodeG711(g711.MULAW_DECODE, new Uint8Array(10), new Int16Array(4))).toBe(4);
  });
});
