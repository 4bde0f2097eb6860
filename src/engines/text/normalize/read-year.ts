import { ARABIC_MONTH_PAIRS, ARABIC_MONTH_WORDS } from '../../../language/calendar/calendar-names.ts';
import { foldedSet } from '../../../language/fold-word.ts';
import {
  CODE_WORDS,
  COUNT_BEFORE_EN,
  COUNTED_EN,
  NUMBER_WORDS,
  YEAR_WORDS_AR,
  YEAR_WORDS_EN,
} from '../lexicon/context-words.ts';
import { calendarOf, readEra } from './calendar-year.ts';
import { englishCardinal, englishYear } from './english-number.ts';
import { isLabelled } from './number-context.ts';
import { match, type Numeral, type ParsedNumeral, smallValue } from './numeral.ts';
import { isCode, isSent } from './read-digits.ts';
import { readSuffix } from './read-suffix.ts';
import { isBoundary, isLatin, type Scan } from './scan.ts';
import { type Classified, classified, type Token } from './token.ts';

const DECADE = /['’]?s(?![\p{L}\p{N}])/uy;
/** `the 80s and 90s`, `90s music`. */
const DECADE_BEFORE = /\d0['’]?s(?:,? (?:and|or|to|through) |, ?| & | ?[-–/] ?)['’‘]?$/;
const DECADE_BEHIND = /^ (?:music|hits|songs|style|party|films|movies|rock|pop|fashion|era|classics|theme|kids)\b/;
const DECADE_WORDS: ReadonlySet<string> = new Set(
  'the his her their my your our early mid late low high upper lower'.split(' '),
);
/** `100s of users`. */
const PLURALS: ReadonlyMap<number, string> = new Map([
  [10, 'tens'],
  [100, 'hundreds'],
  [1000, 'thousands'],
]);

/** `2025 and 2026`, `2025 و2026`, `Q3 2025`. */
const AFTER_YEAR = /(?:(?:19|20)\d\d(?:,? (?:and|or|to|&) | ?و| أو |, ?|، ?)|(?:^|\s)(?:Q[1-4]|H[12]|FY) ?)$/;
const APOSTROPHES = "'’‘";

/** `the 1990s`, `his 30s`; after other words 30s are seconds. */
export function readDecade(scan: Scan, at: number, parsed: ParsedNumeral): Classified | undefined {
  const next = scan.text[parsed.end];
  if (next !== 's' && next !== "'" && next !== '’') return undefined;
  const value = smallValue(parsed.numeral);
  const decade = match(DECADE, scan.text, parsed.end);
  if (value === undefined || decade === undefined || value % 10 !== 0) return undefined;
  const many = PLURALS.get(value);
  if (
    many !== undefined &&
    /^ (?:of|more)\b/.test(scan.text.slice(parsed.end + decade.length, parsed.end + decade.length + 5))
  )
    return classified({ kind: 'words', words: many }, at, parsed.end + decade.length);
  if (parsed.numeral.grouped === true) return undefined;
  const years =
    (value >= 1700 && value < 2100) || (value >= 1100 && value % 100 === 0 && DECADE_WORDS.has(scan.left(at)));
  if (!years && !(value >= 20 && value < 100 && isShortDecade(scan, at, parsed.end + decade.length))) return undefined;
  return classified({ kind: 'decade', value }, at, parsed.end + decade.length);
}

/** `the 90s`, `'90s`: years, not seconds. */
function isShortDecade(scan: Scan, at: number, end: number): boolean {
  if (DECADE_WORDS.has(scan.left(at)) || APOSTROPHES.includes(scan.text[at - 1] ?? ' ')) return true;
  return (
    DECADE_BEHIND.test(scan.text.slice(end, end + 12)) || DECADE_BEFORE.test(scan.text.slice(Math.max(0, at - 16), at))
  );
}

/** م after a year is ميلادي, not metre. */
export function isYearWithEra(scan: Scan, at: number, parsed: ParsedNumeral): boolean {
  const { digits, fraction, grouped } = parsed.numeral;
  if (fraction !== undefined || grouped === true) return false;
  if (isEarlyYear(scan, at, parsed)) return true;
  if (digits.length !== 4) return false;
  return calendarOf(Number(digits)) !== undefined && readEra(scan, parsed.end) !== undefined && at >= 0;
}

/** With its tatweel it is no letter of a class or a flat. */
const HIJRI_SIGN = 'هـ';

/** `سنة 622م`, `14 هـ`. */
function isEarlyYear(scan: Scan, at: number, { numeral, end }: ParsedNumeral): boolean {
  const { length } = numeral.digits;
  const signed = scan.language === 'ar' && (length === 2 || length === 3) && scan.next(end).word === HIJRI_SIGN;
  if (signed && readEra(scan, end) !== undefined && !isLabelled(scan, at)) return numeral.fraction === undefined;
  const era = numeral.digits.length <= 3 && scan.leftIn(at, YEAR_WORDS_AR, 1) ? readEra(scan, end) : undefined;
  return era !== undefined && (numeral.digits.length === 3 || era.calendar === 'hijri');
}

/** A year by its era, by the words around it, or because four digits of our time count nothing. */
export function readYear(scan: Scan, at: number, parsed: ParsedNumeral): Classified | undefined {
  const { numeral, end } = parsed;
  const value = smallValue(numeral);
  if (value === undefined || numeral.negative === true) return undefined;
  if (isEarlyYear(scan, at, parsed)) {
    const { calendar, end: until } = readEra(scan, end)!;
    return classified({ kind: 'year', value, calendar, era: true }, at, until);
  }
  if (numeral.digits.length !== 4 || numeral.grouped === true) return undefined;
  const calendar = calendarOf(value);
  if (calendar === undefined) return undefined;
  const era = readEra(scan, end);
  if (era !== undefined) return classified({ kind: 'year', value, calendar: era.calendar, era: true }, at, era.end);
  if (!isYear(scan, at, end)) return undefined;
  return classified({ kind: 'year', value, calendar, era: false }, at, end);
}

/** `Q4'23`. */
const QUARTER_BEFORE = /[QH][1-4]$|[FC]Y$/;
const SHORT_YEAR = /['’‘](\d\d)(?![\d%]|['’]?[A-Za-z]|[:.,]\d)/y;

