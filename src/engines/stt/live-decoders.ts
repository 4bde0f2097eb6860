import type { Clock } from '../../core/clock.ts';
import type { SoundMean } from './cepstral-mean.ts';
import type { RecognitionGrammar } from './grammar.ts';
import type { GrammarListener } from './grammar-listener.ts';
import { SpareDecoders } from './spare-decoders.ts';

/** What is lent, for one stretch of speech. */
export type GrammarDecoder = Pick<GrammarListener, 'knows' | 'start' | 'stop' | 'close'>;

/**
 * Stretches at once for each decoder there may be, beyond which none is lent: so many cannot even have their finals in time,
 * and nine in ten of them would be heard at their end anyway.
 */
export const STRETCHES_EACH_MAX = 4;

/**
 * The decoders that hear speech as it is spoken, at most `decodersMax`. One that has the grammar compiled is lent first:
 * compiling takes as long as hearing a second of speech. There are as many as there were stretches at once of late.
 */
export class LiveDecoders<Decoder extends GrammarDecoder> {
  readonly #spare: SpareDecoders<Decoder>;
  #made = 0;

  /** @param unusedMs - one that nobody needed for so long is closed. */
  constructor(
    readonly decodersMax: number,
    readonly make: () => Decoder,
    unusedMs: number,
    clock: Clock,
  ) {
    this.#spare = new SpareDecoders(clock, unusedMs, () => {
      this.#made -= 1;
    });
  }

  /** Decoders there are, lent ones too. */
  get made(): number {
    return this.#made;
  }

  /**
   * @param known - how the caller sounds.
   * @param stretches - there are now, this one counted.
   * @returns a decoder that listens for `grammar`, or undefined when all are lent, the grammar is refused, or there is too much
   *   speech to follow: decoders that are not lent are closed then.
   * @throws what `make` throws.
   */
  lend(grammar: RecognitionGrammar, known: SoundMean | undefined, stretches = 1): Decoder | undefined {
    if (stretches > STRETCHES_EACH_MAX * this.decodersMax) {
      this.release();
      return undefined;
    }
    const decoder = this.#spare.take((one) => one.knows(grammar)) ?? this.#another();
    if (!decoder) return undefined;
    if (decoder.start(grammar, known)) return decoder;
    this.#spare.keep(decoder);
    return undefined;
  }

  takeBack(decoder: Decoder): void {
    decoder.stop();
    this.#spare.keep(decoder);
  }

  /** Closes those that are not lent. */
  release(): void {
    this.#spare.closeAll();
  }

  #another(): Decoder | undefined {
    if (this.#made >= this.decodersMax) return undefined;
    const decoder = this.make();
    this.#made += 1;
    return decoder;
  }
}
