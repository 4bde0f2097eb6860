import { finiteStateText } from './finite-state.ts';
import type { RecognitionGrammar } from './grammar.ts';
import { PHONES } from './letter-to-sound.ts';
import { type SpeechModel, TELEPHONE_MEAN } from './model-folder.ts';
import { parsePattern } from './pattern.ts';
import type { SharedGrammars } from './shared-grammars.ts';
import type { Handle, SphinxLibrary } from './sphinx-library.ts';

/** Words added to one decoder before it is made anew; the library cannot forget a word. */
const WORDS_MAX = 20_000;
/** Wider than the library's: with its own, one in ten short answers ended without any complete path. */
const BEAMS = ['-beam', '1e-60', '-pbeam', '1e-60', '-wbeam', '1e-40'];
const ALL_SOUNDS = 'all-sounds';

export interface Decoded {
  /** Tokens of the best path; none when nothing fits. */
  readonly tokens: readonly string[];
  /** How much less likely per 10 ms the path is than the best chain of any sounds: 0 is as good, -20 is something else. */
  readonly fit: number;
}

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
  #live = false;

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

  /** Whether `grammar` is compiled already. */
  knows(grammar: RecognitionGrammar): boolean {
    return this.#grammars.has(grammar.key);
  }

  /** Compiles `grammar` unless it is known. @returns false when the library refuses it. */
  prepare(grammar: RecognitionGrammar): boolean {
    return this.#searchOf(grammar) !== undefined;
  }

  /**
   * Recognises a whole stretch, independently of everything heard before.
   *
   * @param samples - 8 kHz; a stretch of 3 s takes about 50 ms.
   */
  recognise(grammar: RecognitionGrammar, samples: Int16Array): Decoded {
    const search = this.#searchOf(grammar);
    if (search === undefined) return { tokens: [], fit: Number.NEGATIVE_INFINITY };
    const best = this.#run(search, samples);
    if (best.text === undefined) return { tokens: [], fit: Number.NEGATIVE_INFINITY };
    const sounds = this.#run(ALL_SOUNDS, samples);
    return { tokens: best.text.split(' '), fit: (best.score - sounds.score) / Math.max(1, best.frames) };
  }

  /** Begins to listen as speech arrives. */
  startLive(grammar: RecognitionGrammar): boolean {
    const search = this.#searchOf(grammar);
    if (search === undefined || this.library.setSearch(this.#decoder, search) < 0) return false;
    this.#live = this.library.startStretch(this.#decoder) >= 0;
    return this.#live;
  }
  /** Tokens of the best path so far. */
  feedLive(samples: Int16Array): readonly string[] {
    if (!this.#live || this.library.process(this.#decoder, samples, false) < 0) return [];
    return this.library.hypothesis(this.#decoder).text?.split(' ') ?? [];
  }
  stopLive(): void {
    if (this.#live) this.library.endStretch(this.#decoder);
    this.#live = false;
  }

  /** Starts anew, with no grammar and no words. Not while it listens. */
  forget(): void {
    this.#free();
    this.#words = new Set();
    this.#decoder = this.#create();
  }

  /** Gives its memory back; it is not used afterwards. */
  close(): void {
    this.stopLive();
    this.#free();
  }

  #free(): void {
    this.library.free(this.#decoder);
    for (const key of this.#grammars.keys()) this.shared.giveBack(key);
    this.#grammars.clear();
    this.#characters = 0;
    this.shared.giveBack(ALL_SOUNDS);
  }

  #run(search: string, samples: Int16Array): { text: string | undefined; score: number; frames: number } {
    const { library } = this;
    if (library.setSearch(this.#decoder, search) < 0 || library.startStretch(this.#decoder) < 0)
      throw new Error('the decoder does not start');
    library.process(this.#decoder, samples, true);
    library.endStretch(this.#decoder);
    return { ...library.hypothesis(this.#decoder), frames: library.frames(this.#decoder) };
  }

  #searchOf(grammar: RecognitionGrammar): string | undefined {
    if (grammar.text === '') return undefined;
    const known = this.#grammars.get(grammar.key);
    if (known !== undefined) {
      this.#grammars.delete(grammar.key);
      this.#grammars.set(grammar.key, known);
      return known.search;
    }
    if (this.#words.size + grammar.words.length > WORDS_MAX) this.forget();
    for (const { token, phones } of grammar.words) {
      if (this.#words.has(token)) continue;
      this.#words.add(token);
      this.library.addWord(this.#decoder, token, phones);
    }
    const characters = grammar.text.length;
    while (this.#grammars.size > 0 && this.#characters + characters > this.charactersMax) this.#forgetOldest();
    this.#grammarsMade += 1;
    const search = `grammar-${this.#grammarsMade}`;
    if (!this.#compile(this.#decoder, search, grammar)) return undefined;
    this.#grammars.set(grammar.key, { search, characters });
    this.#characters += characters;
    return search;
  }

  #compile(decoder: Handle, search: string, grammar: Pick<RecognitionGrammar, 'key' | 'text'>): boolean {
    const read = this.shared.take(decoder, grammar);
    if (read === undefined) return false;
    if (this.library.setGrammar(decoder, search, read)) return true;
    this.shared.giveBack(grammar.key);
    return false;
  }

  #forgetOldest(): void {
    const oldest = this.#grammars.entries().next().value;
    if (!oldest) return;
    const [key, { search, characters }] = oldest;
    this.#grammars.delete(key);
    this.#characters -= characters;
    // The search in use cannot be taken away, so another one is put into use first.
    this.library.setSearch(this.#decoder, ALL_SOUNDS);
    this.library.unsetSearch(this.#decoder, search);
    this.shared.giveBack(key);
  }

  #create(): Handle {
    const decoder = this.library.createDecoder([
      ...['-hmm', this.model.folder, '-dict', this.model.seedDictionary, '-samprate', '8000', '-nfft', '256', ...BEAMS],
      ...TELEPHONE_MEAN,
    ]);
    if (decoder === undefined) throw new Error('the speech model was refused');
    const sounds = PHONES.map((phone) => `~p.${phone.toLowerCase()}`);
    for (const [i, token] of sounds.entries()) {
      this.#words.add(token);
      this.library.addWord(decoder, token, PHONES[i] ?? '');
    }
    const text = finiteStateText(parsePattern(`(${sounds.join(' | ')})+`, new Map()));
    if (this.#compile(decoder, ALL_SOUNDS, { key: ALL_SOUNDS, text })) return decoder;
    this.library.free(decoder);
    throw new Error('the sounds of the speech model were refused');
  }
}
