import { WEEKDAYS } from '../calendar/day-names.ts';
import { fold } from '../fold.ts';
import { listsOf } from '../lists.ts';
import type { ReadDigits } from '../number-words.ts';

const list = listsOf('language/values/data/counted.tsv');
const setOf = (name: string): ReadonlySet<string> =>
  new Set(list(name).flatMap((row) => row.split(' ').map((word) => fold(word))));

/** What a number before it counts: `he is six years old`, `عمره ست سنوات`. */
export const COUNTED = setOf('counted');
const MEASURED = setOf('measured');
const LEADS = setOf('leads');
const HOUR_DIGITS_MAX = 2;

/** Whether a number that was said is an amount, an hour or a day of the month, and no part of an identifier. */
export function isAmount(plain: readonly string[], { digits, start, end }: ReadDigits): boolean {
  const [next = '', after = ''] = plain.slice(end, end + 2);
  if (COUNTED.has(next) || MEASURED.has(next)) return !WEEKDAYS.has(after); // رقمه خمسة وأربعين يوم الأحد
  return digits.length <= HOUR_DIGITS_MAX && LEADS.has(plain[start - 1] ?? '');
}
