import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { errorText } from '../../core/errors.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './pocketsphinx-protocol.ts';
import { Recogniser } from './recogniser.ts';
import { loadSphinxLibrary } from './sphinx-library.ts';

/** A recognition thread: everything native happens here. */
const port = parentPort;
if (!port) throw new Error('this file is a worker thread');
const say = (message: FromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

/** Of this thread alone (Linux): when there is more speech than processor, answers come later, and calls still come in. */
const NICE = 10;
try {
  setPriority(0, NICE);
} catch {
  // Where it is not allowed, all threads are equal.
}

try {
  const setup = workerData as WorkerSetup;
  const recogniser = new Recogniser(setup, loadSphinxLibrary(), readFileSync(setup.model.dictionary), say);
  port.on('message', (message: ToWorker) => {
    if (message.type === 'close') port.close();
    else recogniser.handle(message);
  });
  say({ type: 'ready' });
} catch (error) {
  say({ type: 'unable', why: errorText(error) });
}
