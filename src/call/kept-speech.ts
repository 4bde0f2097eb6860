import { FRAME_SAMPLES } from '../audio/pcm.ts';

/** A second: one array for 50 frames instead of 50, each of which would take as much again beside its samples. */
const PIECE_FRAMES = 50;

/** The audio of the stretch that is being spoken, copied, at most `framesMax` frames of 20 ms. */
export class KeptSpeech {
  #pieces: Int16Array[] = [];
  #frames = 0;
  constructor(
    readonly framesMax: number,
    private readonly frameSamples = FRAME_SAMPLES,
  ) {}

  get frames(): number {
    return this.#frames;
  }
  get full(): boolean {
    return this.#frames >= this.framesMax;
  }

  /** What comes when it is full is not kept. */
  push(frame: Int16Array): void {
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
  *[Symbol.iterator](): Generator<Int16Array> {
    for (let frame = Math.max(0, this.#frames - this.framesMax); frame < this.#frames; frame += 1) {
      const start = (frame % this.framesMax) * this.frameSamples;
      yield this.#ring.subarray(start, start + this.frameSamples);
    }
  }

  clear(): void {
    this.#frames = 0;
  }
}
