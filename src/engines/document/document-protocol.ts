import type { DocumentAnswer } from './contract.ts';
import type { ModelQuestion } from './model-answer.ts';

/** One question for the document thread. `file` is handed over with its buffer. */
export interface ToDocumentWorker {
  readonly id: number;
  readonly file: Uint8Array;
  readonly mimeType: string;
  readonly filename: string | undefined;
  readonly question: string;
  /** Whether the passages for a model are wanted beside the answer. */
  readonly passages?: boolean;
}

export type FromDocumentWorker =
  | {
      readonly id: number;
      readonly type: 'answer';
      readonly answer: DocumentAnswer;
      readonly passages: ModelQuestion | undefined;
    }
  | {
      readonly id: number;
      readonly type: 'refused';
      readonly code: 'invalid_document' | 'unsupported_document';
      readonly why: string;
    }
  | { readonly id: number; readonly type: 'failed'; readonly why: string };
