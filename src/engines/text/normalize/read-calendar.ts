import {
  ARABIC_MONTH_PAIRS,
  ARABIC_MONTH_WORDS,
  type Calendar,
  ENGLISH_MONTH_WORDS,
} from '../lexicon/calendar-names.ts';
import { CLOCK_WORDS } from '../lexicon/context-words.ts';
import { foldedSet, foldWord } from '../lexicon/fold-word.ts';
import { DOT, isDash, isDigit, isLetter, isUpper, type Scan, SLASH } from './scan.ts';
import type { CalendarDate, Classified, ClockTime, Meridiem } from './token.ts';

const YEAR_FIRST = /(\d{4})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{1,2})(?!\d)/y;
const DAY_FIRST = /(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?!\d|[-/]\d)/y;
const DAY_MONTH = /(\d{1,2})\/(\d{1,2})(?!\d|\/\d|\.\d|%)/y;
const MONTH_YEAR = /(\d{1,2})\/(\d{4})(?!\d|\/\d)/y;
const YEAR_AFTER = /(?:\s?[,،/-])?\s?(?:(?:عام|سنة|لعام|of)\s)?(\d{4})(?!\d|[-/.,:]\d|\s?%)/y;
const ERA = /\s?(هـ|ه|م|AH|A\.H\.|AD|A\.D\.|CE|H|G)(?![\p{L}\p{N}²³])/uy;
const DAY =
  /(\d{1,2})(?:st|nd|rd|th)?(?:\s?[-–]\s?(\d{1,2})(?:st|nd|rd|th)?)?\s?(?:-|\/)?(?:من\s|of\s|شهر\s|من شهر\s)?/y;
const TWO_DAYS = /(\d{1,2})\s(?:إلى|الى|حتى|و|to|until|and)\s?(?=\d)/y;
const DAY_AFTER =
  /\.?\s(\d{1,2})(?:st|nd|rd|th)?(?:\s?[-–]\s?(\d{1,2})(?:st|nd|rd|th)?)?(?!\d|[:/.]\d|\s?[%٪]|,\d{3})/y;
