import type { SttHints } from './contract.ts';
import { DIGIT_WORDS } from './spoken-tokens.ts';

/** When speech that was heard by a grammar is heard once more by what else callers say, and which of the two is believed. */

export interface Answer {
  readonly text: string;
  readonly confidence: number; // 0..1
}

/**
 * Where anything may be said, a phrase that was found in it with less confidence was mostly something else: of 118 first sentences
 * 90 were understood where every phrase counted, 98 with 0.6 and 100 with 0.8.
 */
const SURE = 0.8;
/** An answer that was given in a sentence of other things is mostly put together of their sounds. */
const SURE_ANSWER = 0.75;
/** Where an answer was asked for, a sentence is believed with so much: talk of others sounds like some sentence, too. */
const SURE_SENTENCE = 0.7;
/** And with so many words: fewer may be any sound. */
const SENTENCE_WORDS_MIN = 3;
/** So many of them beside digits are more than the answer that was found. */
const OTHER_WORDS_MIN = 4;
/** Too little to be agreed to: what was half heard is no yes. */
const NO_YES = 0.3;

/** @returns below which confidence of the grammar there is a second try: 0, only where nothing was recognised; undefined, never. */
export function triedAgainBelow({ expect }: SttHints, hasSentences: boolean): number | undefined {
  if (expect.includes('free')) return hasSentences ? SURE : 0;
  if (!hasSentences) return undefined;
  return expect.includes('yesno') ? 0 : SURE_ANSWER;
}

/** @param second - by sentences, or by any English. */
export function believed(first: Answer, second: Answer, { expect }: SttHints): Answer {
  if (expect.includes('free')) return second.text === '' ? first : second;
  const words = second.text.split(' ');
  const others = words.filter((word) => !DIGIT_WORDS.has(word));
  const isMore = first.text === '' ? words.length >= SENTENCE_WORDS_MIN : others.length >= OTHER_WORDS_MIN;
  if (!isMore || second.confidence < SURE_SENTENCE) return first;
  return expect.includes('yesno') ? { ...second, confidence: NO_YES } : second;
}
