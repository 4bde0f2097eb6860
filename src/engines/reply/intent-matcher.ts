import { wordsOf } from './fold.ts';
import { isFiller, isWeak, term } from './lexicon.ts';
import { isNumberWord } from './number-words.ts';
import { similarity, soundOf, trigrams } from './similarity.ts';

/** One thing that can be meant, with the sentences that mean it. */
export interface MeaningClass {
  readonly id: string;
  readonly examples: readonly string[];
}
export interface Ranked {
  readonly id: string;
  readonly score: number; // 0..1
  readonly example: string; // the example that came nearest
}

/** Longer utterances are matched window by window. */
const WINDOW_WORDS = 7;
const WINDOW_STEP = 2;
const MAX_WINDOWS = 40;
const MAX_MATCHED_WORDS = 80;
/** Unknown words of one utterance that are looked up among the known ones. */
const MAX_REPAIRS = 30;
const WINDOW_PENALTY = 0.93;
const MAX_EXAMPLES = 4_000;
const WEAK_FACTOR = 0.2;
const BIGRAM_FACTOR = 0.5;
const UNKNOWN_FACTOR = 1;
const STRANGE_FACTOR = 0.85;
const UNKNOWN_GRAM_FACTOR = 0.7;
const FUZZY_FLOOR = 0.7;
/** Words that only sound alike: worth less than a misspelling. */
const SOUND_LIKENESS = 0.72;
const MIN_SOUND = 3;
const WORD_SHARE = 0.62;

interface Example {
  readonly classIndex: number;
  readonly text: string;
  readonly wordNorm: number;
  readonly gramNorm: number;
}
type Postings = Map<string, { readonly example: number; readonly weight: number }[]>;

/**
 * Finds which class an utterance is nearest to. Cosine of IDF-weighted word terms and their pairs (concepts, light
 * stems, misspelt words mapped to the nearest known one) blended with cosine of IDF-weighted character trigrams of the
 * sentence without spaces, which sees through words that a recogniser cut in two. Unknown words count against a match,
 * so that what the agent was not made for stays below the threshold.
 */
export class IntentMatcher {
  readonly #classes: readonly MeaningClass[];
  readonly #examples: Example[] = [];
  readonly #words: Postings = new Map();
  readonly #grams: Postings = new Map();
  readonly #wordIdf = new Map<string, number>();
  readonly #gramIdf = new Map<string, number>();
  readonly #vocabulary = new Map<string, string>(); // folded word -> term
  readonly #vocabularyByLength: string[][] = [];
  readonly #vocabularyBySound = new Map<string, string>();
  /** Repairs of the utterance being ranked. */
  readonly #repairs = new Map<string, { word: string; likeness: number } | undefined>();
  readonly #exact = new Map<string, number>();

  constructor(classes: readonly MeaningClass[]) {
    this.#classes = classes;
    const prepared: { classIndex: number; text: string; words: string[] }[] = [];
    classes.forEach((one, classIndex) => {
      for (const text of one.examples) {
        const words = contentWords(wordsOf(text).map((word) => word.text));
        if (words.length > 0 && prepared.length < MAX_EXAMPLES) prepared.push({ classIndex, text, words });
      }
    });
    const wordClasses = new Map<string, Set<number>>();
    const gramClasses = new Map<string, Set<number>>();
    for (const { classIndex, words } of prepared) {
      for (const key of wordFeatures(words).keys()) addTo(wordClasses, key, classIndex);
      for (const gram of trigrams(words.join(' '))) addTo(gramClasses, gram, classIndex);
      for (const word of words) this.#learn(word);
    }
    const count = Math.max(2, classes.length);
    for (const [key, seen] of wordClasses) this.#wordIdf.set(key, Math.log(1 + count / seen.size));
    for (const [gram, seen] of gramClasses) this.#gramIdf.set(gram, Math.log(1 + count / seen.size));
    for (const one of prepared) this.#add(one.classIndex, one.text, one.words);
  }

