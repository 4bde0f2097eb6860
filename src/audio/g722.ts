import {
  HIGHER_MULTIPLIERS,
  HIGHER_OUTPUT_2,
  INVERSE_LOG,
  LOWER_CODES_NEGATIVE,
  LOWER_CODES_POSITIVE,
  LOWER_LEVELS,
  LOWER_MULTIPLIERS,
  LOWER_OUTPUT_4,
  LOWER_OUTPUT_6,
  QMF,
} from './g722-tables.ts';

/**
 * ITU-T G.722 at 64 kbit/s: 16 kHz audio split in two bands of 8 kHz, each coded as the difference from a prediction - 6 bits
 * below 4 kHz, 2 bits above - so that one byte holds two samples. Integer arithmetic as the recommendation has it, so both
 * ends predict the same; the comments name its blocks.
 */
export const G722_SAMPLES_PER_BYTE = 2;

const clamp = (value: number, limit: number): number =>
  value > limit ? limit : value < -limit - 1 ? -limit - 1 : value;
const clamp16 = (value: number): number => clamp(value, 32_767);
/** The bands have 15 bits. */
const clamp15 = (value: number): number => clamp(value, 16_383);

/** Zeros and poles of the adaptive predictor, and the step size, of one band. */
class Band {
  /** What is expected next. */
  prediction = 0;
  step: number;
  #logStep = 0;
  #zeroPart = 0;
  #reconstructed = 0; // r(n-1)
  #partial1 = 0; // p(n-1), p(n-2)
  #partial2 = 0;
  #pole1 = 0;
  #pole2 = 0;
  readonly #zeros = new Int32Array(6);
  readonly #differences = new Int32Array(6); // d(n-1) first

  /** @param initialStep - 32 below, 8 above. */
  constructor(
    readonly initialStep: number,
    readonly multipliers: Int16Array,
    readonly maxLogStep: number,
    readonly logOffset: number,
  ) {
    this.step = initialStep;
  }

