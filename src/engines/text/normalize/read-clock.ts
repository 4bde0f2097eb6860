import { WEEKDAY_AR } from '../../../language/calendar/date-patterns.ts';
import { foldedSet } from '../../../language/fold-word.ts';
import { pattern } from '../../../language/pattern.ts';
import { CLOCK_WORDS } from '../lexicon/context-words.ts';
import { adjoins, clauseBefore } from './number-context.ts';
import { openingHours, partedHour } from './read-hours.ts';
import { COLON, DOT, isDash, isDigit, type Scan, SPACE } from './scan.ts';
import type { Classified, ClockTime, Meridiem } from './token.ts';

const COLON_TIME = /(\d{1,2}):(\d{2})(?::(\d{2}))?(?!:?\d)/y;
const DOT_TIME = /(\d{1,2})\.(\d{2})(?!\d)/y;
/** `7:30`, `7.5`, `7/8` are no hours. */
const HOUR_JOINTS: ReadonlySet<number> = new Set([...':.,/'].map((sign) => sign.charCodeAt(0)));
const MILITARY = /([01]\d|2[0-3])([0-5]\d)\s?(?:hrs|hours|h)(?![A-Za-z])/y;
const DASH = /\s?[-–—]\s?(?=\d)/y;
const MERIDIEM = /\s?(ص|م|[aApP]\.?\s?[mM])(?![\p{L}\p{N}\u0640²³])\.?/uy;
const MERIDIEM_LETTERS: ReadonlySet<string> = new Set('صمaApP');
const DAY_PART = pattern('y')`
  \s?(?:صباحا|صباحًا|صباحاً|مساء|ظهرا|ظهرًا|ظهراً|عصرا|عصرًا|عصراً|ليلا|ليلًا|ليلاً|فجرا|فجرًا|فجراً|الصبح|المغرب|العصر|الظهر|العشاء|
  بالليل|الليل|الفجر|الضحى|in the|at night|noon|o'clock|midnight)
`;
const HOUR_WORDS = foldedSet('من إلى حتى بعد قبل في عند بين و على تمام from to until till at by between before after');

/** `تناول 1 صباحا و1 مساء` are pills. */
const DOSE_WORDS = foldedSet('تناول خذ خذي تؤخذ يؤخذ جرعة الجرعة حبة حبوب قرص أقراص كبسولة ملعقة قطرة قطرات مرات');

/** `7:30 ص`, `19:30`, `9:00-17:00`, `9 - 5 PM`, `الساعة 7`, `5pm`. */
export function readTime(scan: Scan, at: number): Classified | undefined {
  const { end, follow } = scan.digits(at);
  if (end - at > 4) return undefined;
  const arabic = scan.language === 'ar' && end - at <= 2 ? arabicHours(scan, at) : undefined;
  if (arabic !== undefined) return arabic;
  // After a lone number only الساعة makes a time of it.
  if ((Number.isNaN(follow) || isDigit(follow)) && !scan.leftIn(at, CLOCK_WORDS, 1)) return undefined;
  const military = end - at === 4 ? militaryTime(scan, at) : undefined;
  if (military !== undefined) return military;
  const first = clockTime(scan, at);
  DASH.lastIndex = first?.end ?? at;
  if (first !== undefined) {
    const until = DASH.test(scan.text) ? DASH.lastIndex : -1;
    const dash = until < 0 ? undefined : (clockTime(scan, until) ?? plainHour(scan, until, first.time));
    if (dash === undefined) return { token: { kind: 'time', time: first.time }, start: at, end: first.end };
    return { token: { kind: 'time', time: first.time, upTo: dash.time }, start: at, end: dash.end };
  }
  const hour = isDash(follow) ? wholeHour(scan.text, at, end) : undefined;
  if (hour === undefined || hour > 12) return undefined;
  DASH.lastIndex = end;
  if (!DASH.test(scan.text)) return undefined;
  const last = clockTime(scan, DASH.lastIndex);
  if (last === undefined) return undefined;
  const parted = last.time.meridiem !== undefined || (scan.language === 'ar' && last.time.dayPartFollows);
  if (!parted) return undefined;
  const time = { hour, minute: 0, second: 0, dayPartFollows: false };
  return { token: { kind: 'time', time, upTo: last.time }, start: at, end: last.end };
}

const PLAIN_HOUR = /(1[0-2]|[1-9])(?![\d%\p{L}°]|[:.,/-]\d| (?:min|hour|km|people|%))/uy;

