import type { CalendarDay } from '../calendar/calendar.ts';
import { fromHijri, isBefore, isRealDay, lastDayOf } from '../calendar/calendar.ts';
import { hijriMonthAt, MONTHS, THIS_MONTH } from '../calendar/day-names.ts';
import { fold } from '../fold.ts';
import { readCardinal, readOrdinal } from '../number-words.ts';
import type { SlotContext } from './slot.ts';

/** A day read at a position: `end` is the first word after it. */
export interface ReadDay {
  readonly day: CalendarDay;
  readonly end: number;
}
export type Reader = (words: readonly string[], at: number, context: SlotContext) => ReadDay | undefined;

export function isMonth(words: readonly string[], at: number): boolean {
  return MONTHS.has(words[at] ?? '') || hijriMonthAt(words, at) !== undefined;
}

/** `the last day of December`, `end of the month`, `اخر الشهر`, `نهاية ديسمبر`. */
export const readMonthEnd: Reader = (words, at, { today }) => {
  let i = at;
  while (words[i] === 'the' || words[i] === 'last' || words[i] === 'day' || words[i] === 'of') i += 1;
  const isEnd = words[i] === 'end' || words[i] === 'اخر' || words[i] === 'نهايه';
  const isLast = words.slice(at, i).includes('last');
  if (!isEnd && !isLast) return undefined;
  if (isEnd) i += 1;
  while (words[i] === 'of' || words[i] === 'the' || words[i] === 'this' || words[i] === 'يوم' || words[i] === 'في')
    i += 1;
  const isThis = words[i] === 'month' || words[i] === 'الشهر' || words[i] === 'هالشهر';
  const month = isThis ? today.month : MONTHS.get(words[i] ?? '');
  if (month === undefined) return undefined;
  const year = month < today.month ? today.year + 1 : today.year;
  return { day: { year, month, day: lastDayOf(year, month) }, end: i + 1 };
};

/** `خمسة اثنعش`, `5 12`: day and month and nothing else, where a date was asked for. */
export const readDayAndMonth: Reader = (words, at, { today, asked }) => {
  if (!asked || at > 1) return undefined;
  const day = readCardinal(words, at);
  const month = day && day.value >= 1 && day.value <= 31 ? readCardinal(words, day.end) : undefined;
  if (!month || month.value < 1 || month.value > 12 || month.end !== words.length) return undefined;
  if (month.end - at > 2 || !/[؀-ۿ\d]/.test(words[at]!)) return undefined; // `two three` are digits
  return month.value > 9 ? withYear(day!.value, month.value, words, month.end, today) : undefined;
};

/** Day and month, the year when said, else the next such day. */
function withYear(
  dayOfMonth: number,
  month: number,
  words: readonly string[],
  end: number,
  today: CalendarDay,
): ReadDay | undefined {
  const said = readCardinal(words, end);
  const hasYear = said !== undefined && said.value >= 1900 && said.value <= 2199;
  const day = { year: hasYear ? said.value : today.year, month, day: dayOfMonth };
  if (!isRealDay(day)) {
    const leap = { ...day, year: day.year + 1 };
    return !hasYear && isRealDay(leap) ? { day: leap, end } : undefined;
  }
  if (hasYear) return { day, end: said.end };
  if (!isBefore(day, today)) return { day, end };
  const later = { ...day, year: day.year + 1 };
  return isRealDay(later) ? { day: later, end } : undefined;
}

const DAYS = new Set(['days', 'day', 'يوم', 'ايام'].map(fold));

export const readMonthDay: Reader = (words, at, { today }) => {
  // December 5, December the fifth
  const month = MONTHS.get(words[at] ?? '');
  if (month !== undefined) {
    const from = words[at + 1] === 'the' ? at + 2 : at + 1;
    const day = readOrdinal(words, from) ?? readCardinal(words, from);
    if (day && DAYS.has(words[day.end] ?? '')) return undefined; // نوفمبر ثلاثين يوم: so long is the month
    return day && day.value >= 1 && day.value <= 31 ? withYear(day.value, month, words, day.end, today) : undefined;
  }
  // شهر اربعة يوم خمسة
  const numbered = words[at] === 'شهر' ? readCardinal(words, at + 1) : undefined;
  if (numbered && numbered.value <= 12) {
    const day = readCardinal(words, DAYS.has(words[numbered.end] ?? '') ? numbered.end + 1 : numbered.end);
    if (day && day.value >= 1 && day.value <= 31) return withYear(day.value, numbered.value, words, day.end, today);
  }
  // 5 December, the fifth of December, خمسة ديسمبر, ٥ شهر ١٢
  const number = words[at] === 'the' ? at + 1 : at; // the 1st of March is no first of this month
  const day = readOrdinal(words, number) ?? readCardinal(words, number);
  if (!day || day.value < 1 || day.value > 31) return undefined;
  let i = day.end;
  while (words[i] === 'of' || words[i] === 'من' || words[i] === 'في' || words[i] === 'day' || words[i] === 'يوم')
    i += 1;
  const named = MONTHS.get(words[i] ?? '');
  if (named !== undefined) return withYear(day.value, named, words, i + 1, today);
  const hijri = hijriMonthAt(words, i);
  if (hijri !== undefined) {
    const found = fromHijri(hijri.month, day.value, today);
    return found && { day: found, end: hijri.end };
  }
  if (words[i] === 'شهر') {
    const number = readCardinal(words, i + 1);
    if (number && number.value >= 1 && number.value <= 12)
      return withYear(day.value, number.value, words, number.end, today);
  }
  return undefined;
};

