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

interface Waiting {
  readonly question: DocumentQuestion;
  readonly passages: boolean;
  readonly signal: AbortSignal;
  readonly resolve: (retrieved: Retrieved) => void;
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
    return (await this.#retrieve(question, false, signal)).answer;
  }

  /** The same with the passages for a model. */
  retrieve(question: DocumentQuestion, signal: AbortSignal): Promise<Retrieved> {
    return this.#retrieve(question, true, signal);
  }

  #retrieve(question: DocumentQuestion, passages: boolean, signal: AbortSignal): Promise<Retrieved> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#closed) return Promise.reject(new ServiceError('unavailable'));
    if (question.file.length === 0) return Promise.reject(new ServiceError('invalid_document'));
    return new Promise((resolve, reject) => {
      const waiting = { question, passages, signal, resolve, reject };
      const thread = this.#threadFor(waiting);
      if (thread) this.#run(thread, waiting);
      else if (this.#waiting.length >= this.#limits.queue) reject(new ServiceError('unavailable'));
      else this.#queue(waiting);
    });
  }

  #threadFor({ question }: Waiting): DocumentThread | undefined {
    if (isLarge(question) && this.#large >= Math.max(1, this.#limits.largeAtOnce)) return undefined;
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

  #run(thread: DocumentThread, waiting: Waiting): void {
    const { question, signal } = waiting;
    const large = isLarge(question) ? 1 : 0;
    this.#taken.add(thread);
    this.#large += large;
    const startedMs = this.options.clock.nowMs();
    void this.#outcome(thread, waiting).then((outcome) => {
      this.#taken.delete(thread);
      this.#large -= large;
      if (signal.aborted) waiting.reject(signal.reason);
      else if (outcome.type === 'answer') waiting.resolve(outcome);
      else waiting.reject(this.#refusal(outcome, question, startedMs));
      if (!this.#closed) this.#runWaiting();
    });
  }

  /** Starts what waits, in order; a large document that may not run yet is passed by smaller ones. */
  #runWaiting(): void {
    for (const waiting of [...this.#waiting]) {
      const thread = this.#threadFor(waiting);
      if (!thread) continue;
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      this.#run(thread, waiting);
    }
  }

  async #outcome(thread: DocumentThread, { question, passages, signal }: Waiting): Promise<ThreadOutcome> {
    // The thread takes the copy over.
    const file = isLarge(question) ? await copyOf(question.file) : new Uint8Array(question.file);
    if (signal.aborted || this.#closed) return { type: 'lost', why: 'aborted' };
    const stop = (): void => thread.stop('aborted');
    signal.addEventListener('abort', stop, { once: true });
    const id = this.#nextId;
    this.#nextId += 1;
    const { mimeType, filename } = question;
    const outcome = await thread.run({ id, file, mimeType, filename, question: question.question, passages });
    signal.removeEventListener('abort', stop);
    return outcome;
  }

  #refusal(outcome: ThreadOutcome, question: DocumentQuestion, startedMs: number): ServiceError {
    const fields = {
      outcome: outcome.type,
      why: 'why' in outcome ? outcome.why : undefined,
      mimeType: question.mimeType.slice(0, 100),
      bytes: question.file.length,
      tookMs: Math.round(this.options.clock.nowMs() - startedMs),
    };
    if (outcome.type === 'refused' || outcome.type === 'spent') {
      this.options.logger.info(fields, 'document refused');
      const unsupported = outcome.type === 'refused' && outcome.code === 'unsupported_document';
      return unsupported
        ? new ServiceError('unsupported_document', question.mimeType.slice(0, 100))
        : new ServiceError('invalid_document', '', { reason: 'why' in outcome ? outcome.why : TOO_MUCH });
    }
    this.options.logger.warn(fields, 'document thread failed');
    const cause = 'cause' in outcome ? outcome.cause : undefined;
    return this.#closed || isShortage(cause)
      ? new ServiceError('unavailable', '', { cause })
      : new ServiceError('answer_failed');
  }
}

const TOO_MUCH = 'more than can be read in the time and memory of one document';

function isLarge({ file }: DocumentQuestion): boolean {
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
