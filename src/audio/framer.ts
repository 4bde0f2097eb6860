/**
 * Cuts a stream of chunks of any size into frames of one size. `onFrame` gets a view that is reused: copy it to keep it.
 * Memory is one frame, whatever the chunk sizes.
 */
export class Framer {
  readonly #frame: Int16Array;
  #filled = 0;
  constructor(
    readonly frameSamples: number,
    readonly onFrame: (frame: Int16Array) => void,
  ) {
    if (!(frameSamples >= 1)) throw new RangeError('a frame holds at least one sample');
    this.#frame = new Int16Array(frameSamples);
  }

  /** Samples waiting for the rest of their frame: 0..frameSamples-1. */
  get pending(): number {
    return this.#filled;
  }

  push(samples: Int16Array): void {
    for (let at = 0; at < samples.length; ) {
      const take = Math.min(samples.length - at, this.frameSamples - this.#filled);
      this.#frame.set(samples.subarray(at, at + take), this.#filled);
      this.#filled += take;
      at += take;
      if (this.#filled === this.frameSamples) {
        this.#filled = 0;
        this.onFrame(this.#frame);
      }
    }
  }

  /** Emits what is left as one frame padded with silence. @returns samples of real audio in it; 0 when nothing waited. */
  flush(): number {
    const real = this.#filled;
    if (real === 0) return 0;
    this.#frame.fill(0, real);
    this.#filled = 0;
    this.onFrame(this.#frame);
    return real;
  }

  reset(): void {
    this.#filled = 0;
  }
}
