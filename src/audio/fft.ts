/**
 * The discrete Fourier transform of complex signals, in place, radix 2. `forward` leaves the spectrum in bit-reversed order and
 * `inverse` takes it so: for a product of two spectra the order means nothing, and sorting costs a quarter of the time.
 */
export class Fft {
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;

  /** @param size - of the signals, a power of two. */
  constructor(readonly size: number) {
    if (size < 2 || (size & (size - 1)) !== 0) throw new RangeError('a transform of a power of two');
    const angles = Float64Array.from({ length: size / 2 }, (_, k) => (-2 * Math.PI * k) / size);
    this.#cos = angles.map(Math.cos);
    this.#sin = angles.map(Math.sin);
  }

  /** Decimation in frequency (Gentleman and Sande 1966). */
  forward(re: Float64Array, im: Float64Array): void {
    for (let half = this.size / 2, step = 1; half >= 1; half /= 2, step *= 2) {
      for (let k = 0; k < half; k += 1) {
        const c = this.#cos[k * step] as number;
        const s = this.#sin[k * step] as number;
        for (let i = k; i < this.size; i += 2 * half) {
          const j = i + half;
          const r = (re[i] as number) - (re[j] as number);
          const m = (im[i] as number) - (im[j] as number);
          re[i] = (re[i] as number) + (re[j] as number);
          im[i] = (im[i] as number) + (im[j] as number);
          re[j] = r * c - m * s;
          im[j] = r * s + m * c;
        }
      }
    }
  }

  /** Decimation in time (Cooley and Tukey 1965), not divided by the size. */
  inverse(re: Float64Array, im: Float64Array): void {
    for (let half = 1, step = this.size / 2; half < this.size; half *= 2, step /= 2) {
      for (let k = 0; k < half; k += 1) {
        const c = this.#cos[k * step] as number;
        const s = this.#sin[k * step] as number;
        for (let i = k; i < this.size; i += 2 * half) {
          const j = i + half;
          const r = (re[j] as number) * c + (im[j] as number) * s;
          const m = (im[j] as number) * c - (re[j] as number) * s;
          re[j] = (re[i] as number) - r;
          im[j] = (im[i] as number) - m;
          re[i] = (re[i] as number) + r;
          im[i] = (im[i] as number) + m;
        }
      }
    }
  }
}
