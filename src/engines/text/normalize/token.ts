import type { Calendar } from '../../../language/calendar/calendar-names.ts';
import type { Currency } from '../../../language/currencies.ts';
import type { Gender } from '../../../language/nouns.ts';
import type { Unit } from '../../../language/units.ts';
import type { Numeral } from './numeral.ts';

/** What a number counts: nothing named, money, percent or a measure. */
export type Quantity =
  | { readonly type: 'plain' }
  | { readonly type: 'percent' }
  | { readonly type: 'money'; readonly currency: Currency; readonly adjective?: string }
  | { readonly type: 'measure'; readonly unit: Unit };

export type Scale = 1e3 | 1e6 | 1e9 | 1e12;
export type Meridiem = 'am' | 'pm';

export interface ClockTime {
  readonly hour: number; // 0..24
  readonly minute: number;
  readonly second: number;
  readonly meridiem?: Meridiem;
  /** `0800 hrs`. */
  readonly military?: boolean;
  /** The part of the day as written, to be said with the hour: `9 صباحا - 5 مساء`. */
  readonly dayPart?: string;
  /** The text goes on with `صباحاً` or the like: nothing to add. */
  readonly dayPartFollows: boolean;
}

export interface CalendarDate {
  readonly day?: number;
  /** Last day of a range of days in the same month. */
  readonly lastDay?: number;
  readonly month: number | string; // 1..12, or the name as the text has it
  readonly year?: number;
  readonly calendar: Calendar;
  /** `هـ`, `م`, AH or AD was written. */
  readonly era: boolean;
  /** `March 12`: the month stood first. */
  readonly monthFirst?: boolean;
}

/** One classified stretch of text; speakers turn it into words. */
export type Token =
  | {
      readonly kind: 'quantity';
      readonly number: Numeral;
      /** Upper end of a range. */
      readonly upTo?: Numeral;
      readonly scale?: Scale;
      readonly of: Quantity;
      /** Joined to the word it describes (a 10-km race): the unit keeps its singular in English. */
      readonly attributive?: boolean;
      /** `200+ فرع`: said with أكثر من. */
      readonly over?: boolean;
      /** The article stood before it: الـ24 ساعة. */
      readonly definite?: boolean;
    }
  | { readonly kind: 'ordinal'; readonly value: number; readonly gender?: Gender }
  | { readonly kind: 'digits'; readonly digits: string; readonly plus?: boolean }
  | { readonly kind: 'date'; readonly date: CalendarDate }
  | {
      readonly kind: 'year';
      readonly value: number;
      readonly upTo?: number;
      readonly calendar: Calendar;
      readonly era: boolean;
    }
  | { readonly kind: 'decade'; readonly value: number }
  | { readonly kind: 'time'; readonly time: ClockTime; readonly upTo?: ClockTime }
  | {
      readonly kind: 'fraction';
      readonly whole?: number;
      readonly numerator: number;
      readonly denominator: number;
      readonly rating: boolean;
      readonly of?: Quantity;
      readonly attributive?: boolean;
    }
  | { readonly kind: 'score' | 'ratio' | 'rating'; readonly left: Numeral; readonly right: Numeral }
  | { readonly kind: 'size'; readonly sides: readonly Numeral[]; readonly of: Quantity }
  | { readonly kind: 'version'; readonly parts: readonly string[]; readonly named?: boolean }
  | { readonly kind: 'label'; readonly text: string }
  | { readonly kind: 'electronic'; readonly text: string }
  | { readonly kind: 'acronym'; readonly name: string }
  | { readonly kind: 'words'; readonly words: string };

/** A token with its place in the folded text. `prefix`: letters said together with it (بـ50 -> بخمسين). */
export interface Classified {
  readonly token: Token;
  readonly start: number;
  readonly end: number;
  readonly prefix?: string;
}

export function classified(token: Token, start: number, end: number): Classified {
  return { token, start, end };
}