/** `class of '98`, `since '09`: at the apostrophe, which is not said. */
export function readShortYear(scan: Scan, at: number): Classified | undefined {
  if (scan.language === 'ar') return undefined;
  const quarter = QUARTER_BEFORE.test(scan.text.slice(Math.max(0, at - 2), at));
  if (!quarter && !isBoundary(scan.text, at - 1)) return undefined;
  SHORT_YEAR.lastIndex = at;
  const digits = SHORT_YEAR.exec(scan.text)?.[1];
  if (digits === undefined) return undefined;
  const value = Number(digits);
  const words = quarter ? ` ${englishYear(2000 + value)}` : `${value < 10 ? 'oh ' : ''}${englishCardinal(value)}`;
  return classified({ kind: 'words', words }, at, at + 3);
}

/**
 * `2024-2025`, `1445/1446هـ`, `2024-25`. With a dash (`spans`) also `1960-80`; from 01 to 12 the second number may be a month,
 * and behind a label the two are a reference.
 */
export function yearPair(
  scan: Scan,
  at: number,
  first: Numeral,
  second: ParsedNumeral,
  spans = false,
): Classified | undefined {
  if (first.digits.length !== 4) return undefined;
  const value = smallValue(first);
  let upTo = smallValue(second.numeral);
  if (value === undefined || upTo === undefined) return undefined;
  const calendar = calendarOf(value);
  if (second.numeral.digits.length === 2) upTo = lastYear(scan, at, value, upTo, spans);
  if (calendar === undefined || calendarOf(upTo) !== calendar || upTo < value || second.numeral.digits.length === 3)
    return undefined;
  if (readSuffix(scan, second.end, true) !== undefined) return undefined;
  const era = readEra(scan, second.end);
  const token: Token = { kind: 'year', value, upTo, calendar: era?.calendar ?? calendar, era: era !== undefined };
  return { token, start: at, end: era?.end ?? second.end };
}