export const readWritten: Reader = (words, at, { today }) => {
  const word = words[at] ?? '';
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(word);
  if (iso) {
    const day = { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) };
    return isRealDay(day) ? { day, end: at + 1 } : undefined;
  }
  const dayFirst = /^(\d{1,2})[-/](\d{1,2})(?:[-/](\d{2}|\d{4}))?$/.exec(word);
  if (!dayFirst) return undefined;
  const years = dayFirst[3] ? [dayFirst[3].length === 2 ? `20${dayFirst[3]}` : dayFirst[3]] : [];
  return (
    withYear(Number(dayFirst[1]), Number(dayFirst[2]), years, 0, today) && {
      day: withYear(Number(dayFirst[1]), Number(dayFirst[2]), years, 0, today)!.day,
      end: at + 1,
    }
  );
};

/** `the 5th`, `يوم 5`: a day of this month or the next. Only an ordinal, or a number that was marked as a day. */
export const readDayOfMonth: Reader = (words, at, context) => {
  const { today, asked } = context;
  const marked = ['يوم', 'تاريخ'].includes(words[at] ?? '');
  const from = marked || words[at] === 'the' ? at + 1 : at;
  if (marked && readMonthDay(words, from, context)) return undefined; // يوم خمسة يناير
  const ordinal = readOrdinal(words, from);
  const english = ordinal && !/[؀-ۿ]/.test(words[from]!) && !NO_DAYS.has(words[ordinal.end] ?? '');
  const number = readCardinal(words, from);
  if (number && THIS_MONTH.has(words[number.end] ?? '')) return nextSuch(number.value, today, number.end + 1);
  const isOneDay = number?.value === 1 && !asked; // في يوم واحد: on one and the same day
  const day = english ? ordinal : marked && !isOneDay ? number : undefined;
  if (!day || day.value < 1 || day.value > 31 || (!asked && !marked && words[at] !== 'the')) return undefined;
  return nextSuch(day.value, today, day.end);
};
/** `first thing tomorrow` is no first of a month. */
const NO_DAYS = new Set(['thing', 'one', 'time', 'place', 'floor', 'half']);

/** `ستة وعشرين`, `26`: a number of two digits and nothing else, where a day was asked for or is held. */
export const readBareDay: Reader = (words, at, context) => {
  const day = readNumberedDay(words, at, context);
  const isAlone = day && words.every((word, i) => (i >= at && i < day.end) || BESIDE_BARE_DAY.has(word));
  return isAlone ? day : undefined;
};

/** The same, whatever stands beside it. */
export const readNumberedDay: Reader = (words, at, { today, asked, held }) => {
  const number = asked || held ? readCardinal(words, at) : undefined;
  if (!number || number.value < MIN_BARE_DAY || number.value > 31 || !Number.isInteger(number.value)) return undefined;
  return nextSuch(number.value, today, number.end);
};
/** A smaller number may be how many, or an hour. */
const MIN_BARE_DAY = 13;
const BESIDE_BARE_DAY = new Set(
  [
    '',
    '\u0000',
    ...'wait sorry i mean actually استني انتظر لحظه عفوا اقصد قصدي اسف'.split(' '),
    'on',
    'the',
    'um',
    'uh',
    'ok',
    'okay',
    'then',
    'please',
    'but',
    'yes',
    'بس',
    'ايه',
    'no',
    'يوم',
    'طيب',
    'اجل',
    'لا',
    'خلاص',
    'خلها',
    'خله',
    'زين',
    'في',
  ].map(fold),
);

/** The next day with this number. */
function nextSuch(dayOfMonth: number, today: CalendarDay, end: number): ReadDay | undefined {
  for (let month = 0; month < 3; month += 1) {
    const index = today.month - 1 + month;
    const day = { year: today.year + Math.floor(index / 12), month: (index % 12) + 1, day: dayOfMonth };
    if (isRealDay(day) && !isBefore(day, today)) return { day, end };
  }
  return undefined;
}
