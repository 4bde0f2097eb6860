import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import { OVER_WORDS, PART_WORDS } from '../lexicon/context-words.ts';
import { calendarOf, fullHijriYear, fullYear, readEra } from './calendar-year.ts';
import { isMonth, type Month, readMonth, SHORTEST_MONTH } from './month-name.ts';
import { isInClause } from './number-context.ts';
import { joinedDate } from './read-joined-date.ts';
import { DOT, isDash, isDigit, isLetter, type Scan, SLASH, SPACE } from './scan.ts';
import type { CalendarDate, Classified } from './token.ts';

const list = listsOf('engines/text/normalize/data/read-calendar.tsv');

const YEAR_FIRST = /(\d{4})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{1,2})(?!\d)/y;
const DAY_FIRST = /(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?!\d|[-/]\d)/y;
const ZERO = 0x30;
const HYPHEN = 0x2d;
const YEAR_AFTER = /(?:\s?[,،/-])?\s?(?:(?:(?:عام|سنة|لعام|of)\s)?(\d{4})|['’‘](\d\d))(?!\d|[-/.,:]\d|\s?%)/y;
const DAY =
  /(\d{1,2})(?:st|nd|rd|th)?(?:\s?[-–]\s?(\d{1,2})(?:st|nd|rd|th)?)?\s?(?:-|\/)?(?:من\s|of\s|شهر\s|من شهر\s)?/y;
const TWO_DAYS = /(\d{1,2})\s(?:[إا]ل[ىي]|حت[ىي]|و|to|until|and)\s?(?=\d)/y;
const DAY_AFTER =
  /\.?\s(\d{1,2})(?:st|nd|rd|th)?(?:\s?[-–]\s?(\d{1,2})(?:st|nd|rd|th)?)?(?!\d|[:/.]\d|\s?[%٪]|,\d{3})/y;
const ISO_TIME = /T(?=\d{2}:\d{2})/y;
const DATE_WORDS = foldedSet(...list('date-words'));
/** Goals above this are rare. */
const SCORED_MAX = 12;

/** `12/03/2025`, `2025-03-12`, `12/03` with a date word, `12 مارس 2025`, `12-15 March`, `03/2025`; day first where unclear. */
export function readDate(scan: Scan, at: number): Classified | undefined {
  const { end, next, follow } = scan.digits(at);
  const signed = follow === SLASH || follow === DOT || isDash(follow);
  if (!signed && !isLetter(follow)) return undefined;
  const numeric = signed ? (joinedDate(scan, at) ?? numericDate(scan, at)) : undefined;
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
  if (!hasThirdPart(scan, at)) return undefined;
  DAY_FIRST.lastIndex = at;
  parts = DAY_FIRST.exec(scan.text);
  if (parts === null) return undefined;
  if (parts[4]!.length === 2 && parts[2] !== '/') return shortYearDate(scan, at, parts);
  const end = at + parts[0].length;
  return finishDate(scan, at, end, Number(parts[1]), Number(parts[3]), yearOf(scan, parts[4]!, end));
}

/** The year of two or four digits that end at `end`: `98`, `45هـ`. */
function yearOf(scan: Scan, digits: string, end: number): number {
  if (digits.length === 4) return Number(digits);
  const hijri = readEra(scan, end)?.calendar === 'hijri';
  return hijri ? fullHijriYear(Number(digits)) : fullYear(Number(digits));
}

/** Whether a sign follows the second number too: tells `1/2` and `1-1` from a date at once. */
function hasThirdPart(scan: Scan, at: number): boolean {
  const { text } = scan;
  let end = scan.digits(at).end;
  if (text.charCodeAt(end) === SPACE) end += 1;
  end += text.charCodeAt(end + 1) === SPACE ? 2 : 1;
  while (isDigit(text.charCodeAt(end))) end += 1;
  const sign = text.charCodeAt(text.charCodeAt(end) === SPACE ? end + 1 : end);
  return sign === SLASH || sign === DOT || sign === HYPHEN;
}

const TIME_BEHIND = /^،?\s\d{1,2}:\d\d/u;
const DATED = foldedSet('في بتاريخ تاريخ يوم التاريخ on dated date dob');
/** `25-03-14`: a year of our time in front, as banks write it. */
const YEARS_IN_FRONT = [20, 40] as const;

/** `25-03-14 19:22`, `بتاريخ 14-03-25`, `on 01-07-98`: two digits for the year, with dashes; in front in Arabic text alone. */
function shortYearDate(scan: Scan, at: number, parts: RegExpExecArray): Classified | undefined {
  const end = at + parts[0].length;
  const arabic = scan.language === 'ar';
  const dated = scan.leftIn(at, DATED, 1) || (arabic && TIME_BEHIND.test(scan.text.slice(end, end + 8)));
  if (parts[2] !== '-' || !dated) return undefined;
  const [first, month, last] = [Number(parts[1]), Number(parts[3]), Number(parts[4])];
  if (arabic && first >= YEARS_IN_FRONT[0] && first <= YEARS_IN_FRONT[1])
    return month > 12 ? undefined : finishDate(scan, at, end, last, month, fullYear(first));
  return arabic && month > 12 ? undefined : finishDate(scan, at, end, first, month, yearOf(scan, parts[4]!, end));
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

/** The first day of `1 إلى 15 يوليو`, `1 to 15 July`: said as a day although its month stands after the second. */
function firstOfTwoDays(scan: Scan, at: number): Classified | undefined {
  if (scan.digits(at).next !== SPACE) return undefined;
  TWO_DAYS.lastIndex = at;
  const found = TWO_DAYS.exec(scan.text);
  const value = Number(found?.[1] ?? 0);
  if (found === null || value < 1 || value > 31 || namedDate(scan, TWO_DAYS.lastIndex) === undefined) return undefined;
  return { token: { kind: 'ordinal', value, gender: 'm' }, start: at, end: at + found[1]!.length };
}

/** Whether a word of some length follows, or another day with a word behind it. */
function mayNameMonth(scan: Scan, day: number): boolean {
  const { text } = scan;
  const { end, follow } = scan.digits(day);
  if (isLetter(follow)) return scan.next(end).word.length >= SHORTEST_MONTH;
  let at = text.charCodeAt(end) === SPACE ? end + 2 : end + 1;
  if (text.charCodeAt(at) === SPACE) at += 1;
  if (isLetter(text.charCodeAt(at))) return true;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return isLetter(text.charCodeAt(at)) || isLetter(text.charCodeAt(at + 1));
}

function namedDate(scan: Scan, at: number): Classified | undefined {
  if (!mayNameMonth(scan, at)) return undefined;
  DAY.lastIndex = at;
  const day = DAY.exec(scan.text);
  if (day === null) return undefined;
  const first = Number(day[1]);
  const last = day[2] === undefined ? undefined : Number(day[2]);
  if (first < 1 || first > 31 || (last !== undefined && (last <= first || last > 31))) return undefined;
  const name = at + day[0].length;
  const month = readMonth(scan, name, true);
  if (month === undefined || !isMonth({ text: scan.text, left: scan.left(at) }, at, name, month.end)) return undefined;
  const days = last === undefined ? { day: first } : { day: first, lastDay: last };
  return withYear(scan, at, month, days);
}

function withYear(
  scan: Scan,
  start: number,
  month: Month,
  days: { readonly day?: number; readonly lastDay?: number; readonly monthFirst?: boolean },
): Classified {
  YEAR_AFTER.lastIndex = month.end;
  const found = YEAR_AFTER.exec(scan.text);
  const year = found === null ? undefined : found[1] === undefined ? fullYear(Number(found[2])) : Number(found[1]);
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

/** `4.9% APR.` is a rate. */
const PERCENT_BEFORE = /% ?$/;

/** English `March 12, 2025`, `Mar 2025`, `Jan.` before a number: the month stands at `at`. */
export function readMonthFirst(scan: Scan, at: number): Classified | undefined {
  const month = readMonth(scan, at);
  if (month === undefined || PERCENT_BEFORE.test(scan.text.slice(Math.max(0, at - 2), at))) return undefined;
  const whole = dayBehind(scan, at, month);
  if (whole !== undefined) return whole;
  const dated = withYear(scan, at, month, {});
  const written = scan.text.slice(at, month.end);

  return dated.end > month.end || written !== month.name ? shortNameNeedsYear(dated, month, written) : undefined;
}

/** The date of a month with a day behind it. */
function dayBehind(scan: Scan, at: number, month: Month): Classified | undefined {
  DAY_AFTER.lastIndex = month.end;
  const day = DAY_AFTER.exec(scan.text);
  if (day === null || Number(day[1]) < 1 || Number(day[1]) > 31) return undefined;
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

/** `june 30` in small letters: a month by its day alone. */
export function readSmallMonth(scan: Scan, at: number): Classified | undefined {
  const month = readMonth(scan, at, true);
  if (month === undefined) return undefined;
  const date = dayBehind(scan, at, month);
  const { text } = scan;
  const day = date === undefined ? null : /^\.? \d+(?:st|nd|rd|th)?/.exec(text.slice(month.end, month.end + 7));
  if (day === null) return undefined;
  return isMonth({ text, left: scan.left(at) }, at, at, month.end + day[0].length) ? date : undefined;
}

/** `Mar` alone stays (it may be a name); `Sept.` and `Oct 2024` are months. */
function shortNameNeedsYear(dated: Classified, month: Month, written: string): Classified | undefined {
  return dated.end > month.end || written.endsWith('.') ? dated : undefined;
}

/** `12/03` after a date word or with a leading zero; `03/2025`. */
function shortDate(scan: Scan, at: number): Classified | undefined {
  const { text } = scan;
  const { end: slash, next } = scan.digits(at);
  let end = slash + 1;
  while (isDigit(text.charCodeAt(end))) end += 1;
  if (next !== SLASH || slash - at > 2 || (text.charCodeAt(end) === SLASH && isDigit(text.charCodeAt(end + 1))))
    return undefined;
  const [first, second] = [Number(text.slice(at, slash)), Number(text.slice(slash + 1, end))];
  if (end - slash === 5) return monthYear(scan, at, end, first, second);
  if (end - slash > 3 || end - slash === 1 || /^(?:\.\d|%)/.test(text.slice(end, end + 2))) return undefined;
  return dayMonth(scan, at, slash, end, first, second);
}

function monthYear(scan: Scan, at: number, end: number, month: number, year: number): Classified | undefined {
  const calendar = calendarOf(year);
  if (calendar === undefined || month > 12 || month < 1) return undefined;
  const era = readEra(scan, end);
  const date = { month, year, calendar: era?.calendar ?? calendar, era: era !== undefined };
  return { token: { kind: 'date', date }, start: at, end: era?.end ?? end };
}

function dayMonth(
  scan: Scan,
  at: number,
  slash: number,
  end: number,
  first: number,
  second: number,
): Classified | undefined {
  if (scan.leftIn(at, PART_WORDS, 1)) return undefined;
  const { text } = scan;
  if (scan.leftIn(at, OVER_WORDS, 2)) return undefined; // ضغطك 13/9
  const expiry = cardExpiry(scan, at, first, second);
  if (expiry !== undefined) return { token: { kind: 'date', date: expiry }, start: at, end };
  // 15/3 is no fraction, and no result of a match.
  const improper = first > SCORED_MAX && first <= 31 && second <= 12 && !(first === 24 && second === 7);
  const zero = text.charCodeAt(at) === ZERO || text.charCodeAt(slash + 1) === ZERO;
  const appointed = POINTING.has(scan.left(at)) && RESCHEDULED.test(text.slice(Math.max(0, at - 24), at));
  const dated = appointed || isInClause(scan, at, DATE_WORDS, 2);
  if (!improper && !zero && !dated && !isArabicDate(scan, at, end)) return undefined;
  const [day, month] = second > 12 ? [second, first] : [first, second];
  if (day < 1 || day > 31 || month < 1 || month > 12) return undefined;
  return { token: { kind: 'date', date: { day, month, calendar: 'gregorian', era: false } }, start: at, end };
}

const APPOINTED = foldedSet(
  'موعد موعدك موعدكم الموعد يوم تاريخ التاريخ بتاريخ حجزك رحلتك زيارتك اختبار الاختبار يبدأ تبدأ بدأ بدأت ينتهي تنتهي انتهى انتهت',
);
const DATE_BEHIND =
  /^ (?:عند )?(?:الساع[ةه]|القادم|المقبل|الموافق|صباح|مساء)|^ ?(?:[إا]ل[ىي]|حت[ىي]|-|–) ?\d{1,2}\/\d{1,2}(?![\d/])/u;
const DATE_BEFORE = /\d{1,2}\/\d{1,2} ?(?:[إا]ل[ىي]|حت[ىي]|-|–) ?$/u;

/** `موعدك القادم في 12/5`, `12/5 الساعة 4`, `من 1/9 إلى 5/9`. */
function isArabicDate(scan: Scan, at: number, end: number): boolean {
  if (scan.language !== 'ar') return false;
  const behind = scan.text.slice(end, end + 16);
  const before = scan.text.slice(Math.max(0, at - 12), at);
  return DATE_BEHIND.test(behind) || DATE_BEFORE.test(before) || isInClause(scan, at, APPOINTED, 4);
}

const POINTING: ReadonlySet<string> = new Set('for to until till from'.split(' '));
/** `moved to 12/6`, `set for 5/6`. */
const RESCHEDULED =
  /(?:set|scheduled|moved|postponed|rescheduled|booked|planned|pushed|delayed|changed|extended|brought forward) (?:for|to|until|till|from) $/i;

/** `valid thru 03/28` on a card: month and year, when the second number is no month. */
function cardExpiry(scan: Scan, at: number, month: number, year: number): CalendarDate | undefined {
  if (month < 1 || month > 12 || year < 13 || year > 50) return undefined;
  const twoDigits = scan.digits(at).end - at === 2;
  if (year <= 31 && !twoDigits) return undefined;
  return { month, year: 2000 + year, calendar: 'gregorian', era: false };
}
