import { FILLERS, PAIRED_AFTER } from '../lexicon/context-words.ts';
import { englishPairs } from './english-number.ts';
import { isLabelled } from './number-context.ts';
import { match, type ParsedNumeral, parseNumeral, smallValue } from './numeral.ts';
import { readAtLeast } from './read-at-least.ts';
import { isCode } from './read-digits.ts';
import { modelNumber } from './read-model.ts';
import { readPair } from './read-pair.ts';
import { PLAIN, readQuantity } from './read-quantity.ts';
import { readRank } from './read-rank.ts';
import { measured } from './read-slash.ts';
import { readDecade, readYear } from './read-year.ts';
import { isDigit, isLatin, type Scan, SPACE } from './scan.ts';
import { type Classified, classified } from './token.ts';

const ENGLISH_ORDINAL = /(?:st|nd|rd|th)(?![\p{L}\p{N}])/uy;
const MIXED = /\d{1,6} \d{1,3}\/\d{1,3}(?![\d/])|\d{1,3}-(?:1\/2|[13]\/4|[12]\/3|[1357]\/8)(?![\d/])/y;
const HYPHEN = 0x2d;
const POINT_FRACTION = /\.\d{1,6}(?![\d.]*\d|[A-Za-z]{3})/y;

/** Everything that begins with an ordinary number: amounts, measures, ranges, scores, fractions, years, ordinals. */
export function readNumber(scan: Scan, at: number, negative = false): Classified {
  const mixed = negative ? undefined : readMixedFraction(scan, at);
  if (mixed !== undefined) return mixed;
  const first = spacedThousands(scan, at) ?? parseNumeral(scan.text, at, scan.digits(at).end);
  const parsed = negative ? { numeral: { ...first.numeral, negative: true }, end: first.end } : first;
  return (
    modelNumber(scan, at) ??
    readAtLeast(scan, at, parsed) ??
    readPair(scan, at, parsed) ??
    readDecade(scan, at, parsed) ??
    readQuantity(scan, at, parsed) ??
    readOrdinal(scan, at, parsed) ??
    readYear(scan, at, parsed) ??
    readPlain(scan, at, parsed)
  );
}

const SPACED = /\d{1,3}(?: \d{3})+(?!\d|[.,/:-]\d)/y;
const SPACED_COUNT =
  /^ (?:[a-z]{3,}s|people|SAR|USD|EUR|AED|GBP)\b|^ ?[€$%]|^ (?:ريال|ر\.س|درهم|دينار|دولار|شخص|نسمة|عميل|مشترك)/u;
const SPACED_MAX = 19;

/** `45 000`, `1 001 entries`: thousands apart by spaces, unless they may be the groups of a code. */
function spacedThousands(scan: Scan, at: number): ParsedNumeral | undefined {
  const { next, follow } = scan.digits(at);
  if (next !== SPACE || !isDigit(follow) || scan.text[at] === '0') return undefined;
  const found = match(SPACED, scan.text, at);
  if (found === undefined || found.length > SPACED_MAX || isLabelled(scan, at)) return undefined;
  const end = at + found.length;
  const counts = found.length <= 6 && SPACED_COUNT.test(scan.text.slice(end, end + 24));
  if (!counts) return undefined;
  const digits = found.replaceAll(' ', '');
  if (isCode(scan, at, end, { digits })) return undefined;
  return { numeral: { digits, grouped: true }, end };
}

/** `.5`, `.25 kg` at the point: zero is said though it was not written. */
export function readPointFirst(scan: Scan, at: number): Classified | undefined {
  if (!isDigit(scan.text.charCodeAt(at + 1)) || !/^[ (+-]?$/.test(scan.text.slice(Math.max(0, at - 1), at)))
    return undefined;
  const found = match(POINT_FRACTION, scan.text, at);
  if (found === undefined) return undefined;
  const parsed = { numeral: { digits: '0', fraction: found.slice(1) }, end: at + found.length };
  return readQuantity(scan, at, parsed) ?? readPlain(scan, at, parsed);
}

/** `0.25-` at the end of Arabic text: the minus of a number typed from right to left. */
const MINUS_BEHIND = /-(?=$|[ ،.؛)!؟»"])/y;

/** `3rd`, `21st`. */
function readOrdinal(scan: Scan, at: number, { numeral, end }: ParsedNumeral): Classified | undefined {
  if (!isLatin(scan.text.charCodeAt(end)) || numeral.negative === true) return undefined;
  const value = smallValue(numeral);
  const ending = value === undefined ? undefined : match(ENGLISH_ORDINAL, scan.text, end);
  return ending === undefined ? undefined : classified({ kind: 'ordinal', value: value! }, at, end + ending.length);
}

/** `room 1204`, `your suite is 1400`: four digits said in two pairs. */
function isPaired(scan: Scan, at: number): boolean {
  return scan.leftIn(at, PAIRED_AFTER, scan.leftRun(at, FILLERS) + 1);
}

/** A number on its own: code, ordinal of a floor, or a count. */
function readPlain(scan: Scan, at: number, parsed: ParsedNumeral): Classified {
  const { numeral, end } = parsed;
  if (isCode(scan, at, end, numeral)) return classified({ kind: 'digits', digits: numeral.digits }, at, end);
  if (scan.language === 'en' && numeral.digits.length === 4 && numeral.grouped !== true && isPaired(scan, at))
    return classified({ kind: 'words', words: englishPairs(Number(numeral.digits)) }, at, end);
  const value = smallValue(numeral);
  const rank = numeral.negative === true ? undefined : readRank(scan, at, end, value);
  if (rank !== undefined) return rank;
  if (scan.language === 'ar' && numeral.fraction !== undefined && match(MINUS_BEHIND, scan.text, end) !== undefined)
    return classified({ kind: 'quantity', number: { ...numeral, negative: true }, of: PLAIN }, at, end + 1);
  return classified({ kind: 'quantity', number: numeral, of: PLAIN }, at, end);
}

/** `3 1/2`. */
function readMixedFraction(scan: Scan, at: number): Classified | undefined {
  const { next, follow } = scan.digits(at);
  if (!(next === SPACE && isDigit(follow)) && next !== HYPHEN) return undefined;
  const found = match(MIXED, scan.text, at);
  if (found === undefined) return undefined;
  const [whole, numerator, denominator] = found.split(/[- /]/).map(Number) as [number, number, number];
  if (numerator >= denominator || denominator > 100) return undefined;
  return measured(scan, { kind: 'fraction', whole, numerator, denominator, rating: false }, at, at + found.length);
}
