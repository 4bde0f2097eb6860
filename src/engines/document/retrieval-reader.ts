import type { Clock } from '../../core/clock.ts';
import { ServiceError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { isShortage } from '../../core/shortage.ts';
import type { DocumentAnswer, DocumentQuestion, DocumentReader } from './contract.ts';
import { DocumentThread, type ThreadLimits, type ThreadOutcome } from './document-thread.ts';
import type { ModelQuestion } from './model-answer.ts';

export interface DocumentReaderLimits extends ThreadLimits {
  readonly threads: number; // documents read at once
  /**
   * Of these, how many may be large: small ones never wait behind them. At least one is always allowed. So many
   * allowances of memory there are for all threads: real documents take less than half of one.
   */
  readonly largeAtOnce: number;
  readonly queue: number; // questions that may wait; the next one is refused
}

export interface DocumentReaderOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits?: Partial<DocumentReaderLimits>;
}

/** Real documents stay far below: 8 MB of text took 1.1 s and 150 MB on one core. A bomb that fills memory is stopped at 240 MB. */
export const DOCUMENT_LIMITS: DocumentReaderLimits = {
  threads: 4,
  largeAtOnce: 2,
  queue: 32,
  timeLimitMs: 9_000,
  heapMb: 192,
  growthMb: 208,
  idleMs: 60_000,
  jobsMax: 200,
};

/** The answer of retrieval and, where they were wanted, the passages a model may read. */
export interface Retrieved {
  readonly answer: DocumentAnswer;
  readonly passages: ModelQuestion | undefined;
}

/** A document of this size keeps a thread busy for a tenth of a second or more. */
const LARGE_BYTES = 512 * 1024;
/** What is copied at one go: the process must stay free for telephone calls. */
const COPIED_BYTES = 512 * 1024;

/** A document, and what is asked of it; its text is wanted where nothing is. */
type Job = Omit<DocumentQuestion, 'question'> & { readonly question: string | undefined };
/** The text of a document, or why there is none: for good, or `spent`, more than any real document takes. */
export type ReadOutcome = Extract<ThreadOutcome, { readonly type: 'text' | 'refused' | 'spent' }>;

