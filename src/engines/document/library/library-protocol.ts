import type { Passage } from '../contract.ts';

/** A document as the database has it: `lines` are packed. */
export interface PackedDocument {
  readonly id: string;
  readonly name: string;
  readonly lines: Uint8Array;
}

/** For the thread that is asked; `key` names a set of documents, whose contents never change. */
export type ToLibraryWorker = { readonly id: number; readonly key: string } & (
  | { readonly type: 'ask'; readonly question: string; readonly limit: number }
  | { readonly type: 'load'; readonly documents: readonly PackedDocument[] }
);

export type FromLibraryWorker = { readonly id: number } & (
  | { readonly type: 'found'; readonly passages: readonly Passage[] }
  /** The documents are not there: they are loaded, and asked again. */
  | { readonly type: 'unknown' }
  | { readonly type: 'loaded'; readonly characters: number }
  | { readonly type: 'failed'; readonly why: string }
);
