/**
 * The discrete Fourier transform of complex signals of any size with small factors, out of place and in natural order
 * (Stockham's arrangement, decimation in frequency). For sizes that are no power of two: `Fft` is quicker where they are.
 */
export class MixedFft {
  readonly #steps: readonly Step[];
  readonly #other: { readonly re: Float64Array; readonly im: Float64Array };

  /** @param size - of the signals; a product of numbers up to 5. */
  constructor(readonly size: number) {
    const steps: Step[] = [];
    for (let length = size, stride = 1; length > 1; ) {
      const radix = [4, 5, 3, 2].find((factor) => length % factor === 0);
      if (radix === undefined) throw new RangeError(`a transform of ${size}, which has a large factor`);
      steps.push({ radix, length, stride, turns: turnsOf(radix), twiddles: twiddlesOf(length, radix) });
      length /= radix;
      stride *= radix;
    }
    this.#steps = steps;
    this.#other = { re: new Float64Array(size), im: new Float64Array(size) };
  }

  /** Replaces the signal by its spectrum, not divided by the size. */
  forward(re: Float64Array, im: Float64Array): void {
    let from = { re, im };
    let to = this.#other;
    for (const step of this.#steps) {
      apply(step, from, to);
      [from, to] = [to, from];
    }
    if (from.re === re) return;
    re.set(from.re);
    im.set(from.im);
  }
}

interface Complex {
  readonly re: Float64Array;
  readonly im: Float64Array;
}
interface Step {
  readonly radix: number;
  readonly length: number;
  readonly stride: number;
  readonly turns: Complex; // exp(-2 pi i k j / radix), at k * radix + j
  readonly twiddles: Complex; // exp(-2 pi i p k / length), at p * radix + k
}

function circle(count: number, angle: (i: number) => number): Complex {
  const angles = Float64Array.from({ length: count }, (_, i) => angle(i));
  return { re: angles.map(Math.cos), im: angles.map(Math.sin) };
}
const turnsOf = (radix: number): Complex =>
  circle(radix * radix, (i) => (-2 * Math.PI * ((Math.floor(i / radix) * (i % radix)) % radix)) / radix);
const twiddlesOf = (length: number, radix: number): Complex =>
  circle(length, (i) => (-2 * Math.PI * Math.floor(i / radix) * (i % radix)) / length);

function apply({ radix, length, stride, turns, twiddles }: Step, from: Complex, to: Complex): void {
  const parts = length / radix;
  for (let p = 0; p < parts; p += 1) {
    for (let k = 0; k < radix; k += 1) {
      const c = twiddles.re[p * radix + k] as number;
      const s = twiddles.im[p * radix + k] as number;
      const target = stride * (radix * p + k);
      for (let q = 0; q < stride; q += 1) {
        let re = 0;
        let im = 0;
        for (let j = 0; j < radix; j += 1) {
          const at = q + stride * (p + parts * j);
          const a = turns.re[k * radix + j] as number;
          const b = turns.im[k * radix + j] as number;
          const x = from.re[at] as number;
          const y = from.im[at] as number;
          re += x * a - y * b;
          im += x * b + y * a;
        }
        to.re[target + q] = re * c - im * s;
        to.im[target + q] = re * s + im * c;
      }
    }
  }
}
