import { CepstralMean, type SoundMean } from './cepstral-mean.ts';
import { CEPSTRA, type Handle, type SphinxLibrary } from './sphinx-library.ts';

/** Of so much, 60 ms, the mean is taken before it is heard. */
const AT_ONCE_SAMPLES = 480;

/** Who hears the frames: the first `count` of the library's `frames`, their mean taken away. */
export interface FrameHearer {
  hear(count: number): void;
  /** What was heard is heard anew from its beginning, with a better mean. */
  again(): void;
}

/**
 * Frames of a stretch of speech, for as many decoders as want them: one front end and one mean, which start anew with each stretch, so
 * that nothing of another caller is in them. The mean of a caller who was not heard before is the telephone's at first, and theirs
 * may be any other one: after so many frames of 10 ms all is heard again from its beginning, with the mean that is known by then.
 */
export class HeardFrames {
  readonly #frontEnd: Handle;
  readonly #mean = new CepstralMean();
  #heard: Float32Array[] = []; // since the stretch began, while it may be heard again
  #heardFrames = 0;
  #againAfter: readonly number[] = [];
  #waits = false;

  /**
   * @param settings - of any decoder of the model.
   * @throws Error when the model is refused.
   */
  constructor(
    readonly library: SphinxLibrary,
    settings: Handle,
    readonly hearer: FrameHearer,
  ) {
    const frontEnd = library.createFrontEnd(settings);
    if (frontEnd === undefined) throw new Error('the speech model was refused');
    this.#frontEnd = frontEnd;
  }

  /** @param waits - nothing is heard before the first of `againAfter`: where no words are wanted so early, that spares hearing them twice. */
  start(known: SoundMean | undefined, againAfter: readonly number[], waits = false): void {
    this.library.startFrontEnd(this.#frontEnd);
    this.#mean.restart(known);
    this.#againAfter = known ? [] : againAfter;
    this.#waits = waits && this.#againAfter.length > 0;
    this.#heard = [];
    this.#heardFrames = 0;
  }

  /** @param samples - 8 kHz. */
  take(samples: Int16Array): void {
    for (let at = 0; at < samples.length; at += AT_ONCE_SAMPLES)
      this.#take(this.library.framesOf(this.#frontEnd, samples.subarray(at, at + AT_ONCE_SAMPLES)));
  }

  /** Nothing more comes. @returns how the speaker sounds. */
  finish(): SoundMean {
    this.#take(this.library.lastFrameOf(this.#frontEnd));
    if (this.#waits) this.#hearAll();
    return this.#mean.value;
  }

  /** Gives its memory back; it is not used afterwards. */
  close(): void {
    this.library.freeFrontEnd(this.#frontEnd);
  }

  /** The first `count` of the library's frames. */
  #take(count: number): void {
    const [again] = this.#againAfter;
    const fresh = this.library.frames.subarray(0, count * CEPSTRA);
    this.#mean.push(fresh, count);
    if (again === undefined) return this.#hear(count);
    this.#heard.push(fresh.slice());
    this.#heardFrames += count;
    if (this.#heardFrames < again) return this.#waits ? undefined : this.#hear(count);
    this.#againAfter = this.#againAfter.filter((frames) => frames > this.#heardFrames);
    if (!this.#waits) this.hearer.again();
    this.#hearAll();
    if (this.#againAfter.length === 0) this.#heard = [];
  }

  #hearAll(): void {
    this.#waits = false;
    for (const frames of this.#heard) {
      this.library.frames.set(frames);
      this.#hear(frames.length / CEPSTRA);
    }
  }

  #hear(count: number): void {
    this.#mean.takeFrom(this.library.frames, count);
    this.hearer.hear(count);
  }
}
