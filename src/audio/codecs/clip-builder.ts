import { MAX_RATE_HZ, MIN_RATE_HZ } from '../resampler.ts';

/** Why a clip gives no samples: not a codec we read, no usable audio in it, or longer than allowed. */
export type ClipReject = 'unsupported' | 'invalid' | 'too-long';

/** A decoded clip before any change of rate. */
export interface ClipAudio {
  readonly samples: Int16Array; // mono
  readonly sampleRateHz: number;
}

/** What containers hold: more is somebody's test of our memory. */
export const CLIP_CHANNELS_MAX = 8;
/** Encoders pad: a clip may be this much longer than the limit. */
export const PADDING_SECONDS = 0.25;
/** Decoding stops this far beyond the limit: by then the clip is certainly too long. */
const STOP_AFTER_SECONDS = 1;

/**
 * Collects decoded audio of one clip as 16-bit mono, up to a second more than `maxSeconds`. The first piece decides the
 * rate; pieces of another rate are left out and counted.
 */
export class ClipBuilder {
  #samples = new Int16Array(0);
  #length = 0;
  #rateHz = 0;
  #capacity = 0;
  /** Pieces that did not fit the first one. */
  skipped = 0;

  constructor(readonly maxSeconds: number) {}

  /** More audio would change nothing: the clip is too long already. */
  get full(): boolean {
    return this.#rateHz > 0 && this.#length >= this.#capacity;
  }

  get length(): number {
    return this.#length;
  }

  /** @param channels - 1..8 equally long channels, full scale 1. */
  add(channels: readonly Float32Array[], sampleRateHz: number): void {
    const frames = channels[0]?.length ?? 0;
    if (frames === 0 || channels.length > CLIP_CHANNELS_MAX || !this.#accepts(sampleRateHz)) {
      if (frames > 0) this.skipped += 1;
      return;
    }
    const count = Math.min(frames, this.#capacity - this.#length);
    this.#reserve(this.#length + count);
    for (let i = 0; i < count; i += 1) {
      let sum = 0;
      for (const channel of channels) sum += channel[i] ?? 0;
      this.#samples[this.#length + i] = toSample(sum / channels.length);
    }
    this.#length += count;
  }

  /** What was collected, or why it is no clip. */
  build(): ClipAudio | ClipReject {
    if (this.#length === 0) return 'invalid';
    if (this.#length > (this.maxSeconds + PADDING_SECONDS) * this.#rateHz) return 'too-long';
    return { samples: this.#samples.slice(0, this.#length), sampleRateHz: this.#rateHz };
  }

  #accepts(sampleRateHz: number): boolean {
    if (this.#rateHz !== 0) return sampleRateHz === this.#rateHz;
    if (!Number.isInteger(sampleRateHz) || sampleRateHz < MIN_RATE_HZ || sampleRateHz > MAX_RATE_HZ) return false;
    this.#rateHz = sampleRateHz;
    this.#capacity = Math.ceil((this.maxSeconds + STOP_AFTER_SECONDS) * sampleRateHz);
    return true;
  }

  #reserve(needed: number): void {
    if (needed <= this.#samples.length) return;
    const longer = new Int16Array(Math.min(this.#capacity, Math.max(needed, this.#samples.length * 2)));
    longer.set(this.#samples.subarray(0, this.#length));
    this.#samples = longer;
  }
}

function toSample(value: number): number {
  if (!(value > -1)) return value <= -1 ? -32_768 : 0; // NaN is silence
  return Math.min(32_767, Math.round(value * 32_768));
}
