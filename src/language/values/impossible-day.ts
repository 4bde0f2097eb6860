import type { CalendarDay } from '../calendar/calendar.ts';
import { addDays, dateValue, fromHijri, isBefore, lastDayOf, weekdayNames, weekdayOf } from '../calendar/calendar.ts';
import { BARE_WEEKDAYS, hijriMonthAt, isTomorrow, MONTHS, THIS_MONTH, WEEKDAYS } from '../calendar/day-names.ts';
import { fold } from '../fold.ts';
import { readCardinal, readOrdinal } from '../number-words.ts';
import type { Word } from '../words.ts';
import type { Refusal } from './refusal.ts';
import type { SlotContext } from './slot.ts';
import { shortMonth } from './validate.ts';

/** Words that were said for a value and are none, and why. `start` inclusive, `end` exclusive. */
export interface Refused {
  readonly refusal: Refusal;
  readonly start: number;
  readonly end: number;
}

/** A number above is no day of a month, not even a wrong one. */
const MAX_DAY_SAID = 39;
const BEFORE_DATES = new Set(['on', 'the', 'of', 'يوم', 'تاريخ', 'في', 'نهار'].map(fold));
const BEFORE_MONTHS = new Set(['of', 'from', 'من', 'في', 'day', 'يوم', 'شهر'].map(fold));
const REFUSES = new Set(['not', 'no', 'مو', 'مب', 'موب', 'مش', 'مهب', 'لا'].map(fold));
const JOINS = new Set(['or', 'and', 'ولا', 'او'].map(fold));

/** A day of a month as it was said, whether there is one or not. */
interface SaidDay {
  readonly day: number;
  readonly month: number;
  readonly year: number | undefined;
  readonly hijri?: boolean;
  readonly end: number;
}

/**
 * The first day in the words that the calendar does not have (`the 31st of february`, `واحد وثلاثين نوفمبر`), or whose day of the
 * week is another (`Tuesday the 24th of December`, which is a Thursday). It is no value and is never moved to one near it.
 */
export function impossibleDay(words: readonly Word[], { today }: Pick<SlotContext, 'today'>): Refused | undefined {
  return impossibleDayIn(
    words.map((word) => word.text),
    0,
    today,
  );
}

export function impossibleDayIn(plain: readonly string[], from: number, today: CalendarDay): Refused | undefined {
  for (let at = from; at < plain.length; ) {
    const found = otherThanTomorrow(plain, at, today) ?? impossibleAt(plain, at, today);
    if (found) return found;
    const number = readCardinal(plain, at);
    at = number && MONTHS.has(plain[number.end] ?? '') ? number.end : at + 1; // خمسة عشر ديسمبر is no عشر ديسمبر
  }
  return undefined;
}

function impossibleAt(plain: readonly string[], at: number, today: CalendarDay): Refused | undefined {
  let i = at;
  const before =
    WEEKDAYS.get(plain[i] ?? '') ?? (plain[i - 1] === 'يوم' ? BARE_WEEKDAYS.get(plain[i] ?? '') : undefined);
  if (before !== undefined) i += 1;
  if (before === undefined && WEEKDAYS.has(plain[at - 1] ?? '')) return undefined; // judged with its day of the week
  while (BEFORE_DATES.has(plain[i] ?? '')) i += 1;
  const said = saidDay(plain, i, today) ?? (before === undefined ? undefined : dayAlone(plain, i, today));
  if (!said) return undefined;
  const after = before === undefined ? WEEKDAYS.get(plain[said.end] ?? '') : undefined;
  const end = after === undefined ? said.end : said.end + 1;
  const length = lengthOf(said, today);
  if (said.day > length || said.day < 1) {
    const refusal = shortMonth(said.month, length, said.hijri ? 'hijri' : 'gregorian');
    return { refusal, start: at, end };
  }
  const weekday = before ?? after;
  if (weekday === undefined || said.hijri) return undefined;
  const day = nextOf(said, today);
  return weekdayOf(day) === weekday ? undefined : { refusal: otherWeekday(day, today), start: at, end };
}

