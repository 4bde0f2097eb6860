import { MixedFft } from './mixed-fft.ts';

/** As Whisper hears: 16 kHz, windows of 25 ms every 10 ms, 80 bands up to 8 kHz. */
const RATE_HZ = 16_000;
const WINDOW = 400;
const HOP = 160;
export const MEL_BANDS = 80;
const BINS = WINDOW / 2 + 1;
/** Power below which nothing is told apart, and how far below the loudest anything counts, in powers of ten. */
const POWER_MIN = 1e-10;
const RANGE = 8;
/** Keeps silence from being divided by nothing. */
const VARIANCE_MIN = 1e-7;

/** Slaney's scale: linear up to 1 kHz, logarithmic above it. */
const LINEAR_HZ_PER_MEL = 200 / 3;
const LOG_FROM_HZ = 1_000;
const LOG_FROM_MEL = LOG_FROM_HZ / LINEAR_HZ_PER_MEL;
const LOG_STEP = Math.log(6.4) / 27;
const hzOf = (mel: number): number =>
  mel < LOG_FROM_MEL ? mel * LINEAR_HZ_PER_MEL : LOG_FROM_HZ * Math.exp(LOG_STEP * (mel - LOG_FROM_MEL));
const melOf = (hz: number): number =>
  hz < LOG_FROM_HZ ? hz / LINEAR_HZ_PER_MEL : LOG_FROM_MEL + Math.log(hz / LOG_FROM_HZ) / LOG_STEP;

/** One triangle: its weights from bin `from` on. */
interface Band {
  readonly from: number;
  readonly weights: Float64Array;
}

/** Triangles between neighbours on the scale, each of the same area. */
function bandsOf(): readonly Band[] {
  const top = melOf(RATE_HZ / 2);
  const edges = Array.from({ length: MEL_BANDS + 2 }, (_, i) => hzOf((top * i) / (MEL_BANDS + 1)));
  return Array.from({ length: MEL_BANDS }, (_, band) => {
    const [low, centre, high] = edges.slice(band, band + 3) as [number, number, number];
    const all = Array.from({ length: BINS }, (_, bin) => {
      const hz = (bin * RATE_HZ) / WINDOW;
      const height = Math.min((hz - low) / (centre - low), (high - hz) / (high - centre));
      return (Math.max(0, height) * 2) / (high - low);
    });
    const from = Math.max(
      0,
      all.findIndex((weight) => weight > 0),
    );
    const to = all.findLastIndex((weight) => weight > 0) + 1;
    return { from, weights: Float64Array.from(all.slice(from, Math.max(from, to))) };
  });
}

/**
 * Log-mel features of the last `seconds` of 16 kHz audio, as Whisper's feature extractor makes them with normalisation: the audio is
 * padded in front with zeros to the whole length, then brought to mean 0 and variance 1, zeros included. Keeps what it needs between
 * calls; one call at a time.
 *
 * @see Radford et al. 2022, "Robust Speech Recognition via Large-Scale Weak Supervision", section 2.2
 */
export class LogMel {
  readonly frames: number;
  readonly #fft = new MixedFft(WINDOW);
  readonly #window = Float64Array.from({ length: WINDOW }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW));
  readonly #bands = bandsOf();
  readonly #padded: Float64Array;
  readonly #re = new Float64Array(WINDOW);
  readonly #im = new Float64Array(WINDOW);
  readonly #power = new Float64Array(BINS);

  constructor(readonly seconds: number) {
    this.frames = (seconds * RATE_HZ) / HOP;
    this.#padded = new Float64Array(seconds * RATE_HZ + WINDOW);
  }

  /** @returns band after band, `MEL_BANDS` x `frames`, the last frame at the end of the audio. */
  of(samples: Int16Array): Float32Array {
    const silentUntil = this.#prepare(samples);
    const { frames } = this;
    const logs = new Float64Array(MEL_BANDS * frames);
    // All of what was padded is the same: its first frame is that of each.
    const same = Math.max(1, Math.floor((silentUntil - WINDOW) / HOP) + 1);
    this.#frame(0, undefined, logs);
    for (let band = 0; band < MEL_BANDS; band += 1) {
      logs.fill(logs[band * frames] as number, band * frames, band * frames + same);
    }
    // Two frames of real samples are one transform of complex ones.
    for (let frame = same; frame < frames; frame += 2)
      this.#frame(frame, frame + 1 < frames ? frame + 1 : undefined, logs);
    let loudest = Number.NEGATIVE_INFINITY;
    for (const log of logs) if (log > loudest) loudest = log;
    return Float32Array.from(logs, (log) => (Math.max(log, loudest - RANGE) + 4) / 4);
  }

  /** Fills the padded buffer, mirrored at both ends. @returns up to where it holds nothing but padding. */
  #prepare(samples: Int16Array): number {
    const padded = this.#padded;
    const length = padded.length - WINDOW;
    const half = WINDOW / 2;
    const given = samples.subarray(Math.max(0, samples.length - length));
    const silent = length - given.length;
    let sum = 0;
    let squares = 0;
    for (const sample of given) {
      const value = sample / 32_768;
      sum += value;
      squares += value * value;
    }
    const mean = sum / length;
    const scale = 1 / Math.sqrt(Math.max(0, squares / length - mean * mean) + VARIANCE_MIN);
    padded.fill(-mean * scale, half, half + silent);
    for (let i = 0; i < given.length; i += 1) {
      padded[half + silent + i] = ((given[i] as number) / 32_768 - mean) * scale;
    }
    for (let i = 1; i <= half; i += 1) {
      padded[half - i] = padded[half + i] as number;
      padded[half + length - 1 + i] = padded[half + length - 1 - i] as number;
    }
    return silent > half ? half + silent : 0;
  }

  /** The logarithms of one frame's bands, and of another's. */
  #frame(first: number, second: number | undefined, logs: Float64Array): void {
    const [re, im, padded, window] = [this.#re, this.#im, this.#padded, this.#window];
    const at = first * HOP;
    const other = (second ?? first) * HOP;
    for (let i = 0; i < WINDOW; i += 1) {
      const weight = window[i] as number;
      re[i] = (padded[at + i] as number) * weight;
      im[i] = second === undefined ? 0 : (padded[other + i] as number) * weight;
    }
    this.#fft.forward(re, im);
    this.#tell(first, 1, logs);
    if (second !== undefined) this.#tell(second, -1, logs);
  }

  /** @param part - 1: of the signal that went in as real part; -1: as imaginary part. */
  #tell(frame: number, part: 1 | -1, logs: Float64Array): void {
    const [re, im, power] = [this.#re, this.#im, this.#power];
    for (let bin = 0; bin < BINS; bin += 1) {
      const mirror = (WINDOW - bin) % WINDOW;
      const r = (re[bin] as number) + part * (re[mirror] as number);
      const m = (im[bin] as number) - part * (im[mirror] as number);
      power[bin] = (r * r + m * m) / 4;
    }
    for (let band = 0; band < MEL_BANDS; band += 1) {
      const { from, weights } = this.#bands[band] as Band;
      let sum = 0;
      for (let i = 0; i < weights.length; i += 1) sum += (weights[i] as number) * (power[from + i] as number);
      logs[band * this.frames + frame] = Math.log10(Math.max(POWER_MIN, sum));
    }
  }
}
