import { open, rename, rm, writeFile } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { peaksPath } from '../recordings/recording-files.ts';
import { computePeaks, readWavLayout, repairWavHeader, type WavReject } from './wav-peaks.ts';

export interface FinalizeRecordingData {
  readonly callId: string;
  readonly recording: string; // path below the data folder
}

/** Why a recording cannot be worked on, now or ever: no reason to try again. */
export type RecordingReject = WavReject | 'missing' | 'outside';

/** 130 KB, however long the call: an hour has a piece a second. */
export const PEAK_PAIRS = 4_000;
/** Of long recordings, so that words can be seen in them; writing the most takes the thread half a millisecond. */
const PEAK_PAIRS_PER_SECOND = 3;
export const PEAK_PAIRS_MAX = 12_000;

export const peakPairs = (seconds: number): number =>
  Math.min(PEAK_PAIRS_MAX, Math.max(PEAK_PAIRS, Math.ceil(seconds * PEAK_PAIRS_PER_SECOND)));

/**
 * Makes a recording ready to be played and drawn: mends the header when its writer was killed, and puts the peaks beside it.
 * Safe to run twice, and to be killed: the peaks appear whole or not at all.
 *
 * @throws file errors that may pass (disk full); the job is then tried again.
 */
export async function finalizeRecording(dataFolder: string, recording: string): Promise<'ready' | RecordingReject> {
  const folder = resolve(dataFolder);
  const path = resolve(folder, recording);
  if (!path.startsWith(folder + sep)) return 'outside';
  const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!file) return 'missing';
  try {
    const layout = await readWavLayout(file);
    if (typeof layout === 'string') return layout;
    if (layout.damaged) await repairWavHeader(file, layout);
    const peaks = await computePeaks(
      file,
      layout,
      peakPairs(layout.dataBytes / layout.frameBytes / layout.sampleRateHz),
    );
    const unfinished = `${peaksPath(path)}.part`;
    try {
      await writeFile(unfinished, peaks, { mode: 0o600 });
      await rename(unfinished, peaksPath(path));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    return 'ready';
  } finally {
    await file.close();
  }
}
