import type { Language } from '../core/agent.ts';
import { languageOfText } from './detect-language.ts';
import { fold } from './fold.ts';
import { BORROWED_WORDS, LANGUAGE_NAMES, LANGUAGE_WISH_WORDS, UNKNOWN_LANGUAGE } from './language-words.ts';
import { isNumberWord } from './number-words.ts';
import { type Word, wordsOf } from './words.ts';

/** What a sentence tells of the language that its speaker speaks. */
export interface SpokenIn {
  readonly language: Language;
  /** Words of that language which are no numbers, and not at home in both. */
  readonly words: number;
}

const listed = (lists: readonly string[]): ReadonlySet<string> =>
  new Set(lists.flatMap((list) => wordsOf(list).map(({ text }) => text)));
const BORROWED = listed(BORROWED_WORDS);

/** Whether a word says nothing of the language it is said in: digits, numbers, and what everybody says. */
export function isOfBoth({ text }: Word): boolean {
  return !/\p{L}/u.test(text) || BORROWED.has(text) || isNumberWord(text);
}

/** Undefined where nothing but numbers and borrowed words was said: those change no language. */
export function spokenIn(text: string): SpokenIn | undefined {
  const own = wordsOf(text).filter((word) => !isOfBoth(word));
  const language = languageOfText(own.map(({ text: word }) => word).join(' '));
  if (language === undefined) return undefined;
  return { language, words: own.filter((word) => languageOfText(word.text) === language).length };
}

const NAMED: readonly (readonly [Language, ReadonlySet<string>])[] = [
  ['ar', listed([LANGUAGE_NAMES.ar])],
  ['en', listed([LANGUAGE_NAMES.en])],
];
const BESIDE = listed(LANGUAGE_WISH_WORDS);
const WISH_WORDS_MAX = 9;
const PREFIX = /^(?:وبال|بال|لل|ال|ب)(?=\p{L}{4})/u;

const nameOf = (word: string): Language | undefined =>
  NAMED.find(([, names]) => names.has(word) || names.has(word.replace(PREFIX, '')))?.[0];

/** The language that somebody asks to be spoken with, where the sentence says nothing else: `English please`, `كلمني عربي`. */
export function languageWish(text: string): Language | undefined {
  const words = wordsOf(text);
  if (words.length === 0 || words.length > WISH_WORDS_MAX) return undefined;
  const named = new Set<Language>();
  for (const { text: word } of words) {
    const language = nameOf(word);
    if (language) named.add(language);
    else if (!BESIDE.has(word)) return undefined;
  }
  const [language] = named;
  if (named.size !== 1 || language === undefined) return undefined;
  if (!UNKNOWN_LANGUAGE.test(fold(text))) return language;
  return language === 'ar' ? 'en' : 'ar';
}