interface Waiting {
  readonly job: Job;
  readonly passages: boolean;
  readonly signal: AbortSignal;
  readonly resolve: (outcome: ThreadOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Answers with the lines of the document that hold the answer. No model, no network; see `retrieval/`. */
export class RetrievalReader implements DocumentReader {
  readonly name = 'retrieval';
  readonly #limits: DocumentReaderLimits;
  readonly #threads: DocumentThread[];
  readonly #waiting: Waiting[] = [];
  readonly #taken = new Set<DocumentThread>();
  #large = 0;
  #nextId = 1;
  #closed = false;

  constructor(readonly options: DocumentReaderOptions) {
    this.#limits = { ...DOCUMENT_LIMITS, ...options.limits };
    this.#threads = Array.from(
      { length: this.#limits.threads },
      () =>
        new DocumentThread(options.clock, this.#limits, {
          running: () => Math.min(this.#taken.size, Math.max(1, this.#limits.largeAtOnce)),
        }),
    );
  }

  async ask(question: DocumentQuestion, signal: AbortSignal): Promise<DocumentAnswer> {
    return (await this.#answer(question, false, signal)).answer;
  }

  /** The same with the passages for a model. */
  retrieve(question: DocumentQuestion, signal: AbortSignal): Promise<Retrieved> {
    return this.#answer(question, true, signal);
  }

  /**
   * The text of a document, to be kept and asked later, or why there is none.
   *
   * @throws ServiceError `unavailable`, or `answer_failed` where the reader was lost: another time it may go well.
   */
  async read(document: Omit<DocumentQuestion, 'question'>, signal: AbortSignal): Promise<ReadOutcome> {
    const outcome = await this.#run({ ...document, question: undefined }, false, signal);
    if (outcome.type === 'text' || outcome.type === 'refused' || outcome.type === 'spent') return outcome;
    throw this.#refusal(outcome, document.mimeType);
  }

  async #answer(question: DocumentQuestion, passages: boolean, signal: AbortSignal): Promise<Retrieved> {
    const outcome = await this.#run(question, passages, signal);
    if (outcome.type !== 'answer') throw this.#refusal(outcome, question.mimeType);
    return outcome;
  }

  /** @throws the signal's reason, or ServiceError where the document is not looked at. */
  #run(job: Job, passages: boolean, signal: AbortSignal): Promise<ThreadOutcome> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#closed) return Promise.reject(new ServiceError('unavailable'));
    if (job.file.length === 0) return Promise.reject(new ServiceError('invalid_document'));
    return new Promise((resolve, reject) => {
      const waiting = { job, passages, signal, resolve, reject };
      const thread = this.#threadFor(waiting);
      if (thread) this.#start(thread, waiting);
      else if (this.#waiting.length >= this.#limits.queue) reject(new ServiceError('unavailable'));
      else this.#queue(waiting);
    });
  }

  #threadFor({ job }: Waiting): DocumentThread | undefined {
    if (isLarge(job) && this.#large >= Math.max(1, this.#limits.largeAtOnce)) return undefined;
    return this.#threads.find((one) => !this.#taken.has(one));
  }

  /** Ends the threads; questions under way are refused. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(new ServiceError('unavailable'));
    for (const thread of this.#threads) thread.stop('closed');
  }

  #queue(waiting: Waiting): void {
    this.#waiting.push(waiting);
    waiting.signal.addEventListener(
      'abort',
      () => {
        const at = this.#waiting.indexOf(waiting);
        if (at < 0) return;
        this.#waiting.splice(at, 1);
        waiting.reject(waiting.signal.reason);
      },
      { once: true },
    );
  }

  #start(thread: DocumentThread, waiting: Waiting): void {
    const { job, signal } = waiting;
    const large = isLarge(job) ? 1 : 0;
    this.#taken.add(thread);
    this.#large += large;
    const startedMs = this.options.clock.nowMs();
    void this.#outcome(thread, waiting).then((outcome) => {
      this.#taken.delete(thread);
      this.#large -= large;
      if (signal.aborted) waiting.reject(signal.reason);
      else {
        this.#log(outcome, job, startedMs);
        waiting.resolve(outcome);
      }
      if (!this.#closed) this.#runWaiting();
    });
  }

  /** Starts what waits, in order; a large document that may not run yet is passed by smaller ones. */
  #runWaiting(): void {
    for (const waiting of [...this.#waiting]) {
      const thread = this.#threadFor(waiting);
      if (!thread) continue;
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      this.#start(thread, waiting);
    }
  }

  async #outcome(thread: DocumentThread, { job, passages, signal }: Waiting): Promise<ThreadOutcome> {
    // The thread takes the copy over.
    const file = isLarge(job) ? await copyOf(job.file) : new Uint8Array(job.file);
    if (signal.aborted || this.#closed) return { type: 'lost', why: 'aborted' };
    const stop = (): void => thread.stop('aborted');
    signal.addEventListener('abort', stop, { once: true });
    const id = this.#nextId;
    this.#nextId += 1;
    const { mimeType, filename, question } = job;
    const wanted = { id, file, mimeType, filename, question, passages };
    const outcome = await thread.run(wanted, [file.buffer as ArrayBuffer]);
    signal.removeEventListener('abort', stop);
    return outcome;
  }

  #log(outcome: ThreadOutcome, { mimeType, file }: Job, startedMs: number): void {
    if (outcome.type === 'answer' || outcome.type === 'text') return;
    const { type, why } = outcome;
    const tookMs = Math.round(this.options.clock.nowMs() - startedMs);
    const fields = { outcome: type, why, mimeType: mimeType.slice(0, 100), bytes: file.length, tookMs };
    if (type === 'refused' || type === 'spent') this.options.logger.info(fields, 'document refused');
    else this.options.logger.warn(fields, 'document thread failed');
  }

  #refusal(outcome: ThreadOutcome, mimeType: string): ServiceError {
    if (outcome.type === 'refused' && outcome.code === 'unsupported_document') {
      return new ServiceError('unsupported_document', mimeType.slice(0, 100));
    }
    if (outcome.type === 'refused') return new ServiceError('invalid_document', '', { reason: outcome.why });
    if (outcome.type === 'spent') return new ServiceError('invalid_document', '', { reason: TOO_MUCH });
    const cause = 'cause' in outcome ? outcome.cause : undefined;
    return this.#closed || isShortage(cause)
      ? new ServiceError('unavailable', '', { cause })
      : new ServiceError('answer_failed');
  }
}

const TOO_MUCH = 'more than can be read in the time and memory of one document';

function isLarge({ file }: Job): boolean {
  return file.length >= LARGE_BYTES;
}

/** A copy made piece by piece: 8 MB at once would hold the process for some milliseconds. */
async function copyOf(file: Uint8Array): Promise<Uint8Array> {
  const copy = new Uint8Array(file.length);
  for (let at = 0; at < file.length; at += COPIED_BYTES) {
    copy.set(file.subarray(at, at + COPIED_BYTES), at);
    if (at + COPIED_BYTES < file.length) await new Promise((resolve) => setImmediate(resolve));
  }
  return copy;
}

/** The embedded document reader, `retrieval` in the configuration. */
export function createDocumentReader(options: DocumentReaderOptions): RetrievalReader {
  return new RetrievalReader(options);
}