/** The `7` of `6:30-7` in English text. */
function plainHour(scan: Scan, at: number, first: ClockTime): ReadTime | undefined {
  PLAIN_HOUR.lastIndex = at;
  const found = scan.language === 'en' && first.minute > 0 ? PLAIN_HOUR.exec(scan.text) : null;
  if (found === null) return undefined;
  return { time: { hour: Number(found[1]), minute: 0, second: 0, dayPartFollows: true }, end: at + found[0].length };
}

function arabicHours(scan: Scan, at: number): Classified | undefined {
  const parted = partedHour(scan, at);
  const last = parted === undefined ? undefined : clockTime(scan, parted.second);
  if (parted === undefined || last === undefined) return openingHours(scan, at);
  return { token: { kind: 'time', time: parted.time, upTo: last.time }, start: at, end: last.end };
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
  const { end, next } = scan.digits(at);
  if (end - at > 2) return undefined;
  const parts = next === COLON ? exec(COLON_TIME, scan, at) : next === DOT ? dotTime(scan, at) : null;
  if (parts === null) return bareHour(scan, at, end);
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3] ?? 0)];
  if (hour > 24 || minute > 59 || second > 59) return undefined;
  return closeTime(scan, at + parts[0].length, hour, minute, second, true);
}

function dotTime(scan: Scan, at: number): RegExpExecArray | null {
  const parts = exec(DOT_TIME, scan, at);
  return parts !== null && timeFollows(scan, at, parts[0].length) ? parts : null;
}

function exec(pattern: RegExp, scan: Scan, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(scan.text);
}

/** A number of one or two digits that is no part of a larger one. */
function wholeHour(text: string, at: number, end: number): number | undefined {
  const joined = HOUR_JOINTS.has(text.charCodeAt(end)) && isDigit(text.charCodeAt(end + 1));
  if (joined || end - at > 2) return undefined;
  const hour = Number(text.slice(at, end));
  return hour > 0 ? hour : undefined;
}

function timeFollows(scan: Scan, at: number, length: number): boolean {
  return (
    scan.leftIn(at, CLOCK_WORDS, 1) ||
    readMeridiem(scan, at + length) !== undefined ||
    (/[0-5][05]$/.test(scan.text.slice(at, at + length)) && TIMED.has(scan.next(at + length).word))
  );
}

/** `بين 2 و4 عصراً`: the part of the day stands after the second hour. */
const HOURS_TO =
  /^\s?(?:و|[إا]ل[ىي]|حت[ىي]|[-–])\s?(?:الساع[ةه] )?\d{1,2}(?::\d\d)?\s?(?:صباح|مساء|ظهر|عصر|ليل|فجر|الصبح|المغرب|العصر|الظهر|العشاء|بالليل)/u;

/** `3 ونص العصر`, `8 إلا ربع`. */
const QUARTER_BEHIND =
  /^ (?:(?:و ?نصف?|و ?ربع|و ?ثلث) (?:صباح|مساء|ظهر|عصر|ليل|فجر|الصبح|المغرب|العصر|الظهر|العشاء|بالليل)|[إا]لا (?:ربع|ثلث|خمس|عشر))/u;

/** A whole hour needs a sign that it is one: the word الساعة, AM or PM, or ص and م near other clock words. */
function bareHour(scan: Scan, at: number, end: number): ReadTime | undefined {
  const hour = wholeHour(scan.text, at, end);
  if (hour === undefined || hour > 24) return undefined;
  const afterClock = scan.leftIn(at, CLOCK_WORDS, 1) && (scan.language === 'en' || adjoins(scan, at));
  const meridiem = readMeridiem(scan, end);
  DAY_PART.lastIndex = end;
  const dayPart = scan.language === 'ar' && hour <= 12 && DAY_PART.test(scan.text) && !scan.leftIn(at, DOSE_WORDS, 3);
  const parted = scan.language === 'ar' && hour <= 12 && QUARTER_BEHIND.test(scan.text.slice(end, end + 24));
  if (!afterClock && !dayPart && !parted && !isNoonHour(scan, hour, end)) {
    if (
      hour <= 12 &&
      scan.language === 'ar' &&
      scan.leftIn(at, HOUR_WORDS, 1) &&
      HOURS_TO.test(scan.text.slice(end, end + 24))
    )
      return { time: { hour, minute: 0, second: 0, dayPartFollows: true }, end };
    if (meridiem === undefined || hour > 12) return undefined;
    if (
      meridiem.arabic === 'م' &&
      !clockContext(scan, at) &&
      !isAfterHour(scan, at, meridiem.end) &&
      !isSaidTwice(scan, meridiem.end)
    )
      return undefined;
  }
  return closeTime(scan, end, hour, 0, 0, meridiem !== undefined);
}

