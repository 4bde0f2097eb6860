import { isWeak, type Term } from '../../language/lexicon/lexicon.ts';
import { apart } from './learnt-keep.ts';

/** How much a kind of term weighs beside a content word. */
const WEAK_FACTOR = 0.2;
const HALF_FACTOR = 0.5;
const BIGRAM_FACTOR = 0.5;
const FORM_FACTOR = 0.5;
const HALF_TERMS = new Set([
  '=when',
  '=who',
  '=how',
  '=what',
  '=many',
  '=not',
  '=other',
  '=new',
  '=again',
  '=yet',
  '#when',
]);

/** Which examples hold a feature, and its weight there. What belongs to one feature, which has a row, lies side by side. */
export interface Postings {
  readonly rows: ReadonlyMap<string, number>;
  readonly idf: Float64Array; // how much a feature tells, by row
  readonly starts: Int32Array; // of a row, and the end of the last
  readonly examples: Uint16Array;
  readonly weights: Float64Array; // beside them
}

/** In how many classes each feature stands. Classes come one after the other. */
export class ClassCounts {
  readonly #counts = new Map<string, { classes: number; last: number }>();
  add(key: string, classIndex: number): void {
    const seen = this.#counts.get(key);
    if (!seen) this.#counts.set(key, { classes: 1, last: classIndex });
    else if (seen.last !== classIndex) {
      seen.classes += 1;
      seen.last = classIndex;
    }
  }
  /** How much each feature tells of `count` classes. */
  idf(count: number): Map<string, number> {
    const weights = new Map<string, number>();
    for (const [key, { classes }] of this.#counts) weights.set(key, Math.log(1 + count / classes));
    return weights;
  }
}

export function hasOneOf(terms: readonly Term[], keys: ReadonlySet<string>): boolean {
  return terms.some(({ key }) => keys.has(key));
}

export function factorOf({ key, word }: Term): number {
  if (HALF_TERMS.has(key)) return HALF_FACTOR;
  return word !== '' && isWeak(word) ? WEAK_FACTOR : 1;
}

/** Whether an Arabic word speaks of a known thing: `موعدي` and `الموعد` are there already, `موعد` is yet to be made. */
function formOf({ key, word }: Term): 'known' | 'new' | undefined {
  if (!key.startsWith('=') || isWeak(word) || !/^[؀-ۿ]/.test(word)) return undefined;
  return /^[وف]?(?:ال|بال|لل)|(?:ي|نا)$/.test(word) ? 'known' : 'new';
}

export function wordFeatures(terms: readonly Term[]): Map<string, number> {
  const features = new Map<string, number>();
  let before = '';
  let beforeFactor = 0;
  for (const one of terms) {
    const factor = factorOf(one);
    features.set(one.key, Math.max(features.get(one.key) ?? 0, factor));
    const form = formOf(one);
    if (form) features.set(`${one.key} ${form}`, FORM_FACTOR * factor);
    if (before !== '') features.set(`${before} ${one.key}`, BIGRAM_FACTOR * Math.sqrt(factor * beforeFactor));
    before = one.key;
    beforeFactor = factor;
  }
  return features;
}

export function countOf(grams: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const gram of grams) counts.set(gram, 1);
  return counts;
}

export function weigh(features: ReadonlyMap<string, number>, idf: (key: string) => number): Map<string, number> {
  const weights = new Map<string, number>();
  for (const [key, factor] of features) weights.set(key, factor * idf(key));
  return weights;
}

export function norm(weights: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const weight of weights.values()) sum += weight * weight;
  return Math.sqrt(sum);
}

export function postingsApart({ rows, idf, starts, examples, weights }: Postings): Postings {
  return { rows, idf: apart(idf), starts: apart(starts), examples: apart(examples), weights: apart(weights) };
}

export const idfOf = ({ rows, idf }: Postings, key: string): number | undefined => idf[rows.get(key) ?? -1];

export function examplesWith({ rows, starts, examples }: Postings, key: string): number[] {
  const row = rows.get(key);
  return row === undefined ? [] : [...examples.subarray(starts[row], starts[row + 1])];
}

/** Gathers them, example after example. */
export class Posting {
  readonly #rows: ReadonlyMap<string, number>;
  readonly #lists: [example: number, weight: number][][];

  /** @param idf - of every feature that there is. */
  constructor(private readonly idf: ReadonlyMap<string, number>) {
    this.#rows = new Map([...idf.keys()].map((key, row) => [key, row]));
    this.#lists = Array.from(idf, () => []);
  }

  /** @param features - of one example. @returns the length of all that it weighs. */
  add(example: number, features: ReadonlyMap<string, number>): number {
    const weights = weigh(features, (key) => this.idf.get(key) ?? 0);
    for (const [key, weight] of weights) this.#lists[this.#rows.get(key) ?? -1]?.push([example, weight]);
    return norm(weights);
  }

  get postings(): Postings {
    const all = this.#lists.flat();
    const starts = new Int32Array(this.#lists.length + 1);
    for (const [row, { length }] of this.#lists.entries()) starts[row + 1] = starts[row]! + length;
    return {
      ...{ rows: this.#rows, idf: Float64Array.from(this.idf.values()), starts },
      examples: Uint16Array.from(all, ([example]) => example),
      weights: Float64Array.from(all, ([, weight]) => weight),
    };
  }
}

/** Adds up what every example shares with the weighted features, into `sums`. */
export function addShared(
  { rows, starts, examples, weights }: Postings,
  said: ReadonlyMap<string, number>,
  sums: Float64Array,
): void {
  sums.fill(0);
  for (const [key, weight] of said) {
    const row = rows.get(key);
    if (row === undefined) continue;
    for (let i = starts[row]!; i < starts[row + 1]!; i += 1) sums[examples[i]!]! += weight * weights[i]!;
  }
}
