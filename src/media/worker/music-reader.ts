import { type RateConverter, rateConverter } from '../codec/rate-converter.ts';
import type { MusicLoop } from '../music-loop.ts';

/** One listener of a loop: where it is in the music, and nothing else, for the music itself is everybody's. */
export class MusicReader {
  readonly #samples: Int16Array;
  readonly #converter: RateConverter | undefined;
  readonly #share: number; // samples of the loop for one of the listener
  #part = new Int16Array(0); // at the rate of the loop, where it is not that of the listener
  #at = 0;

  /** @param sampleRateHz - of the listener's port. */
  constructor(
    readonly loop: MusicLoop,
    sampleRateHz: number,
  ) {
    this.#samples = new Int16Array(loop.samples);
    this.#converter = rateConverter(loop.sampleRateHz, sampleRateHz);
    this.#share = loop.sampleRateHz / sampleRateHz;
  }

  /** Fills `into` with what comes next. */
  read(into: Int16Array): void {
    if (!this.#converter) return this.#take(into);
    const count = into.length * this.#share;
    if (this.#part.length !== count) this.#part = new Int16Array(count); // another packet time
    this.#take(this.#part);
    this.#converter.convert(this.#part, into);
  }

  #take(into: Int16Array): void {
    for (let filled = 0; filled < into.length; ) {
      const part = this.#samples.subarray(this.#at, this.#at + into.length - filled);
      into.set(part, filled);
      filled += part.length;
      this.#at = (this.#at + part.length) % this.#samples.length;
    }
  }
}
