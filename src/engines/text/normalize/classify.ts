import { ROMAN_RULERS } from '../lexicon/context-words.ts';
import { match } from './numeral.ts';
import { isTableWord, plainWordEnd } from './plain-word.ts';
import { electronic } from './read-address.ts';
import { readArabicWord } from './read-arabic.ts';
import { withArticle } from './read-article.ts';
import { readBySign } from './read-by-sign.ts';
import { readDate } from './read-calendar.ts';
import { readTime } from './read-clock.ts';
import { readDigitShape, readVersion } from './read-digits.ts';
import { readDuration } from './read-duration.ts';
import { feetAndInches } from './read-feet.ts';
import { readLatin } from './read-latin.ts';
import { readNumber } from './read-number.ts';
import { isInSeries, isNumbered } from './read-roman.ts';
import { readGluedLabel } from './read-serial.ts';
import { readScale, readSuffix } from './read-suffix.ts';
import { readLeadingCurrency, readSymbol } from './read-symbol.ts';
import { readVanity } from './read-vanity.ts';
import { readVerse } from './read-verse.ts';
import { COLON, isArabic, isDigit, isLatin, isLetter, type Scan, SLASH, SPACE } from './scan.ts';
import type { Classified } from './token.ts';

const GLUED_LETTER = /\d{1,20}(?=[-_]?[A-Za-z])/y;
/** `8-year-old`, `3-bedroom`, `7-Eleven`: a number and a word. */
const HYPHENED_WORD = /^-(?:[a-z]{2}|[A-Z][a-z]{2}|a-[a-z])/;
const ORDINAL_OR_TIME = /\d+(?:\.\d+)?(?:st|nd|rd|th|ish|[aApP][mM]|['’]?s)(?![A-Za-z\d])|\d+(?:\.\d+)?[xX]\d/y;

const COMPASS_LETTERS = 'NSEW';
const HYPHEN = 0x2d;
const UNDERSCORE = 0x5f;
/** First letters of ر.س, ريال, د.إ, ج.م. */
const RA = 0x631;
const DAL = 0x62f;
const JIM = 0x62c;

/** The token at `at`, or where to look next when the text there stays as it is (always beyond `at`). */
export function classifyAt(scan: Scan, at: number): Classified | number {
  const { text } = scan;
  const code = text.charCodeAt(at);
  if (code === SPACE) return at + 1;
  if (isDigit(code)) return classifyDigits(scan, at);
  if (isArabic(code)) return classifyArabic(scan, at);
  if (isLatin(code)) {
    if (scan.language === 'en' && isLoneLetter(scan, at)) return at + 1;
    const plain = scan.language === 'en' ? plainWordEnd(text, at) : -1;
    if (plain > 0) {
      const next = text.charCodeAt(plain);
      if (next === SPACE) return plain + 1;
      if (next !== SLASH || !scan.mayBeAddress(at)) return plain; // src/index.ts is one path, he/she two words
    }
    const found = readLeadingCurrency(scan, at) ?? readLatin(scan, at);
    return found ?? endOfWord(text, at);
  }
  if (isLetter(code)) return endOfWord(text, at);
  return readSymbol(scan, at) ?? at + 1;
}

/** A letter that was spelled: neither a Roman number (Phase I) nor a word before a number (p 5). */
function isLoneLetter(scan: Scan, at: number): boolean {
  if (scan.text.charCodeAt(at + 1) !== 0x20) return false;
  const letter = scan.text[at]!;
  if (COMPASS_LETTERS.includes(letter) && isDigit(scan.text.charCodeAt(at - 2))) return false;
  if (letter === 'x') return !(isDigit(scan.text.charCodeAt(at + 2)) || isDigit(scan.text.charCodeAt(at - 2)));
  return 'IVXivx'.includes(letter)
    ? !(isNumbered(scan.left(at)) || isInSeries(scan, at) || ROMAN_RULERS.has(scan.left(at)))
    : !isTableWord(letter.toLowerCase());
}

function endOfWord(text: string, at: number): number {
  let end = at;
  while (isLetter(text.charCodeAt(end))) end += 1;
  return Math.max(end, at + 1);
}

/** By priority: address, date, time, phone, version, serial, then everything that is a number. */
function classifyDigits(scan: Scan, at: number): Classified {
  return (
    electronic(scan, at) ??
    readDate(scan, at) ??
    (scan.digits(at).next === COLON ? (readVerse(scan, at) ?? readDuration(scan, at)) : undefined) ??
    (scan.digits(at).next === HYPHEN ? readVanity(scan, at) : undefined) ??
    readTime(scan, at) ??
    readDigitShape(scan, at) ??
    readVersion(scan, at) ??
    feetAndInches(scan, at) ??
    readBySign(scan, at) ??
    gluedLabel(scan, at) ??
    readNumber(scan, at)
  );
}

/** `45-A-12`, `5W-30`; not `5K-10K`. */
const TAG_BEHIND = /^[-_]?[A-Z]{1,3}[-_]\d+(?![A-Za-z\d])/;

/** `5G`, `12A`: letters glued on that are no unit, scale, currency, ordinal or part of the day. */
function gluedLabel(scan: Scan, at: number): Classified | undefined {
  const { next } = scan.digits(at);
  if (!isLatin(next) && next !== HYPHEN && next !== UNDERSCORE) return undefined;
  const digits = match(GLUED_LETTER, scan.text, at);
  if (digits === undefined || match(ORDINAL_OR_TIME, scan.text, at) !== undefined) return undefined;
  const end = at + digits.length;
  if (TAG_BEHIND.test(scan.text.slice(end, end + 16))) return readGluedLabel(scan, at);
  if (HYPHENED_WORD.test(scan.text.slice(end, end + 4))) return undefined;
  if (readScale(scan, end) !== undefined || readSuffix(scan, end) !== undefined) return undefined;
  return readGluedLabel(scan, at);
}

function classifyArabic(scan: Scan, at: number): Classified | number {
  const first = scan.text.charCodeAt(at);
  const money = first === RA || first === DAL || first === JIM ? readLeadingCurrency(scan, at) : undefined;
  if (money !== undefined) return money;
  const word = readArabicWord(scan, at);
  if (word.type === 'word') return word.end;
  if (word.type === 'token') return word.found;
  return prefixed(scan, at, word.prefix, word.end) ?? endOfWord(scan.text, at);
}

/** بـ50, و3 and الـ5: the letters are said together with what follows them. */
function prefixed(scan: Scan, at: number, prefix: string, end: number): Classified | undefined {
  if (isLatin(scan.text.charCodeAt(end))) {
    const latin = scan.language === 'ar' ? readLatin(scan, end) : undefined;
    return latin === undefined ? undefined : { ...latin, start: at, prefix };
  }
  const found = classifyDigits(scan, end);
  const article = /^(.*?)(?:ال|(?<=^|[وف])لل)$/u.exec(prefix);
  if (article === null || scan.language !== 'ar') return { ...found, start: at, prefix };
  const before = article[1]! + (prefix.endsWith('لل') ? 'ل' : '');
  return withArticle(scan, { ...found, start: at, prefix: before }, end);
}
