import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { errorText } from '../../core/errors.ts';
import { isShortage, Shortage } from '../../core/shortage.ts';
import { workerUrl } from '../../core/worker-url.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './pocketsphinx-protocol.ts';

/** What such a thread makes are short-lived messages. Left to itself, V8 gives it 32 MB for them and never takes them back. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 6 };
/** The same of a process: three spaces of 2 MB. */
const PROCESS_FLAGS = ['--max-semi-space-size=2', '--max-old-space-size=64'];

/** Where a recogniser is at work: a thread, or a process of its own. */
export interface RecogniserHost {
  /** `samples` of an audio message may not be touched again. */
  post(message: ToWorker): void;
  /** Asks it to end by itself, which it does when it comes back from native code. */
  dismiss(): void;
  /** It is of no use any more, and may be stuck. */
  abandon(): void;
  /** When it has ended; this process waits for it. `release` when nobody waits any more. */
  ended(): { readonly over: Promise<void>; readonly release: () => void };
}
export interface HostEvents {
  heard(message: FromWorker): void;
  /** It ended without being asked to, perhaps more than once. @param short - there was nothing left to work with. */
  gone(why: string, short: boolean): void;
}

/** @throws what Worker throws: no thread is left. */
export function startRecogniserThread(setup: WorkerSetup, events: HostEvents): RecogniserHost {
  const worker = new Worker(workerUrl(import.meta.url, './pocketsphinx-worker'), {
    workerData: setup,
    resourceLimits: THREAD_LIMITS,
  });
  worker.unref();
  worker.on('message', events.heard);
  worker.on('error', (error) => events.gone(error.message, isShortage(error)));
  worker.on('exit', (code) => events.gone(`the thread ended with ${code}`, false));
  // A thread that is terminated inside a native call takes the whole process with it: it is asked, whatever happened.
  const dismiss = (): void => worker.postMessage({ type: 'close' } satisfies ToWorker);
  return {
    post(message) {
      const transfer = message.type === 'audio' ? [message.samples.buffer as ArrayBuffer] : [];
      worker.postMessage(message, transfer);
    },
    dismiss,
    abandon: dismiss,
    ended() {
      worker.ref();
      return { over: exitOf(worker), release: () => worker.unref() };
    },
  };
}

/**
 * All that a process took goes back to the system with it, and a library that crashes in it ends nobody's call.
 *
 * @throws Shortage when no process or descriptor is left.
 */
export function startRecogniserProcess(setup: WorkerSetup, events: HostEvents): RecogniserHost {
  const main = fileURLToPath(workerUrl(import.meta.url, './recogniser-process-main'));
  const child = fork(main, [JSON.stringify(setup)], {
    execArgv: PROCESS_FLAGS,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.on('error', (error) => events.gone(errorText(error), isShortage(error)));
  if (!isConnected(child)) throw new Shortage('no file descriptor for the recogniser process');
  setReferenced(child, false);
  child.on('message', (message) => events.heard(message as FromWorker));
  child.once('exit', (code, killedBy) => events.gone(`the process ended with ${code ?? killedBy}`, false));
  return {
    post(message) {
      if (child.connected) child.send(message, () => {}); // a channel that broke: 'exit' follows
    },
    dismiss() {
      if (child.connected) child.disconnect();
    },
    abandon: () => void child.kill('SIGKILL'),
    ended() {
      setReferenced(child, true);
      const isOver = child.exitCode !== null || child.signalCode !== null;
      const over = isOver ? Promise.resolve() : exitOf(child);
      return { over, release: () => setReferenced(child, false) };
    },
  };
}

function exitOf(host: Worker | ChildProcess): Promise<void> {
  return new Promise((resolve) => void host.once('exit', () => resolve()));
}

/** Without a free descriptor Node makes no channel, and tells why by an event. */
function isConnected(child: ChildProcess): boolean {
  return child.connected === true && child.channel !== undefined && child.channel !== null;
}

function setReferenced(child: ChildProcess, referenced: boolean): void {
  if (referenced) child.ref();
  else {
    child.unref();
    child.channel?.unref();
  }
}
