import { Worker } from 'node:worker_threads';
import type { Clock, Timer } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import { workerUrl } from '../../core/worker-url.ts';
import { ownWords } from '../../language/own-words.ts';
import type { FromDocumentWorker, ToDocumentWorker } from './document-protocol.ts';

export interface ThreadLimits {
  readonly timeLimitMs: number; // of one document
  readonly heapMb: number; // JavaScript heap of the thread
  /** Growth of the whole process while a document is read: buffers stand outside the heap, where only this sees them. */
  readonly growthMb: number;
  readonly idleMs: number; // a thread that has nothing to do ends, and gives its memory back
  readonly jobsMax: number; // and is renewed after so many documents
}

/** How a job ended. `spent`: the document took more time or memory than any real one does. */
export type ThreadOutcome<Answer = FromDocumentWorker> =
  | Answer
  | { readonly type: 'spent'; readonly why: 'time' | 'memory' }
  | { readonly type: 'lost'; readonly why: string; readonly cause?: unknown };

const WATCH_MS = 25;
const YOUNG_HEAP_MB = 24;
const STACK_MB = 4;
const MB = 1024 * 1024;

/** What a thread sees of the whole process. */
export interface ProcessView {
  residentBytes(): number;
  /** Documents being read at the moment: each may let the process grow. */
  running(): number;
}

/** What a thread runs. */
export interface ThreadProgram {
  readonly name: string;
  readonly url: URL;
}
export const DOCUMENT_PROGRAM: ThreadProgram = {
  name: 'document',
  url: workerUrl(import.meta.url, './document-worker'),
};

/** One thread that does one job at a time; it starts with a job and is thrown away when a job goes wrong. */
export class DocumentThread<Job = ToDocumentWorker, Answer = FromDocumentWorker> {
  #worker: Worker | undefined;
  #settle: ((outcome: ThreadOutcome<Answer>) => void) | undefined;
  #jobs = 0;
  #limit: Timer | undefined;
  #watch: Timer | undefined;
  #idle: Timer | undefined;

  constructor(
    readonly clock: Clock,
    readonly limits: ThreadLimits,
    readonly process: Partial<ProcessView> = {},
    readonly program: ThreadProgram = DOCUMENT_PROGRAM,
  ) {}

  /** 0 when it cannot be told: the system's answer is read from a file, and there may be no descriptor left for it. */
  get #residentBytes(): number {
    try {
      return this.process.residentBytes?.() ?? process.memoryUsage.rss();
    } catch {
      return 0;
    }
  }

  get busy(): boolean {
    return this.#settle !== undefined;
  }

  /** Runs one job; the buffers of `handed` are handed over. Call only when not busy. */
  run(job: Job, handed: readonly ArrayBuffer[] = []): Promise<ThreadOutcome<Answer>> {
    this.clock.clearTimer(this.#idle);
    let worker: Worker;
    try {
      worker = this.#worker ?? this.#start();
    } catch (cause) {
      return Promise.resolve({ type: 'lost', why: errorText(cause), cause }); // no thread left
    }
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#limit = this.clock.setTimer(this.limits.timeLimitMs, () => this.#throwAway({ type: 'spent', why: 'time' }));
      this.#watchMemory(this.#residentBytes || undefined);
      worker.postMessage(job, handed);
    });
  }

  /** Ends the thread; a running job ends as `lost`. */
  stop(why: string): void {
    this.clock.clearTimer(this.#idle);
    this.#throwAway({ type: 'lost', why });
  }

  #start(): Worker {
    const worker = new Worker(this.program.url, {
      name: this.program.name,
      execArgv: [],
      env: {},
      workerData: { ownWords: ownWords() },
      resourceLimits: {
        maxOldGenerationSizeMb: this.limits.heapMb,
        maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
        stackSizeMb: STACK_MB,
      },
    });
    worker.unref();
    this.#worker = worker;
    this.#jobs = 0;
    worker.on('message', (message: Answer) => {
      if (this.#worker === worker) this.#finish(message);
    });
    worker.on('error', (error: Error & { readonly code?: string }) => {
      if (this.#worker !== worker) return;
      const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY' || error instanceof RangeError;
      this.#throwAway(memory ? { type: 'spent', why: 'memory' } : { type: 'lost', why: error.message, cause: error });
    });
    worker.on('exit', (code) => {
      if (this.#worker === worker) this.#throwAway({ type: 'lost', why: `the thread ended with ${code}` });
    });
    return worker;
  }

  #finish(outcome: ThreadOutcome<Answer>): void {
    const settle = this.#settle;
    if (!settle) return;
    this.#settle = undefined;
    this.clock.clearTimer(this.#limit);
    this.clock.clearTimer(this.#watch);
    this.#jobs += 1;
    if (this.#worker && this.#jobs >= this.limits.jobsMax) this.#end();
    else if (this.#worker) this.#idle = this.clock.setTimer(this.limits.idleMs, () => this.#end());
    settle(outcome);
  }

  #throwAway(outcome: ThreadOutcome<Answer>): void {
    this.#end();
    this.#finish(outcome);
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }

  /** @param beforeBytes - of the process when the job began; undefined: not known yet. */
  #watchMemory(beforeBytes: number | undefined): void {
    this.#watch = this.clock.setTimer(WATCH_MS, () => {
      if (beforeBytes === undefined) return this.#watchMemory(this.#residentBytes || undefined);
      const growthMb = this.limits.growthMb * Math.max(1, this.process.running?.() ?? 1);
      if (this.#residentBytes > beforeBytes + growthMb * MB) this.#throwAway({ type: 'spent', why: 'memory' });
      else this.#watchMemory(beforeBytes);
    });
  }
}