const HOUR_EDGES = foldedSet('بعد قبل لين');
const ON_THE_ROAD = /^ (?:انعطف|لف|اتجه|خذ|تجد|ستجد|يمين|يسار|على اليمين|على اليسار|مربع)/u;

/** `بعد 5 م`: few metres are worth a word. */
function isAfterHour(scan: Scan, at: number, end: number): boolean {
  return scan.leftIn(at, HOUR_EDGES, 1) && !ON_THE_ROAD.test(scan.text.slice(end, end + 16));
}

/** `the 10.30 meeting`. */
const TIMED: ReadonlySet<string> = new Set(
  'meeting train flight bus class show appointment session call slot'.split(' '),
);
const WORKING_DAYS = pattern('u')`
  موعد|دوام|[يتن]فتح|مفتوح|[يتن]غلق|مواعيد|مواقيت|أوقات|اجتماع|رحل|حجز|غد|بكر|يوم|عمل|${WEEKDAY_AR}|رمضان
`;

/** م is also metre: an hour when clock words or ص stand before it. */
function clockContext(scan: Scan, at: number): boolean {
  const before = clauseBefore(scan, at, 24);
  if (
    /(?:ساع|\d\s?ص|:\d\d|صباح|\d\s?م\s(?:(?:[إا]ل[ىي]|حت[ىي])\s|لـ?\s?)$|(?:من|بين)\s\d{1,2}\s?[-–]\s?$)/u.test(before)
  )
    return true;
  if (/^\d+\s?م\s?(?:[إا]ل[ىي]|حت[ىي])\s\d{1,2}(?::\d\d)?\s?[صم](?![ء-ي])/u.test(scan.text.slice(at, at + 24)))
    return true;
  const work = clauseBefore(scan, at, 48);
  const ranged =
    /^\d+\s?م\s?[-–]\s?\d{1,2}(?::\d\d)?\s?م(?![ء-ي])/u.test(scan.text.slice(at, at + 24)) ||
    /\d\s?م?\s?[-–]\s?$/u.test(before);
  if (ranged && WORKING_DAYS.test(work)) return true;
  return scan.leftIn(at, HOUR_WORDS, 1) && WORKING_DAYS.test(work);
}

const DAY_LETTERS: Readonly<Record<string, string>> = { ظ: 'ظهراً', ع: 'عصراً', ف: 'فجراً' };
/** ع and ف are also prepositions: they are no part of the day before a noun. */
const DAY_LETTER = /\s?(?:ظ(?![\p{L}\p{M}\p{N}ـ])|[عف](?=$|[.،,؛)!؟-]| (?:[إا]ل[ىي]|حت[ىي]|[-–])(?: |$)))/uy;

/** `12 ظ`, `الساعة 4 ع`. */
function dayLetter(scan: Scan, at: number): { readonly words: string; readonly end: number } | undefined {
  const first = scan.text[scan.text.charCodeAt(at) === SPACE ? at + 1 : at];
  if (first === undefined || DAY_LETTERS[first] === undefined) return undefined;
  DAY_LETTER.lastIndex = at;
  const found = DAY_LETTER.exec(scan.text);
  return found === null ? undefined : { words: DAY_LETTERS[first]!, end: DAY_LETTER.lastIndex };
}

/** ظ stands behind the hours around noon alone. */
const NOON = /^\s?ظ(?![\p{L}\p{M}\p{N}ـ])/u;

function isNoonHour(scan: Scan, hour: number, end: number): boolean {
  return (
    scan.language === 'ar' && (hour <= 4 || (hour >= 11 && hour <= 12)) && NOON.test(scan.text.slice(end, end + 3))
  );
}

/** `5م مساء`: the letter and the word say the same, and no metre is meant. */
function isSaidTwice(scan: Scan, end: number): boolean {
  DAY_PART.lastIndex = end;
  return DAY_PART.test(scan.text);
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
  const letter = meridiem === undefined && !dayPartFollows && scan.language === 'ar' ? dayLetter(scan, end) : undefined;
  if (letter !== undefined) return { time: { ...time, dayPart: letter.words, dayPartFollows: true }, end: letter.end };
  if (meridiem === undefined) return { time, end };
  return { time: { ...time, meridiem: meridiem.meridiem }, end: meridiem.end };
}

function readMeridiem(
  scan: Scan,
  at: number,
): { readonly meridiem: Meridiem; readonly end: number; readonly arabic?: string } | undefined {
  const first = scan.text[scan.text.charCodeAt(at) === SPACE ? at + 1 : at];
  if (first === undefined || !MERIDIEM_LETTERS.has(first)) return undefined;
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
