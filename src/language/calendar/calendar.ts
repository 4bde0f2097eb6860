import type { Language } from '../../core/agent.ts';
import { MONTHS_AR, MONTHS_EN } from './calendar-names.ts';

/** A calendar day without a time zone. `month` 1..12. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** How something is said in each language. */
type Said = { readonly [L in Language]: string };

const DAY_MS = 86_400_000;

export const WEEKDAYS_EN = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
export const WEEKDAYS_AR = ['الأحد', 'الاثنين', 'الثلاثاء', 'الأربعاء', 'الخميس', 'الجمعة', 'السبت'] as const;

/** How a day of the week is called; 0 is Sunday. */
export function weekdayNames(weekday: number): Said {
  return { en: WEEKDAYS_EN[weekday] ?? '', ar: WEEKDAYS_AR[weekday] ?? '' };
}

function utcMs(day: CalendarDay): number {
  return Date.UTC(day.year, day.month - 1, day.day);
}

let format: { readonly timeZone: string; readonly days: Intl.DateTimeFormat } | undefined;

/** Making a formatter costs a millisecond: the last one is kept. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  if (format?.timeZone !== timeZone) {
    const day = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    const options = { timeZone, ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    format = { timeZone, days: new Intl.DateTimeFormat('en-CA', options) };
  }
  return format.days;
}

/** The calendar day and the minute of it (0..1439) of an instant in a time zone (`Asia/Riyadh`). */
export function momentOf(
  instant: Date,
  timeZone: string,
): { readonly today: CalendarDay; readonly minuteOfDay: number } {
  const parts = formatOf(timeZone).format(instant).match(/\d+/g) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts.map(Number);
  return { today: { year, month, day }, minuteOfDay: hour * 60 + minute };
}

export function addDays(day: CalendarDay, days: number): CalendarDay {
  const moved = new Date(utcMs(day) + days * DAY_MS);
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}

/** The same day some months later, the month's last where it is shorter. */
export function addMonths(day: CalendarDay, months: number): CalendarDay {
  const index = day.year * 12 + day.month - 1 + months;
  const year = Math.floor(index / 12);
  const month = (index % 12) + 1;
  return { year, month, day: Math.min(day.day, lastDayOf(year, month)) };
}

/** 0 is Sunday. */
export function weekdayOf(day: CalendarDay): number {
  return new Date(utcMs(day)).getUTCDay();
}

export function isBefore(a: CalendarDay, b: CalendarDay): boolean {
  return utcMs(a) < utcMs(b);
}

/** How many days `b` is after `a`; negative where it is before. */
export function daysBetween(a: CalendarDay, b: CalendarDay): number {
  return Math.round((utcMs(b) - utcMs(a)) / DAY_MS);
}

/** The day of an ISO date; undefined where it is none, or one that no calendar has (`2026-02-31`). */
export function dayOf(iso: string): CalendarDay | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso);
  const day = match && { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) };
  return day && isRealDay(day) ? day : undefined;
}

export function isRealDay(day: CalendarDay): boolean {
  const back = new Date(utcMs(day));
  return day.month >= 1 && day.month <= 12 && back.getUTCDate() === day.day && back.getUTCMonth() === day.month - 1;
}

/** The last day of a month, 28..31. */
export function lastDayOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** A day in ISO's spelling and as it is said: `2026-12-05`, said `Saturday, December 5` / `السبت 5 ديسمبر`, with the year when it is far. */
export function dateValue(day: CalendarDay, today: CalendarDay): { readonly value: string; readonly say: Said } {
  const iso = `${String(day.year).padStart(4, '0')}-${String(day.month).padStart(2, '0')}-${String(day.day).padStart(2, '0')}`;
  const weekday = weekdayOf(day);
  const far = Math.abs(utcMs(day) - utcMs(today)) > 300 * DAY_MS;
  return {
    value: iso,
    say: {
      en: `${WEEKDAYS_EN[weekday]}, ${MONTHS_EN.gregorian[day.month - 1]} ${day.day}${far ? `, ${day.year}` : ''}`,
      ar: `${WEEKDAYS_AR[weekday]} ${day.day} ${MONTHS_AR.gregorian[day.month - 1]}${far ? ` ${day.year}` : ''}`,
    },
  };
}

/** The Gregorian day of a Hijri day and month (Umm al-Qura), the next one on or after `today`; undefined past 400 days. */
export function fromHijri(month: number, dayOfMonth: number, today: CalendarDay): CalendarDay | undefined {
  const format = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'numeric',
  });
  for (let ahead = 0; ahead < 400; ahead += 1) {
    const parts = format.formatToParts(new Date(utcMs(today) + ahead * DAY_MS));
    const found = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
    if (found('month') === month && found('day') === dayOfMonth) return addDays(today, ahead);
  }
  return undefined;
}
