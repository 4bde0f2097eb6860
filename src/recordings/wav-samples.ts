import { endianness } from 'node:os';
import { ALAW_DECODE, ALAW_ENCODE, encodeG711, MULAW_DECODE, MULAW_ENCODE } from '../audio/g711.ts';
import { type WavEncoding, type WavLayout, type WavReject, wavHeader, wavLayout } from '../audio/wav.ts';
import { type ByteSource, readPart } from './byte-source.ts';

const HEAD_BYTES = 4_096; // ours is 44 bytes long
const IS_SWAPPED = endianness() === 'BE';

/** Where the samples of a recording lie. @throws what reading fails with. */
export async function recordingLayout(source: ByteSource): Promise<WavLayout | WavReject> {
  return wavLayout(await readPart(source, 0, HEAD_BYTES));
}

/** One sample of every channel. */
export const frameBytes = ({ encoding, channels }: WavLayout): number => (encoding === 'pcm16' ? 2 : 1) * channels;

/** Whole samples of every channel that are really there, whatever the header says. */
export const framesOf = (source: ByteSource, layout: WavLayout): number =>
  Math.max(0, Math.floor((source.size - layout.dataOffset) / frameBytes(layout)));

/** Its samples, those of its channels in turns, whole frames a piece; read to the end of the file, whatever the header says. */
export async function* recordedSamples(source: ByteSource, layout: WavLayout): AsyncGenerator<Int16Array> {
  const { dataOffset, encoding } = layout;
  let rest: Buffer = Buffer.alloc(0);
  if (source.size <= dataOffset) return;
  for await (const piece of source.read({ start: dataOffset, end: source.size - 1 })) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece as Buffer]) : (piece as Buffer);
    const whole = bytes.length - (bytes.length % frameBytes(layout));
    rest = bytes.subarray(whole);
    if (whole > 0) yield SAMPLES[encoding](bytes.subarray(0, whole));
  }
}

/**
 * A recording with 16-bit samples as G.711, in half the room: WAV, format 6 or 7. What came as G.711 of the same law is as it
 * was; a file is written once, from its header on.
 */
export async function* asG711(
  source: ByteSource,
  layout: WavLayout,
  encoding: 'mulaw' | 'alaw',
): AsyncGenerator<Uint8Array> {
  const { channels, sampleRateHz } = layout;
  yield wavHeader({ channels, sampleRateHz, encoding }, framesOf(source, layout) * channels);
  const table = encoding === 'mulaw' ? MULAW_ENCODE : ALAW_ENCODE;
  for await (const samples of recordedSamples(source, layout)) {
    const bytes = new Uint8Array(samples.length);
    encodeG711(table, samples, bytes);
    yield bytes;
  }
}

const decoded = (table: Int16Array) => (bytes: Buffer) => Int16Array.from(bytes, (code) => table[code] as number);
const SAMPLES: Readonly<Record<WavEncoding, (bytes: Buffer) => Int16Array>> = {
  pcm16: (bytes) => {
    const { buffer } = new Uint8Array(bytes); // aligned, as a part of a file need not be
    if (IS_SWAPPED) Buffer.from(buffer).swap16();
    return new Int16Array(buffer);
  },
  mulaw: decoded(MULAW_DECODE),
  alaw: decoded(ALAW_DECODE),
};
