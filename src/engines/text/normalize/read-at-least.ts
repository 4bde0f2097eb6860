import { countsNext } from './arabic-plain.ts';
import { type ParsedNumeral, parseNumeral, smallValue } from './numeral.ts';
import { isCode } from './read-digits.ts';
import { PLAIN, suffixes } from './read-quantity.ts';
import { isDigit, type Scan } from './scan.ts';
import { type Classified, classified } from './token.ts';

/** Smaller ones with the sign in front are differences: `+5 نقاط`. */
const LEADING_MIN = 10;
const MORE = /(?:أكثر من|اكثر من|يزيد عن|تزيد عن|يفوق|تفوق|فوق)\s$/u;

/** `200+ فرع`, `100+ كم`: more than that, when something is counted behind. */
export function readAtLeast(scan: Scan, at: number, { numeral, end }: ParsedNumeral): Classified | undefined {
  if (scan.language !== 'ar' || scan.text[end] !== '+') return undefined;
  return more(scan, at, { numeral, end: end + 1 }, at);
}

/** `+200 فرع`: typed from right to left the sign stands in front. */
export function readLeadingPlus(scan: Scan, at: number): Classified | undefined {
  if (scan.language !== 'ar' || !isDigit(scan.text.charCodeAt(at + 1)) || !/^[\s("«“]?$/.test(scan.text[at - 1] ?? ''))
    return undefined;
  const parsed = parseNumeral(scan.text, at + 1);
  return (smallValue(parsed.numeral) ?? 0) < LEADING_MIN ? undefined : more(scan, at, parsed, at + 1);
}

function more(scan: Scan, start: number, { numeral, end }: ParsedNumeral, digits: number): Classified | undefined {
  if (isCode(scan, digits, end, numeral)) return undefined;
  const { scale, of, end: until } = suffixes(scan, end);
  const value = smallValue(numeral);
  const leading = digits > start;
  if (leading && of.type !== 'plain' && of.type !== 'measure') return undefined; // +50 ريال
  if (of === PLAIN && scale === undefined && (value === undefined || !countsNext(scan, end, value))) return undefined;
  const said = MORE.test(scan.text.slice(Math.max(0, start - 10), start));
  const token = { kind: 'quantity' as const, number: numeral, of, ...(scale === undefined ? {} : { scale }) };
  return classified(said ? token : { ...token, over: true }, start, until);
}
