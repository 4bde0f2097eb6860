import { pattern } from '../../../language/pattern.ts';
import { englishCardinal, englishNumber, englishPlural, englishTriple } from './english-number.ts';
import { parseNumeral } from './numeral.ts';
import { readAngle } from './read-angle.ts';
import { readGluedDuration } from './read-duration.ts';
import { feetGlued } from './read-feet.ts';
import { hardwareAddress, hexadecimal } from './read-serial.ts';
import { readNumberedBook } from './read-verse.ts';
import { isBoundary, type Scan } from './scan.ts';
import { type Classified, classified } from './token.ts';

type Reader = (scan: Scan, at: number) => Classified | undefined;

/** Readers of numbers in English text by the sign or letter directly behind the digits. */
const READERS: ReadonlyMap<number, Reader> = readersBySign([
  ['°', readAngle],
  ['.', (scan, at) => timesAs(scan, at) ?? scientific(scan, at)],
  ['x', (scan, at) => hexadecimal(scan, at) ?? timesAs(scan, at)],
  ['X×', timesAs],
  ['p', penceOrLines],
  ['y', aged],
  ['f', feetGlued],
  ['s', pluralNumber],
  ['hm', readGluedDuration],
  ['d', (scan, at) => readGluedDuration(scan, at) ?? hardwareAddress(scan, at)],
  ['e', (scan, at) => scientific(scan, at) ?? hardwareAddress(scan, at)],
  ['a', (scan, at) => halvesOfDay(scan, at) ?? hardwareAddress(scan, at)],
  ['(', lettered],
  ['kK', retirementPlan],
  ['bB', (scan, at) => retirementPlan(scan, at) ?? hardwareAddress(scan, at)],
  [':ACDEFc', hardwareAddress],
  [' ', readNumberedBook],
]);

function readersBySign(table: readonly (readonly [signs: string, reader: Reader])[]): ReadonlyMap<number, Reader> {
  return new Map(table.flatMap(([signs, reader]) => [...signs].map((sign) => [sign.charCodeAt(0), reader] as const)));
}

/** `3x daily`, `50p`, `1h15m`, `1 Corinthians 13`. */
export function readBySign(scan: Scan, at: number): Classified | undefined {
  return scan.language === 'en' ? READERS.get(scan.digits(at).next)?.(scan, at) : undefined;
}

const TIMES_AS = pattern('y')`
  (\d{1,4}(?:\.\d{1,2})?)[xX×](?= (?:[$€£]|(?:SAR|USD|AED|EUR|GBP) )\d| (?:a|per|each|the|daily|weekly|monthly|yearly|more|less|better|
  [a-z]{3,}er)\b|\/(?:day|week|month|year)\b)
`;

/** `3x daily`, `2.5x faster`; a 10x zoom stays a label. */
function timesAs(scan: Scan, at: number): Classified | undefined {
  TIMES_AS.lastIndex = at;
  const found = TIMES_AS.exec(scan.text);
  if (found === null) return magnified(scan, at);
  const { numeral } = parseNumeral(found[1]!, 0);
  const words = found[1] === '1' ? 'once' : `${englishNumber(numeral)} times`;
  return classified({ kind: 'words', words }, at, at + found[0].length);
}

const MAGNIFIED = /([1-9]\d{2,3})x(?![A-Za-z\d])/y;

/** `100x`: longer numbers would be said digit by digit. */
function magnified(scan: Scan, at: number): Classified | undefined {
  MAGNIFIED.lastIndex = at;
  const found = MAGNIFIED.exec(scan.text);
  if (found === null) return undefined;
  return classified({ kind: 'words', words: `${englishCardinal(Number(found[1]))} X` }, at, at + found[0].length);
}

const AGED = /(\d{1,3})(?:yo|y\/o)(?![A-Za-z\d])/y;
const PERSON_BEHIND = /^ (?:male|female|man|woman|boy|girl|patient|child|son|daughter|lady|kid)\b/;

/** `45yo`, `a 5y/o boy`. */
function aged(scan: Scan, at: number): Classified | undefined {
  AGED.lastIndex = at;
  const found = AGED.exec(scan.text);
  if (found === null) return undefined;
  const end = at + found[0].length;
  const describes = scan.left(at) === 'a' || PERSON_BEHIND.test(scan.text.slice(end, end + 10));
  const words = `${englishCardinal(Number(found[1]))} ${describes ? 'year' : 'years'} old`;
  return classified({ kind: 'words', words }, at, end);
}

const LETTERED = /(\d{1,3})(\([A-Za-z]\)(?:\([A-Za-z\d]\)){0,3})(?![A-Za-z\d])/y;

/** `401(k)`, `Section 12(a)`, `501(c)(3)`. */
function lettered(scan: Scan, at: number): Classified | undefined {
  LETTERED.lastIndex = at;
  const found = LETTERED.exec(scan.text);
  if (found === null || found[2] === '(s)') return undefined; // 5(s)
  const marks = [...found[2]!.replace(/[()]/g, '')].map((mark) =>
    mark <= '9' ? englishCardinal(Number(mark)) : mark.toUpperCase(),
  );
  const words = [clauseNumber(found[1]!), ...marks].join(' ');
  return classified({ kind: 'words', words }, at, at + found[0].length);
}

