import { CepstralMean, type SoundMean } from './cepstral-mean.ts';
import { finiteStateText } from './finite-state.ts';
import type { RecognitionGrammar } from './grammar.ts';
import { PHONES } from './letter-to-sound.ts';
import type { SpeechModel } from './model-folder.ts';
import { parsePattern } from './pattern.ts';
import type { SharedGrammars } from './shared-grammars.ts';
import { SphinxDecoder } from './sphinx-decoder.ts';
import { CEPSTRA, type Handle, SAMPLES_AT_ONCE, type SphinxLibrary } from './sphinx-library.ts';

/**
 * Of a caller who was not heard before the mean is the telephone's at first, and theirs may be any other one: after so many frames
 * of 10 ms all that was heard is heard again from its beginning, with the mean that is known by then. Words are guessed at once that
 * way, and a guess that a wrong mean led astray is given up.
 */
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
 * Hears a stretch of speech as it is spoken: by a grammar, and beside it by any sounds, against which the grammar is measured. The
 * front end and the mean are its own, one pass for both, and start anew with each stretch: nothing of another caller is in
 * them. 11 MB with a large grammar.
 */
export class GrammarListener {
  readonly #words: SphinxDecoder;
  readonly #sounds: SphinxDecoder;
  readonly #frontEnd: Handle;
  readonly #mean = new CepstralMean();
  #grammar: RecognitionGrammar | undefined; // listened for now
  #heard: Float32Array[] = []; // since the stretch began, while it may be heard again
  #heardFrames = 0;
  #againAfter: readonly number[] = [];

  /** @throws Error when the model is refused. */
  constructor(
    readonly library: SphinxLibrary,
    model: SpeechModel,
    charactersMax: number,
    shared: SharedGrammars,
  ) {
    this.#words = new SphinxDecoder(library, model, charactersMax, shared);
    this.#sounds = new SphinxDecoder(library, model, charactersMax, shared);
    const frontEnd = library.createFrontEnd(this.#words.handle);
    if (frontEnd === undefined) throw new Error('the speech model was refused');
    this.#frontEnd = frontEnd;
  }

  /** Whether `grammar` is compiled already. */
  knows(grammar: RecognitionGrammar): boolean {
    return this.#words.knows(grammar);
  }

  /** @param known - how the caller sounds. @returns false when the library refuses `grammar`. */
  start(grammar: RecognitionGrammar, known: SoundMean | undefined): boolean {
    if (!this.#startDecoders(grammar)) return false;
    this.library.startFrontEnd(this.#frontEnd);
    this.#mean.restart(known);
    this.#grammar = grammar;
    this.#againAfter = known ? [] : AGAIN_AFTER_FRAMES;
    this.#heard = [];
    this.#heardFrames = 0;
    return true;
  }

  /** @param samples - 8 kHz; 60 ms take about 6 ms, and up to 100 ms twice in the first words of an unknown caller. */
  hear(samples: Int16Array): void {
    for (let at = 0; at < samples.length; at += SAMPLES_AT_ONCE)
      this.#take(this.library.framesOf(this.#frontEnd, samples.subarray(at, at + SAMPLES_AT_ONCE)));
  }

  /** Of the best path so far, complete or not. */
  tokens(): readonly string[] {
    return this.#words.tokens();
  }

  /** Ends the stretch. */
  finish(): Decoded {
    this.#take(this.library.lastFrameOf(this.#frontEnd));
    const [best, sounds] = [this.#words.finish(), this.#sounds.finish()];
    const sound = this.#mean.value;
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
    this.library.freeFrontEnd(this.#frontEnd);
  }

  #startDecoders(grammar: RecognitionGrammar): boolean {
    if (!this.#words.start(grammar)) return false;
    if (!this.#sounds.start(ALL_SOUNDS)) throw new Error('the sounds of the speech model were refused');
    return true;
  }

  /** Hears the first `count` of the library's frames. */
  #take(count: number): void {
    const [again] = this.#againAfter;
    const fresh = this.library.frames.subarray(0, count * CEPSTRA);
    this.#mean.push(fresh, count);
    if (again === undefined) return this.#decode(count);
    this.#heard.push(fresh.slice());
    this.#heardFrames += count;
    if (this.#heardFrames < again) return this.#decode(count);
    this.#againAfter = this.#againAfter.filter((frames) => frames > this.#heardFrames);
    this.#hearAgain();
    if (this.#againAfter.length === 0) this.#heard = [];
  }

  #hearAgain(): void {
    if (!this.#grammar || !this.#startDecoders(this.#grammar)) throw new Error('the decoders do not start again');
    for (const frames of this.#heard) {
      this.library.frames.set(frames);
      this.#decode(frames.length / CEPSTRA);
    }
  }

  /** Decodes the first `count` of the library's frames. */
  #decode(count: number): void {
    this.#mean.takeFrom(this.library.frames, count);
    this.#words.hear(count);
    this.#sounds.hear(count);
  }
}

function allSounds(): RecognitionGrammar {
  const words = PHONES.map((phones) => ({ token: `~p.${phones.toLowerCase()}`, phones }));
  const any = words.map(({ token }) => token).join(' | ');
  return { key: 'all-sounds', text: finiteStateText(parsePattern(`(${any})+`, new Map())), words, missing: [] };
}
