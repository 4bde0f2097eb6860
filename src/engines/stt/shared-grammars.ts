import type { RecognitionGrammar } from './grammar.ts';
import type { Handle, SphinxLibrary } from './sphinx-library.ts';

/**
 * Grammars as the library reads them, one for all decoders of a thread: a third of what a compiled grammar takes, the rest is
 * each decoder's own. For one thread: the library counts its users without a lock.
 */
export class SharedGrammars {
  readonly #read = new Map<string, { readonly handle: Handle; users: number }>();
  constructor(readonly library: SphinxLibrary) {}

  /** Grammars that some decoder has. */
  get size(): number {
    return this.#read.size;
  }

  /** For one decoder more. @returns undefined when the text is refused. */
  take(decoder: Handle, { key, text }: Pick<RecognitionGrammar, 'key' | 'text'>): Handle | undefined {
    const known = this.#read.get(key);
    if (known) {
      known.users += 1;
      return known.handle;
    }
    const handle = this.library.readGrammar(decoder, text);
    if (handle !== undefined) this.#read.set(key, { handle, users: 1 });
    return handle;
  }

  /** One decoder has it no more. */
  giveBack(key: string): void {
    const known = this.#read.get(key);
    if (!known) return;
    known.users -= 1;
    if (known.users > 0) return;
    this.#read.delete(key);
    this.library.freeGrammar(known.handle);
  }
}
