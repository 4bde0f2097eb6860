import { clampSample, HalfBandDownsampler, HalfBandUpsampler, kaiser } from './half-band.ts';

/** A stream that changes the sample rate. One instance a stream; chunks of any size, state carried between them. */
export interface Resampler {
  readonly fromHz: number;
  readonly toHz: number;
  /** @returns what became ready; its length differs from chunk to chunk by one sample where rates do not divide. */
  push(samples: Int16Array): Int16Array;
  /** The tail still inside the filter: call once after the last chunk. */
  flush(): Int16Array;
}

export const MIN_RATE_HZ = 4_000;
export const MAX_RATE_HZ = 192_000;

/** Zero crossings of the sinc on each side. */
const LOBES = 24;
const KAISER_BETA = 7.0; // about 70 dB of stop-band
/**
 * Of the lower Nyquist frequency. At 8 kHz: flat to 3.4 kHz, 60 dB down from 4.3 kHz; what lies between folds back
 * above 3.7 kHz, where telephony has nothing (measured in the test).
 */
const CUTOFF = 0.97;
/** Ratios that need more phases than this are interpolated between neighbouring phases. */
const MAX_PHASES = 512;
/** At this ratio the half-band's transition lies far above the final pass band. */
const HALVE_FIRST_RATIO = 5;

/**
 * The best resampler for two rates: nothing, half-band for 8 <-> 16 kHz, else a windowed-sinc polyphase filter.
 *
 * @throws RangeError outside `MIN_RATE_HZ`..`MAX_RATE_HZ`: rates from the network are checked where they enter.
 */
export function createResampler(fromHz: number, toHz: number): Resampler {
  for (const rate of [fromHz, toHz]) {
    if (!Number.isInteger(rate) || rate < MIN_RATE_HZ || rate > MAX_RATE_HZ) {
      throw new RangeError(`sample rate ${rate} is outside ${MIN_RATE_HZ}..${MAX_RATE_HZ}`);
    }
  }
  if (fromHz === toHz) return { fromHz, toHz, push: (samples) => samples.slice(), flush: () => new Int16Array(0) };
  if (toHz === 2 * fromHz) return new HalfBand(fromHz, toHz, new HalfBandUpsampler(), 12);
  if (fromHz === 2 * toHz) return new HalfBand(fromHz, toHz, new HalfBandDownsampler(), 24);
  // From far above, halve first: the sinc filter's length grows with the ratio (48 kHz costs half of it this way).
  if (fromHz % 2 === 0 && fromHz >= HALVE_FIRST_RATIO * toHz) {
    const half = fromHz / 2;
    return new Cascade(
      fromHz,
      toHz,
      new HalfBand(fromHz, half, new HalfBandDownsampler(), 24),
      createResampler(half, toHz),
    );
  }
  return new SincResampler(fromHz, toHz);
}

/** Resamples a whole recording at once, without the filter's delay at its start. */
export function resampleAll(samples: Int16Array, fromHz: number, toHz: number): Int16Array {
  if (fromHz === toHz) return samples.slice();
  const resampler = new SincResampler(fromHz, toHz);
  const head = resampler.push(samples);
  const tail = resampler.flush();
  const whole = new Int16Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  const skip = Math.round((resampler.delaySamples * toHz) / fromHz);
  return whole.subarray(skip, skip + Math.round((samples.length * toHz) / fromHz)).slice();
}

class HalfBand implements Resampler {
  constructor(
    readonly fromHz: number,
    readonly toHz: number,
    readonly filter: HalfBandUpsampler | HalfBandDownsampler,
    readonly tailSamples: number,
  ) {}
  push(samples: Int16Array): Int16Array {
    return this.filter.push(samples);
  }
  flush(): Int16Array {
    return this.filter.push(new Int16Array(this.tailSamples));
  }
}

class Cascade implements Resampler {
  constructor(
    readonly fromHz: number,
    readonly toHz: number,
    readonly first: Resampler,
    readonly second: Resampler,
  ) {}
  push(samples: Int16Array): Int16Array {
    return this.second.push(this.first.push(samples));
  }
  flush(): Int16Array {
    const middle = this.second.push(this.first.flush());
    const tail = this.second.flush();
    const whole = new Int16Array(middle.length + tail.length);
    whole.set(middle);
    whole.set(tail, middle.length);
    return whole;
  }
}

/**
 * Windowed-sinc polyphase resampler (Kaiser window). The output position moves in exact fractions of an input sample
 * (`step` out of `phases`), so there is no drift however long the stream is.
 */
