import { wordsOf } from './fold.ts';
import { isCommon, isFiller, isTopic, isWeak, type Term, termsOf } from './lexicon.ts';
import { isNumberWord } from './number-words.ts';
import { trigrams } from './similarity.ts';
import { Vocabulary } from './vocabulary.ts';

/** One thing that can be meant, with the sentences that mean it. */
export interface MeaningClass {
  readonly id: string;
  readonly examples: readonly string[];
  /** Meant only by a whole utterance, never by a part of a long one: a greeting before a wish is only a greeting. */
  readonly whole?: boolean;
}
export interface Ranked {
  readonly id: string;
  readonly score: number; // 0..1
  readonly example: string; // the example that came nearest
  /** Share of the utterance's weight that any example holds, 0..1: the same for all of one ranking. */
  readonly known: number;
}

/** Longer utterances are matched window by window. */
const WINDOW_WORDS = 7;
const WINDOW_STEP = 2;
const MAX_WINDOWS = 40;
const MAX_MATCHED_WORDS = 80;
const WINDOW_PENALTY = 0.93;
const MAX_EXAMPLES = 4_000;
/** Shares of the three measures in the score. */
const WORD_SHARE = 0.36;
const GRAM_SHARE = 0.2;
const VOTE_SHARE = 1 - WORD_SHARE - GRAM_SHARE;
/** A sentence spelt nearly like an example is that example, whatever its words are. */
const SPELT_ALIKE = 0.85;
/** How much a kind of term weighs beside a content word. */
const WEAK_FACTOR = 0.2;
const HALF_FACTOR = 0.5;
const BIGRAM_FACTOR = 0.5;
const FORM_FACTOR = 0.5;
const HALF_TERMS = new Set(['=when', '=who', '=how', '=what', '=many', '=not', '=other', '=new', '=again', '=yet']);
/** Unknown words count against every meaning: everyday ones hardly, those of another subject more than any other. */
const UNKNOWN_COMMON = 0.12;
const UNKNOWN_FACTOR = 0.75;
const UNKNOWN_TOPIC = 1.5;
const UNKNOWN_GRAM_FACTOR = 0.7;
/** A term's vote is doubted while few examples have it. */
const VOTE_DOUBT = 0.35;
/** A vote needs a quorum: this much weight, in content words, that speaks for nobody. */
const VOTE_BALLAST = 0.15;
/**
 * What is left of a match between a sentence that denies or asks and one that does not: `I do not want it` is not meant
 * where nothing is denied, nor `a cleaning` where its price is asked. `lost`: only the example does it.
 */
const NEGATION = { lost: 0.7, added: 0.95 };
const QUESTION = { lost: 0.88, added: 0.85 };
const NEGATIONS = new Set(['=not', '=nowant', '=anymore']);
const QUESTIONS = new Set(['=price', '=duration', '=when', '=where', '=who', '=location', '=until', '=many']);
/** Classes with few examples are compared with those that have many. */
const CLASS_SMOOTHING = 4;

interface Example {
  readonly classIndex: number;
  readonly text: string;
  readonly wordNorm: number;
  readonly gramNorm: number;
  readonly negated: boolean;
  readonly asks: boolean;
}
/** Examples that hold a feature, and its weight there: pairs, one after the other. */
type Postings = Map<string, number[]>;
type Best = Map<number, { score: number; example: string }>;

/**
 * Finds which class an utterance is nearest to. Three measures, blended: the cosine of IDF-weighted terms and their
 * pairs with the nearest example (concepts, light stems, misspelt words mapped to the nearest known one); the cosine of
 * IDF-weighted character trigrams of the sentence without spaces, which sees through words that a recogniser cut in two;
 * and the vote, in which every term speaks for the classes whose examples hold it. Unknown words count against all, so
 * that what the agent was not made for stays below the threshold.
 */
