import { TELEPHONE_MEAN } from './cepstral-mean.ts';
import type { LiveDecoder } from './interim-rota.ts';
import { type SpeechModel, writeFreeDictionary } from './model-folder.ts';
import type { Handle, SphinxLibrary } from './sphinx-library.ts';

/** A model with the language model of free speech. */
export type FreeSpeechModel = SpeechModel & { readonly languageModel: string };

/**
 * Of all paths the best 10,000 per 10 ms. Over 176 clips of people and machines one text differed from that of all paths, by a
 * word more that was right, and it took 0.18 of real time instead of 0.23; with 5,000 eight differed, most for the worse.
 */
const FEWER_PATHS = ['-maxhmmpf', '10000'];

const SEARCH = 'free-speech';

/**
 * What decoders of free speech have in common: the language model is 33 MB of the 82 that a decoder would take by itself,
 * and the words of the dictionary that it does not know would be another 17 each. For one thread: the library counts its users
 * without a lock.
 */
export class FreeSpeechDecoders {
  #languageModel: Handle | undefined;
  #dictionary: string | undefined;
  constructor(
    readonly library: SphinxLibrary,
    readonly model: FreeSpeechModel,
  ) {}

  /** @throws Error when the model is refused. */
  create(more: readonly string[]): Handle {
    const { library } = this;
    this.#languageModel ??= this.#readLanguageModel();
    const languageModel = this.#languageModel;
    this.#dictionary ??= writeFreeDictionary(this.model, () => library.wordsOf(languageModel));
    const decoder = this.#decoder(this.#dictionary, more);
    const taken = library.setLanguageModel(decoder, SEARCH, languageModel);
    if (taken && library.setSearch(decoder, SEARCH) >= 0) return decoder;
    library.free(decoder);
    throw new Error('the language model was refused');
  }

  /** It takes its settings from a decoder, and any will do. */
  #readLanguageModel(): Handle {
    const decoder = this.#decoder(this.model.seedDictionary, []);
    const languageModel = this.library.readLanguageModel(decoder, this.model.languageModel);
    this.library.free(decoder);
    if (languageModel === undefined) throw new Error('the language model was refused');
    return languageModel;
  }

  #decoder(dictionary: string, more: readonly string[]): Handle {
    const decoder = this.library.createDecoder([
      ...[
        '-hmm',
        this.model.folder,
        '-dict',
        dictionary,
        '-samprate',
        '8000',
        '-nfft',
        '256',
        '-cmn',
        'batch',
        ...more,
      ],
    ]);
    if (decoder === undefined) throw new Error('the speech model was refused');
    return decoder;
  }

  /** Gives the language model back once no decoder holds it; the next decoder reads it anew. */
  release(): void {
    if (this.#languageModel !== undefined) this.library.freeLanguageModel(this.#languageModel);
    this.#languageModel = undefined;
  }
}

/** A whole stretch by a language model of 72,500 words: rough, slow (0.2 of real time, noisy speech 0.3) and 49 MB. */
export class FreeSpeechDecoder {
  readonly #decoder: Handle;
  readonly library: SphinxLibrary;
  /** @throws Error when the model is refused. */
  constructor(decoders: FreeSpeechDecoders) {
    this.library = decoders.library;
    this.#decoder = decoders.create(FEWER_PATHS);
  }

  /** What was said in a whole stretch; '' when nothing was found. */
  recognise(samples: Int16Array): string {
    const { library } = this;
    if (library.startStretch(this.#decoder) < 0) throw new Error('the decoder does not start');
    library.process(this.#decoder, samples, true);
    library.endStretch(this.#decoder);
    return wordsOf(library.hypothesis(this.#decoder).text);
  }

  /** Gives its memory back; it is not used afterwards. */
  close(): void {
    this.library.free(this.#decoder);
  }
}

/** One pass, and of all paths the best 1,500 per 10 ms: a third of the work, and the words are about as often right. */
const ONE_QUICK_PASS = ['-fwdflat', 'no', '-bestpath', 'no', '-maxhmmpf', '1500'];
/**
 * The same as it is spoken, for interims: 0.1 of real time and another 49 MB. It follows the speakers it hears; from the library's
 * own mean, of another front end, 77 of 100 words of its first stretch were wrong instead of 50.
 */
export class LiveFreeSpeechDecoder implements LiveDecoder {
  readonly #decoder: Handle;
  readonly library: SphinxLibrary;
  /** @throws Error when the model is refused. */
  constructor(decoders: FreeSpeechDecoders) {
    this.library = decoders.library;
    this.#decoder = decoders.create([...ONE_QUICK_PASS, '-cmninit', TELEPHONE_MEAN.join(',')]);
  }

  start(): boolean {
    return this.library.startStretch(this.#decoder) >= 0;
  }
  feed(samples: Int16Array): void {
    this.library.process(this.#decoder, samples, false);
  }
  text(): string {
    return wordsOf(this.library.hypothesis(this.#decoder).text);
  }
  stop(): void {
    this.library.endStretch(this.#decoder);
  }
  close(): void {
    this.library.free(this.#decoder);
  }
}

/** Without silences, noises and marks of pronunciation variants: `read(2)`. */
export function wordsOf(hypothesis: string | undefined): string {
  return (hypothesis ?? '')
    .split(' ')
    .map((word) => word.replace(/\(\d+\)$/, ''))
    .filter((word) => !/^[<[]/.test(word))
    .join(' ');
}
