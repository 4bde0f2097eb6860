import { readFileSync } from 'node:fs';
import { Lexicon } from './lexicon.ts';
import type { SpeechModel } from './model-folder.ts';
import { type HeardSentence, SentenceDecoder } from './sentence-decoder.ts';
import type { SphinxLibrary } from './sphinx-library.ts';

/** At once, at 17 MB; the least recently used one of another agent leaves for a new one, which is made in 0.6 s. */
const DECODERS_MAX = 4;
/** Of those, how many hear somebody as they speak: one is always left for what is over. */
const LIVE_MAX = DECODERS_MAX - 1;
/** As many agents as have calls at the same time on one machine; a list takes 0.1 MB. */
const LISTS_MAX = 64;

/** A decoder for the callers of one agent. */
interface Decoder {
  readonly list: number;
  readonly decoder: SentenceDecoder;
}

/** The sentences of agents, and decoders for those whose callers speak. For one thread, no waiting. */
export class SentenceDecoders {
  readonly #lists = new Map<number, readonly string[]>();
  #spare: readonly Decoder[] = []; // the one used last is the last
  #lent = 0;
  #lexicon: Lexicon | undefined;

  constructor(
    readonly library: SphinxLibrary,
    readonly model: SpeechModel,
  ) {}

  learn(list: number, lines: readonly string[]): void {
    this.#lists.set(list, lines);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > LISTS_MAX && oldest !== undefined) this.#lists.delete(oldest);
  }

  /**
   * A decoder that hears one stretch as it is spoken.
   *
   * @returns undefined when as many are lent as may be, or the list is not known (any more).
   * @throws Error when the decoder cannot be made.
   */
  lend(list: number): SentenceDecoder | undefined {
    if (this.#lent >= LIVE_MAX) return undefined;
    const decoder = this.#take(list);
    if (!decoder) return undefined;
    this.#lent += 1;
    return decoder;
  }

  /** In the middle of a stretch or at its end. */
  takeBack(list: number, decoder: SentenceDecoder): void {
    this.#lent -= 1;
    decoder.stop();
    this.#keep({ list, decoder });
  }

  /** Makes one, so that it is there when somebody speaks. @throws Error when it cannot be made. */
  prepare(list: number): void {
    if (this.#spare.some((one) => one.list === list)) return;
    const decoder = this.#take(list);
    if (decoder) this.#keep({ list, decoder });
  }

  /**
   * A whole stretch at once.
   *
   * @returns undefined where the list is not known (any more).
   * @throws Error when the decoder cannot be made.
   */
  recognise(list: number, samples: Int16Array): HeardSentence | undefined {
    const decoder = this.#take(list);
    if (!decoder) return undefined;
    try {
      return decoder.recognise(samples);
    } finally {
      decoder.stop();
      this.#keep({ list, decoder });
    }
  }

  /** Closes those that are not lent. */
  release(): void {
    for (const { decoder } of this.#spare) decoder.close();
    this.#spare = [];
  }

  #take(list: number): SentenceDecoder | undefined {
    const lines = this.#lists.get(list);
    const known = this.#spare.findLast((one) => one.list === list);
    if (known) {
      this.#spare = this.#spare.filter((one) => one !== known);
      return known.decoder;
    }
    if (!lines) return undefined;
    this.#leave(DECODERS_MAX - 1);
    this.#lexicon ??= new Lexicon(readFileSync(this.model.dictionary));
    return new SentenceDecoder(this.library, this.model, this.#lexicon, lines);
  }

  #keep(one: Decoder): void {
    this.#spare = [...this.#spare, one];
    this.#leave(DECODERS_MAX);
  }

  /** Closes the oldest ones that nobody has until there are at most `max`. */
  #leave(max: number): void {
    const over = Math.min(this.#spare.length, this.#lent + this.#spare.length - max);
    if (over <= 0) return;
    for (const { decoder } of this.#spare.slice(0, over)) decoder.close();
    this.#spare = this.#spare.slice(over);
  }
}