export class IntentMatcher {
  readonly #classes: readonly MeaningClass[];
  readonly #examples: Example[] = [];
  readonly #words: Postings = new Map();
  readonly #grams: Postings = new Map();
  readonly #wordIdf = new Map<string, number>();
  readonly #gramIdf = new Map<string, number>();
  /** Which classes a term speaks for: shares that sum to less than one. */
  readonly #votes = new Map<string, readonly { readonly classIndex: number; readonly share: number }[]>();
  readonly #vocabulary = new Vocabulary();
  readonly #familiar = new Set<string>();
  /** Words that stand in an example by themselves, outside phrases. */
  readonly #singles = new Set<string>();
  readonly #exact = new Map<string, number>();
  readonly #unknownIdf: number;
  /** Scratch of one ranking. */
  readonly #wordSums: Float64Array;
  readonly #gramSums: Float64Array;

  /** @param texts - whatever else the agent says and knows: its words are no strangers. */
  constructor(classes: readonly MeaningClass[], texts: readonly string[] = []) {
    this.#classes = classes;
    for (const text of texts) for (const { text: word } of wordsOf(text)) this.#familiar.add(word);
    this.#unknownIdf = Math.log(1 + Math.max(2, classes.length));
    const prepared: { classIndex: number; text: string; words: string[]; terms: Term[] }[] = [];
    classes.forEach((one, classIndex) => {
      for (const text of one.examples) {
        const words = contentWords(wordsOf(text).map((word) => word.text));
        if (words.length === 0 || prepared.length >= MAX_EXAMPLES) continue;
        prepared.push({ classIndex, text, words, terms: termsOf(words) });
      }
    });
    const wordClasses = new Counts();
    const gramClasses = new Counts();
    const sizes = new Map<number, number>();
    for (const { classIndex, words, terms } of prepared) {
      for (const key of wordFeatures(terms).keys()) wordClasses.add(key, classIndex);
      for (const gram of new Set(trigrams(words.join(' ')))) gramClasses.add(gram, classIndex);
      for (const word of words) this.#vocabulary.learn(word);
      for (const { word } of terms) this.#singles.add(word);
      sizes.set(classIndex, (sizes.get(classIndex) ?? 0) + 1);
    }
    const count = Math.max(2, classes.length);
    for (const [key, seen] of wordClasses.entries()) {
      this.#wordIdf.set(key, Math.log(1 + count / seen.size));
      this.#votes.set(key, sharesOf(seen, sizes));
    }
    for (const [gram, seen] of gramClasses.entries()) this.#gramIdf.set(gram, Math.log(1 + count / seen.size));
    for (const { classIndex, text, words, terms } of prepared) this.#add(classIndex, text, words, terms);
    this.#wordSums = new Float64Array(this.#examples.length);
    this.#gramSums = new Float64Array(this.#examples.length);
  }

