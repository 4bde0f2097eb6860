import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import { FreeRecogniser } from './free-recogniser.ts';
import type { RecogniserMessage, Say, ToWorker, WorkerSetup } from './pocketsphinx-protocol.ts';
import { Recogniser } from './recogniser.ts';
import { loadSphinxLibrary, type SphinxLibrary } from './sphinx-library.ts';

/** A recognition thread: everything native happens here. */
const port = parentPort;
if (!port) throw new Error('this file is a worker thread');
const say: Say = (message, transfer = []) => port.postMessage(message, transfer);

/**
 * Of this thread alone (Linux): when there is more speech than processor, answers come later, and calls still come in. Half the
 * share of an ordinary thread: with 10 it was a tenth, and beside two busy programs no sentence was recognised in time.
 */
const NICE = 3;
try {
  setPriority(0, NICE);
} catch {
  // Where it is not allowed, all threads are equal.
}

try {
  const setup = workerData as WorkerSetup;
  const recogniser = makeRecogniser(setup, loadSphinxLibrary());
  let working = false;
  let closed = false;
  const idle = setTimeout(() => {
    if (!closed && !recogniser.release()) idle.refresh();
  }, setup.idleMs).unref();
  // Between two steps of work every message that came is handled: finals never wait for interims.
  const work = (): void => {
    working = !closed && (recogniser.work?.() ?? false);
    if (working) setImmediate(work);
  };
  port.on('message', (message: ToWorker) => {
    if (message.type === 'close') {
      closed = true;
      recogniser.close();
      port.close();
      return;
    }
    idle.refresh();
    recogniser.handle(message);
    if (working) return;
    working = true;
    setImmediate(work);
  });
  say({ type: 'ready' });
} catch (error) {
  say({ type: 'unable', why: errorText(error) });
}

interface ThreadRecogniser {
  handle(message: RecogniserMessage): void;
  /** Does some of what may wait. @returns whether there is more. */
  work?(): boolean;
  /** Gives back what further stretches can do without. @returns false while there is a stretch. */
  release(): boolean;
  /** Gives back everything. */
  close(): void;
}

function makeRecogniser(setup: WorkerSetup, library: SphinxLibrary): ThreadRecogniser {
  const { model, free } = setup;
  if (!free) return new Recogniser(setup, library, readFileSync(model.dictionary), say, systemClock);
  const { languageModel } = model;
  if (languageModel === undefined) throw new Error('there is no language model');
  return new FreeRecogniser({ ...model, languageModel }, setup, library, say, systemClock);
}
