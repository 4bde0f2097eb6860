import { apart } from './learnt-keep.ts';
import { type SlowWork, stepping } from './slow-work.ts';

/** Weighted features of one sentence; the weights of a sentence have length one. */
export type Features = ReadonlyMap<string, number>;
export interface Sample {
  readonly features: Features;
  readonly classIndex: number;
}
interface NumberedSample {
  readonly classIndex: number;
  readonly place: number; // in the order of learning
  readonly rowOf: readonly number[]; // of all features, by number
  readonly numbers: Int32Array; // of its own, and their weights
  readonly values: Float64Array;
}
interface TrainingSample {
  readonly classIndex: number;
  readonly place: number;
  readonly starts: readonly number[]; // of the weights of a feature
  readonly values: readonly number[];
}

/** What was learnt, as it is kept: the weights of a row stand side by side, one a class; the first row is the intercept. */
export interface LearntWeights {
  readonly classes: number;
  readonly rows: ReadonlyMap<string, number>;
  readonly buckets: number; // rows beyond it share weights
  readonly weights: Float32Array;
}

/** Multiplications that training may cost: an agent is made ready between two packets of a call. */
const MAX_WORK = 120_000_000;
/** Weights of one classifier; beyond it features share them. */
const MAX_WEIGHTS = 2_000_000;
/**
 * How far one sample moves the weights, how often all of them are passed, forwards and backwards in turn, and in how many orders
 * that is done, of which the mean is kept: what comes first weighs most, and in each order something else does.
 */
interface Pace {
  readonly step: number;
  readonly passes: number;
  readonly orders: number;
}
/** Larger steps tell more sentences apart, and are too sure of some. */
export const BOLD: Pace = { step: 1, passes: 2, orders: 8 };
export const CAREFUL: Pace = { step: 0.5, passes: 8, orders: 4 };
/** What a sentence without any known feature still has: how often each class is meant. The features have length one. */
const INTERCEPT = 1;
/** What takes a few milliseconds. */
const SAMPLES_PER_STEP = 64;
const LEARNT_PER_STEP = 512;
/** An error smaller than this is not learnt from: most classes are out of the question for most sentences. */
const LEAST_ERROR = 0.01;
/** FNV-1a, 32 bits. */
const HASH_START = 0x811c9dc5;
const HASH_PRIME = 0x01000193;
/** Between the places of one sample in two orders, before they are scrambled. */
const ORDER_STEP = 0x9e3779b1;

/**
 * Softmax regression over sparse features, trained with AdaGrad (Duchi, Hazan, Singer 2011). The order of the samples comes of
 * their own features: it mixes the classes, and one sample more or less moves no other one. Small classes count as much as
 * large ones, nearly.
 */
export class Classifier {
  readonly learnt: LearntWeights;

  constructor(learnt: LearntWeights) {
    this.learnt = { ...learnt, weights: apart(learnt.weights) };
  }

  /** @param samples - each is looked at once, and not kept. */
  static *training(samples: Iterable<Sample>, classes: number, pace: Pace): SlowWork<Classifier> {
    const training = new Training(Math.max(1, classes), pace);
    return new Classifier(yield* training.run(samples));
  }

  /** How likely each class is, in the order of the classes; sums to one. */
  probabilities(features: Features): Float64Array {
    const { classes, rows, buckets, weights } = this.learnt;
    const sums = new Float64Array(classes);
    addRow(sums, weights, 0, INTERCEPT);
    for (const [key, value] of features) {
      const row = rows.get(key);
      if (row !== undefined) addRow(sums, weights, (row % buckets) * classes, value);
    }
    return softmax(sums);
  }
}

/** One training, from samples to weights. */
class Training {
  readonly #rows = new Map<string, number>([['', 0]]);
  #buckets = 1;
  #weights = new Float32Array(0);

  constructor(
    readonly classes: number,
    private readonly pace: Pace,
  ) {}

  *run(samples: Iterable<Sample>): SlowWork<LearntWeights> {
    const numbered = yield* this.#number(samples);
    this.#buckets = Math.max(1, Math.min(this.#rows.size, Math.floor(MAX_WEIGHTS / this.classes)));
    this.#weights = new Float32Array(this.#buckets * this.classes);
    yield* this.#train(numbered.map((sample) => this.#known(sample)));
    return { classes: this.classes, rows: this.#rows, buckets: this.#buckets, weights: this.#weights };
  }

  /** Rows are for features that are seen a second time. */
  *#number(samples: Iterable<Sample>): SlowWork<NumberedSample[]> {
    const numbers = new Map<string, number>();
    const rowOf: number[] = []; // by number; -1 while it was seen once
    const numbered: NumberedSample[] = [];
    yield* stepping(samples, SAMPLES_PER_STEP, ({ features, classIndex }) => {
      const own = new Int32Array(features.size);
      let at = 0;
      for (const key of features.keys()) {
        const known = numbers.get(key);
        own[at] = known ?? rowOf.length;
        at += 1;
        if (known === undefined) {
          numbers.set(key, rowOf.length);
          rowOf.push(-1);
        } else if (rowOf[known] === -1) {
          rowOf[known] = this.#rows.size;
          this.#rows.set(key, this.#rows.size);
        }
      }
      numbered.push({
        classIndex,
        place: placeOf(features),
        rowOf,
        numbers: own,
        values: Float64Array.from(features.values()),
      });
    });
    return numbered;
  }

