import { isWeak, type Term } from '../../language/lexicon/lexicon.ts';

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

/** Examples that hold a feature, and its weight there: pairs, one after the other. */
export type Postings = Map<string, number[]>;

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

export function post(postings: Postings, key: string, example: number, weight: number): void {
  const list = postings.get(key);
  if (list) list.push(example, weight);
  else postings.set(key, [example, weight]);
}