/** The year that two digits mean behind a first one. */
function lastYear(scan: Scan, at: number, first: number, digits: number, spans: boolean): number {
  if (digits === (first + 1) % 100) return first + 1;
  const labelled = isLabelled(scan, at) || scan.leftIn(at, NUMBER_WORDS, 2) || scan.leftIn(at, CODE_WORDS, 2);
  const ours = first >= 1800 && first <= 2060;
  const numbered = labelled || NUMBER_SIGN.test(scan.text.slice(Math.max(0, at - 2), at));
  return spans && ours && digits > MONTHS && digits > first % 100 && !numbered
    ? first - (first % 100) + digits
    : digits;
}

const MONTHS = 12;
const NUMBER_SIGN = /#\s?$/;

/** `الربع الثالث 2025`. */
const QUARTERS = foldedSet('الربع للربع بالربع والربع النصف للنصف');

const BEFORE_HIJRI = /^(?:in|since|year)$/;
const HIJRI_EVENTS = /^(?:hajj|umrah|eid|ramadan)$/;

function isYear(scan: Scan, at: number, end: number): boolean {
  if (scan.leftIn(at, YEAR_WORDS_AR, 1) || afterMonth(scan, at) || QUARTERS.has(scan.left(at, 2))) return true;
  if (AFTER_YEAR.test(scan.text.slice(Math.max(0, at - 16), at))) return true;
  if (scan.language === 'ar') return isBareYear(scan, at, end);
  if (isSent(scan, at, end - at)) return false;
  if (HIJRI_EVENTS.test(scan.left(at))) return true;
  // Hijri years without their era look like any number.
  if (scan.text.slice(at, end) <= '1500' && !BEFORE_HIJRI.test(scan.left(at))) return false;
  if (scan.text[at - 1] === '(' && scan.text[end] === ')') return true;
  if (!scan.leftIn(at, YEAR_WORDS_EN, 1) && isCode(scan, at, end, { digits: scan.text.slice(at, end) })) return false;
  if (scan.text[at - 1] === '-' && isLatin(scan.text.charCodeAt(at - 2))) return true; // pre-1980
  // `in 2000 cases` and `about 2000 people` count; otherwise four digits of this size are a year.
  const next = scan.next(end).word;
  if (COUNTED_EN.has(next) || (/^[a-z]{3,}s$/.test(next) && !isRecent(scan.text.slice(at, end)))) return false;
  if (scan.leftIn(at, YEAR_WORDS_EN, 1) || scan.left(at, 2) === 'year') return true; // the year is 2050
  return !scan.leftIn(at, COUNT_BEFORE_EN, 1);
}

/** `كأس العالم 2034`: four digits of our time that count nothing. As an amount only its case would differ. */
function isBareYear(scan: Scan, at: number, end: number): boolean {
  const digits = scan.text.slice(at, end);
  if (digits < '1950' || digits > '2060' || digits === '2000' || isLabelled(scan, at)) return false;
  const { word } = scan.next(end);
  return !isCode(scan, at, end, { digits }) && word === '';
}

/** `2025 results`: years of the business at hand, more often than counts. */
function isRecent(year: string): boolean {
  return year > '2010' && year < '2040';
}

/** `يناير 2026`, `ربيع الأول 1447`. */
function afterMonth(scan: Scan, at: number): boolean {
  if (ARABIC_MONTH_WORDS.has(scan.left(at))) return true;
  return ARABIC_MONTH_PAIRS.get(scan.left(at, 2))?.second.includes(scan.left(at)) === true;
}
