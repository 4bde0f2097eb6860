import type { Language } from '../../../core/agent.ts';

/** Sentences to vectors of length one, near each other where they mean nearly the same. */
export interface SentenceEncoder {
  readonly languages: readonly Language[];
  /** In the order of the texts. Failure: rejects. */
  encode(texts: readonly string[]): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}
