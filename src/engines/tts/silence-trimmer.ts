/** All lengths in milliseconds of the stream's own rate. */
export interface TrimOptions {
  readonly sampleRateHz: number;
  /** Samples below this are silence; synthesisers put out noise of about 170 around their words. */
  readonly threshold: number;
  readonly leadMs: number; // silence kept before the first sound, so that a soft consonant is not clipped
  readonly tailMs: number; // silence kept after the last sound: the pause between two sentences
  readonly pauseMaxMs: number; // a silence is held back at most so long before it counts as part of the speech
}

export const DEFAULT_TRIM = { threshold: 200, leadMs: 8, tailMs: 160, pauseMaxMs: 1500 } as const;

const NOTHING = new Int16Array(0);

/**
 * Takes the silence off both ends of one sentence while it streams, so that the first sample sent is speech. Pauses
 * inside are kept exactly. Holds at most `pauseMaxMs` of audio.
 */
export class SilenceTrimmer {
  #started = false;
  #held: Int16Array = NOTHING; // silence whose fate is open: before the first sound its last part, then since the last sound
  readonly #threshold: number;
  readonly #leadSamples: number;
  readonly #tailSamples: number;
  readonly #pauseMaxSamples: number;

  constructor(options: TrimOptions) {
    const samples = (ms: number): number => Math.round((ms * options.sampleRateHz) / 1000);
    this.#threshold = options.threshold;
    this.#leadSamples = samples(options.leadMs);
    this.#tailSamples = samples(options.tailMs);
    this.#pauseMaxSamples = samples(options.pauseMaxMs);
  }

  /** @returns what may go out now, possibly nothing. */
  push(samples: Int16Array): Int16Array {
    const all = concat(this.#held, samples);
    const last = lastSound(all, this.#threshold);
    if (!this.#started) {
      const first = last === -1 ? all.length : firstSound(all, this.#threshold);
      const from = Math.max(0, first - this.#leadSamples);
      if (last === -1) {
        this.#held = all.slice(from);
        return NOTHING;
      }
      this.#started = true;
      this.#held = all.slice(last + 1);
      return all.slice(from, last + 1);
    }
    if (last === -1 && all.length <= this.#pauseMaxSamples) {
      this.#held = all.slice();
      return NOTHING;
    }
    const end = last === -1 ? all.length : last + 1;
    this.#held = all.slice(end);
    return all.slice(0, end);
  }

  /** The pause that follows the sentence; nothing when there was no sound at all. */
  end(): Int16Array {
    const tail = this.#started ? this.#held.slice(0, this.#tailSamples) : NOTHING;
    this.#held = NOTHING;
    this.#started = false;
    return tail;
  }
}

function firstSound(samples: Int16Array, threshold: number): number {
  let at = 0;
  while (at < samples.length && Math.abs(samples[at]!) < threshold) at += 1;
  return at;
}

function lastSound(samples: Int16Array, threshold: number): number {
  let at = samples.length - 1;
  while (at >= 0 && Math.abs(samples[at]!) < threshold) at -= 1;
  return at;
}

export function concat(a: Int16Array, b: Int16Array): Int16Array {
  if (a.length === 0) return b;
  const both = new Int16Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
