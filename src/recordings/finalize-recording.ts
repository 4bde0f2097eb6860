import { type WavLayout, type WavReject, wavHeader } from '../audio/wav.ts';
import type { SealKey } from '../core/sealed-pieces.ts';
import type { ByteSource } from './byte-source.ts';
import { peaksPath, type RecordingFiles } from './recording-files.ts';
import { isSealedForGood, sealed, unsealed } from './sealed-file.ts';
import { computePeaks } from './wav-peaks.ts';
import { asG711, frameBytes, framesOf, recordedSamples, recordingLayout } from './wav-samples.ts';

export interface FinalizeRecordingData {
  readonly callId: string;
  readonly recording: string; // path below the data folder
}

/** Why a recording cannot be worked on, now or ever: no reason to try again. */
export type RecordingReject = WavReject | 'missing' | 'outside';

/** How a recording is to be kept. */
export interface KeptForm {
  readonly archive: 'wav' | 'g711';
  /** The law of G.711 that its call was in, so that nothing is lost of what came. */
  readonly law: () => Promise<'mulaw' | 'alaw'>;
  /** What it may be sealed with; the first one seals. None: it is kept in clear. */
  readonly keys: readonly SealKey[];
}

/** 130 KB, however long the call: an hour has a piece a second. */
export const PEAK_PAIRS = 4_000;
/** Of long recordings, so that words can be seen in them; writing the most takes the thread half a millisecond. */
const PEAK_PAIRS_PER_SECOND = 3;
export const PEAK_PAIRS_MAX = 12_000;

export const peakPairs = (seconds: number): number =>
  Math.min(PEAK_PAIRS_MAX, Math.max(PEAK_PAIRS, Math.ceil(seconds * PEAK_PAIRS_PER_SECOND)));

/**
 * Makes a recording ready to be played and drawn: its peaks beside it, and itself in the form in which it is kept, with the
 * header mended when its writer was killed. Safe to run twice, and to be killed: both appear whole or not at all.
 *
 * @throws file errors that may pass (disk full), and UnknownSealKey; the job is then tried again.
 */
export async function finalizeRecording(
  files: RecordingFiles,
  recording: string,
  { archive, law, keys }: KeptForm,
): Promise<'ready' | RecordingReject> {
  if (files.pathOf(recording) === undefined) return 'outside';
  const stored = await files.find(recording);
  if (!stored) return 'missing';
  if (await isSealedForGood(stored)) return 'ready'; // the last thing that is done
  const source = await unsealed(stored, keys);
  const layout = await recordingLayout(source);
  if (typeof layout === 'string') return layout;
  const [key] = keys;
  const put = (name: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> =>
    files.put(name, key ? sealed(content, key) : content);

  const frames = framesOf(source, layout);
  const drawn = { ...layout, frames, samples: recordedSamples(source, layout) };
  await put(peaksPath(recording), [await computePeaks(drawn, peakPairs(frames / layout.sampleRateHz))]);
  if (archive === 'g711' && layout.encoding === 'pcm16') await put(recording, asG711(source, layout, await law()));
  else if (key || isDamaged(source, layout)) await put(recording, mended(source, layout));
  return 'ready';
}

const bytesOf = (source: ByteSource, layout: WavLayout): number => framesOf(source, layout) * frameBytes(layout);

/** The size that its header has differs from what is there. */
const isDamaged = (source: ByteSource, layout: WavLayout): boolean =>
  layout.claimedBytes !== source.size - layout.dataOffset || layout.claimedBytes !== bytesOf(source, layout);

/** With true sizes in its header, and without half a frame at its end. */
async function* mended(source: ByteSource, layout: WavLayout): AsyncGenerator<Uint8Array> {
  const dataBytes = bytesOf(source, layout);
  yield wavHeader(layout, dataBytes);
  if (dataBytes > 0) yield* source.read({ start: layout.dataOffset, end: layout.dataOffset + dataBytes - 1 });
}
