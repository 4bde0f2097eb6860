import { mixDown, readWav } from '../audio/wav.ts';
import type { LiveStart } from '../client/live-transcription.ts';
import { OperatorError } from '../core/errors.ts';
import { fileOf } from './service.ts';

/** Audio for a live transcription, and how it is to be announced. */
export interface LiveAudio {
  readonly start: Pick<LiveStart, 'sample_rate' | 'encoding'>;
  readonly pieces: AsyncIterable<Uint8Array>;
}

const PIECE_MS = 100;

/** A WAV file of any kind as mono PCM. @throws OperatorError when it is none. */
export function wavAudio(path: string): LiveAudio {
  const wav = readWav(fileOf(path));
  if (typeof wav === 'string') throw new OperatorError(`${path} is not a WAV file that can be sent live: ${wav}.`);
  const samples = mixDown(wav);
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  const pieceBytes = 2 * Math.max(1, Math.round((wav.sampleRateHz * PIECE_MS) / 1000));
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  };
  return { start: { sample_rate: wav.sampleRateHz, encoding: 'pcm' }, pieces: pieces() };
}

/** Whatever comes in, as it comes: `arecord -f S16_LE -r 16000 -t raw | nidaa transcribe - --live`. */
export function inputAudio(input: AsyncIterable<Uint8Array>, start: LiveAudio['start']): LiveAudio {
  return { start, pieces: input };
}
