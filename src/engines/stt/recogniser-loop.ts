import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { systemClock } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import { FreeRecogniser } from './free-recogniser.ts';
import type { RecogniserMessage, Say, ToWorker, WorkerSetup } from './pocketsphinx-protocol.ts';
import { Recogniser } from './recogniser.ts';
import { loadSphinxLibrary, type SphinxLibrary } from './sphinx-library.ts';

/**
 * Of this thread alone (Linux): when there is more speech than processor, answers come later, and calls still come in. Half the
 * share of an ordinary thread: with 10 it was a tenth, and beside two busy programs no sentence was recognised in time.
 */
const NICE = 3;

/** Its owner's end. */
export interface RecogniserPort {
  readonly say: Say;
  onMessage(listener: (message: ToWorker) => void): void;
  /** Nothing more is heard or said. */
  close(): void;
}

/** A recogniser at work, until it is told to close: everything native happens here. */
export function runRecogniser(setup: WorkerSetup, port: RecogniserPort): void {
  try {
    setPriority(0, NICE);
  } catch {
    // Where it is not allowed, all threads are equal.
  }
  try {
    serve(setup, port, makeRecogniser(setup, loadSphinxLibrary(), port.say));
    port.say({ type: 'ready' });
  } catch (error) {
    port.say({ type: 'unable', why: errorText(error) });
  }
}

function serve(setup: WorkerSetup, port: RecogniserPort, recogniser: ThreadRecogniser): void {
  let working = false;
  let closed = false;
  const idle = setTimeout(() => {
    if (closed) return;
    if (recogniser.release()) port.say({ type: 'idle' });
    else idle.refresh();
  }, setup.idleMs).unref();
  // Between two steps of work every message that came is handled: finals never wait for interims.
  const work = (): void => {
    working = !closed && (recogniser.work?.() ?? false);
    if (working) setImmediate(work);
  };
  port.onMessage((message) => {
    if (closed) return; // what was under way: nothing native is there any more, and nothing may be freed twice
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

function makeRecogniser(setup: WorkerSetup, library: SphinxLibrary, say: Say): ThreadRecogniser {
  const { model, free } = setup;
  if (!free) return new Recogniser(setup, library, readFileSync(model.dictionary), say, systemClock);
  return new FreeRecogniser(model, setup, library, say, systemClock);
}
