import { lazily } from '../../core/lazily.ts';
import { contentWords } from '../../language/lexicon/content-words.ts';
import { isTopic, type Term, termsOf } from '../../language/lexicon/lexicon.ts';
import { trigrams } from '../../language/similarity.ts';
import { wordsOf } from '../../language/words.ts';
import { BOLD, Classifier, type LearntWeights, type Sample } from './classifier.ts';
import { OTHER_TALK } from './other-talk.ts';
import { sentenceFeatures } from './sentence-features.ts';
import { type SlowWork, stepping } from './slow-work.ts';
import { type LearntWords, Vocabulary } from './vocabulary.ts';
import { ClassCounts, countOf, hasOneOf, Posting, type Postings, wordFeatures } from './word-features.ts';

/** One thing that can be meant, with the sentences that mean it. */
export interface MeaningClass {
  readonly id: string;
  readonly examples: readonly string[];
  /** What is answered to it: sentences that share its words, said by nobody who means it. */
  readonly about?: readonly string[];
  /** Meant only by a whole utterance, never by a part of a long one: a greeting before a wish is only a greeting. */
  readonly whole?: boolean;
}
export interface Example {
  readonly classIndex: number;
  readonly text: string;
  readonly wordNorm: number;
  readonly gramNorm: number;
  readonly negated: boolean;
  readonly asks: boolean;
}
/** What was learnt of all sentences, as it is kept: plain data. */
export interface LearntSentences {
  readonly examples: readonly Example[];
  readonly words: Postings;
  readonly grams: Postings;
  readonly familiar: ReadonlySet<string>; // words of what the agent says and knows
  /** Words and terms that stand in an example by themselves, outside phrases. */
  readonly singles: ReadonlySet<string>;
  readonly exact: ReadonlyMap<string, number>; // of what is said as an example says it: that one
  readonly vocabulary: LearntWords;
  readonly classifier: LearntWeights;
}
/** An example that is read: its words, and what can be compared of it. */
interface Prepared {
  readonly classIndex: number;
  readonly text: string;
  readonly words: readonly string[];
  readonly terms: readonly Term[];
  readonly features: ReadonlyMap<string, number>;
  readonly grams: ReadonlyMap<string, number>;
}

const MAX_EXAMPLES = 4_000;
/** What takes a few milliseconds. */
const EXAMPLES_PER_STEP = 100;
export const NEGATIONS = new Set(['=not', '=nowant', '=anymore']);
export const QUESTIONS = new Set(['=price', '=duration', '=when', '=where', '=who', '=location', '=until', '=many']);

/** The same for all agents: read once. */
const otherTalk = lazily(() => OTHER_TALK.map(contentOf).map((words) => ({ words, terms: termsOf(words) })));

/**
 * Reads the sentences of every class, counts what they share, and trains a classifier on them.
 *
 * @param texts - whatever else the agent says and knows: its words are no strangers.
 * @param others - said by callers who want nothing of this agent.
 * @param alsoSaidAs - a second form in which an example is learnt.
 */
export function* learnSentences(
  classes: readonly MeaningClass[],
  texts: readonly string[],
  others: readonly string[],
  alsoSaidAs: (example: string) => string | undefined = () => undefined,
): SlowWork<LearntSentences> {
  const prepared = yield* prepare(classes, alsoSaidAs);
  const vocabulary = new Vocabulary();
  const wordClasses = new ClassCounts();
  const gramClasses = new ClassCounts();
  const singles = new Set<string>();
  yield* stepping(prepared, EXAMPLES_PER_STEP, ({ classIndex, words, terms, features, grams }) => {
    for (const key of features.keys()) wordClasses.add(key, classIndex);
    for (const gram of grams.keys()) gramClasses.add(gram, classIndex);
    for (const word of words) vocabulary.learn(word);
    for (const { word, key } of terms) singles.add(word).add(key);
  });
  const count = Math.max(2, classes.length);
  const postings = yield* posted(prepared, new Posting(wordClasses.idf(count)), new Posting(gramClasses.idf(count)));
  const samples = samplesOf(classes, prepared, others, singles);
  const { learnt: classifier } = yield* Classifier.training(samples, classes.length + 1, BOLD);
  const familiar = new Set(texts.flatMap((text) => wordsOf(text).map((word) => word.text)));
  return { ...postings, familiar, singles, vocabulary: vocabulary.learnt, classifier };
}

