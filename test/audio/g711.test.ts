import { alaw, mulaw } from 'alawmulaw';
import { describe, expect, it } from 'vitest';
import * as g711 from '../../src/audio/g711.ts';

const ALL_SAMPLES = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768);
const ALL_CODES = Uint8Array.from({ length: 256 }, (_, i) => i);

describe('G.711 tables', () => {
  it.each([
    { name: 'mu-law', reference: mulaw, encode: g711.encodeMulaw, decode: g711.decodeMulaw },
    { name: 'A-law', reference: alaw, encode: g711.encodeAlaw, decode: g711.decodeAlaw },
  ])('$name equals alawmulaw for every sample and code', ({ reference, encode, decode }) => {
    expect(Buffer.from(encode(ALL_SAMPLES)).equals(Buffer.from(reference.encode(ALL_SAMPLES)))).toBe(true);
    expect([...decode(ALL_CODES)]).toEqual([...reference.decode(ALL_CODES)]);
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
