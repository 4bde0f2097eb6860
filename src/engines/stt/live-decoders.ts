import type { RecognitionGrammar } from './grammar.ts';
import type { SphinxDecoder } from './sphinx-decoder.ts';

/** What is lent: a decoder for one stretch of speech with interim results. */
export type GrammarDecoder = Pick<SphinxDecoder, 'knows' | 'startLive' | 'feedLive' | 'stopLive' | 'close'>;

/**
 * The decoders that hear speech as it is spoken, at most `decodersMax`. One that has the grammar compiled is lent first:
 * compiling takes as long as hearing a second of speech.
 */
export class LiveDecoders<Decoder extends GrammarDecoder> {
  /** The least recently used first. */
  readonly #idle: Decoder[] = [];
  #made = 0;

  constructor(
    readonly decodersMax: number,
    readonly make: () => Decoder,
  ) {}

  /** Decoders there are, lent ones too. */
  get made(): number {
    return this.#made;
  }

  /**
   * @returns a decoder that listens for `grammar`, or undefined when all are lent or the grammar is refused.
   * @throws what `make` throws.
   */
  lend(grammar: RecognitionGrammar): Decoder | undefined {
    const at = this.#idle.findIndex((decoder) => decoder.knows(grammar));
    const decoder = this.#idle.splice(Math.max(at, 0), 1)[0] ?? this.#another();
    if (!decoder) return undefined;
    if (decoder.startLive(grammar)) return decoder;
    this.#idle.push(decoder);
    return undefined;
  }

  takeBack(decoder: Decoder): void {
    decoder.stopLive();
    this.#idle.push(decoder);
  }

  /** Closes those that are not lent. */
  release(): void {
    for (const decoder of this.#idle.splice(0)) {
      this.#made -= 1;
      decoder.close();
    }
  }

  #another(): Decoder | undefined {
    if (this.#made >= this.decodersMax) return undefined;
    const decoder = this.make();
    this.#made += 1;
    return decoder;
  }
}
