import { readFileSync } from 'node:fs';
import { Lexicon } from './lexicon.ts';
import type { SpeechModel } from './model-folder.ts';
import { SentenceDecoder } from './sentence-decoder.ts';
import type { SphinxLibrary } from './sphinx-library.ts';

/** Agents whose callers are heard at once, at 17 MB; the least recently heard one leaves, and is made anew in 0.3 s. */
const DECODERS_MAX = 4;
/** As many agents as have calls at the same time on one machine; a list takes 0.1 MB. */
const LISTS_MAX = 64;

/** The sentences of agents, and a decoder for each whose callers speak. For one thread, no waiting. */
export class SentenceDecoders {
  readonly #lists = new Map<number, readonly string[]>();
  readonly #decoders = new Map<number, SentenceDecoder>(); // the one used last is the last
  #lexicon: Lexicon | undefined;

  constructor(
    readonly library: SphinxLibrary,
    readonly model: SpeechModel,
  ) {}

  learn(list: number, lines: readonly string[]): void {
    this.#lists.set(list, lines);
    this.#leave(this.#lists, LISTS_MAX);
  }

  /**
   * @returns undefined where the list is not known (any more).
   * @throws Error when the decoder cannot be made.
   */
  of(list: number): SentenceDecoder | undefined {
    const lines = this.#lists.get(list);
    const known = this.#decoders.get(list);
    this.#decoders.delete(list);
    const decoder = known ?? (lines && this.#make(lines));
    if (!decoder) return undefined;
    this.#decoders.set(list, decoder);
    this.#leave(this.#decoders, DECODERS_MAX)?.close();
    return decoder;
  }

  release(): void {
    for (const decoder of this.#decoders.values()) decoder.close();
    this.#decoders.clear();
  }

  #make(lines: readonly string[]): SentenceDecoder {
    this.#lexicon ??= new Lexicon(readFileSync(this.model.dictionary));
    return new SentenceDecoder(this.library, this.model, this.#lexicon, lines);
  }

  /** Takes out the oldest one too many. */
  #leave<Kept>(kept: Map<number, Kept>, max: number): Kept | undefined {
    if (kept.size <= max) return undefined;
    const [oldest] = kept;
    if (oldest) kept.delete(oldest[0]);
    return oldest?.[1];
  }
}
