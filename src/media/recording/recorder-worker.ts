import { parentPort, workerData } from 'node:worker_threads';
import { errorText } from '../../core/errors.ts';
import type { SealKey } from '../../core/sealed-pieces.ts';
import { PcmRing } from '../plane/pcm-ring.ts';
import type { FromRecorder, ToRecorder } from './recorder.ts';
import { RecordingFile } from './recording-file.ts';

/** The thread that may wait for a disk. Empties the rings of all recordings now and then. */

/** Each write of each call is a system call. What is not written yet is lost with the process, and a ring holds eight times as much. */
const DRAIN_EVERY_MS = 500;

if (!parentPort) throw new Error('the recorder worker is started by the recorder');
const port = parentPort;
const { seal } = workerData as { readonly seal?: SealKey };
const files = new Map<number, RecordingFile>();
const post = (message: FromRecorder): void => port.postMessage(message);

function start(message: Extract<ToRecorder, { type: 'start' }>): void {
  try {
    const { id, path, audio } = message;
    files.set(id, new RecordingFile(path, new PcmRing(audio.ring), audio.sampleRateHz, seal));
  } catch (error) {
    post({ type: 'failed', id: message.id, reason: errorText(error) });
  }
}

/** A recording that cannot be written ends, keeping what is on disk. */
function fail(id: number, file: RecordingFile, error: unknown): void {
  files.delete(id);
  try {
    file.close();
  } catch {
    // The first error is the one worth reporting.
  }
  post({ type: 'failed', id, reason: errorText(error) });
}

function stop(id: number): void {
  const file = files.get(id);
  files.delete(id);
  if (!file) {
    post({ type: 'stopped', id, durationMs: 0 });
    return;
  }
  try {
    file.close();
    post({ type: 'stopped', id, durationMs: file.durationMs });
  } catch (error) {
    post({ type: 'failed', id, reason: errorText(error) });
  }
}

const draining = setInterval(() => {
  for (const [id, file] of files) {
    try {
      file.drain();
    } catch (error) {
      fail(id, file, error);
    }
  }
}, DRAIN_EVERY_MS);

port.on('message', (message: ToRecorder) => {
  if (message.type === 'start') start(message);
  else if (message.type === 'stop') stop(message.id);
  else {
    clearInterval(draining);
    for (const id of [...files.keys()]) stop(id);
    port.close();
  }
});
