import {
  HIJRI_MONTH_AR,
  MONTH_AR,
  MONTH_EN,
  SHORT_MONTH_EN,
  WEEKDAY_AR,
  WEEKDAY_EN,
} from '../../../language/calendar/date-patterns.ts';
import { match } from './numeral.ts';
import { isInSeries } from './read-roman.ts';
import { isDigit, isLetter, type Scan, SPACE } from './scan.ts';
import { type Classified, classified } from './token.ts';

/** `10 - 3 = 7`. */
const MINUS_SUM = /^[-–] ?\d{1,9}(?:\.\d{1,3})? ?=/;

/** The minus of a sum. */
export function minusInSum(scan: Scan, at: number): Classified | undefined {
  const { text } = scan;
  const operand = text.charCodeAt(text.charCodeAt(at - 1) === SPACE ? at - 2 : at - 1);
  if (!isDigit(operand) || !MINUS_SUM.test(text.slice(at, at + SUM_CHARS))) return undefined;
  return classified({ kind: 'words', words: scan.language === 'ar' ? 'ناقص' : 'minus' }, at, at + 1);
}

const SHORT_DATE_BEFORE = /(?<![\d/])\d{1,2}\/\d{1,2}\s?$/;
const DATE_AFTER = /\d{1,2}\/\d{1,2}(?:\/\d{2,4})?(?![\d/])/y;
const DATE_BEFORE = /\d[-/]\d{1,2}[-/]\d{1,4}\s?(?:هـ|م)?\s?$/u;

const NAMES = `(?:${WEEKDAY_AR}|${MONTH_AR}|يونيه|يوليه|${HIJRI_MONTH_AR}|${WEEKDAY_EN}|${MONTH_EN})`;
const NAME_BEFORE = new RegExp(`(?:^|[\\s(:،,])و?${NAMES}\\s?$`, 'u');
const NAME_AFTER = new RegExp(`^${NAMES}(?![\\p{L}])`, 'u');

/** `15 مارس-20 مارس`. */
const DAY_BEFORE = new RegExp(`\\d ${NAMES}\\s?$`, 'u');
const DAY_BEHIND = new RegExp(`^\\d{1,2} ${NAMES}(?![\\p{L}])`, 'u');

const TIME_BEFORE = /(?:\d|[ap]\.?m\.?|noon|midnight)\s?$/i;
const NAMED_END = /^(?:noon|midnight|midday|present|now|today|dawn|sunset|late|close|closing)\b/i;
const NAMED_HOUR_BEFORE = /\b(?:noon|midnight|midday|dawn|sunrise|sunset)\s?$/i;

const MONTH = `(?:${SHORT_MONTH_EN})[a-z]{0,6}\\.?`;
/** `Oct. 10–Mar. 31`, `10 Oct–31 Mar`, `Dec 24, 2024 – Jan 2, 2025`. */
const DATED_BEFORE = new RegExp(`(?:${MONTH} \\d{1,2}(?:st|nd|rd|th)?|\\d (?:of )?${MONTH}|(?:19|20)\\d\\d) ?$`);
const MONTH_AND_NUMBER = new RegExp(`^${MONTH} \\d`);
const NUMBER_AND_MONTH = new RegExp(`^\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}`);
/** `5'7"–5'9"`, `5°-10°`. */
const SIGNED_UNIT_BEFORE = /\d["″”′°%²³]$/;
/** `1960s–'80s`, `80s-90s`. */
const DECADE_BEFORE = /\d0['’]?s ?$/;
const DECADE_BEHIND = /['’‘]?(?=\d{1,3}0['’]?s(?![a-z\d]))/y;
/** `$500K-$1M`: what has one sign and one scale is read as a range before. */
const MONEY_BEFORE = /[$€£¥]\d[\d.,]{0,12} ?(?:[kKmMbB]|thousand|million|billion) ?$/;
const MONEY_SIGNS = '$€£¥';
const MONEY_CHARS = 24;
const SMALL_S = 0x73;
const BEFORE_CHARS = 16;
const SUM_CHARS = 16;
const TO = { ar: ' إلى ', en: ' to ' };

/**
 * The dash between two dates, two days of the week or two months, or beside a named hour or end in English text:
 * `noon-1 PM`, `2019–present`.
 */
export function readDash(scan: Scan, at: number): Classified | undefined {
  const { text } = scan;
  const after = text[at + 1] === ' ' ? at + 2 : at + 1;
  const before = text.slice(Math.max(0, at - BEFORE_CHARS), at);
  const end = joinsSigned(text, at, after);
  if (end !== undefined) return classified({ kind: 'words', words: TO[scan.language] }, at, end);
  const joins = isDigit(text.charCodeAt(after)) ? joinsToNumber(scan, before, after) : joinsToName(scan, before, after);
  return joins ? classified({ kind: 'words', words: TO[scan.language] }, at, after) : undefined;
}

/** Where the second of two decades or two amounts with signs of their own begins. */
function joinsSigned(text: string, at: number, after: number): number | undefined {
  const last = text.charCodeAt(at - 1) === SPACE ? at - 2 : at - 1;
  if (text.charCodeAt(last) === SMALL_S) {
    const decade = DECADE_BEFORE.test(text.slice(Math.max(0, at - 5), at))
      ? match(DECADE_BEHIND, text, after)
      : undefined;
    if (decade !== undefined) return after + decade.length;
  }
  if (!MONEY_SIGNS.includes(text[after] ?? ' ') || !isDigit(text.charCodeAt(after + 1))) return undefined;
  return MONEY_BEFORE.test(text.slice(Math.max(0, at - MONEY_CHARS), at)) ? after : undefined;
}

const WORD_BEFORE = /[ء-ي]{2}$/u;

/** The hyphen of `كوفيد-19`, `إف-16`: written, not said. */
export function silentHyphen({ text, language }: Scan, at: number): Classified | undefined {
  if (language !== 'ar' || !isDigit(text.charCodeAt(at + 1)) || !WORD_BEFORE.test(text.slice(Math.max(0, at - 2), at)))
    return undefined;
  return classified({ kind: 'words', words: ' ' }, at, at + 1);
}

function joinsToName(scan: Scan, before: string, after: number): boolean {
  const { text, language } = scan;
  if (!isLetter(text.charCodeAt(after))) return false;
  const behind = text.slice(after, after + BEFORE_CHARS);
  if (language === 'en' && DATED_BEFORE.test(before) && MONTH_AND_NUMBER.test(behind)) return true;
  if (NAME_BEFORE.test(before) && NAME_AFTER.test(behind)) return true;
  if (isInSeries(scan, after)) return true; // Phase I-III
  return language === 'en' && NAMED_END.test(behind) && TIME_BEFORE.test(before);
}

function joinsToNumber({ text, language }: Scan, before: string, after: number): boolean {
  const last = before.trimEnd();
  if (isLetter(last.charCodeAt(last.length - 1)) && language === 'en' && NAMED_HOUR_BEFORE.test(last)) return true;
  if (language === 'en' && DATED_BEFORE.test(before) && NUMBER_AND_MONTH.test(text.slice(after, after + BEFORE_CHARS)))
    return true;
  if (language === 'en' && SIGNED_UNIT_BEFORE.test(last)) return true;
  if (language === 'ar' && DAY_BEFORE.test(before) && DAY_BEHIND.test(text.slice(after, after + BEFORE_CHARS)))
    return true;
  if (SHORT_DATE_BEFORE.test(before) && match(DATE_AFTER, text, after) !== undefined) return true;
  return DATE_BEFORE.test(before);
}
