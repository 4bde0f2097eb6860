import type { Calendar } from '../../../language/calendar/calendar-names.ts';
import type { Scan } from './scan.ts';

/** The pivot of years in two digits: 49 is 2049, 50 is 1950. */
const FIRST_PAST_YEAR = 50;
const ERA = /\s?(هـ|ه|م|AH|A\.H\.|AD|A\.D\.|CE|H|G)(?![\p{L}\p{N}²³])/uy;

/** The year of two digits, by the pivot above. */
export function fullYear(twoDigits: number): number {
  return twoDigits < FIRST_PAST_YEAR ? 2000 + twoDigits : 1900 + twoDigits;
}

/** The same of the Hijri calendar: 45 is 1445, 98 is 1398. */
export function fullHijriYear(twoDigits: number): number {
  return twoDigits < FIRST_PAST_YEAR ? 1400 + twoDigits : 1300 + twoDigits;
}

/** Hijri years of living memory, Gregorian ones of business. */
export function calendarOf(year: number): Calendar | undefined {
  if (year >= 1300 && year <= 1500) return 'hijri';
  return year >= 1700 && year <= 2199 ? 'gregorian' : undefined;
}

export function readEra(scan: Scan, at: number): { readonly calendar: Calendar; readonly end: number } | undefined {
  ERA.lastIndex = at;
  const era = ERA.exec(scan.text);
  if (era === null || (era[1] === 'CE' && scan.language === 'en')) return undefined; // said as letters
  const hijri = /^(?:هـ|ه|AH|A\.H\.|H)$/.test(era[1]!);
  return { calendar: hijri ? 'hijri' : 'gregorian', end: at + era[0].length };
}