/** Whether a term is of a subject that no example speaks of, who know these words and terms by themselves. */
export function foreignTo(singles: ReadonlySet<string>): (one: Term) => boolean {
  return ({ word, key }) => word !== '' && isTopic(word) && !singles.has(word) && !singles.has(key);
}

/** `seven times eight` is no time: a word of another subject means only itself. */
export function offTopic(one: Term, isForeign: (one: Term) => boolean): Term {
  return isForeign(one) ? { ...one, key: one.word } : one;
}

function* prepare(
  classes: readonly MeaningClass[],
  alsoSaidAs: (example: string) => string | undefined,
): SlowWork<Prepared[]> {
  const prepared: Prepared[] = [];
  for (const [classIndex, { examples }] of classes.entries()) {
    const add = (text: string): void => {
      const words = contentOf(text);
      if (words.length === 0 || prepared.length >= MAX_EXAMPLES) return;
      const terms = termsOf(words);
      const grams = countOf(trigrams(words.join(' ')));
      prepared.push({ classIndex, text, words, terms, features: wordFeatures(terms), grams });
    };
    yield* stepping(examples, EXAMPLES_PER_STEP, add);
    yield* stepping(examples, EXAMPLES_PER_STEP, (text) => {
      const also = alsoSaidAs(text);
      if (also !== undefined) add(also);
    });
    yield;
  }
  return prepared;
}

function* posted(
  prepared: readonly Prepared[],
  byWord: Posting,
  byGram: Posting,
): SlowWork<Pick<LearntSentences, 'examples' | 'words' | 'grams' | 'exact'>> {
  const examples: Example[] = [];
  const exact = new Map<string, number>();
  yield* stepping(prepared, EXAMPLES_PER_STEP, ({ classIndex, text, words, terms, features, grams }) => {
    const index = examples.length;
    examples.push({
      ...{ classIndex, text, wordNorm: byWord.add(index, features), gramNorm: byGram.add(index, grams) },
      ...{ negated: hasOneOf(terms, NEGATIONS), asks: hasOneOf(terms, QUESTIONS) },
    });
    const said = words.join(' ');
    if (!exact.has(said)) exact.set(said, index);
  });
  return { examples, words: byWord.postings, grams: byGram.postings, exact };
}

/** What the classifier is trained on: the last class is talk that is for no agent. */
function* samplesOf(
  classes: readonly MeaningClass[],
  prepared: readonly Prepared[],
  others: readonly string[],
  singles: ReadonlySet<string>,
): Generator<Sample> {
  const isForeign = foreignTo(singles);
  const sample = (classIndex: number, words: readonly string[], terms: readonly Term[] = termsOf(words)): Sample => ({
    classIndex,
    features: sentenceFeatures(words, terms, isForeign),
  });
  for (const { classIndex, words, terms } of prepared) yield sample(classIndex, words, terms);
  for (const [classIndex, { about = [] }] of classes.entries()) {
    for (const words of about.map(contentOf)) if (words.length > 0) yield sample(classIndex, words);
  }
  for (const words of others.map(contentOf)) if (words.length > 0) yield sample(classes.length, words);
  for (const { words, terms } of otherTalk()) {
    if (words.some((word) => isTopic(word) && singles.has(word))) continue;
    yield sample(
      classes.length,
      words,
      terms.map((one) => offTopic(one, isForeign)),
    );
  }
}

function contentOf(text: string): string[] {
  return contentWords(wordsOf(text).map((word) => word.text));
}
