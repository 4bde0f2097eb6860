import { createResampler, type Resampler } from '../../audio/resampler.ts';

/** A piece of what a microphone heard, as it is sent. */
export interface Piece {
  readonly samples: Int16Array<ArrayBuffer>;
  /** Root mean square, 0..1. */
  readonly level: number;
}

const PIECE_MS = 20;

/** What a device gives a few milliseconds at a time, as pieces of 20 ms at the rate that the other side wants. */
export class Pieces {
  readonly #held: Int16Array;
  readonly #resampler: Resampler;
  #filled = 0;
  #power = 0;

  constructor(fromHz: number, toHz: number) {
    this.#held = new Int16Array(Math.round((fromHz * PIECE_MS) / 1_000));
    this.#resampler = createResampler(fromHz, toHz);
  }

  /** @param channels - of equal length, -1..1; they are mixed. */
  push(channels: readonly Float32Array[]): Piece[] {
    const done: Piece[] = [];
    const [first] = channels;
    for (let i = 0; first && i < first.length; i += 1) {
      let sum = 0;
      for (const channel of channels) sum += channel[i]!;
      const sample = Math.max(-1, Math.min(1, sum / channels.length));
      this.#power += sample * sample;
      this.#held[this.#filled++] = Math.round(sample * 32_767);
      if (this.#filled === this.#held.length) done.push(this.#piece());
    }
    return done;
  }

  #piece(): Piece {
    const level = Math.sqrt(this.#power / this.#held.length);
    this.#filled = 0;
    this.#power = 0;
    return { samples: new Int16Array(this.#resampler.push(this.#held)), level };
  }
}

/** What came as 16-bit samples at one rate, for a device that plays at another. */
export class ToDevice {
  readonly #resampler: Resampler;
  constructor(fromHz: number, toHz: number) {
    this.#resampler = createResampler(fromHz, toHz);
  }
  push(samples: Int16Array): Float32Array {
    return Float32Array.from(this.#resampler.push(samples), (sample) => sample / 32_768);
  }
}
