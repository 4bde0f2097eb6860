import type { RecognitionGrammar } from './grammar.ts';
import type { SpeechModel } from './model-folder.ts';
import type { SharedGrammars } from './shared-grammars.ts';
import type { Handle, SphinxLibrary } from './sphinx-library.ts';

/** Words added to one decoder before it is made anew; the library cannot forget a word. */
const WORDS_MAX = 20_000;
/** Wider than the library's: with its own, one in ten short answers ended without any complete path. */
const BEAMS = ['-beam', '1e-60', '-pbeam', '1e-60', '-wbeam', '1e-40'];

/** The best path through a grammar: its tokens set apart by blanks, undefined when none was complete. */
export interface BestPath {
  readonly text: string | undefined;
  readonly score: number;
  readonly frames: number; // of 10 ms
}
const NO_PATH: BestPath = { text: undefined, score: 0, frames: 0 };

interface CompiledGrammar {
  readonly search: string; // its name in the library
  readonly characters: number; // of its text
}

/** One native decoder, for one stretch of speech at a time. It starts with an empty dictionary: 3.5 MB and 8 ms instead of 31 and 300. */
export class SphinxDecoder {
  #decoder: Handle;
  #words = new Set<string>();
  /** Compiled grammars by key, the least recently used first. */
  readonly #grammars = new Map<string, CompiledGrammar>();
  #characters = 0; // of #grammars together
  #grammarsMade = 0;
  #listening = false;

  /**
   * @param charactersMax - text of compiled grammars that is kept, the least recently used leave; one is kept whatever its
   *   length. A character of text takes about 85 bytes compiled: 5 MB and 25 ms for an agent of 330 phrases.
   * @param shared - what the decoders of this thread have in common: 45 bytes for each character.
   * @throws Error when the model is refused.
   */
  constructor(
    readonly library: SphinxLibrary,
    readonly model: SpeechModel,
    readonly charactersMax: number,
    readonly shared: SharedGrammars,
  ) {
    this.#decoder = this.#create();
  }

  /** For what takes its settings from a decoder. */
  get handle(): Handle {
    return this.#decoder;
  }

  /** Whether `grammar` is compiled already. */
  knows(grammar: RecognitionGrammar): boolean {
    return this.#grammars.has(grammar.key);
  }

  /** Begins a stretch. @returns false when the library refuses `grammar`. */
  start(grammar: RecognitionGrammar): boolean {
    this.stop();
    const search = this.#searchOf(grammar);
    if (search === undefined || this.library.setSearch(this.#decoder, search) < 0) return false;
    this.#forgetAllBut(this.charactersMax);
    this.#listening = this.library.startStretch(this.#decoder) >= 0;
    return this.#listening;
  }
  /** Hears the first `count` of the library's `frames`. */
  hear(count: number): void {
    if (this.#listening && count > 0) this.library.processFrames(this.#decoder, count);
  }
  /** Tokens of the best path so far, complete or not. */
  tokens(): readonly string[] {
    return (this.#listening && this.library.hypothesis(this.#decoder).text?.split(' ')) || [];
  }
  /** Ends the stretch. */
  finish(): BestPath {
    if (!this.#listening) return NO_PATH;
    this.stop();
    return { ...this.library.hypothesis(this.#decoder), frames: this.library.framesHeard(this.#decoder) };
  }
  /** Ends a stretch whose words nobody wants; idempotent. */
  stop(): void {
    if (this.#listening) this.library.endStretch(this.#decoder);
    this.#listening = false;
  }

  /** Gives its memory back; it is not used afterwards. */
  close(): void {
    this.stop();
    this.library.free(this.#decoder);
    for (const key of this.#grammars.keys()) this.shared.giveBack(key);
    this.#grammars.clear();
    this.#characters = 0;
  }

  #searchOf(grammar: RecognitionGrammar): string | undefined {
    if (grammar.text === '') return undefined;
    const known = this.#grammars.get(grammar.key);
    if (known !== undefined) {
      this.#grammars.delete(grammar.key);
      this.#grammars.set(grammar.key, known);
      return known.search;
    }
    if (this.#words.size + grammar.words.length > WORDS_MAX) {
      this.close();
      this.#words = new Set();
      this.#decoder = this.#create();
    }
    for (const { token, phones } of grammar.words) {
      if (this.#words.has(token)) continue;
      this.#words.add(token);
      this.library.addWord(this.#decoder, token, phones);
    }
    this.#grammarsMade += 1;
    const search = `grammar-${this.#grammarsMade}`;
    const read = this.shared.take(this.#decoder, grammar);
    if (read === undefined) return undefined;
    if (!this.library.setGrammar(this.#decoder, search, read)) {
      this.shared.giveBack(grammar.key);
      return undefined;
    }
    const characters = grammar.text.length;
    this.#grammars.set(grammar.key, { search, characters });
    this.#characters += characters;
    return search;
  }

  /** The newest one stays, since it is in use: the library cannot take that away. */
  #forgetAllBut(charactersMax: number): void {
    for (const [key, { search, characters }] of this.#grammars) {
      if (this.#grammars.size === 1 || this.#characters <= charactersMax) return;
      this.#grammars.delete(key);
      this.#characters -= characters;
      this.library.unsetSearch(this.#decoder, search);
      this.shared.giveBack(key);
    }
  }

  /** Its frames come with their mean taken away: see `GrammarListener`. */
  #create(): Handle {
    const { folder, seedDictionary } = this.model;
    const decoder = this.library.createDecoder([
      ...['-hmm', folder, '-dict', seedDictionary, '-samprate', '8000', '-nfft', '256', '-cmn', 'none', ...BEAMS],
    ]);
    if (decoder === undefined) throw new Error('the speech model was refused');
    return decoder;
  }
}