const COLON_TIME = /(\d{1,2}):(\d{2})(?::(\d{2}))?(?!:?\d)/y;
const DOT_TIME = /(\d{1,2})\.(\d{2})(?!\d)/y;
const BARE_HOUR = /(\d{1,2})(?![\d:.,/]\d)/y;
const MILITARY = /([01]\d|2[0-3])([0-5]\d)\s?(?:hrs|hours|h)(?![A-Za-z])/y;
const ISO_TIME = /T(?=\d{2}:\d{2})/y;
const DASH = /\s?[-–—]\s?(?=\d)/y;
const MERIDIEM = /\s?(ص|م|[aApP]\.?\s?[mM])(?![\p{L}\p{N}\u0640²³])\.?/uy;
const DAY_PART =
  /\s?(?:صباحا|صباحًا|صباحاً|مساء|ظهرا|ظهرًا|ظهراً|عصرا|عصرًا|عصراً|ليلا|ليلًا|ليلاً|فجرا|فجرًا|فجراً|الصبح|المغرب|العصر|الظهر|العشاء|بالليل|in the|at night|noon|o'clock|midnight)/y;
const DATE_WORDS = foldedSet(
  'يوم اليوم ليوم تاريخ التاريخ بتاريخ وتاريخ موعد موعدك الموعد الموافق موافق حتى الأحد الاثنين الإثنين الثلاثاء الأربعاء الخميس الجمعة السبت مواليد الميلاد الاستحقاق الانتهاء التسليم',
  'on date dated due sunday monday tuesday wednesday thursday friday saturday until by from birth expires',
);
/** Goals above this are rare. */
const SCORED_MAX = 12;
const HOUR_WORDS = foldedSet('من إلى حتى بعد قبل في عند بين و على تمام from to until till at by between before after');

/** `12/03/2025`, `2025-03-12`, `12/03` with a date word, `12 مارس 2025`, `12-15 March`, `03/2025`; day first where unclear. */
export function readDate(scan: Scan, at: number): Classified | undefined {
  const { end, next, follow } = scan.digits(at);
  const signed = follow === SLASH || follow === DOT || isDash(follow);
  if (!signed && !isLetter(follow)) return undefined;
  const numeric = signed ? numericDate(scan, at) : undefined;
  // `1/2`: no name of a month can follow.
  if (next === SLASH && isDigit(scan.text.charCodeAt(end + 1))) return numeric ?? shortDate(scan, at);
  return numeric ?? namedDate(scan, at) ?? firstOfTwoDays(scan, at) ?? (signed ? shortDate(scan, at) : undefined);
}

function numericDate(scan: Scan, at: number): Classified | undefined {
  const year4 = scan.digits(at).end - at === 4;
  YEAR_FIRST.lastIndex = at;
  let parts = year4 ? YEAR_FIRST.exec(scan.text) : null;
  if (parts !== null) {
    return finishDate(scan, at, at + parts[0].length, Number(parts[4]), Number(parts[3]), Number(parts[1]));
  }
  if (year4) return undefined;
  DAY_FIRST.lastIndex = at;
  parts = DAY_FIRST.exec(scan.text);
  if (parts === null || (parts[4]!.length === 2 && parts[2] !== '/')) return undefined;
  const year = parts[4]!.length === 2 ? 2000 + Number(parts[4]) : Number(parts[4]);
  return finishDate(scan, at, at + parts[0].length, Number(parts[1]), Number(parts[3]), year);
}

/** Checks ranges, swaps a month-first date, reads the era and a time glued on with `T`. */
function finishDate(
  scan: Scan,
  start: number,
  end: number,
  first: number,
  second: number,
  year: number,
): Classified | undefined {
  const [day, month] = second > 12 && first <= 12 ? [second, first] : [first, second];
  if (day < 1 || day > 31 || month < 1 || month > 12 || calendarOf(year) === undefined) return undefined;
  const era = readEra(scan, end);
  const calendar = era?.calendar ?? calendarOf(year)!;
  const date: CalendarDate = { day, month, year, calendar, era: era !== undefined };
  ISO_TIME.lastIndex = end;
  const after = era?.end ?? (ISO_TIME.test(scan.text) ? end + 1 : end);
  return { token: { kind: 'date', date }, start, end: after };
}

/** Hijri years of living memory, Gregorian ones of business. */
export function calendarOf(year: number): Calendar | undefined {
  if (year >= 1300 && year <= 1500) return 'hijri';
  return year >= 1700 && year <= 2199 ? 'gregorian' : undefined;
}

export function readEra(scan: Scan, at: number): { readonly calendar: Calendar; readonly end: number } | undefined {
  ERA.lastIndex = at;
  const era = ERA.exec(scan.text);
  if (era === null) return undefined;
  const hijri = /^(?:هـ|ه|AH|A\.H\.|H)$/.test(era[1]!);
  return { calendar: hijri ? 'hijri' : 'gregorian', end: at + era[0].length };
}

/** The first day of `1 إلى 15 يوليو`, `1 to 15 July`: said as a day although its month stands after the second. */
function firstOfTwoDays(scan: Scan, at: number): Classified | undefined {
  TWO_DAYS.lastIndex = at;
  const found = TWO_DAYS.exec(scan.text);
  const value = Number(found?.[1] ?? 0);
  if (found === null || value < 1 || value > 31 || namedDate(scan, TWO_DAYS.lastIndex) === undefined) return undefined;
  return { token: { kind: 'ordinal', value, gender: 'm' }, start: at, end: at + found[1]!.length };
}

function namedDate(scan: Scan, at: number): Classified | undefined {
  DAY.lastIndex = at;
  const day = DAY.exec(scan.text);
  if (day === null) return undefined;
  const first = Number(day[1]);
  const last = day[2] === undefined ? undefined : Number(day[2]);
  if (first < 1 || first > 31 || (last !== undefined && (last <= first || last > 31))) return undefined;
  const month = readMonth(scan, at + day[0].length);
  if (month === undefined) return undefined;
  const days = last === undefined ? { day: first } : { day: first, lastDay: last };
  return withYear(scan, at, month, days);
}

interface Month {
  readonly name: string;
  readonly calendar: Calendar;
  readonly end: number;
}

/** A month name at `at`, as it will be said. */
export function readMonth(scan: Scan, at: number): Month | undefined {
  const { word, start, end } = scan.next(at);
  if (word === '') return undefined;
  const folded = scan.nextFolded(at);
  const pair = ARABIC_MONTH_PAIRS.get(folded);
  if (pair !== undefined) {
    const second = scan.next(end);
    if (second.start === end || !pair.second.includes(foldWord(second.word))) return undefined;
    return { name: `${folded === 'ذو' ? 'ذي' : word} ${second.word}`, calendar: pair.calendar, end: second.end };
  }
  const calendar = ARABIC_MONTH_WORDS.get(folded);
  if (calendar !== undefined) return { name: word, calendar, end };
  const english = ENGLISH_MONTH_WORDS.get(folded);
  if (english === undefined || !isUpper(scan.text.charCodeAt(start))) return undefined;
  const dotted = folded.length <= 4 && english.name.length > 4 && scan.text[end] === '.';
  return { name: english.name, calendar: english.calendar, end: dotted ? end + 1 : end };
}

function withYear(
  scan: Scan,
  start: number,
  month: Month,
  days: { readonly day?: number; readonly lastDay?: number; readonly monthFirst?: boolean },
): Classified {
  YEAR_AFTER.lastIndex = month.end;
  const found = YEAR_AFTER.exec(scan.text);
  const year = found === null ? undefined : Number(found[1]);
  const calendar = year === undefined ? undefined : calendarOf(year);
  if (found === null || year === undefined || calendar === undefined) {
    return {
      token: { kind: 'date', date: { ...days, month: month.name, calendar: month.calendar, era: false } },
      start,
      end: month.end,
    };
  }
  const yearEnd = month.end + found[0].length;
  const era = readEra(scan, yearEnd);
  const date = { ...days, month: month.name, year, calendar: era?.calendar ?? calendar, era: era !== undefined };
  return { token: { kind: 'date', date }, start, end: era?.end ?? yearEnd };
}

/** English `March 12, 2025`, `Mar 2025`, `Jan.` before a number: the month stands at `at`. */
export function readMonthFirst(scan: Scan, at: number): Classified | undefined {
  const month = readMonth(scan, at);
  if (month === undefined) return undefined;
  DAY_AFTER.lastIndex = month.end;
  const day = DAY_AFTER.exec(scan.text);
  if (day !== null && Number(day[1]) >= 1 && Number(day[1]) <= 31) {
    const after = { ...month, end: month.end + day[0].length };
    const last = day[2] === undefined ? undefined : Number(day[2]);
    const days = { day: Number(day[1]), monthFirst: true };
    return withYear(
      scan,
      at,
      after,
      last !== undefined && last > days.day && last <= 31 ? { ...days, lastDay: last } : days,
    );
  }
  const dated = withYear(scan, at, month, {});
  const written = scan.text.slice(at, month.end);
  return dated.end > month.end || written !== month.name ? shortNameNeedsYear(dated, month, written) : undefined;
}

/** `Mar` alone stays (it may be a name); `Sept.` and `Oct 2024` are months. */
function shortNameNeedsYear(dated: Classified, month: Month, written: string): Classified | undefined {
  return dated.end > month.end || written.endsWith('.') ? dated : undefined;
}

/** `12/03` after a date word or with a leading zero; `03/2025`. */
function shortDate(scan: Scan, at: number): Classified | undefined {
  MONTH_YEAR.lastIndex = at;
  let parts = MONTH_YEAR.exec(scan.text);
  if (parts !== null) {
    const year = Number(parts[2]);
    const calendar = calendarOf(year);
    if (calendar === undefined || Number(parts[1]) > 12 || Number(parts[1]) < 1) return undefined;
    const era = readEra(scan, at + parts[0].length);
    const date = { month: Number(parts[1]), year, calendar: era?.calendar ?? calendar, era: era !== undefined };
    return { token: { kind: 'date', date }, start: at, end: era?.end ?? at + parts[0].length };
  }
  DAY_MONTH.lastIndex = at;
  parts = DAY_MONTH.exec(scan.text);
  if (parts === null) return undefined;
  // 15/3 is no fraction, and no result of a match.
  const improper =
    Number(parts[1]) > SCORED_MAX && Number(parts[1]) <= 31 && Number(parts[2]) <= 12 && parts[0] !== '24/7';
  const dated = improper || parts[1]!.startsWith('0') || parts[2]!.startsWith('0') || scan.leftIn(at, DATE_WORDS, 2);
  if (!dated) return undefined;
  const [day, month] =
    Number(parts[2]) > 12 ? [Number(parts[2]), Number(parts[1])] : [Number(parts[1]), Number(parts[2])];
  if (day < 1 || day > 31 || month < 1 || month > 12) return undefined;
  return {
    token: { kind: 'date', date: { day, month, calendar: 'gregorian', era: false } },
    start: at,
    end: at + parts[0].length,
  };
}

/** `7:30 ص`, `19:30`, `9:00-17:00`, `9 - 5 PM`, `الساعة 7`, `5pm`. */
export function readTime(scan: Scan, at: number): Classified | undefined {
  const { end, follow } = scan.digits(at);
  if (end - at > 4) return undefined;
  // After a lone number only الساعة makes a time of it.
  if ((Number.isNaN(follow) || isDigit(follow)) && !scan.leftIn(at, CLOCK_WORDS, 1)) return undefined;
  const military = end - at === 4 ? militaryTime(scan, at) : undefined;
  if (military !== undefined) return military;
  const first = clockTime(scan, at);
  DASH.lastIndex = first?.end ?? at;
  if (first !== undefined) {
    const dash = DASH.test(scan.text) ? clockTime(scan, DASH.lastIndex) : undefined;
    if (dash === undefined) return { token: { kind: 'time', time: first.time }, start: at, end: first.end };
    return { token: { kind: 'time', time: first.time, upTo: dash.time }, start: at, end: dash.end };
  }
  BARE_HOUR.lastIndex = at;
  const bare = BARE_HOUR.exec(scan.text);
  if (bare === null || Number(bare[1]) > 12 || Number(bare[1]) < 1) return undefined;
  DASH.lastIndex = at + bare[0].length;
  if (!DASH.test(scan.text)) return undefined;
  const last = clockTime(scan, DASH.lastIndex);
  if (last?.time.meridiem === undefined) return undefined;
  const time = { hour: Number(bare[1]), minute: 0, second: 0, dayPartFollows: false };
  return { token: { kind: 'time', time, upTo: last.time }, start: at, end: last.end };
}

/** `0800 hrs`; without a leading zero 1400 hours may be a stretch of time. */
function militaryTime(scan: Scan, at: number): Classified | undefined {
  MILITARY.lastIndex = at;
  const parts = MILITARY.exec(scan.text);
  if (parts === null || (!parts[1]!.startsWith('0') && !scan.leftIn(at, HOUR_WORDS, 1))) return undefined;
  const [hour, minute] = [Number(parts[1]), Number(parts[2])];
  const time = { hour, minute, second: 0, military: true, dayPartFollows: false };
  return { token: { kind: 'time', time }, start: at, end: at + parts[0].length };
}

interface ReadTime {
  readonly time: ClockTime;
  readonly end: number;
}

function clockTime(scan: Scan, at: number): ReadTime | undefined {
  COLON_TIME.lastIndex = at;
  let parts = COLON_TIME.exec(scan.text);
  const colon = parts !== null;
  if (parts === null) {
    DOT_TIME.lastIndex = at;
    parts = DOT_TIME.exec(scan.text);
    if (parts !== null && !timeFollows(scan, at, parts[0].length)) parts = null;
  }
  if (parts !== null) {
    const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3] ?? 0)];
    if (hour > 24 || minute > 59 || second > 59) return undefined;
    return closeTime(scan, at + parts[0].length, hour, minute, second, true);
  }
  if (colon || isDigit(scan.text.charCodeAt(at + 2))) return undefined;
  return bareHour(scan, at);
}