  /**
   * Classes by falling score, the best example of each; at most `limit`.
   *
   * @param without - a class that cannot be meant now: what speaks for it speaks for the others.
   */
  rank(utterance: readonly string[], without?: string, limit = 6): Ranked[] {
    const words = contentWords(utterance).slice(0, MAX_MATCHED_WORDS);
    if (words.length === 0) return [];
    const repaired = this.#vocabulary.repair(words);
    const best: Best = new Map();
    const absent = this.#classes.findIndex(({ id }) => id === without);
    const known = this.#knownShare(repaired.words);
    this.#scoreInto(best, words, repaired, 1, false, absent);
    if (words.length > WINDOW_WORDS) {
      const windows = Math.min(MAX_WINDOWS, Math.ceil((words.length - WINDOW_WORDS) / WINDOW_STEP) + 1);
      for (let i = 0; i < windows; i += 1) {
        const said = words.slice(i * WINDOW_STEP, i * WINDOW_STEP + WINDOW_WORDS);
        this.#scoreInto(best, said, this.#vocabulary.repair(said), WINDOW_PENALTY, true, absent);
      }
    }
    return [...best]
      .map(([index, { score, example }]) => ({ id: this.#classes[index]!.id, score, example, known }))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  }

  #add(classIndex: number, text: string, words: readonly string[], terms: readonly Term[]): void {
    const index = this.#examples.length;
    const wordWeights = weigh(wordFeatures(terms), (key) => this.#wordIdf.get(key) ?? 0);
    const gramWeights = weigh(countOf(trigrams(words.join(' '))), (gram) => this.#gramIdf.get(gram) ?? 0);
    this.#examples.push({
      classIndex,
      text,
      wordNorm: norm(wordWeights),
      gramNorm: norm(gramWeights),
      negated: hasOneOf(terms, NEGATIONS),
      asks: hasOneOf(terms, QUESTIONS),
    });
    for (const [key, weight] of wordWeights) post(this.#words, key, index, weight);
    for (const [gram, weight] of gramWeights) post(this.#grams, gram, index, weight);
    const exact = words.join(' ');
    if (!this.#exact.has(exact)) this.#exact.set(exact, index);
  }

  #scoreInto(
    best: Best,
    said: readonly string[],
    repaired: { readonly words: readonly string[]; readonly trust: number },
    factor: number,
    part: boolean,
    absent: number,
  ): void {
    const put = (example: Example, score: number): void => {
      if (example.classIndex === absent || (part && this.#classes[example.classIndex]!.whole)) return;
      const known = best.get(example.classIndex);
      if (!known || known.score < score) best.set(example.classIndex, { score, example: example.text });
    };
    const exact = this.#exact.get(said.join(' '));
    if (exact !== undefined) put(this.#examples[exact]!, factor);
    const terms = termsOf(repaired.words).map((one) => this.#offTopic(one));
    const features = wordFeatures(terms);
    const wordWeights = weigh(features, (key) => this.#wordIdf.get(key) ?? this.#unknownWeight(key, terms));
    const gramWeights = weigh(
      countOf(trigrams(said.join(' '))),
      (gram) => this.#gramIdf.get(gram) ?? this.#unknownIdf * UNKNOWN_GRAM_FACTOR,
    );
    const votes = this.#vote(wordWeights, absent);
    this.#dot(this.#words, wordWeights, this.#wordSums);
    this.#dot(this.#grams, gramWeights, this.#gramSums);
    const wordNorm = norm(wordWeights);
    const gramNorm = norm(gramWeights);
    const negated = hasOneOf(terms, NEGATIONS);
    const asks = hasOneOf(terms, QUESTIONS);
    for (let index = 0; index < this.#examples.length; index += 1) {
      const shared = this.#wordSums[index]!;
      const spelt = this.#gramSums[index]!;
      if (shared === 0 && spelt === 0) continue;
      const example = this.#examples[index]!;
      const byWord = (shared / (wordNorm * example.wordNorm || 1)) * repaired.trust;
      const byGram = spelt / (gramNorm * example.gramNorm || 1);
      const byVote = (votes.get(example.classIndex) ?? 0) * repaired.trust;
      const agreement = agreementOf(negated, example.negated, NEGATION) * agreementOf(asks, example.asks, QUESTION);
      const blended = WORD_SHARE * byWord + GRAM_SHARE * byGram + VOTE_SHARE * byVote;
      put(example, Math.min(1, Math.max(blended, byGram * SPELT_ALIKE)) * agreement * factor);
    }
  }

  #knownShare(words: readonly string[]): number {
    const terms = termsOf(words).map((one) => this.#offTopic(one));
    let known = 0;
    let all = 0;
    for (const one of terms) {
      const idf = this.#wordIdf.get(one.key);
      const weight = factorOf(one) * (idf === undefined ? this.#unknownWeight(one.key, terms) : this.#unknownIdf);
      all += weight;
      if (idf !== undefined) known += weight;
    }
    return all === 0 ? 0 : known / all;
  }

  /** `seven times eight` is no time: a word of another subject means only itself. */
  #offTopic(one: Term): Term {
    return isTopic(one.word) && !this.#singles.has(one.word) ? { ...one, key: one.word } : one;
  }

  /** What a term that no example holds weighs against every class. */
  #unknownWeight(key: string, terms: readonly Term[]): number {
    if (key.includes(' ')) return 0;
    const word = terms.find((one) => one.key === key)?.word ?? '';
    if (isCommon(word) || this.#familiar.has(word)) return this.#unknownIdf * UNKNOWN_COMMON;
    return this.#unknownIdf * (isTopic(word) ? UNKNOWN_TOPIC : UNKNOWN_FACTOR);
  }

  /** Adds up what every example shares with the weighted features, into `sums`. */
  #dot(postings: Postings, weights: ReadonlyMap<string, number>, sums: Float64Array): void {
    sums.fill(0);
    for (const [key, weight] of weights) {
      const list = postings.get(key);
      if (!list) continue;
      for (let i = 0; i < list.length; i += 2) sums[list[i]!]! += weight * list[i + 1]!;
    }
  }

  #vote(weights: ReadonlyMap<string, number>, absent: number): Map<number, number> {
    const sums = new Map<number, number>();
    let all = 0;
    for (const [key, weight] of weights) {
      const shares = this.#votes.get(key);
      if (shares === undefined && key.includes(' ')) continue;
      all += weight;
      const lost = shares?.find(({ classIndex }) => classIndex === absent)?.share ?? 0;
      for (const { classIndex, share } of shares ?? []) {
        if (classIndex !== absent) sums.set(classIndex, (sums.get(classIndex) ?? 0) + (weight * share) / (1 - lost));
      }
    }
    all += VOTE_BALLAST * this.#unknownIdf;
    for (const [classIndex, sum] of sums) sums.set(classIndex, sum / all);
    return sums;
  }
}

/** How often each feature stands in the examples of each class. */
class Counts {
  readonly #counts = new Map<string, Map<number, number>>();
  add(key: string, classIndex: number): void {
    const seen = this.#counts.get(key) ?? new Map<number, number>();
    seen.set(classIndex, (seen.get(classIndex) ?? 0) + 1);
    this.#counts.set(key, seen);
  }
  entries(): IterableIterator<[string, Map<number, number>]> {
    return this.#counts.entries();
  }
}

function sharesOf(
  seen: ReadonlyMap<number, number>,
  sizes: ReadonlyMap<number, number>,
): { classIndex: number; share: number }[] {
  const rates = [...seen].map(([classIndex, count]) => ({
    classIndex,
    rate: count / ((sizes.get(classIndex) ?? 0) + CLASS_SMOOTHING),
  }));
  const sum = rates.reduce((total, { rate }) => total + rate, 0);
  const count = [...seen.values()].reduce((total, one) => total + one, 0);
  const trust = count / (count + VOTE_DOUBT);
  return rates.map(({ classIndex, rate }) => ({ classIndex, share: (rate / sum) * trust }));
}

/** Words that can say what is wanted: without hesitations and numbers, unless nothing else was said. */
export function contentWords(words: readonly string[]): string[] {
  const content = words.filter((word) => !isFiller(word) && !isNumberWord(word));
  return content.length > 0 ? content : words.filter((word) => !isNumberWord(word));
}

function agreementOf(said: boolean, example: boolean, cost: { readonly lost: number; readonly added: number }): number {
  if (said === example) return 1;
  return said ? cost.added : cost.lost;
}

function hasOneOf(terms: readonly Term[], keys: ReadonlySet<string>): boolean {
  return terms.some(({ key }) => keys.has(key));
}

function factorOf({ key, word }: Term): number {
  if (HALF_TERMS.has(key)) return HALF_FACTOR;
  return word !== '' && isWeak(word) ? WEAK_FACTOR : 1;
}

/** Whether an Arabic word speaks of a known thing: `موعدي` and `الموعد` are there already, `موعد` is yet to be made. */
function formOf({ key, word }: Term): 'known' | 'new' | undefined {
  if (!key.startsWith('=') || isWeak(word) || !/^[؀-ۿ]/.test(word)) return undefined;
  return /^[وف]?(?:ال|بال|لل)|(?:ي|نا)$/.test(word) ? 'known' : 'new';
}

function wordFeatures(terms: readonly Term[]): Map<string, number> {
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

function countOf(grams: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const gram of grams) counts.set(gram, 1);
  return counts;
}

function weigh(features: ReadonlyMap<string, number>, idf: (key: string) => number): Map<string, number> {
  const weights = new Map<string, number>();
  for (const [key, factor] of features) weights.set(key, factor * idf(key));
  return weights;
}

function norm(weights: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const weight of weights.values()) sum += weight * weight;
  return Math.sqrt(sum);
}

function post(postings: Postings, key: string, example: number, weight: number): void {
  const list = postings.get(key);
  if (list) list.push(example, weight);
  else postings.set(key, [example, weight]);
}
