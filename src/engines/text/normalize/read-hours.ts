import { foldedSet } from '../../../language/fold-word.ts';
import { pattern } from '../../../language/pattern.ts';
import { CLOCK_WORDS, OPENING_WORDS } from '../lexicon/context-words.ts';
import { isLikelyCounted } from './noun-gender.ts';
import { readSuffix } from './read-suffix.ts';
import type { Scan } from './scan.ts';
import { type Classified, type ClockTime, classified } from './token.ts';

const DASHED = /(\d{1,2})\s?[-–—]\s?(\d{1,2})(?![\d%٪]|[:.,/]\d|\s?[-–/]\s?\d)/y;
/** `9 صباحا - ` before another hour. */
const PART_THEN_DASH =
  /(\d{1,2})(?::([0-5]\d))?\s?(صباح[اًا]{1,2}|مساء[ًا]?|ظهر[اًا]{1,2}|عصر[اًا]{1,2}|ليل[اًا]{1,2}|فجر[اًا]{1,2})\s?[-–—]\s?(?=\d)/y;
const TO = foldedSet('إلى الى حتى لين');
const AFTER_HOUR = /\d(?:\s?[صمظعف])?\s(?:[إا]ل[ىي]|حت[ىي]|لين)\s$/u;
const BEFORE_HOUR = /\s(?:[إا]ل[ىي]|حت[ىي]|لين)\s(\d{1,2})(?![\d%٪]|[:.,/]\d)/y;
const LAST_HOUR = 12;

/** Where the times of a range of clock hours with their own parts of the day begin: the first one, and the place of the second. */
export interface PartedHour {
  readonly time: ClockTime;
  readonly second: number;
}

/** `9 صباحا` of `9 صباحا - 5 مساء`: the part of the day is said with its hour. */
export function partedHour(scan: Scan, at: number): PartedHour | undefined {
  PART_THEN_DASH.lastIndex = at;
  const found = PART_THEN_DASH.exec(scan.text);
  if (found === null || !isHour(found[1]!)) return undefined;
  const time: ClockTime = {
    hour: Number(found[1]),
    minute: Number(found[2] ?? 0),
    second: 0,
    dayPart: found[3]!,
    dayPartFollows: true,
  };
  return { time, second: PART_THEN_DASH.lastIndex };
}

/** An hour with its part of the day before the word that leads to another. */
const PARTED_BEFORE = pattern('u')`
  \d\s?(?:[صمظعف]|صباح[اًا]{1,2}|مساء[ًا]?|ظهر[اًا]{1,2}|عصر[اًا]{1,2}|ليل[اًا]{1,2}|فجر[اًا]{1,2}|العصر|الظهر|الصبح|الفجر|المغرب|العشاء|
  الليل)\s(?:[إا]ل[ىي]|حت[ىي]|لين)\s$
`;
/** The first of two ranges of hours: `9-12 و 4-9`. */
const RANGE_BEFORE = /\d{1,2}\s?[-–]\s?\d{1,2}\s?و\s?$/u;

/** Its own part of the day is read with it. */
const MERIDIEM_BEHIND = /^\s?(?:[صمظ](?![ء-ي])|[عف](?=$|[.،؛)]))/u;

/** Whole hours that only the words around show: `الدوام 9-5`, `أوقات العمل من 8 إلى 3`, `من الساعة 9 إلى 5`. */
export function openingHours(scan: Scan, at: number): Classified | undefined {
  return dashedHours(scan, at) ?? firstHour(scan, at) ?? lastHour(scan, at);
}

function dashedHours(scan: Scan, at: number): Classified | undefined {
  DASHED.lastIndex = at;
  const found = DASHED.exec(scan.text);
  if (found === null || !isHour(found[1]!) || !isHour(found[2]!) || !isOpening(scan, at)) return undefined;
  const end = at + found[0].length;
  if (!isFree(scan, end)) return undefined;
  return classified({ kind: 'time', time: whole(found[1]!), upTo: whole(found[2]!) }, at, end);
}

/** The 8 of `الدوام من 8 إلى 3`. */
function firstHour(scan: Scan, at: number): Classified | undefined {
  const daily = scan.left(at, 2) === 'يوم' && scan.left(at, 3) === 'كل';
  if (scan.left(at) !== 'من' || !(daily || scan.leftIn(at, OPENING_WORDS, 3))) return undefined;
  const { end } = scan.digits(at);
  BEFORE_HOUR.lastIndex = end;
  const last = BEFORE_HOUR.exec(scan.text);
  if (last === null || !isHour(scan.text.slice(at, end)) || !isHour(last[1]!)) return undefined;
  if (!isFree(scan, BEFORE_HOUR.lastIndex)) return undefined;
  return classified({ kind: 'time', time: whole(scan.text.slice(at, end)) }, at, end);
}

/** The 3 of it, and the 5 of `الساعة 9 إلى 5`. */
function lastHour(scan: Scan, at: number): Classified | undefined {
  const before = scan.text.slice(Math.max(0, at - 20), at);
  const parted = PARTED_BEFORE.test(before);
  if (!TO.has(scan.left(at)) || !(parted || AFTER_HOUR.test(before))) return undefined;
  const daily = scan.left(at, 3) === 'يوم' && scan.left(at, 4) === 'كل';
  const opened = scan.left(at, 2) === 'من' && (daily || scan.leftIn(at, OPENING_WORDS, 4));
  const { end } = scan.digits(at);
  if (MERIDIEM_BEHIND.test(scan.text.slice(end, end + 4))) return undefined;
  if (!(parted || opened || scan.leftIn(at, CLOCK_WORDS, 3)) || !isHour(scan.text.slice(at, end)) || !isFree(scan, end))
    return undefined;
  return classified({ kind: 'time', time: whole(scan.text.slice(at, end)) }, at, end);
}

function isOpening(scan: Scan, at: number): boolean {
  if (scan.leftIn(at, OPENING_WORDS, 2)) return true;
  return RANGE_BEFORE.test(scan.text.slice(Math.max(0, at - 12), at)) && scan.leftIn(at, OPENING_WORDS, 5);
}

function isHour(digits: string): boolean {
  const hour = Number(digits);
  return digits.length <= 2 && hour >= 1 && hour <= LAST_HOUR;
}

function whole(digits: string): ClockTime {
  return { hour: Number(digits), minute: 0, second: 0, dayPartFollows: false };
}

/** Whether the number that ends at `end` counts nothing. */
function isFree(scan: Scan, end: number): boolean {
  if (/^[:.,/%٪]\d/.test(scan.text.slice(end, end + 2)) || readSuffix(scan, end) !== undefined) return false;
  return !isLikelyCounted(scan.next(end).word);
}
