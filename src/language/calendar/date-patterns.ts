import { WEEKDAYS_AR, WEEKDAYS_EN } from './calendar.ts';
import { ENGLISH_WEEKDAYS, MONTHS_AR, MONTHS_EN } from './calendar-names.ts';

/** Names as alternatives of a regular expression; the hamza of an alef may be missing. */
function alternatives(names: readonly string[]): string {
  return names.map((name) => name.replace(/[أإ]/g, '[أإا]')).join('|');
}

/** Parts of regular expressions: how days and months are written. English ones begin with capitals. */
export const MONTH_EN = alternatives(MONTHS_EN.gregorian);
export const SHORT_MONTH_EN = alternatives(MONTHS_EN.gregorian.map((name) => name.slice(0, 3)));
export const MONTH_AR = alternatives(MONTHS_AR.gregorian);
/** The months of the Hijri calendar that are one word. */
export const HIJRI_MONTH_AR = alternatives(MONTHS_AR.hijri.filter((name) => !name.includes(' ')));
export const WEEKDAY_EN = alternatives(WEEKDAYS_EN);
/** In small letters. */
export const SHORT_WEEKDAY_EN = alternatives(Object.keys(ENGLISH_WEEKDAYS));
export const WEEKDAY_AR = alternatives([...WEEKDAYS_AR, 'الإثنين']);
