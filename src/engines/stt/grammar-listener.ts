import type { SoundMean } from './cepstral-mean.ts';
import { finiteStateText } from './finite-state.ts';
import type { RecognitionGrammar } from './grammar.ts';
import { HeardFrames } from './heard-frames.ts';
import { PHONES } from './letter-to-sound.ts';
import type { SpeechModel } from './model-folder.ts';
import { parsePattern } from './pattern.ts';
import type { SharedGrammars } from './shared-grammars.ts';
import { SphinxDecoder } from './sphinx-decoder.ts';
import type { SphinxLibrary } from './sphinx-library.ts';

/** Words are guessed at once that way, and a guess that a wrong mean led astray is given up: see `HeardFrames`. */
const AGAIN_AFTER_FRAMES: readonly number[] = [40, 100];

export interface Decoded {
  /** Tokens of the best path; none when nothing fits. */
  readonly tokens: readonly string[];
  /** How much less likely per 10 ms the path is than the best chain of any sounds: 0 is as good, -20 is something else. */
  readonly fit: number;
  /** Of what was heard. */
  readonly sound: SoundMean;
}

/** Any sounds in any order. */
const ALL_SOUNDS = allSounds();

/**
 * Hears a stretch of speech as it is spoken: by a grammar, and beside it by any sounds, against which the grammar is measured: one pass
 * of frames for both. 11 MB with a large grammar.
 */
export class GrammarListener {
  readonly #words: SphinxDecoder;
  readonly #sounds: SphinxDecoder;
  readonly #frames: HeardFrames;
  #grammar: RecognitionGrammar | undefined; // listened for now

  /** @throws Error when the model is refused. */
  constructor(library: SphinxLibrary, model: SpeechModel, charactersMax: number, shared: SharedGrammars) {
    this.#words = new SphinxDecoder(library, model, charactersMax, shared);
    this.#sounds = new SphinxDecoder(library, model, charactersMax, shared);
    this.#frames = new HeardFrames(library, this.#words.handle, {
      hear: (count) => {
        this.#words.hear(count);
        this.#sounds.hear(count);
      },
      again: () => {
        if (!this.#grammar || !this.#startDecoders(this.#grammar)) throw new Error('the decoders do not start again');
      },
    });
  }

  /** Whether `grammar` is compiled already. */
  knows(grammar: RecognitionGrammar): boolean {
    return this.#words.knows(grammar);
  }

  /** @param known - how the caller sounds. @returns false when the library refuses `grammar`. */
  start(grammar: RecognitionGrammar, known: SoundMean | undefined): boolean {
    if (!this.#startDecoders(grammar)) return false;
    this.#grammar = grammar;
    this.#frames.start(known, AGAIN_AFTER_FRAMES);
    return true;
  }

  /** @param samples - 8 kHz; 60 ms take about 6 ms, and up to 100 ms twice in the first words of an unknown caller. */
  hear(samples: Int16Array): void {
    this.#frames.take(samples);
  }

  /** Of the best path so far, complete or not. */
  tokens(): readonly string[] {
    return this.#words.tokens();
  }

  /** Ends the stretch. */
  finish(): Decoded {
    const sound = this.#frames.finish();
    const [best, sounds] = [this.#words.finish(), this.#sounds.finish()];
    if (best.text === undefined) return { tokens: [], fit: Number.NEGATIVE_INFINITY, sound };
    return { tokens: best.text.split(' '), fit: (best.score - sounds.score) / Math.max(1, best.frames), sound };
  }

  /** Ends a stretch whose words nobody wants. */
  stop(): void {
    this.#words.stop();
    this.#sounds.stop();
  }

  /** Gives its memory back; it is not used afterwards. */
  close(): void {
    this.#words.close();
    this.#sounds.close();
    this.#frames.close();
  }

  #startDecoders(grammar: RecognitionGrammar): boolean {
    if (!this.#words.start(grammar)) return false;
    if (!this.#sounds.start(ALL_SOUNDS)) throw new Error('the sounds of the speech model were refused');
    return true;
  }
}

function allSounds(): RecognitionGrammar {
  const words = PHONES.map((phones) => ({ token: `~p.${phones.toLowerCase()}`, phones }));
  const any = words.map(({ token }) => token).join(' | ');
  return { key: 'all-sounds', text: finiteStateText(parsePattern(`(${any})+`, new Map())), words, missing: [] };
}
