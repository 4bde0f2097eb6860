import { distance32 } from '../../core/uint.ts';

const WINDOW = 128; // packets: 2.6 s of 20 ms
const RECOMPUTE_EVERY = 16;
const QUANTILE = 0.97;
/** Added to the quantile: arrival and playout are not in phase. */
const MARGIN_SAMPLES = 160;
const FIRST_TARGET_SAMPLES = 320;

/**
 * How much later than the fastest packets of the last seconds the slow ones come, and so how much delay playout needs.
 * A window, not an average: it follows clock drift and forgets a bad minute. All figures in samples.
 */
export class JitterEstimate {
  readonly #transits = new Int32Array(WINDOW); // relative to #reference
  readonly #sorted = new Int32Array(WINDOW);
  #reference: number | undefined;
  #count = 0;
  #minimum = 0;
  #target: number;
  constructor(
    readonly minSamples: number,
    readonly maxSamples: number,
  ) {
    this.#target = this.#clamp(FIRST_TARGET_SAMPLES);
  }

  /** @param transit - arrival time minus RTP timestamp, uint32. */
  add(transit: number): void {
    this.#reference ??= transit;
    const relative = distance32(this.#reference, transit);
    if (this.#count === 0 || relative < this.#minimum) this.#minimum = relative;
    this.#transits[this.#count % WINDOW] = relative;
    this.#count += 1;
    if (this.#count % RECOMPUTE_EVERY === 0) this.#recompute();
  }

  /** Delay that playout should have over the fastest packet. */
  get targetSamples(): number {
    return this.#target;
  }

  /** Delay over the fastest packet of what has transit `transit`. */
  delayOf(transit: number): number {
    return this.#reference === undefined ? 0 : distance32(this.#reference, transit) - this.#minimum;
  }

  reset(): void {
    this.#reference = undefined;
    this.#count = 0;
    this.#minimum = 0;
  }

  #recompute(): void {
    const length = Math.min(this.#count, WINDOW);
    const sorted = this.#sorted.subarray(0, length);
    sorted.set(this.#transits.subarray(0, length));
    sorted.sort();
    this.#minimum = sorted[0] as number;
    const late = (sorted[Math.floor((length - 1) * QUANTILE)] as number) - this.#minimum;
    this.#target = this.#clamp(late + MARGIN_SAMPLES);
  }

  #clamp(samples: number): number {
    return Math.min(this.maxSamples, Math.max(this.minSamples, samples));
  }
}