  /** Takes the code word of one sample and the difference that it stands for: LOGSCL, SCALEL, then the predictor. */
  adapt(code: number, difference: number): void {
    const log = ((this.#logStep * 127) >> 7) + (this.multipliers[code] as number);
    this.#logStep = log < 0 ? 0 : log > this.maxLogStep ? this.maxLogStep : log;
    const mantissa = INVERSE_LOG[(this.#logStep >> 6) & 31] as number;
    const shift = this.logOffset - (this.#logStep >> 11);
    this.step = (shift < 0 ? mantissa << -shift : mantissa >> shift) << 2;
    this.#predict(difference);
  }

  #predict(difference: number): void {
    const reconstructed = clamp16(this.prediction + difference); // RECONS
    const partial = clamp16(this.#zeroPart + difference); // PARREC
    this.#adaptPoles(partial);
    this.#zeroPart = this.#adaptZeros(difference);
    // FILTEP
    const first = (this.#pole1 * clamp16(2 * reconstructed)) >> 15;
    const second = (this.#pole2 * clamp16(2 * this.#reconstructed)) >> 15;
    this.#reconstructed = reconstructed;
    this.prediction = clamp16(clamp16(first + second) + this.#zeroPart); // PREDIC
  }

  /** UPPOL2, UPPOL1: by the signs of the last three partial reconstructions. */
  #adaptPoles(partial: number): void {
    const same1 = partial < 0 === this.#partial1 < 0;
    const same2 = partial < 0 === this.#partial2 < 0;
    this.#partial2 = this.#partial1;
    this.#partial1 = partial;
    const four = clamp16(4 * this.#pole1);
    const turned = same1 ? -four : four;
    const wanted2 = ((turned > 32_767 ? 32_767 : turned) >> 7) + (same2 ? 128 : -128) + ((this.#pole2 * 32_512) >> 15);
    this.#pole2 = wanted2 > 12_288 ? 12_288 : wanted2 < -12_288 ? -12_288 : wanted2;
    const wanted1 = clamp16((same1 ? 192 : -192) + ((this.#pole1 * 32_640) >> 15));
    const limit = clamp16(15_360 - this.#pole2);
    this.#pole1 = wanted1 > limit ? limit : wanted1 < -limit ? -limit : wanted1;
  }

  /** UPZERO, DELAYA and FILTEZ in one pass, oldest first. @returns the zero part of the next prediction. */
  #adaptZeros(difference: number): number {
    const zeros = this.#zeros;
    const differences = this.#differences;
    const gain = difference === 0 ? 0 : 128;
    const negative = difference < 0;
    let sum = 0;
    for (let i = 5; i >= 0; i -= 1) {
      const before = differences[i] as number;
      const change = before < 0 === negative ? gain : -gain;
      const zero = clamp16(change + (((zeros[i] as number) * 32_640) >> 15));
      zeros[i] = zero;
      const shifted = i === 0 ? difference : (differences[i - 1] as number);
      differences[i] = shifted;
      sum += (zero * clamp16(2 * shifted)) >> 15;
    }
    return clamp16(sum);
  }

  reset(): void {
    this.prediction = 0;
    this.step = this.initialStep;
    this.#logStep = 0;
    this.#zeroPart = 0;
    this.#reconstructed = 0;
    this.#partial1 = 0;
    this.#partial2 = 0;
    this.#pole1 = 0;
    this.#pole2 = 0;
    this.#zeros.fill(0);
    this.#differences.fill(0);
  }
}

const lowerBand = (): Band => new Band(32, LOWER_MULTIPLIERS, 18_432, 8);
const higherBand = (): Band => new Band(8, HIGHER_MULTIPLIERS, 22_528, 10);

const TAPS = 2 * QMF.length;
/** Pairs that go through before the delay line is moved back to its start. */
const PAIRS = 80;

/** The mirror filter over pairs of samples: `push` leaves the sums of its two phases in `even` and `odd`. */
class MirrorFilter {
  readonly #line = new Int32Array(TAPS + 2 * PAIRS);
  #from = 0; // of the oldest sample in the filter
  even = 0;
  odd = 0;

  push(first: number, second: number): void {
    const line = this.#line;
    if (this.#from + TAPS + 2 > line.length) {
      line.copyWithin(0, this.#from, this.#from + TAPS);
      this.#from = 0;
    }
    this.#from += 2;
    const from = this.#from;
    line[from + TAPS - 2] = first;
    line[from + TAPS - 1] = second;
    let even = 0;
    let odd = 0;
    for (let i = 0; i < QMF.length; i += 1) {
      odd += (line[from + 2 * i] as number) * (QMF[i] as number);
      even += (line[from + TAPS - 1 - 2 * i] as number) * (QMF[i] as number);
    }
    this.even = even;
    this.odd = odd;
  }

  reset(): void {
    this.#line.fill(0);
  }
}

export class G722Encoder {
  readonly #lower = lowerBand();
  readonly #higher = higherBand();
  readonly #filter = new MirrorFilter();

  /** Encodes pairs of samples at 16 kHz into `into` from byte `at` on. @returns bytes written: one for two samples. */
  encode(samples: Int16Array, into: Uint8Array, at = 0): number {
    const bytes = samples.length >> 1;
    for (let i = 0; i < bytes; i += 1) {
      this.#filter.push(samples[2 * i] as number, samples[2 * i + 1] as number);
      const { even, odd } = this.#filter;
      into[at + i] = (this.#codeHigher((even - odd) >> 14) << 6) | this.#codeLower((even + odd) >> 14);
    }
    return bytes;
  }

  reset(): void {
    this.#lower.reset();
    this.#higher.reset();
    this.#filter.reset();
  }

  /** QUANTL: the interval of the difference in units of the step; both ends go on with the upper four bits of the code. */
  #codeLower(sample: number): number {
    const band = this.#lower;
    const difference = clamp16(sample - band.prediction);
    const size = difference < 0 ? ~difference : difference;
    let interval = 0;
    while (interval < LOWER_LEVELS.length && size >= ((LOWER_LEVELS[interval] as number) * band.step) >> 12) {
      interval += 1;
    }
    const codes = difference < 0 ? LOWER_CODES_NEGATIVE : LOWER_CODES_POSITIVE;
    const code = codes[interval] as number;
    band.adapt(code >> 2, (band.step * (LOWER_OUTPUT_4[code >> 2] as number)) >> 15);
    return code;
  }

  /** QUANTH */
  #codeHigher(sample: number): number {
    const band = this.#higher;
    const difference = clamp16(sample - band.prediction);
    const size = difference < 0 ? ~difference : difference;
    const large = size >= (564 * band.step) >> 12;
    const code = difference < 0 ? (large ? 0 : 1) : large ? 2 : 3;
    band.adapt(code, (band.step * (HIGHER_OUTPUT_2[code] as number)) >> 15);
    return code;
  }
}

export class G722Decoder {
  readonly #lower = lowerBand();
  readonly #higher = higherBand();
  readonly #filter = new MirrorFilter();

  /** Decodes the first `count` bytes into `into` from sample `at` on. @returns samples written: two for each byte. */
  decode(bytes: Uint8Array, count: number, into: Int16Array, at = 0): number {
    for (let i = 0; i < count; i += 1) {
      const code = bytes[i] as number;
      const low = this.#decodeLower(code & 0x3f);
      const high = this.#decodeHigher(code >> 6);
      this.#filter.push(low + high, low - high);
      into[at + 2 * i] = clamp16(this.#filter.even >> 11);
      into[at + 2 * i + 1] = clamp16(this.#filter.odd >> 11);
    }
    return count * G722_SAMPLES_PER_BYTE;
  }

  reset(): void {
    this.#lower.reset();
    this.#higher.reset();
    this.#filter.reset();
  }

  /** What is heard uses all six bits, the prediction only those that every mode of G.722 transmits. */
  #decodeLower(code: number): number {
    const band = this.#lower;
    const heard = clamp15(band.prediction + ((band.step * (LOWER_OUTPUT_6[code] as number)) >> 15));
    band.adapt(code >> 2, (band.step * (LOWER_OUTPUT_4[code >> 2] as number)) >> 15);
    return heard;
  }

  #decodeHigher(code: number): number {
    const band = this.#higher;
    const difference = (band.step * (HIGHER_OUTPUT_2[code] as number)) >> 15;
    const heard = clamp15(band.prediction + difference);
    band.adapt(code, difference);
    return heard;
  }
}
