import { type FileHandle, open } from 'node:fs/promises';
import { type WavReject, wavLayout } from '../audio/wav.ts';

/** What makes MP3 of what two sides say, samples in turns; a slow reader slows it. */
export interface BothSides {
  bothSides(pcm: AsyncIterable<Int16Array>, sampleRateHz: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

const HEAD_BYTES = 4_096; // ours is 44 bytes long
/** Two seconds at 8 kHz. */
const PIECE_BYTES = 65_536;

/**
 * A recording as MP3, both sides apart as they are in it, made while it is read: nothing of it is kept. What was recorded
 * when the gateway was killed is read to the end of the file, whatever its header says.
 *
 * @returns why it is no recording of ours. @throws errors of the file and of the encoder.
 */
export async function recordingAsMp3(
  path: string,
  encoder: BothSides,
  signal: AbortSignal,
): Promise<AsyncGenerator<Uint8Array> | WavReject> {
  const file = await open(path, 'r');
  const head = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0).catch(async (error) => {
    await file.close();
    throw error;
  });
  const layout = wavLayout(head.subarray(0, bytesRead));
  if (typeof layout === 'string' || layout.channels !== 2) {
    await file.close();
    return typeof layout === 'string' ? layout : 'bad-format';
  }
  return encoded(file, layout, encoder, signal);
}

async function* encoded(
  file: FileHandle,
  { dataOffset, sampleRateHz }: { readonly dataOffset: number; readonly sampleRateHz: number },
  encoder: BothSides,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* encoder.bothSides(samplesOf(file, dataOffset), sampleRateHz, signal);
  } finally {
    await file.close();
  }
}

async function* samplesOf(file: FileHandle, from: number): AsyncGenerator<Int16Array> {
  for (let at = from; ; ) {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, at);
    const samples = 2 * Math.floor(bytesRead / 4);
    if (samples === 0) return;
    at += 2 * samples;
    yield new Int16Array(piece.buffer, piece.byteOffset, samples);
  }
}
