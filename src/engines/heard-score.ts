import type { Language } from '../core/agent.ts';
import { languageOfText } from '../language/detect-language.ts';
import { fold } from '../language/fold.ts';
import { isCommon, isListed, isTopic } from '../language/lexicon/lexicon.ts';
import { isOfBoth } from '../language/spoken-language.ts';
import { type Word, wordsOf } from '../language/words.ts';
import type { SttHints } from './stt/contract.ts';

/**
 * What a sentence of unknown words keeps of its confidence. A recogniser that is given another language writes down what that sounds
 * like: letters of its own language, and hardly a word of it.
 */
const UNKNOWN_WORDS = 0.3;
/** What an everyday word counts that no caller of the agent is known to say: it may be what another language sounds like. */
const EVERYDAY_WORD = 0.6;
/** Where it wrote down letters of the other language. */
const LETTERS_OF_OTHER = 0.1;
/** Below it the words may be another language, misheard. */
export const DOUBTED_SCORE = 0.45;
/** From it nobody is waited for who may have heard better. */
export const SURE_SCORE = 0.75;
/** A whole name has no more. */
const NAME_WORDS_MAX = 4;
/** By how much whoever is not expected has to be better: recognisers measure their confidence differently. */
const BETTER_BY = 1.25;

export interface Hearing {
  readonly text: string;
  readonly confidence: number; // 0..1
}

/** Texts taken at once, 2 ms of processor: an agent may have thousands. */
const TEXTS_AT_ONCE = 300;

interface Vocabulary {
  readonly words: Set<string>;
  taken: number; // texts, from the first on
}

/** Words of the sentences that an agent listens for, by the list: made once for an agent, a part whenever it is asked for. */
const vocabularies = new WeakMap<readonly string[], Vocabulary>();

function vocabularyOf(list: readonly string[]): ReadonlySet<string> {
  const known = vocabularies.get(list) ?? { words: new Set(), taken: 0 };
  vocabularies.set(list, known);
  if (known.taken === list.length) return known.words;
  for (const text of list.slice(known.taken, known.taken + TEXTS_AT_ONCE)) {
    for (const word of fold(text).split(' ')) known.words.add(word);
  }
  known.taken = Math.min(list.length, known.taken + TEXTS_AT_ONCE);
  return known.words;
}

/** Learns the next part of what callers of an agent say. Phrases are lists of the moment: they count where there is nothing else. */
export function learnWords({ phrases, sentences = phrases }: SttHints): ReadonlySet<string> {
  return vocabularyOf(sentences);
}

/** Words that answer the question for a name, and that no list knows. */
export function mayBeName(text: string, hints: SttHints | undefined): boolean {
  return hints?.expect.includes('name') === true && wordsOf(text).length <= NAME_WORDS_MAX;
}

/** How likely what a recogniser of `language` wrote down is what was said: its own confidence, by how much of it are words. 0..1 */
export function heardScore({ text, confidence }: Hearing, language: Language, hints: SttHints | undefined): number {
  const words = wordsOf(text);
  if (words.length === 0) return 0;
  const telling = words.filter((word) => !isOfBoth(word));
  if (telling.length === 0) return confidence;
  if (languageOfText(telling.map((word) => word.text).join(' ')) !== language) return confidence * LETTERS_OF_OTHER;
  const said = hints && learnWords(hints);
  const weightOf = (word: Word): number => {
    if (isOfBoth(word) || said?.has(word.text)) return 1;
    return isCommon(word.text) || isListed(word.text) || isTopic(word.text) ? EVERYDAY_WORD : 0;
  };
  const known = words.reduce((sum, word) => sum + weightOf(word), 0);
  return confidence * (UNKNOWN_WORDS + ((1 - UNKNOWN_WORDS) * known) / words.length);
}

/** Whether words of the recogniser that is not expected are taken in place of those of the one that is. */
export function isBetter(other: number, own: number): boolean {
  return other > own * BETTER_BY;
}
