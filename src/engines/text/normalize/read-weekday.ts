import { ENGLISH_MONTH_WORDS, ENGLISH_WEEKDAYS } from '../../../language/calendar/calendar-names.ts';
import { SHORT_WEEKDAY_EN, WEEKDAY_EN } from '../../../language/calendar/date-patterns.ts';
import { isDigit, isUpper, type Scan } from './scan.ts';
import type { Classified } from './token.ts';

/** A dash to the last day of a range: `Sat–Thu`, `Monday - Friday`. */
const TO_DAY = new RegExp(`\\.?\\s?[-–—]\\s?(?=(?:${SHORT_WEEKDAY_EN}|${WEEKDAY_EN})(?![a-z]))`, 'iy');
const JOINED_BEHIND = new RegExp(
  `\\.?(?:\\s?[/,&+]\\s?|,? (?:to|and|or|through|thru) )(?:${SHORT_WEEKDAY_EN}|${WEEKDAY_EN})(?![a-z])`,
  'iy',
);
/** A part of the day: `Sat morning`. */
const PART_BEHIND = /\.? (?:morning|afternoon|evening|night|noon|at|only|closed|off|[ap]m)(?![a-z])/iy;
const NUMBER_BEHIND = /\.?(?:,|:)?\s(?:the\s)?(?=\d)/y;
const MONTH_BEHIND = /\.?,?\s([A-Z][a-z]{2,8})/y;
const DAY_BEFORE: ReadonlySet<string> = new Set('on every this next last until till by from since each'.split(' '));
/** No other capitalised words: always the day. */
const ONLY_DAYS: ReadonlySet<string> = new Set(['tue', 'tues', 'thu', 'thur', 'thurs', 'fri']);
/**
 * `Mon 5 May`, `Sat–Thu`, `next Wed`: a short weekday as it is said, with the `to` of a range of days. Sun, sat, wed and mon
 * are also words and names, and need a sign that a day is meant: a number, a month, another day, `on` or `next`.
 */
export function readWeekday(scan: Scan, at: number, word: string): Classified | undefined {
  if (!isUpper(scan.text.charCodeAt(at))) return undefined;
  const name = ENGLISH_WEEKDAYS[word.toLowerCase()];
  const end = at + word.length;
  const range = matchEnd(TO_DAY, scan.text, end);
  if (name === undefined) {
    if (range === undefined || !FULL_NAME.test(word)) return undefined;
    return { token: { kind: 'words', words: `${word} to ` }, start: at, end: range };
  }
  if (range !== undefined) return { token: { kind: 'words', words: `${name} to ` }, start: at, end: range };
  const dot = scan.text[end] === '.';
  if (!isDay(scan, at, end, word.toLowerCase(), dot)) return undefined;
  const endsText = dot && end + 1 >= scan.text.length;
  return { token: { kind: 'words', words: name }, start: at, end: dot && !endsText ? end + 1 : end };
}

const SHORTEST = /(M|Tu|W|Th|F|Sa|Su)\s?[-–]\s?(M|Tu|W|Th|F|Sa|Su)(?![A-Za-z\d-]|\.[A-Za-z])/y;
const SHORTEST_NAMES: Readonly<Record<string, string>> = {
  ...{ M: 'Monday', Tu: 'Tuesday', W: 'Wednesday', Th: 'Thursday' },
  ...{ F: 'Friday', Sa: 'Saturday', Su: 'Sunday' },
};

/** `M-F 9-5`, `Su–Th`: days in one or two letters, from one to another. */
export function readShortestWeekdays(scan: Scan, at: number): Classified | undefined {
  SHORTEST.lastIndex = at;
  const found = SHORTEST.exec(scan.text);
  if (found === null || found[1] === found[2]) return undefined;
  const certain = found[0].replace('–', '-') === 'M-F' || (found[1]! + found[2]!).length > 2;
  const end = at + found[0].length;
  if (!certain && !/^,? \d/.test(scan.text.slice(end, end + 3))) return undefined;
  const words = `${SHORTEST_NAMES[found[1]!]!} to ${SHORTEST_NAMES[found[2]!]!}`;
  return { token: { kind: 'words', words }, start: at, end };
}

const FULL_NAME = new RegExp(`^(?:${WEEKDAY_EN})$`, 'i');

function isDay(scan: Scan, at: number, end: number, word: string, dot: boolean): boolean {
  if (ONLY_DAYS.has(word)) return true;
  const { text } = scan;
  if (dot && word !== 'sun' && word !== 'sat') return true;

  for (const sign of [NUMBER_BEHIND, JOINED_BEHIND, PART_BEHIND])
    if (matchEnd(sign, text, end) !== undefined) return true;
  MONTH_BEHIND.lastIndex = end;
  const month = MONTH_BEHIND.exec(text)?.[1]?.toLowerCase();
  if (month !== undefined && ENGLISH_MONTH_WORDS.has(month)) return true;
  const next = scan.next(dot ? end + 1 : end).word;
  return DAY_BEFORE.has(scan.left(at)) && !isUpper(next.charCodeAt(0)) && !isDigit(next.charCodeAt(0));
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
