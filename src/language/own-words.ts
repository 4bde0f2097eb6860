import { workerData } from 'node:worker_threads';
import type { Language } from '../core/agent.ts';

/** Words of one installation (`config/lexicon`), beside those that everybody has. */
export interface OwnWords {
  /** How a word or a few are said, by language. */
  readonly pronunciations: Readonly<Record<Language, ReadonlyMap<string, string>>>;
  /** People who are nobody by the lists of names. */
  readonly names: readonly string[];
  readonly neverNames: readonly string[];
  /** What callers speak of here and nowhere else. */
  readonly products: readonly string[];
  readonly stopWords: readonly string[];
}

export const NO_OWN_WORDS: OwnWords = {
  pronunciations: { ar: new Map(), en: new Map() },
  names: [],
  neverNames: [],
  products: [],
  stopWords: [],
};

/** Read once at a start, like all lists of words, and handed to threads in their `workerData`. */
let own: OwnWords = (workerData as { readonly ownWords?: OwnWords } | null)?.ownWords ?? NO_OWN_WORDS;

export function useOwnWords(words: OwnWords): void {
  own = words;
}
export function ownWords(): OwnWords {
  return own;
}

/** What is made of the words of this installation, once for each reading of its files. */
export function ofOwnWords<T>(make: (words: OwnWords) => T): () => T {
  let known: { readonly words: OwnWords; readonly made: T } | undefined;
  return () => {
    if (known?.words !== own) known = { words: own, made: make(own) };
    return known.made;
  };
}
