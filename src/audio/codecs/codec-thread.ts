import { type TransferListItem, Worker } from 'node:worker_threads';
import type { Clock, Timer } from '../../core/clock.ts';

export interface CodecThreadOptions {
  readonly url: URL;
  readonly clock: Clock;
  /** From sending a request to its answer; then the thread is given up. */
  readonly answerMs: number;
  readonly heapMbMax: number; // JavaScript objects; WebAssembly memory has limits of its own
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: Timer;
}

/**
 * A thread that answers requests in order. It starts when first asked; when it dies or does not answer in time every
 * request it had fails, and the next one starts a new thread. Keeps the process alive only while it owes an answer.
 */
export class CodecThread {
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 0;
  #closed = false;
  /** Threads that died or were given up. */
  failures = 0;

  constructor(private readonly options: CodecThreadOptions) {}

  /** Requests without an answer yet. */
  get owed(): number {
    return this.#waiting.size;
  }

  /** @returns what the thread answers. Rejects when the thread dies, takes too long or was closed. */
  ask(request: object, transfer: readonly TransferListItem[] = []): Promise<unknown> {
    if (this.#closed) return Promise.reject(new Error('the codec thread is closed'));
    try {
      this.#worker ??= this.#start();
    } catch (error) {
      return Promise.reject(error); // no thread left
    }
    const worker = this.#worker;
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const late = new Error(`no answer of the codec thread in ${this.options.answerMs} ms`);
      const timer = this.options.clock.setTimer(this.options.answerMs, () => this.#fail(worker, late));
      this.#waiting.set(id, { resolve, reject, timer });
      worker.ref();
      worker.postMessage({ id, request }, transfer);
    });
  }

  /** Lets the thread go after what it still owes is dropped; the next request starts a fresh one. */
  recycle(): void {
    if (this.#worker) this.#fail(this.#worker, new Error('the codec thread was replaced'), false);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.recycle();
  }

  #start(): Worker {
    const worker = new Worker(this.options.url, {
      resourceLimits: { maxOldGenerationSizeMb: this.options.heapMbMax, maxYoungGenerationSizeMb: 32 },
      stdout: true, // decoders complain there about what people upload
      stderr: true,
    });
    worker.stdout.resume();
    worker.stderr.resume();
    worker.unref();
    worker.on('message', (message: { id: number; answer?: unknown; error?: string }) => this.#settle(worker, message));
    worker.on('error', (error) => this.#fail(worker, error as Error));
    worker.on('exit', (code) => this.#fail(worker, new Error(`the codec thread ended with ${code}`)));
    return worker;
  }

  #settle(worker: Worker, message: { id: number; answer?: unknown; error?: string }): void {
    const waiting = this.#waiting.get(message.id);
    if (worker !== this.#worker || !waiting) return;
    this.#waiting.delete(message.id);
    this.options.clock.clearTimer(waiting.timer);
    if (this.#waiting.size === 0) worker.unref();
    if (message.error !== undefined) waiting.reject(new Error(message.error));
    else waiting.resolve(message.answer);
  }

  #fail(worker: Worker, error: Error, isFailure = true): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    if (isFailure) this.failures += 1;
    void worker.terminate();
    for (const waiting of this.#waiting.values()) {
      this.options.clock.clearTimer(waiting.timer);
      waiting.reject(error);
    }
    this.#waiting.clear();
  }
}
