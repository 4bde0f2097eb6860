/** Weighted features of one sentence; the weights of a sentence have length one. */
export type Features = ReadonlyMap<string, number>;
export interface Sample {
  readonly features: Features;
  readonly classIndex: number;
}

/** Passes over the samples: the weights hardly move after these. */
const PASSES = 8;
/** Multiplications that training may cost: an agent is made ready between two packets of a call. */
const MAX_WORK = 60_000_000;
/** Weights of one classifier; beyond it features share them. */
const MAX_WEIGHTS = 2_000_000;
const STEP = 0.5;
/** An error smaller than this is not learnt from: most classes are out of the question for most sentences. */
const LEAST_ERROR = 0.01;
/** Visits the samples in an order that mixes the classes, the same each time. */
const STRIDE = 7_919;

/**
 * Softmax regression over sparse features, trained with AdaGrad (Duchi, Hazan, Singer 2011) in a fixed order: the same
 * samples give the same classifier. Small classes count as much as large ones, nearly.
 */
export class Classifier {
  readonly #rows = new Map<string, number>();
  readonly #classes: number;
  readonly #buckets: number;
  readonly #weights: Float32Array;

  constructor(samples: readonly Sample[], classes: number) {
    this.#classes = Math.max(1, classes);
    const seen = new Set<string>();
    for (const { features } of samples) {
      for (const key of features.keys()) {
        if (!seen.has(key)) seen.add(key);
        else if (!this.#rows.has(key)) this.#rows.set(key, this.#rows.size);
      }
    }
    this.#buckets = Math.max(1, Math.min(this.#rows.size, Math.floor(MAX_WEIGHTS / this.#classes)));
    this.#weights = new Float32Array(this.#buckets * this.#classes);
    this.#train(samples);
  }

  /** How likely each class is, in the order of the classes; sums to one. */
  probabilities(features: Features): Float64Array {
    const sums = new Float64Array(this.#classes);
    for (const [key, value] of features) {
      const row = this.#rows.get(key);
      if (row !== undefined) this.#addRow(sums, (row % this.#buckets) * this.#classes, value);
    }
    return softmax(sums);
  }

  #addRow(sums: Float64Array, start: number, value: number): void {
    for (let c = 0; c < this.#classes; c += 1) sums[c]! += this.#weights[start + c]! * value;
  }

  #known(features: Features): { readonly starts: number[]; readonly values: number[] } {
    const starts: number[] = [];
    const values: number[] = [];
    for (const [key, value] of features) {
      const row = this.#rows.get(key);
      if (row === undefined) continue;
      starts.push((row % this.#buckets) * this.#classes);
      values.push(value);
    }
    return { starts, values };
  }

  #train(samples: readonly Sample[]): void {
    const sparse = samples.map(({ features }) => this.#known(features));
    const sizes = new Float64Array(this.#classes);
    let work = 1;
    samples.forEach(({ classIndex }, n) => {
      sizes[classIndex]! += 1;
      work += sparse[n]!.starts.length * this.#classes;
    });
    const importance = sizes.map((size) => Math.sqrt(samples.length / this.#classes / Math.max(1, size)));
    const squares = new Float32Array(this.#weights.length).fill(1e-6);
    const passes = Math.min(PASSES, Math.ceil(MAX_WORK / work));
    const errors = new Float64Array(this.#classes);
    for (let pass = 0; pass < passes; pass += 1) {
      for (let n = 0; n < samples.length; n += 1) {
        const at = (n * STRIDE + pass) % samples.length;
        this.#learn(sparse[at]!, samples[at]!.classIndex, importance, squares, errors);
      }
    }
  }

  #learn(
    { starts, values }: { readonly starts: readonly number[]; readonly values: readonly number[] },
    classIndex: number,
    importance: Float64Array,
    squares: Float32Array,
    errors: Float64Array,
  ): void {
    errors.fill(0);
    for (let i = 0; i < starts.length; i += 1) this.#addRow(errors, starts[i]!, values[i]!);
    softmax(errors);
    errors[classIndex]! -= 1;
    for (let c = 0; c < errors.length; c += 1) {
      const error = errors[c]! * importance[classIndex]!;
      if (Math.abs(error) < LEAST_ERROR) continue;
      for (let i = 0; i < starts.length; i += 1) {
        const weight = starts[i]! + c;
        const gradient = error * values[i]!;
        squares[weight]! += gradient * gradient;
        this.#weights[weight]! -= (STEP * gradient) / Math.sqrt(squares[weight]!);
      }
    }
  }
}

/** In place. */
function softmax(sums: Float64Array): Float64Array {
  let top = Number.NEGATIVE_INFINITY;
  for (const sum of sums) if (sum > top) top = sum;
  let total = 0;
  for (let c = 0; c < sums.length; c += 1) {
    sums[c] = Math.exp(sums[c]! - top);
    total += sums[c]!;
  }
  for (let c = 0; c < sums.length; c += 1) sums[c]! /= total;
  return sums;
}
