import { nativeMemory } from '../../core/native-memory.ts';
import type { ToWorker, WorkerSetup } from './pocketsphinx-protocol.ts';
import { runRecogniser } from './recogniser-loop.ts';

/**
 * A recogniser in a process of its own: `node recogniser-process-main.js <setup as JSON>`, started with a channel to the gateway,
 * without which it ends.
 */
const send = process.send?.bind(process);
if (!send) throw new Error('this file is started by the gateway');
nativeMemory()?.setLargeBlocksApart();
// A signal to the whole group is for the gateway, which still has calls to end.
process.on('SIGINT', () => {}).on('SIGTERM', () => {});
process.on('disconnect', () => process.exit());
runRecogniser(JSON.parse(process.argv[2] ?? '') as WorkerSetup, {
  say: (message) => void send(message, undefined, undefined, () => {}), // a channel that broke: 'disconnect' follows
  onMessage: (listener) => void process.on('message', (message) => listener(message as ToWorker)),
  close: () => process.disconnect(),
});
