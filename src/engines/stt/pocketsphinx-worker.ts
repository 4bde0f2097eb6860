import { parentPort, workerData } from 'node:worker_threads';
import type { ToWorker, WorkerSetup } from './pocketsphinx-protocol.ts';
import { runRecogniser } from './recogniser-loop.ts';

/** A recognition thread. */
const port = parentPort;
if (!port) throw new Error('this file is a worker thread');
runRecogniser(workerData as WorkerSetup, {
  say: (message, transfer = []) => port.postMessage(message, transfer),
  onMessage: (listener) => void port.on('message', (message: ToWorker) => listener(message)),
  close: () => port.close(),
});