/** `24 December`, `December the 24th`, `24/12`, `24 شهر 12`, `24 رمضان`, `31 هالشهر`. */
function saidDay(plain: readonly string[], at: number, today: CalendarDay): SaidDay | undefined {
  const written = /^(\d{1,2})[-/](\d{1,2})(?:[-/](\d{4}))?$/.exec(plain[at] ?? '');
  if (written) {
    const [day, month] = [Number(written[1]), Number(written[2])];
    const year = written[3] === undefined ? undefined : Number(written[3]);
    return month >= 1 && month <= 12 && day <= MAX_DAY_SAID ? { day, month, year, end: at + 1 } : undefined;
  }
  const first = MONTHS.get(plain[at] ?? '');
  const from = first === undefined ? at : plain[at + 1] === 'the' ? at + 2 : at + 1;
  const number = readOrdinal(plain, from) ?? readCardinal(plain, from);
  if (!number || number.value < 1 || number.value > MAX_DAY_SAID || number.digits.length > 2) return undefined;
  if (first !== undefined) return withYear(plain, number.value, first, number.end);
  let i = number.end;
  if (THIS_MONTH.has(plain[i] ?? '')) return { day: number.value, month: today.month, year: today.year, end: i + 1 };
  let isNumbered = false;
  while (BEFORE_MONTHS.has(plain[i] ?? '')) {
    isNumbered ||= plain[i] === 'شهر';
    i += 1;
  }
  const named = MONTHS.get(plain[i] ?? '');
  if (named !== undefined) return withYear(plain, number.value, named, i + 1);
  const hijri = hijriMonthAt(plain, i);
  if (hijri) return { day: number.value, month: hijri.month, year: undefined, hijri: true, end: hijri.end };
  const counted = isNumbered ? readCardinal(plain, i) : undefined;
  if (!counted || counted.value < 1 || counted.value > 12) return undefined;
  return withYear(plain, number.value, counted.value, counted.end);
}

/** `Friday the fifth`: of this month, or of the next. */
function dayAlone(plain: readonly string[], at: number, today: CalendarDay): SaidDay | undefined {
  const number = readOrdinal(plain, at);
  const isDate = plain[at - 1] === 'the' && number !== undefined && number.value >= 1 && number.value <= 31;
  if (!isDate || /[؀-ۿ]/.test(plain[at] ?? '')) return undefined;
  const index = today.month - 1 + (number.value < today.day ? 1 : 0);
  const year = today.year + Math.floor(index / 12);
  return { day: number.value, month: (index % 12) + 1, year, end: number.end };
}

function withYear(plain: readonly string[], day: number, month: number, end: number): SaidDay {
  const said = readCardinal(plain, end);
  const isYear = said !== undefined && said.value >= 1_900 && said.value <= 2_199;
  return { day, month, year: isYear ? said.value : undefined, end: isYear ? said.end : end };
}

/** Days of the month that is meant; without a year February has 29 where one of the next such months has them. */
function lengthOf({ day, month, year, hijri }: SaidDay, today: CalendarDay): number {
  if (hijri) return day > 30 ? 30 : fromHijri(month, day, today) === undefined ? 29 : 30;
  if (year !== undefined) return lastDayOf(year, month);
  return Math.max(lastDayOf(today.year, month), lastDayOf(today.year + 1, month));
}

function nextOf({ day, month, year }: SaidDay, today: CalendarDay): CalendarDay {
  const own = { year: year ?? today.year, month, day };
  return year === undefined && isBefore(own, today) ? { ...own, year: own.year + 1 } : own;
}

/** `tomorrow, Tuesday` on a Sunday; where more is said about days, it is a choice between them or a correction. */
function otherThanTomorrow(plain: readonly string[], at: number, today: CalendarDay): Refused | undefined {
  if (!isTomorrow(plain[at] ?? '') || REFUSES.has(plain[at - 1] ?? '')) return undefined;
  const isAfter = ['after', 'بعد', 'عقب'].includes(plain[at - 1] ?? '');
  const i = plain[at + 1] === 'يوم' || plain[at + 1] === 'on' ? at + 2 : at + 1;
  const weekday = WEEKDAYS.get(plain[i] ?? '');
  if (weekday === undefined || JOINS.has(plain[i + 1] ?? '')) return undefined;
  if (plain.slice(i + 1).some((word) => WEEKDAYS.has(word) || isTomorrow(word) || REFUSES.has(word))) return undefined;
  const day = addDays(today, isAfter ? 2 : 1);
  if (weekdayOf(day) === weekday) return undefined;
  return { refusal: otherWeekday(day, today), start: isAfter ? at - 1 : at, end: i + 1 };
}

/** The day as it is really called. */
function otherWeekday(day: CalendarDay, today: CalendarDay): Refusal {
  const weekday = weekdayNames(weekdayOf(day));
  const { say } = dateValue(day, today);
  const date = { en: say.en.replace(`${weekday.en}, `, ''), ar: say.ar.replace(`${weekday.ar} `, '') };
  return { kind: 'other-weekday', say: { date, weekday } };
}
