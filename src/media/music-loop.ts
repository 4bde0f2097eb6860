import { holdMusic } from '../audio/hold-music.ts';
import { TELEPHONE_RATE_HZ } from '../audio/pcm.ts';
import { resampleAll } from '../audio/resampler.ts';
import { mixDown, readWav } from '../audio/wav.ts';

/** Audio that plays round and round: one memory that all calls and all media threads read. Signed 16-bit mono. */
export interface MusicLoop {
  readonly sampleRateHz: number;
  readonly samples: SharedArrayBuffer;
}

/** What a named file may be at most: a minute is a megabyte at the telephone's rate. */
export const MUSIC_SECONDS_MAX = 60;
/** Of the file, before it is read: a minute of 24-bit stereo at 48 kHz is 17 MB. */
export const MUSIC_FILE_BYTES_MAX = 24 * 2 ** 20;
const SOURCE_RATE_HZ_MAX = 96_000;

/** @returns the loop at the telephone's rate, channels mixed; or why the file is none. Never throws. */
export function musicOfWav(file: Buffer): MusicLoop | string {
  if (file.length > MUSIC_FILE_BYTES_MAX) return `larger than ${MUSIC_FILE_BYTES_MAX / 2 ** 20} MB`;
  const audio = readWav(file, MUSIC_SECONDS_MAX * SOURCE_RATE_HZ_MAX);
  if (typeof audio === 'string') return audio;
  const { sampleRateHz, durationMs } = audio;
  if (durationMs > MUSIC_SECONDS_MAX * 1000) return `longer than ${MUSIC_SECONDS_MAX} seconds`;
  if (sampleRateHz < TELEPHONE_RATE_HZ || sampleRateHz > SOURCE_RATE_HZ_MAX) return `a rate of ${sampleRateHz} Hz`;
  const samples = resampleAll(mixDown(audio), sampleRateHz, TELEPHONE_RATE_HZ);
  return samples.length === 0 ? 'without audio' : loopOf(samples);
}

/** The loop that needs no file. */
export const ownMusic = (): MusicLoop => loopOf(holdMusic());

function loopOf(samples: Int16Array): MusicLoop {
  const memory = new SharedArrayBuffer(samples.byteLength);
  new Int16Array(memory).set(samples);
  return { sampleRateHz: TELEPHONE_RATE_HZ, samples: memory };
}