export class SincResampler implements Resampler {
  /** Delay in input samples. */
  readonly delaySamples: number;
  readonly #up: number; // L: output positions per input sample, exact
  readonly #down: number; // M
  readonly #taps: number;
  readonly #tablePhases: number;
  readonly #table: Float32Array; // (tablePhases + 1) rows of #taps
  #line: Float32Array;
  #filled: number;
  #position = 0; // in 1/L input samples, relative to the first sample of the line

  constructor(
    readonly fromHz: number,
    readonly toHz: number,
  ) {
    const divisor = gcd(fromHz, toHz);
    this.#up = toHz / divisor;
    this.#down = fromHz / divisor;
    const scale = Math.min(1, toHz / fromHz); // cut-off relative to the input's Nyquist frequency
    const half = Math.ceil(LOBES / scale);
    this.#taps = 2 * half;
    this.delaySamples = half;
    this.#tablePhases = Math.min(this.#up, MAX_PHASES);
    this.#table = filterFor(this.#tablePhases, this.#taps, scale * CUTOFF);
    this.#line = new Float32Array(this.#taps + 4096);
    this.#filled = this.#taps - 1;
  }

  push(samples: Int16Array): Int16Array {
    this.#append(samples);
    const available = (this.#filled - this.#taps + 1) * this.#up;
    const count = Math.max(0, Math.ceil((available - this.#position) / this.#down));
    const output = new Int16Array(count);
    for (let i = 0; i < count; i += 1) {
      output[i] = clampSample(this.#sample());
      this.#position += this.#down;
    }
    this.#drop(Math.min(Math.floor(this.#position / this.#up), this.#filled));
    return output;
  }

  flush(): Int16Array {
    return this.push(new Int16Array(this.delaySamples));
  }

  #append(samples: Int16Array): void {
    if (this.#filled + samples.length > this.#line.length) {
      const longer = new Float32Array(this.#filled + samples.length + 4096);
      longer.set(this.#line.subarray(0, this.#filled));
      this.#line = longer;
    }
    this.#line.set(samples, this.#filled);
    this.#filled += samples.length;
  }

  #drop(consumed: number): void {
    this.#line.copyWithin(0, consumed, this.#filled);
    this.#filled -= consumed;
    this.#position -= consumed * this.#up;
  }

  #sample(): number {
    const start = Math.floor(this.#position / this.#up);
    const fraction = ((this.#position - start * this.#up) * this.#tablePhases) / this.#up;
    const phase = Math.floor(fraction);
    const row = this.#convolve(phase, start);
    const between = fraction - phase;
    return between === 0 ? row : row + between * (this.#convolve(phase + 1, start) - row);
  }

  #convolve(phase: number, start: number): number {
    const table = this.#table;
    const line = this.#line;
    const taps = this.#taps;
    const base = phase * taps;
    let even = 0; // two sums: neither addition waits for the other, a quarter less time
    let odd = 0;
    for (let k = 0; k < taps; k += 2) {
      even += (table[base + k] as number) * (line[start + k] as number);
      odd += (table[base + k + 1] as number) * (line[start + k + 1] as number);
    }
    return even + odd;
  }
}

/** A filter takes 2 ms to design and is the same for every stream of two rates: kept, since few pairs occur. */
const filters = new Map<string, Float32Array>();
const FILTERS_MAX = 64;

function filterFor(phases: number, taps: number, cutoff: number): Float32Array {
  const key = `${phases}/${taps}/${cutoff}`;
  const known = filters.get(key);
  if (known) return known;
  const table = designTable(phases, taps, cutoff);
  if (filters.size < FILTERS_MAX) filters.set(key, table);
  return table;
}

/** Row p holds the filter for an output `p / phases` of a sample after the centre; one row more for interpolation. */
function designTable(phases: number, taps: number, cutoff: number): Float32Array {
  const half = taps / 2;
  const table = new Float32Array((phases + 1) * taps);
  for (let phase = 0; phase <= phases; phase += 1) {
    let sum = 0;
    for (let k = 0; k < taps; k += 1) {
      const distance = k - (half - 1) - phase / phases;
      const x = Math.PI * distance * cutoff;
      const value = (distance === 0 ? 1 : Math.sin(x) / x) * kaiser(distance / half, KAISER_BETA);
      table[phase * taps + k] = value;
      sum += value;
    }
    for (let k = 0; k < taps; k += 1) table[phase * taps + k] = (table[phase * taps + k] as number) / sum;
  }
  return table;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
