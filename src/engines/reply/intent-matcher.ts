import { contentWords } from '../../language/lexicon/content-words.ts';
import { isCommon, isTopic, type Term, termsOf } from '../../language/lexicon/lexicon.ts';
import { trigrams } from '../../language/similarity.ts';
import { agreementsOf, kindOf } from './agreement.ts';
import { Classifier } from './classifier.ts';
import { type LearntKeep, remembered } from './learnt-keep.ts';
import { sentenceFeatures } from './sentence-features.ts';
import {
  type Example,
  foreignTo,
  type LearntSentences,
  learnSentences,
  type MeaningClass,
  NEGATIONS,
  offTopic,
  QUESTIONS,
} from './sentence-learning.ts';
import type { SlowWork } from './slow-work.ts';
import { Vocabulary } from './vocabulary.ts';
import {
  addShared,
  countOf,
  examplesWith,
  factorOf,
  hasOneOf,
  idfOf,
  norm,
  postingsApart,
  weigh,
  wordFeatures,
} from './word-features.ts';

export interface Ranked {
  readonly id: string;
  readonly score: number; // 0..1
  readonly example: string; // the example that came nearest
  /** Whether that example denies something itself: `I do not want it any more`. */
  readonly denies: boolean;
  /** How likely it is that the utterance is for no agent, 0..1. */
  readonly other: number;
  /** Whether only one of the utterance and that example denies something. */
  readonly denial: boolean;
  /** Whether the utterance asks. */
  readonly asks: boolean;
  /** Share of the weight of all words of the utterance that any example of this class holds, 0..1. */
  readonly cover: number;
  /** Words of the utterance that no example holds and that are no everyday words. */
  readonly strange: number;
  /** How likely the classifier takes all of the utterance to mean this, 0..1: a window that fits is a part of a story. */
  readonly whole: number;
}

/** Longer utterances are matched window by window. */
const WINDOW_WORDS = 7;
const WINDOW_STEP = 2;
const MAX_WINDOWS = 40;
const MAX_MATCHED_WORDS = 80;
const WINDOW_PENALTY = 0.88;
/** A window is read with the sentence that it stands in: so much of its odds are those of the whole. */
const WHOLE_SHARE = 0.5;
/** What is wanted is mostly said last. */
const LAST_WINDOWS = 2;
/** Shares of the three measures in the score. */
const WORD_SHARE = 0.36;
const GRAM_SHARE = 0.2;
const ODDS_SHARE = 1 - WORD_SHARE - GRAM_SHARE;
/** A sentence spelt nearly like an example is that example, whatever its words are. */
const SPELT_ALIKE = 0.85;
/** Unknown words count against every meaning: everyday ones hardly, those of another subject more than any other. */
const UNKNOWN_COMMON = 0.12;
const UNKNOWN_FACTOR = 0.75;
const UNKNOWN_TOPIC = 1.5;
const UNKNOWN_GRAM_FACTOR = 0.7;
/** From this share of the weight of an unknown word on it is a strange one. */
const STRANGE = 0.5;
export interface MatcherOptions {
  /** What else an example is learnt as: with its day for any day. */
  readonly alsoSaidAs?: (example: string) => string | undefined;
  readonly keep?: LearntKeep | undefined;
}
/** How words are looked at: the whole of what was said, or a window of it. */
interface Reading {
  readonly factor: number; // of every score
  readonly absent: number; // index of a class that cannot be meant, or -1
  /** Of a window: how likely the whole is to mean a class. */
  readonly whole?: (classIndex: number) => number;
}
type Best = Map<number, Omit<Ranked, 'id' | 'whole' | 'cover' | 'strange'>>;

/**
 * Finds which class an utterance is nearest to. Three measures, blended: the cosine of IDF-weighted terms and their
 * pairs with the nearest example (concepts, light stems, misspelt words mapped to the nearest known one); the cosine of
 * IDF-weighted character trigrams of the sentence without spaces, which sees through words that a recogniser cut in two;
 * and how likely a classifier that was trained on all examples takes the class to be, beside talk that is for no agent.
 * Unknown words count against all, so that what the agent was not made for stays below the threshold.
 */