function timeFollows(scan: Scan, at: number, length: number): boolean {
  return (
    scan.leftIn(at, CLOCK_WORDS, 1) ||
    readMeridiem(scan, at + length) !== undefined ||
    (/[0-5][05]$/.test(scan.text.slice(at, at + length)) && TIMED.has(scan.next(at + length).word))
  );
}

/** A whole hour needs a sign that it is one: the word الساعة, AM or PM, or ص and م near other clock words. */
function bareHour(scan: Scan, at: number): ReadTime | undefined {
  BARE_HOUR.lastIndex = at;
  const parts = BARE_HOUR.exec(scan.text);
  const hour = Number(parts?.[1] ?? 0);
  if (parts === null || hour < 1 || hour > 24) return undefined;
  const end = at + parts[0].length;
  const afterClock = scan.leftIn(at, CLOCK_WORDS, 1);
  const meridiem = readMeridiem(scan, end);
  DAY_PART.lastIndex = end;
  const dayPart = scan.language === 'ar' && hour <= 12 && DAY_PART.test(scan.text) && scan.leftIn(at, HOUR_WORDS, 1);
  if (!afterClock && !dayPart) {
    if (meridiem === undefined || hour > 12) return undefined;
    if (meridiem.arabic === 'م' && !clockContext(scan, at)) return undefined;
  }
  return closeTime(scan, end, hour, 0, 0, meridiem !== undefined);
}