/** Three digits as in four oh one. */
function clauseNumber(digits: string): string {
  return digits.length === 3 && digits[0] !== '0' ? englishTriple(digits) : englishCardinal(Number(digits));
}

const RETIREMENT_PLAN = /(401[kK]|403[bB]|457[bB])(?=s?(?![A-Za-z\d]))/y;

/** `401k` without its brackets. */
function retirementPlan(scan: Scan, at: number): Classified | undefined {
  RETIREMENT_PLAN.lastIndex = at;
  const found = RETIREMENT_PLAN.exec(scan.text)?.[0];
  if (found === undefined) return undefined;
  const words = `${englishTriple(found.slice(0, 3))} ${found[3]!.toUpperCase()}`;
  return classified({ kind: 'words', words }, at, at + found.length);
}

const HALVES_OF_DAY = /(\d{1,2})a\s?[-–]\s?(\d{1,2})p(?![A-Za-z\d])/y;

/** `6a–11p` on a sign with opening hours. */
function halvesOfDay(scan: Scan, at: number): Classified | undefined {
  HALVES_OF_DAY.lastIndex = at;
  const found = HALVES_OF_DAY.exec(scan.text);
  if (found === null || Number(found[1]) > 12 || Number(found[2]) > 12) return undefined;
  const words = `${englishCardinal(Number(found[1]))} AM to ${englishCardinal(Number(found[2]))} PM`;
  return classified({ kind: 'words', words }, at, at + found[0].length);
}

const SCIENTIFIC = /(\d{1,15}(?:\.\d{1,15})?)[eE]([+-]?)(\d{1,3})(?![A-Za-z\d]|[.,]\d)/y;

/** `6.02e23`, `1e-3`. */
function scientific(scan: Scan, at: number): Classified | undefined {
  SCIENTIFIC.lastIndex = at;
  const found = SCIENTIFIC.exec(scan.text);
  if (found === null) return undefined;
  const factor = englishNumber(parseNumeral(found[1]!, 0).numeral);
  const power = englishCardinal(Number(found[3]));
  const words = `${factor} times ten to the power of ${found[2] === '-' ? 'minus ' : ''}${power}`;
  return classified({ kind: 'words', words }, at, at + found[0].length);
}

const AGE_GROUP = /(?:under|over)-$/i;
/** `over 18s only`; `under 30s` alone are seconds. */
const AGE_GROUP_APART = /(?:under|over) $/i;
const OF_PEOPLE =
  /^s (?:only|team|squad|club|side|welcome|can|must|are|get|go|enter|pay|travel|eat|free|will|may|have|event|league|football|discount)\b/;
/** `in the 100s`, `hundreds of 1000s`. */
const MANY_BEFORE = /(?:the|of) $/;
const MANY: ReadonlyMap<string, string> = new Map([
  ['10s', 'tens'],
  ['100s', 'hundreds'],
  ['1000s', 'thousands'],
]);
const PLURAL_AGE = /(\d{1,2})s(?![A-Za-z\d])/y;

/** The `23s` of `under-23s`, the `100s` of `in the 100s`. */
function pluralNumber(scan: Scan, at: number): Classified | undefined {
  const before = scan.text.slice(Math.max(0, at - 6), at);
  const { end } = scan.digits(at);
  const many = MANY.get(scan.text.slice(at, end + 1));
  if (many !== undefined && MANY_BEFORE.test(before) && isBoundary(scan.text, end + 1))
    return classified({ kind: 'words', words: many }, at, end + 1);
  const people = AGE_GROUP_APART.test(before) && OF_PEOPLE.test(scan.text.slice(end, end + 12));
  if (!people && !AGE_GROUP.test(before)) return undefined;
  PLURAL_AGE.lastIndex = at;
  const found = PLURAL_AGE.exec(scan.text);
  if (found === null) return undefined;
  return classified(
    { kind: 'words', words: englishPlural(englishCardinal(Number(found[1]))) },
    at,
    at + found[0].length,
  );
}

const PENCE_OR_LINES = /(\d{1,2}|480|720|1080|1440|2160)p(?![A-Za-z\d])/y;

/** `50p`, `1080p`. */
function penceOrLines(scan: Scan, at: number): Classified | undefined {
  PENCE_OR_LINES.lastIndex = at;
  const found = PENCE_OR_LINES.exec(scan.text);
  if (found === null) return undefined;
  const value = Number(found[1]);
  const lines = `${englishCardinal(Math.floor(value / 100))} ${englishCardinal(value % 100)} P`;
  const words = value >= 480 ? lines : `${englishCardinal(value)} ${value === 1 ? 'penny' : 'pence'}`;
  return classified({ kind: 'words', words }, at, at + found[0].length);
}
