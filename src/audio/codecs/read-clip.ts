import { mixDown, readWav } from '../wav.ts';
import { type ClipAudio, ClipBuilder, type ClipReject } from './clip-builder.ts';
import type { ClipReader } from './clip-reader.ts';

export type ClipType = 'wav' | 'mp3' | 'ogg' | 'webm' | 'flac';

/** Loaded when first used: some take a tenth of a second to load. */
const READERS: Readonly<Record<Exclude<ClipType, 'wav'>, () => Promise<ClipReader>>> = {
  mp3: async () => (await import('./mp3-reader.ts')).readMp3,
  ogg: async () => (await import('./ogg-reader.ts')).readOgg,
  webm: async () => (await import('./webm-reader.ts')).readWebm,
  flac: async () => (await import('./flac-reader.ts')).readFlac,
};

/**
 * Decodes a whole file of any content; runs in the decoding thread. A file that breaks off or turns to junk gives what
 * came before that, if anything did.
 *
 * @param file - whose first bytes were judged to be `type`.
 */
export async function readClip(file: Uint8Array, type: ClipType, maxSeconds: number): Promise<ClipAudio | ClipReject> {
  if (type === 'wav') return readWavClip(file, maxSeconds);
  const builder = new ClipBuilder(maxSeconds);
  const read = await READERS[type]();
  try {
    if ((await read(file, builder)) === 'unsupported') return 'unsupported';
  } catch {
    // Whatever a decoder says about a broken file, the answer is the audio before it.
  }
  return builder.build();
}

function readWavClip(file: Uint8Array, maxSeconds: number): ClipAudio | ClipReject {
  const wav = readWav(file);
  if (wav === 'unsupported-encoding') return 'unsupported';
  if (wav === 'too-long') return 'too-long';
  if (typeof wav === 'string') return 'invalid';
  const builder = new ClipBuilder(maxSeconds);
  const mono = mixDown(wav);
  const floats = new Float32Array(Math.min(mono.length, Math.ceil(wav.sampleRateHz * (maxSeconds + 1))));
  for (let i = 0; i < floats.length; i += 1) floats[i] = mono[i]! / 32_768;
  builder.add([floats], wav.sampleRateHz);
  return builder.build();
}