/** `the 10.30 meeting`. */
const TIMED: ReadonlySet<string> = new Set(
  'meeting train flight bus class show appointment session call slot'.split(' '),
);
const WORKING_DAYS =
  /موعد|دوام|[يتن]فتح|مفتوح|[يتن]غلق|مواعيد|مواقيت|أوقات|اجتماع|رحل|حجز|غد|بكر|يوم|عمل|السبت|الأحد|الاثنين|الإثنين|الثلاثاء|الأربعاء|الخميس|الجمعة|رمضان/u;

function text48(scan: Scan, at: number): string {
  return scan.text.slice(Math.max(0, at - 48), at);
}

/** م is also metre: an hour when clock words or ص stand before it. */
function clockContext(scan: Scan, at: number): boolean {
  const before = scan.text.slice(Math.max(0, at - 24), at);
  if (/(?:ساع|\d\s?ص|:\d\d|صباح|\d\s?م\s(?:إلى|الى|حتى)\s$|(?:من|بين)\s\d{1,2}\s?[-–]\s?$)/u.test(before)) return true;
  if (/^\d+\s?م\s?(?:إلى|الى|حتى)\s\d{1,2}(?::\d\d)?\s?[صم](?![ء-ي])/u.test(scan.text.slice(at, at + 24))) return true;
  const work = text48(scan, at);
  const ranged =
    /^\d+\s?م\s?[-–]\s?\d{1,2}(?::\d\d)?\s?م(?![ء-ي])/u.test(scan.text.slice(at, at + 24)) ||
    /\d\s?م?\s?[-–]\s?$/u.test(before);
  if (ranged && WORKING_DAYS.test(work)) return true;
  return scan.leftIn(at, HOUR_WORDS, 1) && WORKING_DAYS.test(work);
}

