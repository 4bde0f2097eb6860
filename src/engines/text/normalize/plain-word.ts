import { ENGLISH_MONTH_WORDS, ENGLISH_WEEKDAYS } from '../../../language/calendar/calendar-names.ts';
import { UNITS } from '../../../language/units.ts';
import { ENGLISH_ABBREVIATIONS, ENGLISH_CONTRACTED } from '../lexicon/abbreviations.ts';
import { SMALL_ROMANS } from './read-roman.ts';
import { CODES_OF_ANY_CASE } from './read-suffix.ts';
import { isDigit, SPACE } from './scan.ts';

/** Signs of units that look like words. */
const UNIT_WORDS: readonly string[] = UNITS.flatMap(({ signs }) => signs).filter((sign) => /^[a-z]{2,}$/.test(sign));
const UNIT_SIGNS: ReadonlySet<string> = new Set(UNIT_WORDS);

export function isUnitSign(word: string): boolean {
  return UNIT_SIGNS.has(word);
}

/** Words in small letters that a table of the readers knows. */
const TABLE_WORDS: ReadonlySet<string> = new Set([
  ...ENGLISH_ABBREVIATIONS.keys(),
  ...CODES_OF_ANY_CASE,
  ...SMALL_ROMANS,
  ...UNIT_WORDS,
  'ed',
  'div',
  'sem',
  'cent',
  ...[...ENGLISH_CONTRACTED.keys()].map((word) => word.slice(0, word.indexOf("'"))),
]);
/** With the months, which only a number makes a date of. */
const SMALL_WORDS: ReadonlySet<string> = new Set([...TABLE_WORDS, ...ENGLISH_MONTH_WORDS.keys()]);
/** The same with a capital, and the names of the calendar. */
const CAPITALISED_WORDS: ReadonlySet<string> = new Set(
  [
    ...[...TABLE_WORDS, ...ENGLISH_MONTH_WORDS.keys(), ...Object.keys(ENGLISH_WEEKDAYS)],
    ...Object.values(ENGLISH_WEEKDAYS),
    ...['dr', 'st', 'ph', 'ed', 'dhu', 'rabi', 'jumada', 'sha'],
  ].map((word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase()),
);
/** Length and first two letters of all of them: tells most words without looking one up. */
const SHAPES: ReadonlySet<number> = new Set(
  [...TABLE_WORDS, ...CAPITALISED_WORDS].map((word) => shapeOf(word, 0, word.length)),
);

/** One letter may be spelled. */
const SHORTEST = 2;
/** Hyphens further on begin another word, so that no chain of words is read again from each of them. */
const LONGEST = 40;
const SLASH = 0x2f;
const HYPHEN = 0x2d;
const APOSTROPHES: readonly number[] = [0x27, 0x2019];
/** With white space behind them or at the end of the text these end a word. */
const ENDS: ReadonlySet<number> = new Set([...'.!?;:)"”'].map((sign) => sign.charCodeAt(0)));
const COMMA = 0x2c;

/**
 * End of the English word at `at`, small letters with at most a capital before them, when no reader could make anything of
 * it; -1 for anything else. Most words of a text are done with here.
 */
export function plainWordEnd(text: string, at: number): number {
  const capital = !isSmall(text.charCodeAt(at));
  let end = capital ? at + 1 : at;
  while (isSmall(text.charCodeAt(end)) || (!capital && end - at < LONGEST && isInnerHyphen(text, end))) end += 1;
  if (end - at < SHORTEST || !mayEnd(text, end)) return -1;
  if (!SHAPES.has(shapeOf(text, at, end))) return end;
  const word = text.slice(at, end);
  if (capital) return CAPITALISED_WORDS.has(word) ? -1 : end;
  if (!SMALL_WORDS.has(word)) return end;
  return TABLE_WORDS.has(word) || isNumberBehind(text, end) ? -1 : end;
}

function mayEnd(text: string, end: number): boolean {
  const next = text.charCodeAt(end);
  if (next === SPACE || next === COMMA || Number.isNaN(next)) return true;
  const after = text.charCodeAt(end + 1);
  if (ENDS.has(next)) return after === SPACE || Number.isNaN(after);
  return (next === SLASH || APOSTROPHES.includes(next)) && isSmall(after);
}

/** `june 30`, `jan. 5`: in small letters a month has its day behind it. */
function isNumberBehind(text: string, end: number): boolean {
  return isDigit(text.charCodeAt(end + 1)) || isDigit(text.charCodeAt(end + 2));
}

function isInnerHyphen(text: string, at: number): boolean {
  return text.charCodeAt(at) === HYPHEN && isSmall(text.charCodeAt(at + 1));
}

export function isTableWord(word: string): boolean {
  return TABLE_WORDS.has(word);
}

function shapeOf(text: string, at: number, end: number): number {
  return ((end - at) << 10) | ((text.charCodeAt(at) & 31) << 5) | (text.charCodeAt(at + 1) & 31);
}

function isSmall(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}
