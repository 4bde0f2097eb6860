import { calendarOf, fullYear, readEra } from './calendar-year.ts';
import { type Month, readMonth } from './month-name.ts';
import { isDigit, isLatin, isLetter, type Scan } from './scan.ts';
import { type Classified, classified } from './token.ts';

/** A month by its name between two numbers, or before them, with the same sign between all three. */
const DAY_FIRST = /(\d{1,2})([-/.])(?=\p{L}{3,9}\2(\d{4}|\d{2})(?!\d|[-/]\d))/uy;
const YEAR_FIRST = /(\d{4})([-/.])(?=\p{L}{3,9}\2(\d{1,2})(?!\d|[-/]\d))/uy;
const MONTH_FIRST = /[A-Za-z]{3,9}([-/.])(\d{1,2})\1(\d{4}|\d{2})(?!\d|[-/]\d)/y;
const LONGEST_MONTH = 9;

/** `15-Jan-2020`, `15/jan/20`, `2020-Jan-15`: at the first digit. */
export function joinedDate(scan: Scan, at: number): Classified | undefined {
  const { end } = scan.digits(at);
  const length = end - at;
  if (!isLetter(scan.text.charCodeAt(end + 1))) return undefined;
  const pattern = length === 4 ? YEAR_FIRST : DAY_FIRST;
  if (length === 3 || length > 4) return undefined;
  pattern.lastIndex = at;
  const found = pattern.exec(scan.text);
  if (found === null) return undefined;
  const month = readMonth(scan, pattern.lastIndex, true);
  if (month === undefined) return undefined;
  const [day, year] = length === 4 ? [found[3]!, found[1]!] : [found[1]!, found[3]!];
  return dateOf(scan, at, month, day, year, month.end + 1 + found[3]!.length);
}

/** `Jan-15-2020`: at the name. */
export function joinedMonthFirst(scan: Scan, at: number): Classified | undefined {
  let end = at;
  while (isLatin(scan.text.charCodeAt(end)) && end - at < LONGEST_MONTH) end += 1;
  if (!isDigit(scan.text.charCodeAt(end + 1))) return undefined;
  MONTH_FIRST.lastIndex = at;
  const found = MONTH_FIRST.exec(scan.text);
  const month = found === null ? undefined : readMonth(scan, at, true);
  if (found === null || month === undefined) return undefined;
  const date = dateOf(scan, at, month, found[2]!, found[3]!, at + found[0].length);
  if (date?.token.kind !== 'date') return undefined;
  return { ...date, token: { kind: 'date', date: { ...date.token.date, monthFirst: true } } };
}

function dateOf(
  scan: Scan,
  at: number,
  { name, calendar }: Month,
  day: string,
  yearDigits: string,
  end: number,
): Classified | undefined {
  const year = yearDigits.length === 2 ? fullYear(Number(yearDigits)) : Number(yearDigits);
  if (Number(day) < 1 || Number(day) > 31 || calendarOf(year) === undefined) return undefined;
  const era = readEra(scan, end);
  const date = { day: Number(day), month: name, year, calendar: era?.calendar ?? calendar, era: era !== undefined };
  return classified({ kind: 'date', date }, at, era?.end ?? end);
}