  /** What training looks at, once all rows are known. */
  #known({ classIndex, place, rowOf, numbers, values: all }: NumberedSample): TrainingSample {
    const starts = [0];
    const values = [INTERCEPT];
    for (let i = 0; i < numbers.length; i += 1) {
      const row = rowOf[numbers[i]!]!;
      if (row < 0) continue;
      starts.push((row % this.#buckets) * this.classes);
      values.push(all[i]!);
    }
    return { classIndex, place, starts, values };
  }

  *#train(samples: readonly TrainingSample[]): SlowWork<void> {
    const sizes = new Float64Array(this.classes);
    let work = 1;
    for (const { classIndex, starts } of samples) {
      sizes[classIndex]! += 1;
      work += starts.length * this.classes;
    }
    const importance = sizes.map((size) => Math.sqrt(samples.length / this.classes / Math.max(1, size)));
    const passes = Math.min(this.pace.passes, Math.ceil(MAX_WORK / work));
    const orders = Math.max(1, Math.min(this.pace.orders, Math.floor(MAX_WORK / work / passes)));
    const mean = new Float32Array(this.#weights.length);
    for (let order = 0; order < orders; order += 1) {
      this.#weights.fill(0);
      yield* this.#pass(inOrder(samples, order), passes, importance, (weights) => {
        for (let i = 0; i < mean.length; i += 1) mean[i]! += weights[i]! / passes / orders;
      });
    }
    this.#weights = mean;
  }

  *#pass(
    samples: readonly TrainingSample[],
    passes: number,
    importance: Float64Array,
    passed: (weights: Float32Array) => void,
  ): SlowWork<void> {
    // Of few samples none decides: they move the weights by less.
    const squares = new Float32Array(this.#weights.length).fill(1 / Math.max(1, samples.length));
    const errors = new Float64Array(this.classes);
    for (let pass = 0; pass < passes; pass += 1) {
      for (let n = 0; n < samples.length; n += 1) {
        this.#learn(samples[pass % 2 === 0 ? n : samples.length - 1 - n]!, importance, squares, errors);
        if (n % LEARNT_PER_STEP === LEARNT_PER_STEP - 1) yield;
      }
      passed(this.#weights);
    }
  }

  #learn(
    { classIndex, starts, values }: TrainingSample,
    importance: Float64Array,
    squares: Float32Array,
    errors: Float64Array,
  ): void {
    errors.fill(0);
    for (let i = 0; i < starts.length; i += 1) addRow(errors, this.#weights, starts[i]!, values[i]!);
    softmax(errors);
    errors[classIndex]! -= 1;
    for (let c = 0; c < errors.length; c += 1) {
      const error = errors[c]! * importance[classIndex]!;
      if (Math.abs(error) < LEAST_ERROR) continue;
      for (let i = 0; i < starts.length; i += 1) {
        const weight = starts[i]! + c;
        const gradient = error * values[i]!;
        squares[weight]! += gradient * gradient;
        this.#weights[weight]! -= (this.pace.step * gradient) / Math.sqrt(squares[weight]!);
      }
    }
  }
}

/** A number that the features alone give, in whatever order they are. */
function placeOf(features: Features): number {
  let sum = 0;
  for (const key of features.keys()) {
    let hash = HASH_START;
    for (let i = 0; i < key.length; i += 1) hash = Math.imul(hash ^ key.charCodeAt(i), HASH_PRIME);
    sum = (sum + Math.imul(hash ^ (hash >>> 15), ORDER_STEP)) >>> 0; // words that end alike do not cancel out
  }
  return sum;
}

/** One of many orders; a sample's place in it does not depend on which others there are. */
function inOrder(samples: readonly TrainingSample[], order: number): TrainingSample[] {
  const keyed = samples.map((sample) => ({
    sample,
    key: scrambled(sample.place + Math.imul(order, ORDER_STEP)),
  }));
  return keyed.sort((a, b) => a.key - b.key).map(({ sample }) => sample);
}

/** MurmurHash3, the last step: numbers that are near give numbers that are not. */
function scrambled(number: number): number {
  let hash = number >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function addRow(sums: Float64Array, weights: Float32Array, start: number, value: number): void {
  for (let c = 0; c < sums.length; c += 1) sums[c]! += weights[start + c]! * value;
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