function closeTime(
  scan: Scan,
  end: number,
  hour: number,
  minute: number,
  second: number,
  mayBeMeridiem: boolean,
): ReadTime {
  const meridiem = mayBeMeridiem ? readMeridiem(scan, end) : undefined;
  DAY_PART.lastIndex = meridiem?.end ?? end;
  const dayPartFollows = DAY_PART.test(scan.text);
  const time: ClockTime = { hour, minute, second, dayPartFollows };
  if (meridiem === undefined) return { time, end };
  return { time: { ...time, meridiem: meridiem.meridiem }, end: meridiem.end };
}

function readMeridiem(
  scan: Scan,
  at: number,
): { readonly meridiem: Meridiem; readonly end: number; readonly arabic?: string } | undefined {
  MERIDIEM.lastIndex = at;
  const found = MERIDIEM.exec(scan.text);
  if (found === null) return undefined;
  const sign = found[1]!;
  // The full stop belongs to a.m.; after ص and PM it ends the sentence.
  const dotted = sign.includes('.') && found[0].endsWith('.') && at + found[0].length < scan.text.length;
  const end = at + found[0].length - (found[0].endsWith('.') && !dotted ? 1 : 0);
  if (sign === 'ص' || sign === 'م') return { meridiem: sign === 'ص' ? 'am' : 'pm', end, arabic: sign };
  return { meridiem: /^a/i.test(sign) ? 'am' : 'pm', end };
}
