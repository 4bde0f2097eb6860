import type { DocumentAnswer } from './contract.ts';
import type { ModelQuestion } from './model-answer.ts';

/** One document for the document thread, and what is wanted of it. `file` is handed over with its buffer. */
export interface ToDocumentWorker {
  readonly id: number;
  readonly file: Uint8Array;
  readonly mimeType: string;
  readonly filename: string | undefined;
  /** Undefined: the text is wanted, to be asked later. */
  readonly question: string | undefined;
  /** Whether the passages for a model are wanted beside the answer. */
  readonly passages?: boolean;
}

/** The text of a document, to be kept. */
export interface DocumentText {
  readonly lines: Uint8Array; // see `packed-lines.ts`
  readonly characters: number;
  readonly words: number;
  readonly pages: number; // 1 where the format has none
  readonly excerpt: string; // how it begins
}

export type FromDocumentWorker =
  | {
      readonly id: number;
      readonly type: 'answer';
      readonly answer: DocumentAnswer;
      readonly passages: ModelQuestion | undefined;
    }
  | ({ readonly id: number; readonly type: 'text' } & DocumentText)
  | {
      readonly id: number;
      readonly type: 'refused';
      readonly code: 'invalid_document' | 'unsupported_document';
      readonly why: string;
    }
  | { readonly id: number; readonly type: 'failed'; readonly why: string };
