import type { Clock } from '../../core/clock.ts';
import { ServiceError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import type { DocumentAnswer, DocumentQuestion, DocumentReader } from './contract.ts';
import { DocumentThread, type ThreadLimits, type ThreadOutcome } from './document-thread.ts';
import type { ModelQuestion } from './model-answer.ts';

export interface DocumentReaderLimits extends ThreadLimits {
  readonly threads: number; // documents read at once
  readonly queue: number; // questions that may wait; the next one is refused
}

export interface DocumentReaderOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits?: Partial<DocumentReaderLimits>;
}

/** Real documents stay far below: 8 MB of text took 1.1 s and 150 MB on one core. A bomb that fills memory is stopped at 240 MB. */
export const DOCUMENT_LIMITS: DocumentReaderLimits = {
  threads: 1,
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
  #nextId = 1;
  #closed = false;

  constructor(readonly options: DocumentReaderOptions) {
    this.#limits = { ...DOCUMENT_LIMITS, ...options.limits };
    this.#threads = Array.from({ length: this.#limits.threads }, () => new DocumentThread(options.clock, this.#limits));
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
      const thread = this.#threads.find((one) => !one.busy);
      if (thread) this.#run(thread, waiting);
      else if (this.#waiting.length >= this.#limits.queue) reject(new ServiceError('unavailable'));
      else this.#queue(waiting);
    });
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

  #run(thread: DocumentThread, { question, passages, signal, resolve, reject }: Waiting): void {
    const startedMs = this.options.clock.nowMs();
    const stop = (): void => thread.stop('aborted');
    signal.addEventListener('abort', stop, { once: true });
    const id = this.#nextId;
    this.#nextId += 1;
    const job = {
      id,
      file: new Uint8Array(question.file), // a copy, which the thread takes over
      mimeType: question.mimeType,
      filename: question.filename,
      question: question.question,
      passages,
    };
    void thread.run(job).then((outcome) => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) reject(signal.reason);
      else if (outcome.type === 'answer') resolve(outcome);
      else reject(this.#refusal(outcome, question, startedMs));
      const next = this.#closed ? undefined : this.#waiting.shift();
      if (next) this.#run(thread, next);
    });
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
        : new ServiceError('invalid_document');
    }
    this.options.logger.warn(fields, 'document thread failed');
    return this.#closed ? new ServiceError('unavailable') : new ServiceError('answer_failed');
  }
}

/** The embedded document reader, `retrieval` in the configuration. */
export function createDocumentReader(options: DocumentReaderOptions): RetrievalReader {
  return new RetrievalReader(options);
}