export class IntentMatcher {
  readonly #classes: readonly MeaningClass[];
  readonly #learnt: LearntSentences;
  readonly #vocabulary: Vocabulary;
  readonly #classifier: Classifier;
  readonly #isForeign: (one: Term) => boolean;
  readonly #unknownIdf: number;
  /** Of each example, side by side: all of them are looked at for whatever is said. */
  readonly #columns: ReturnType<typeof columnsOf>;
  /** Scratch of one ranking. */
  readonly #wordSums: Float64Array;
  readonly #gramSums: Float64Array;

  private constructor(classes: readonly MeaningClass[], learnt: LearntSentences) {
    this.#classes = classes;
    this.#learnt = { ...learnt, words: postingsApart(learnt.words), grams: postingsApart(learnt.grams) };
    this.#vocabulary = new Vocabulary(learnt.vocabulary);
    this.#classifier = new Classifier(learnt.classifier);
    this.#isForeign = foreignTo(learnt.singles);
    this.#unknownIdf = Math.log(1 + Math.max(2, classes.length));
    this.#columns = columnsOf(learnt.examples);
    this.#wordSums = new Float64Array(learnt.examples.length);
    this.#gramSums = new Float64Array(learnt.examples.length);
  }

  /**
   * @param texts - whatever else the agent says and knows: its words are no strangers.
   * @param others - said by callers who want nothing of this agent.
   */
  static *making(
    classes: readonly MeaningClass[],
    texts: readonly string[] = [],
    others: readonly string[] = [],
    { alsoSaidAs, keep }: MatcherOptions = {},
  ): SlowWork<IntentMatcher> {
    const learnt = yield* remembered(keep, JSON.stringify([classes, texts, others]), () =>
      learnSentences(classes, texts, others, alsoSaidAs),
    );
    return new IntentMatcher(classes, learnt);
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
    const whole = this.#scoreInto(best, words, repaired, { factor: 1, absent });
    if (words.length > WINDOW_WORDS) {
      const windows = Math.min(MAX_WINDOWS, Math.ceil((words.length - WINDOW_WORDS) / WINDOW_STEP) + 1);
      for (let i = 0; i < windows; i += 1) {
        const said = words.slice(i * WINDOW_STEP, i * WINDOW_STEP + WINDOW_WORDS);
        const factor = i >= windows - LAST_WINDOWS ? 1 : WINDOW_PENALTY;
        this.#scoreInto(best, said, this.#vocabulary.repair(said), { factor, absent, whole });
      }
    }
    const held = this.#heldOf(termsOf(repaired.words));
    return [...best]
      .map(([index, found]) => ({ id: this.#classes[index]!.id, ...found, ...held(index), whole: whole(index) }))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  }

  /** @returns how likely the classifier takes the words to mean a class. */
  #scoreInto(
    best: Best,
    said: readonly string[],
    repaired: { readonly words: readonly string[]; readonly trust: number },
    { factor, absent, whole }: Reading,
  ): (classIndex: number) => number {
    const terms = termsOf(repaired.words).map((one) => offTopic(one, this.#isForeign));
    const odds = this.#classifier.probabilities(sentenceFeatures(said, terms, this.#isForeign));
    const other = odds.at(-1)!;
    const rest = absent < 0 ? 1 : Math.max(1e-9, 1 - odds[absent]!);
    const own = (classIndex: number): number => odds[classIndex]! / rest;
    const likely = Float64Array.from(this.#classes, (_, c) =>
      whole === undefined ? own(c) : (1 - WHOLE_SHARE) * own(c) + WHOLE_SHARE * whole(c),
    );
    const negated = hasOneOf(terms, NEGATIONS);
    const asks = hasOneOf(terms, QUESTIONS);
    // Of each class, how near its nearest example is, and which that is.
    const near = new Float64Array(this.#classes.length).fill(-1);
    const nearest = new Int32Array(this.#classes.length);
    const exact = this.#learnt.exact.get(said.join(' '));
    if (exact !== undefined) {
      const { classIndex } = this.#learnt.examples[exact]!;
      near[classIndex] = factor;
      nearest[classIndex] = exact;
    }
    const features = wordFeatures(terms);
    const wordWeights = weigh(features, (key) => idfOf(this.#learnt.words, key) ?? this.#unknownWeight(key, terms));
    const gramWeights = weigh(
      countOf(trigrams(said.join(' '))),
      (gram) => idfOf(this.#learnt.grams, gram) ?? this.#unknownIdf * UNKNOWN_GRAM_FACTOR,
    );
    addShared(this.#learnt.words, wordWeights, this.#wordSums);
    addShared(this.#learnt.grams, gramWeights, this.#gramSums);
    const wordNorm = norm(wordWeights);
    const gramNorm = norm(gramWeights);
    const { classOf, wordNorms, gramNorms, kinds } = this.#columns;
    const wordSums = this.#wordSums;
    const gramSums = this.#gramSums;
    const agreements = agreementsOf({ negated, asks });
    for (let index = 0; index < classOf.length; index += 1) {
      const shared = wordSums[index]!;
      const spelt = gramSums[index]!;
      if (shared === 0 && spelt === 0) continue;
      const classIndex = classOf[index]!;
      const byWord = (shared / (wordNorm * wordNorms[index]! || 1)) * repaired.trust;
      const byGram = spelt / (gramNorm * gramNorms[index]! || 1);
      const byOdds = likely[classIndex]! * repaired.trust;
      const blended = WORD_SHARE * byWord + GRAM_SHARE * byGram + ODDS_SHARE * byOdds;
      const score = Math.min(1, Math.max(blended, byGram * SPELT_ALIKE)) * agreements[kinds[index]!]! * factor;
      if (score <= near[classIndex]!) continue;
      near[classIndex] = score;
      nearest[classIndex] = index;
    }
    for (let classIndex = 0; classIndex < near.length; classIndex += 1) {
      const score = near[classIndex]!;
      if (score < 0 || classIndex === absent || (whole !== undefined && this.#classes[classIndex]!.whole)) continue;
      if (score <= (best.get(classIndex)?.score ?? -1)) continue;
      const { text, negated: denies } = this.#learnt.examples[nearest[classIndex]!]!;
      best.set(classIndex, { score, example: text, denies, other, asks, denial: negated !== denies });
    }
    return own;
  }

  /** How much of what was said the examples of a class hold. */
  #heldOf(terms: readonly Term[]): (classIndex: number) => { readonly cover: number; readonly strange: number } {
    const weights = terms.map((one) => {
      const idf = idfOf(this.#learnt.words, one.key);
      const weight = factorOf(one) * (idf ?? this.#unknownWeight(one.key, terms));
      return { weight, isStrange: idf === undefined && weight > this.#unknownIdf * STRANGE };
    });
    const all = weights.reduce((sum, { weight }) => sum + weight, 0);
    const strange = weights.filter(({ isStrange }) => isStrange).length;
    const { classOf } = this.#columns;
    const holders = terms.map(
      ({ key }) => new Set(examplesWith(this.#learnt.words, key).map((index) => classOf[index])),
    );
    return (classIndex) => {
      const own = weights.reduce((sum, { weight }, i) => sum + (holders[i]!.has(classIndex) ? weight : 0), 0);
      return { cover: all === 0 ? 0 : own / all, strange };
    };
  }

  /** What a term that no example holds weighs against every class. */
  #unknownWeight(key: string, terms: readonly Term[]): number {
    if (key.includes(' ')) return 0;
    const word = terms.find((one) => one.key === key)?.word ?? '';
    if (isCommon(word) || this.#learnt.familiar.has(word)) return this.#unknownIdf * UNKNOWN_COMMON;
    return this.#unknownIdf * (isTopic(word) ? UNKNOWN_TOPIC : UNKNOWN_FACTOR);
  }
}

/** What every ranking looks at of all examples. */
function columnsOf(examples: readonly Example[]) {
  return {
    classOf: Int32Array.from(examples, ({ classIndex }) => classIndex),
    wordNorms: Float64Array.from(examples, ({ wordNorm }) => wordNorm),
    gramNorms: Float64Array.from(examples, ({ gramNorm }) => gramNorm),
    kinds: Uint8Array.from(examples, kindOf),
  };
}
