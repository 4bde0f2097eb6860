import { ALAW_DECODE, MULAW_DECODE } from '../audio/g711.ts';
import { type WavEncoding, type WavReject, wavLayout } from '../audio/wav.ts';
import { type ByteSource, readPart } from '../recordings/byte-source.ts';

/** What makes MP3 of what two sides say, samples in turns; a slow reader slows it. */
export interface BothSides {
  bothSides(pcm: AsyncIterable<Int16Array>, sampleRateHz: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

const HEAD_BYTES = 4_096; // ours is 44 bytes long

/**
 * A recording as MP3, both sides apart as they are in it, made while it is read: nothing of it is kept. What was recorded
 * when the gateway was killed is read to the end of the file, whatever its header says.
 *
 * @returns why it is no recording of ours. @throws errors of the file and of the encoder.
 */
export async function recordingAsMp3(
  source: ByteSource,
  encoder: BothSides,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array> | WavReject> {
  const layout = wavLayout(await readPart(source, 0, HEAD_BYTES));
  if (typeof layout === 'string') return layout;
  if (layout.channels !== 2) return 'bad-format';
  return encoder.bothSides(samplesOf(source, layout), layout.sampleRateHz, signal);
}

async function* samplesOf(
  source: ByteSource,
  { dataOffset, encoding }: { readonly dataOffset: number; readonly encoding: WavEncoding },
): AsyncGenerator<Int16Array> {
  const frameBytes = encoding === 'pcm16' ? 4 : 2;
  let rest: Buffer = Buffer.alloc(0);
  if (source.size <= dataOffset) return;
  for await (const piece of source.read({ start: dataOffset, end: source.size - 1 })) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece as Buffer]) : (piece as Buffer);
    const whole = bytes.length - (bytes.length % frameBytes);
    rest = bytes.subarray(whole);
    if (whole > 0) yield SAMPLES[encoding](bytes.subarray(0, whole));
  }
}

const decoded = (table: Int16Array) => (bytes: Buffer) => Int16Array.from(bytes, (code) => table[code] as number);
const SAMPLES: Readonly<Record<WavEncoding, (bytes: Buffer) => Int16Array>> = {
  pcm16: (bytes) => Int16Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(2 * i)),
  mulaw: decoded(MULAW_DECODE),
  alaw: decoded(ALAW_DECODE),
};
