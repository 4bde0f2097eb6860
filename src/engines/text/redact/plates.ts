import { foldWord } from '../../../language/fold-word.ts';
import { ARABIC_LETTER_NAMES } from '../../../language/letters.ts';
import type { Found, Reading } from './reading.ts';

/** The 17 letters of Saudi plates, as the canonical text spells them, and their Latin twins. */
const ARABIC = 'ابحدرسصطعقكلمنهوي';
const LATIN = 'abjdrsxtegkzlnhuv';
const LETTERS_MAX = 3;
const DIGITS_MAX = 4;
const JOINT = /^[ \-./|]{0,2}$/;

const SPELLED: ReadonlySet<string> = new Set(
  Object.entries(ARABIC_LETTER_NAMES)
    .filter(([letter]) => ARABIC.includes(foldWord(letter)))
    .map(([, name]) => foldWord(name)),
);

/** Saudi vehicle plates: one to three letters and one to four digits, in either order. */
export function findPlates(reading: Reading): Found[] {
  const found: Found[] = [];
  const { tokens } = reading;
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at]!.type !== 'digits') continue;
    const digits = digitsFrom(reading, at);
    if (digits === undefined) continue;
    const before = lettersEndingAt(reading, at - 1);
    const after = lettersBeginningAt(reading, digits.last + 1);
    const left = before === undefined ? undefined : grade(reading, before.first, digits.last, before);
    const right = after === undefined ? undefined : grade(reading, at, after.last, after);
    if (isGlued(reading, before?.first ?? at, after?.last ?? digits.last)) continue;
    const best = (left?.score ?? 0) >= (right?.score ?? 0) ? left : right;
    if (best !== undefined) found.push(best);
  }
  return found;
}

/** `6T1BF3FK9DX012345`: a piece of something longer. */
function isGlued(reading: Reading, first: number, last: number): boolean {
  const { tokens, lower } = reading;
  return /[a-z0-9]/.test(lower.charAt(tokens[first]!.start - 1)) || /[a-z0-9]/.test(lower.charAt(tokens[last]!.end));
}

interface Letters {
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly apart: boolean; // each a word of its own
  readonly arabic: boolean;
}

function grade(reading: Reading, first: number, last: number, letters: Letters): Found | undefined {
  const plate = reading.hasLabel(first, 'plate', 30) || reading.hasLabel(last, 'plate', 20);
  // `السيارة موديل 2022 لون أبيض`: letters written as a word are a plate only where one is spoken of.
  const loose = letters.arabic ? letters.apart : letters.count === LETTERS_MAX; // `Lexus ES 350`
  const vehicle = loose && (reading.hasLabel(first, 'vehicle', 30) || reading.hasLabel(last, 'vehicle', 20));
  if (plate || vehicle)
    return reading.foundTokens('Vehicle Plate', first, last, letters.count === LETTERS_MAX ? 0.95 : 0.8);
  // Three single Arabic letters and digits are written like that nowhere else.
  if (letters.arabic && letters.apart && letters.count === LETTERS_MAX && !reading.hasLabel(first, 'order', 20)) {
    return reading.foundTokens('Vehicle Plate', first, last, 0.7);
  }
  return undefined;
}

/** One to four digits; said digit by digit they are several tokens. */
function digitsFrom(reading: Reading, at: number): { readonly last: number } | undefined {
  const { tokens } = reading;
  if (tokens[at - 1]?.type === 'digits' && JOINT.test(reading.gapBefore(at))) return undefined;
  let last = at;
  let count = tokens[at]!.text.length;
  while (tokens[last + 1]?.type === 'digits' && JOINT.test(reading.gapBefore(last + 1))) {
    last += 1;
    count += tokens[last]!.text.length;
    if (count > DIGITS_MAX) return undefined;
  }
  return count <= DIGITS_MAX ? { last } : undefined;
}

function lettersEndingAt(reading: Reading, last: number): Letters | undefined {
  return letters(reading, last, -1);
}

function lettersBeginningAt(reading: Reading, first: number): Letters | undefined {
  return letters(reading, first, 1);
}

function letters(reading: Reading, from: number, step: 1 | -1): Letters | undefined {
  let at = from;
  let count = 0;
  let arabic = false;
  let apart = true;
  for (; count < LETTERS_MAX; at += step) {
    const token = reading.tokens[at];
    if (token?.type !== 'word') break;
    const gap = reading.gapBefore(step === 1 ? at : at + 1);
    if (!JOINT.test(gap)) break;
    const size = plateLetters(reading, at);
    if (size === 0 || count + size > LETTERS_MAX) break;
    const isArabic = token.text.charCodeAt(0) >= 0x600;
    if (count > 0 && isArabic !== arabic) break;
    arabic = isArabic;
    if (size > 1) apart = false;
    count += size;
  }
  if (count === 0) return undefined;
  const end = at - step;
  return { first: Math.min(from, end), last: Math.max(from, end), count, apart, arabic };
}

/** How many plate letters a token is: a letter, two or three together in capitals or Arabic, or the name of one. */
function plateLetters(reading: Reading, at: number): number {
  const { text } = reading.tokens[at]!;
  if (SPELLED.has(text)) return 1;
  if (text.length > LETTERS_MAX) return 0;
  const alphabet = text.charCodeAt(0) >= 0x600 ? ARABIC : LATIN;
  if (text === 'ه' || (text.length === 1 && alphabet.includes(text))) return 1;
  if (alphabet === LATIN && reading.cased(at) !== text.toUpperCase()) return 0;
  return [...text].every((letter) => alphabet.includes(letter)) && text.length > 1 ? text.length : 0;
}
