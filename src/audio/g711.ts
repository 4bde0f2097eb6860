/**
 * G.711 by table (ITU-T G.711): 256 entries to decode, 65,536 to encode. A frame of 160 samples costs about 0.2 us,
 * a seventh of the arithmetic. The tables equal the npm package `alawmulaw` bit for bit; a test compares every entry.
 */

const MULAW_BIAS = 0x84;
const MULAW_CLIP = 32_635;

/** Encoded silence: what is sent when there is nothing to say. */
export const MULAW_SILENCE = 0xff;
export const ALAW_SILENCE = 0xd5;

/** Code -> sample. */
export const MULAW_DECODE: Int16Array = Int16Array.from({ length: 256 }, (_, code) => mulawToLinear(code));
export const ALAW_DECODE: Int16Array = Int16Array.from({ length: 256 }, (_, code) => alawToLinear(code));
/** `sample & 0xffff` -> code. */
export const MULAW_ENCODE: Uint8Array = encodeTable(linearToMulaw);
export const ALAW_ENCODE: Uint8Array = encodeTable(linearToAlaw);

function encodeTable(encode: (sample: number) => number): Uint8Array {
  const table = new Uint8Array(65_536);
  for (let sample = -32_768; sample <= 32_767; sample += 1) table[sample & 0xffff] = encode(sample);
  return table;
}

function mulawToLinear(code: number): number {
  const inverted = ~code & 0xff;
  const exponent = (inverted >> 4) & 7;
  const magnitude = ((((inverted & 0x0f) << 3) + MULAW_BIAS) << exponent) - MULAW_BIAS;
  return inverted & 0x80 ? -magnitude : magnitude;
}

function linearToMulaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const biased = Math.min(MULAW_CLIP, Math.abs(sample)) + MULAW_BIAS;
  const exponent = 24 - Math.clz32(biased); // 7 for bit 14 down to 0 for bit 7
  const mantissa = (biased >> (exponent + 3)) & 0x0f;
  return ~(sign | (exponent << 4) | mantissa) & 0xff;
}

function alawToLinear(code: number): number {
  const toggled = code ^ 0x55;
  const exponent = (toggled >> 4) & 7;
  const mantissa = toggled & 0x0f;
  const magnitude = exponent === 0 ? (mantissa << 4) + 8 : ((mantissa << 4) + 0x108) << (exponent - 1);
  return toggled & 0x80 ? magnitude : -magnitude;
}

function linearToAlaw(sample: number): number {
  // -32,768 has no positive twin in 16 bits, so it is clipped; other negatives keep their magnitude.
  const magnitude = Math.min(32_635, sample < 0 ? -sample : sample);
  const sign = sample < 0 ? 0 : 0x80;
  const exponent = magnitude < 256 ? 0 : 24 - Math.clz32(magnitude); // clz32(256) = 23 -> 1
  const mantissa = exponent === 0 ? magnitude >> 4 : (magnitude >> (exponent + 3)) & 0x0f;
  return (sign | (exponent << 4) | mantissa) ^ 0x55;
}

/** Decodes `bytes` into the start of `into` (at least as long). @returns samples written. */
export function decodeG711(table: Int16Array, bytes: Uint8Array, into: Int16Array): number {
  const count = Math.min(bytes.length, into.length);
  for (let i = 0; i < count; i += 1) into[i] = table[bytes[i] as number] as number;
  return count;
}

/** Encodes `samples` into `into` from byte `offset` on. @returns bytes written. */
export function encodeG711(table: Uint8Array, samples: Int16Array, into: Uint8Array, offset = 0): number {
  const count = Math.min(samples.length, into.length - offset);
  for (let i = 0; i < count; i += 1) into[offset + i] = table[(samples[i] as number) & 0xffff] as number;
  return count;
}

export const decodeMulaw = (bytes: Uint8Array): Int16Array => decoded(MULAW_DECODE, bytes);
export const decodeAlaw = (bytes: Uint8Array): Int16Array => decoded(ALAW_DECODE, bytes);
export const encodeMulaw = (samples: Int16Array): Uint8Array => encoded(MULAW_ENCODE, samples);
export const encodeAlaw = (samples: Int16Array): Uint8Array => encoded(ALAW_ENCODE, samples);

function decoded(table: Int16Array, bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length);
  decodeG711(table, bytes, samples);
  return samples;
}

function encoded(table: Uint8Array, samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length);
  encodeG711(table, samples, bytes);
  return bytes;
}
