import { FRAME_SAMPLES, type PcmFrame } from '../audio/pcm.ts';

/** Audio before the detected onset that is given to the recogniser too: first consonants are quiet. */
export const PRE_ROLL_FRAMES = 15;
/** So much of it, at least, is before the onset, where that was held back. */
const ONSET_FRAMES = 5;
/** A second: one array for 50 frames instead of 50, each of which would take as much again beside its samples. */
const PIECE_FRAMES = 50;

/** The audio of the stretch that is being spoken, copied, at most `framesMax` frames of 20 ms. */
export class KeptSpeech {
  #pieces: Int16Array[] = [];
  #frames = 0;
  readonly #end: PreRoll | undefined;

  /** @param endFrames - how much of its end is kept in any case. */
  constructor(
    readonly framesMax: number,
    private readonly frameSamples = FRAME_SAMPLES,
    endFrames = 0,
  ) {
    if (endFrames > 0) this.#end = new PreRoll(endFrames, frameSamples);
  }

  get frames(): number {
    return this.#frames;
  }
  get full(): boolean {
    return this.#frames >= this.framesMax;
  }

  /** The end of it, copied; undefined where none is kept, or there is nothing. */
  end(sampleRateHz: number): PcmFrame | undefined {
    const frames = [...(this.#end ?? [])];
    if (frames.length === 0) return undefined;
    const samples = new Int16Array(frames.length * this.frameSamples);
    for (const [i, frame] of frames.entries()) samples.set(frame, i * this.frameSamples);
    return { samples, sampleRateHz };
  }

  /** What comes when it is full is not kept, but for the end. */
  push(frame: Int16Array): void {
    this.#end?.push(frame);
    if (this.full) return;
    const at = this.#frames % PIECE_FRAMES;
    if (at === 0) this.#pieces.push(new Int16Array(PIECE_FRAMES * this.frameSamples));
    this.#pieces.at(-1)?.set(frame, at * this.frameSamples);
    this.#frames += 1;
  }

  /** Views of the frames from `first` on, in order: copy them to keep them. */
  *from(first: number): Generator<Int16Array> {
    for (let frame = first; frame < this.#frames; frame += 1) {
      const start = (frame % PIECE_FRAMES) * this.frameSamples;
      const piece = this.#pieces[Math.floor(frame / PIECE_FRAMES)];
      if (piece) yield piece.subarray(start, start + this.frameSamples);
    }
  }

  clear(): void {
    this.#pieces = [];
    this.#frames = 0;
    this.#end?.clear();
  }
}

/** The last `framesMax` frames of 20 ms, copied. */
export class PreRoll {
  readonly #ring: Int16Array;
  #frames = 0; // since `clear`
  constructor(
    readonly framesMax: number,
    private readonly frameSamples = FRAME_SAMPLES,
  ) {
    this.#ring = new Int16Array(framesMax * frameSamples);
  }

  push(frame: Int16Array): void {
    this.#ring.set(frame, (this.#frames % this.framesMax) * this.frameSamples);
    this.#frames += 1;
  }

  /** Views of the frames, the oldest first: copy them to keep them. */
  [Symbol.iterator](): Generator<Int16Array> {
    return this.#latest(this.framesMax);
  }
  /** The same of the last ones. @param sinceOnset - frames that came since it. */
  beforeOnset(sinceOnset: number): Generator<Int16Array> {
    return this.#latest(Math.max(PRE_ROLL_FRAMES, sinceOnset + ONSET_FRAMES));
  }

  clear(): void {
    this.#frames = 0;
  }

  *#latest(frames: number): Generator<Int16Array> {
    for (let frame = Math.max(0, this.#frames - Math.min(frames, this.framesMax)); frame < this.#frames; frame += 1) {
      const start = (frame % this.framesMax) * this.frameSamples;
      yield this.#ring.subarray(start, start + this.frameSamples);
    }
  }
}
