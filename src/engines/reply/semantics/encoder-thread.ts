import { Worker } from 'node:worker_threads';
import { errorText, OperatorError } from '../../../core/errors.ts';
import { workerUrl } from '../../../core/worker-url.ts';
import type { SentenceEncoder } from './encoder.ts';
import type { EncoderThreadData, FromEncoder, ToEncoder } from './encoder-protocol.ts';

interface Waiting {
  resolve(vectors: readonly Float32Array[]): void;
  reject(error: Error): void;
}

/** Requests that wait; beyond it they are refused, and the callers are understood by words alone. */
const MAX_WAITING = 256;
/** A thread that failed so often is not started again. */
const MAX_STARTS = 3;

/** The sentence model of a folder in a thread of its own, started with the first request. */
export class EncoderThread implements SentenceEncoder {
  readonly languages = ['en'] as const;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #starts = 0;
  #requests = 0;
  #closed = false;

  constructor(private readonly folder: string) {}

  encode(texts: readonly string[]): Promise<readonly Float32Array[]> {
    if (texts.length === 0) return Promise.resolve([]);
    if (this.#waiting.size >= MAX_WAITING) return Promise.reject(new Error('too many sentences wait'));
    let worker: Worker;
    try {
      worker = this.#worker ?? this.#start();
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(errorText(error)));
    }
    return new Promise((resolve, reject) => {
      const id = this.#requests++;
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, texts } satisfies ToEncoder);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#lose(new Error('the sentence encoder was closed'));
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    if (this.#closed) throw new Error('the sentence encoder was closed');
    if (this.#starts >= MAX_STARTS) throw new OperatorError('the sentence encoder does not stay up');
    this.#starts += 1;
    const workerData: EncoderThreadData = { folder: this.folder };
    const worker = new Worker(workerUrl(import.meta.url, './encoder-worker'), {
      ...{ workerData, name: 'sentence-encoder', execArgv: [], env: {} },
    });
    worker.unref();
    this.#worker = worker;
    worker.on('message', (answer: FromEncoder) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if ('vectors' in answer) waiting?.resolve(answer.vectors);
      else waiting?.reject(new Error(answer.why));
    });
    const end = (error: Error): void => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#lose(error);
    };
    worker.on('error', end);
    worker.on('exit', (code) => end(new Error(`the thread of the sentence encoder ended with ${code}`)));
    return worker;
  }

  #lose(error: Error): void {
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of lost) reject(error);
  }
}