  /** Classes by falling score, the best example of each; at most `limit`. */
  rank(utterance: readonly string[], limit = 6): Ranked[] {
    const words = contentWords(utterance).slice(0, MAX_MATCHED_WORDS);
    if (words.length === 0) return [];
    this.#repairs.clear();
    const best = new Map<number, { score: number; example: string }>();
    this.#scoreInto(best, words, 1);
    if (words.length > WINDOW_WORDS) {
      const windows = Math.min(MAX_WINDOWS, Math.ceil((words.length - WINDOW_WORDS) / WINDOW_STEP) + 1);
      for (let i = 0; i < windows; i += 1) {
        const at = i * WINDOW_STEP;
        this.#scoreInto(best, words.slice(at, at + WINDOW_WORDS), WINDOW_PENALTY);
      }
    }
    return [...best]
      .map(([index, { score, example }]) => ({ id: this.#classes[index]!.id, score, example }))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  }

  #learn(word: string): void {
    if (this.#vocabulary.has(word)) return;
    this.#vocabulary.set(word, term(word));
    const bucket = this.#vocabularyByLength[word.length] ?? [];
    bucket.push(word);
    this.#vocabularyByLength[word.length] = bucket;
    const sound = soundOf(word);
    if (sound.length >= MIN_SOUND && !isWeak(word) && !this.#vocabularyBySound.has(sound))
      this.#vocabularyBySound.set(sound, word);
  }

  #add(classIndex: number, text: string, words: readonly string[]): void {
    const index = this.#examples.length;
    const wordWeights = weigh(wordFeatures(words), (key) => this.#wordIdf.get(key) ?? 0);
    const gramWeights = weigh(countOf(trigrams(words.join(' '))), (gram) => this.#gramIdf.get(gram) ?? 0);
    this.#examples.push({ classIndex, text, wordNorm: norm(wordWeights), gramNorm: norm(gramWeights) });
    for (const [key, weight] of wordWeights) post(this.#words, key, index, weight);
    for (const [gram, weight] of gramWeights) post(this.#grams, gram, index, weight);
    const exact = words.join(' ');
    if (!this.#exact.has(exact)) this.#exact.set(exact, index);
  }

  #scoreInto(best: Map<number, { score: number; example: string }>, said: readonly string[], factor: number): void {
    const put = (example: Example, score: number): void => {
      const known = best.get(example.classIndex);
      if (!known || known.score < score) best.set(example.classIndex, { score, example: example.text });
    };
    const exact = this.#exact.get(said.join(' '));
    if (exact !== undefined) put(this.#examples[exact]!, factor);
    const { words, trust } = this.#known(said);
    const content = words.filter((word) => !isWeak(word));
    const strange = content.filter((word) => !this.#wordIdf.has(term(word))).length;
    const doubt = strange * 2 > content.length ? STRANGE_FACTOR : 1; // most of it is about something else
    const unknownIdf = Math.log(1 + Math.max(2, this.#classes.length)) * UNKNOWN_FACTOR;
    const wordWeights = weigh(
      wordFeatures(words),
      (key) => this.#wordIdf.get(key) ?? (key.includes(' ') ? 0 : unknownIdf),
    );
    const gramWeights = weigh(
      countOf(trigrams(said.join(' '))),
      (gram) => this.#gramIdf.get(gram) ?? unknownIdf * UNKNOWN_GRAM_FACTOR,
    );
    const wordScores = this.#dot(this.#words, wordWeights);
    const gramScores = this.#dot(this.#grams, gramWeights);
    const wordNorm = norm(wordWeights);
    const gramNorm = norm(gramWeights);
    for (const index of new Set([...wordScores.keys(), ...gramScores.keys()])) {
      const example = this.#examples[index]!;
      const byWord = ((wordScores.get(index) ?? 0) / (wordNorm * example.wordNorm || 1)) * trust;
      const byGram = (gramScores.get(index) ?? 0) / (gramNorm * example.gramNorm || 1);
      const blended = (WORD_SHARE * byWord + (1 - WORD_SHARE) * byGram) * doubt;
      put(example, Math.min(1, Math.max(blended, byGram * 0.85)) * factor);
    }
  }

  #dot(postings: Postings, weights: ReadonlyMap<string, number>): Map<number, number> {
    const scores = new Map<number, number>();
    for (const [key, weight] of weights) {
      for (const posting of postings.get(key) ?? []) {
        scores.set(posting.example, (scores.get(posting.example) ?? 0) + weight * posting.weight);
      }
    }
    return scores;
  }

  /** The words with misspelt, misheard and split ones replaced by the nearest known; `trust` falls with every repair. */
  #known(said: readonly string[]): { words: string[]; trust: number } {
    let lost = 0;
    const words: string[] = [];
    for (let i = 0; i < said.length; i += 1) {
      const word = said[i]!;
      const split = i + 1 < said.length ? this.#joined(word, said[i + 1]!) : undefined;
      if (split !== undefined) {
        words.push(split);
        lost += 0.3;
        i += 1;
        continue;
      }
      const nearest = this.#isKnown(word) || word.length < 4 ? undefined : this.#nearest(word);
      lost += nearest ? 1 - nearest.likeness : 0;
      words.push(nearest?.word ?? word);
    }
    return { words, trust: 1 - Math.min(0.4, (lost / said.length) * 0.5) };
  }

  #isKnown(word: string): boolean {
    return this.#wordIdf.has(term(word)) || isWeak(word);
  }

  /** `can sell` -> `cancel`, `or der` -> `order`: a word that the recogniser cut in two, one half of it unknown. */
  #joined(first: string, second: string): string | undefined {
    if (this.#isKnown(first) && this.#isKnown(second)) return undefined;
    if (!this.#isKnown(first) && !isWeak(first) && first.length > 4) return undefined;
    const joined = first + second;
    if (joined.length < 5) return undefined;
    if (this.#vocabulary.has(joined)) return joined;
    const sound = soundOf(joined);
    return sound.length >= MIN_SOUND ? this.#vocabularyBySound.get(sound) : undefined;
  }

  #nearest(word: string): { word: string; likeness: number } | undefined {
    if (this.#repairs.has(word)) return this.#repairs.get(word);
    if (this.#repairs.size >= MAX_REPAIRS) return undefined;
    const found = this.#lookUp(word);
    this.#repairs.set(word, found);
    return found;
  }

  #lookUp(word: string): { word: string; likeness: number } | undefined {
    let best: { word: string; likeness: number } | undefined;
    for (let length = Math.max(3, word.length - 2); length <= word.length + 2; length += 1) {
      for (const candidate of this.#vocabularyByLength[length] ?? []) {
        if (candidate[0] !== word[0] && candidate.at(-1) !== word.at(-1)) continue;
        const likeness = similarity(word, candidate);
        if (likeness >= FUZZY_FLOOR && (!best || likeness > best.likeness)) best = { word: candidate, likeness };
      }
    }
    const alike = best ? undefined : this.#vocabularyBySound.get(soundOf(word));
    return best ?? (alike === undefined ? undefined : { word: alike, likeness: SOUND_LIKENESS });
  }
}

/** Words that can say what is wanted: without hesitations and numbers, unless nothing else was said. */
export function contentWords(words: readonly string[]): string[] {
  const content = words.filter((word) => !isFiller(word) && !isNumberWord(word));
  return content.length > 0 ? content : words.filter((word) => !isNumberWord(word));
}

function wordFeatures(words: readonly string[]): Map<string, number> {
  const features = new Map<string, number>();
  let before = '';
  for (const word of words) {
    const key = term(word);
    features.set(key, Math.max(features.get(key) ?? 0, isWeak(word) ? WEAK_FACTOR : 1));
    if (before !== '') features.set(`${before} ${key}`, BIGRAM_FACTOR * (isWeak(word) ? 0.5 : 1));
    before = key;
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

function addTo(map: Map<string, Set<number>>, key: string, value: number): void {
  const set = map.get(key) ?? new Set<number>();
  set.add(value);
  map.set(key, set);
}

function post(postings: Postings, key: string, example: number, weight: number): void {
  const list = postings.get(key) ?? [];
  list.push({ example, weight });
  postings.set(key, list);
}
