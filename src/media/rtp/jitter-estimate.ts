import { JITTER_MS } from '../../core/media-limits.ts';
import { distance32 } from '../../core/uint.ts';

export interface JitterLimits {
  readonly minMs: number;
  readonly maxMs: number;
}

/** @throws RangeError outside of `JITTER_MS`, or with the least above the most. */
export function checkJitterLimits({ minMs, maxMs }: JitterLimits): void {
  if (minMs >= JITTER_MS.min && minMs <= maxMs && maxMs <= JITTER_MS.max) return;
  throw new RangeError(`jitter limits ${minMs}..${maxMs} ms lie outside of ${JITTER_MS.min}..${JITTER_MS.max} ms`);
}

const WINDOW = 128; // packets: 2.6 s of 20 ms
const RECOMPUTE_EVERY = 16;
const QUANTILE = 0.97;
/** Added to the quantile: arrival and playout are not in phase. */
const MARGIN_MS = 20;
const FIRST_TARGET_MS = 40;

/**
 * How much later than the fastest packets of the last seconds the slow ones come, and so how much delay playout needs.
 * A window, not an average: it follows clock drift and forgets a bad minute. All figures are ticks of the RTP clock.
 */
export class JitterEstimate {
  readonly #transits = new Int32Array(WINDOW); // relative to #reference
  readonly #sorted = new Int32Array(WINDOW);
  #reference: number | undefined;
  #count = 0;
  #minimum = 0;
  #target: number;
  constructor(
    readonly limits: JitterLimits,
    readonly ticksPerMs: number,
  ) {
    this.#target = this.#clamp(FIRST_TARGET_MS * ticksPerMs);
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
  get targetTicks(): number {
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
    this.#target = this.#clamp(late + MARGIN_MS * this.ticksPerMs);
  }

  #clamp(ticks: number): number {
    const { minMs, maxMs } = this.limits;
    return Math.min(maxMs * this.ticksPerMs, Math.max(minMs * this.ticksPerMs, ticks));
  }
}
