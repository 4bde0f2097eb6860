import { Worker } from 'node:worker_threads';
import type { Clock } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import type { SealKey } from '../../core/sealed-pieces.ts';
import { workerUrl } from '../../core/worker-url.ts';
import type { PcmRingMemory } from '../plane/pcm-ring.ts';

/** Stereo samples on their way to a file. */
export interface RecordedAudio {
  readonly ring: PcmRingMemory;
  readonly sampleRateHz: number;
}

export type ToRecorder =
  | { readonly type: 'start'; readonly id: number; readonly path: string; readonly audio: RecordedAudio }
  | { readonly type: 'stop'; readonly id: number }
  | { readonly type: 'shutdown' };

export type FromRecorder =
  | { readonly type: 'stopped'; readonly id: number; readonly durationMs: number }
  | { readonly type: 'failed'; readonly id: number; readonly reason: string };

/** A disk that hangs must not hold up the end of a call. */
const STOP_LIMIT_MS = 3_000;

interface Recording {
  readonly onFailed: (reason: string) => void;
  stopped: ((emptied: boolean) => void) | undefined;
}

/** Main-thread side of the recorder thread, which starts with the first recording. */
export class Recorder {
  #worker: Worker | undefined;
  readonly #recordings = new Map<number, Recording>();
  #nextId = 1;
  #closed = false;

  /** @param seal - what recordings are encrypted with from their first byte on. */
  constructor(
    readonly clock: Clock,
    private readonly seal?: SealKey,
  ) {}

  /** @returns an id for `stop`. `onFailed` is called at most once, and later: disk full, no such place, no thread. */
  start(path: string, audio: RecordedAudio, onFailed: (reason: string) => void): number {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#recordings.set(id, { onFailed, stopped: undefined });
    try {
      this.#thread().postMessage({ type: 'start', id, path, audio } satisfies ToRecorder);
    } catch (error) {
      queueMicrotask(() => this.#receive({ type: 'failed', id, reason: errorText(error) }));
    }
    return id;
  }

  /**
   * Resolves when the file is whole, or has failed, or the time limit has passed.
   *
   * @returns whether the recorder has done with the ring.
   */
  stop(id: number): Promise<boolean> {
    const recording = this.#recordings.get(id);
    const worker = this.#worker;
    if (!recording || !worker) return Promise.resolve(false);
    return new Promise((resolve) => {
      const done = (emptied: boolean): void => {
        this.clock.clearTimer(timer);
        this.#recordings.delete(id);
        resolve(emptied);
      };
      const timer = this.clock.setTimer(STOP_LIMIT_MS, () => done(false));
      recording.stopped = done;
      worker.postMessage({ type: 'stop', id } satisfies ToRecorder);
    });
  }

  /** Finishes every file and ends the thread. Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const worker = this.#worker;
    if (!worker) return;
    await new Promise<void>((resolve) => {
      // A thread stuck in a dead disk cannot even be terminated: do not wait for it either.
      const timer = this.clock.setTimer(STOP_LIMIT_MS, () => {
        void worker.terminate();
        resolve();
      });
      worker.once('exit', () => {
        this.clock.clearTimer(timer);
        resolve();
      });
      worker.postMessage({ type: 'shutdown' } satisfies ToRecorder);
    });
  }

  #thread(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(workerUrl(import.meta.url, './recorder-worker'), {
      ...{ name: 'recorder', execArgv: [] },
      workerData: { seal: this.seal },
    });
    worker.on('message', (message: FromRecorder) => this.#receive(message));
    worker.on('error', () => {}); // 'exit' follows
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const id of [...this.#recordings.keys()])
        this.#receive({ type: 'failed', id, reason: 'recorder thread ended' });
    });
    this.#worker = worker;
    return worker;
  }

  #receive(message: FromRecorder): void {
    const recording = this.#recordings.get(message.id);
    if (!recording) return;
    this.#recordings.delete(message.id);
    if (message.type === 'failed') recording.onFailed(message.reason);
    recording.stopped?.(message.type === 'stopped');
  }
}
