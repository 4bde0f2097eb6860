import alawmulaw from 'alawmulaw';

/**
 * G.711 by table (ITU-T G.711): 256 entries to decode, 65,536 to encode, as `alawmulaw` has them. A frame of 160 samples costs
 * about 0.2 us, a seventh of the arithmetic.
 */
const CODES = Uint8Array.from({ length: 256 }, (_, code) => code);
/** As they stand in the tables to encode: by `sample & 0xffff`. */
const SAMPLES = Int16Array.from({ length: 65_536 }, (_, bits) => (bits << 16) >> 16);

/** Code -> sample. */
export const MULAW_DECODE: Int16Array = alawmulaw.mulaw.decode(CODES);
export const ALAW_DECODE: Int16Array = alawmulaw.alaw.decode(CODES);
/** `sample & 0xffff` -> code. */
export const MULAW_ENCODE: Uint8Array = alawmulaw.mulaw.encode(SAMPLES);
export const ALAW_ENCODE: Uint8Array = alawmulaw.alaw.encode(SAMPLES);

/** Encoded silence: what is sent when there is nothing to say. */
export const MULAW_SILENCE = 0xff;
export const ALAW_SILENCE = 0xd5;

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
