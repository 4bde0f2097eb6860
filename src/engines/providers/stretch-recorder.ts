import { createResampler, type Resampler } from '../../audio/resampler.ts';

/** A stretch of speech, whole. Times are those of the audio written to the stream. */
export interface SpokenStretch {
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** A second. */
const PIECE_SECONDS = 1;

/**
 * Keeps what is written until it is asked for, at the rate that a service wants: resampled frame by frame, since a whole sentence
 * at once would hold up everything else of the gateway. At most `msMax`, of which the oldest goes first and is counted.
 */
export class StretchRecorder {
  #pieces: Int16Array[] = [];
  #filled = 0; // of the last piece
  #written = 0; // samples, since the stream began
  #startedAt: number | undefined; // of the open stretch, in samples written
  #resampler: Resampler | undefined; // of the open stretch
  droppedSamples = 0;
  readonly #pieceSamples: number;
  readonly #piecesMax: number;

  /** @param keptRateHz - of the samples that are given back. */
  constructor(
    private readonly writtenRateHz: number,
    private readonly keptRateHz: number,
    msMax: number,
  ) {
    this.#pieceSamples = keptRateHz * PIECE_SECONDS;
    this.#piecesMax = Math.max(1, Math.floor(msMax / (PIECE_SECONDS * 1000)));
  }

  /** Copies them. */
  write(samples: Int16Array): void {
    if (samples.length === 0) return;
    this.#startedAt ??= this.#written;
    this.#written += samples.length;
    this.#resampler ??= createResampler(this.writtenRateHz, this.keptRateHz);
    this.#keep(this.#resampler.push(samples));
  }

  #keep(samples: Int16Array): void {
    for (let at = 0; at < samples.length; ) {
      if (this.#pieces.length === 0 || this.#filled === this.#pieceSamples) this.#another();
      const part = samples.subarray(at, at + this.#pieceSamples - this.#filled);
      this.#pieces.at(-1)!.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
    }
  }

  /** What was written since the last time; undefined where that is nothing. */
  take(): SpokenStretch | undefined {
    if (this.#startedAt === undefined) return undefined;
    if (this.#resampler) this.#keep(this.#resampler.flush());
    this.#resampler = undefined;
    const length = Math.max(0, (this.#pieces.length - 1) * this.#pieceSamples + this.#filled);
    const samples = new Int16Array(length);
    for (const [i, piece] of this.#pieces.entries()) {
      const from = i * this.#pieceSamples;
      samples.set(piece.subarray(0, Math.min(this.#pieceSamples, length - from)), from);
    }
    const ms = (count: number): number => (count * 1000) / this.writtenRateHz;
    const stretch = {
      samples,
      sampleRateHz: this.keptRateHz,
      startMs: ms(this.#startedAt),
      endMs: ms(this.#written),
    };
    this.#pieces = [];
    this.#filled = 0;
    this.#startedAt = undefined;
    return stretch;
  }

  #another(): void {
    this.#filled = 0;
    this.#pieces.push(new Int16Array(this.#pieceSamples));
    if (this.#pieces.length <= this.#piecesMax) return;
    this.#pieces.shift();
    this.droppedSamples += this.#pieceSamples;
  }
}
