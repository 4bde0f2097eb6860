import { CODE_WORDS, FILLERS, NUMBER_WORDS, OPENING_WORDS, SCORE_WORDS } from '../lexicon/context-words.ts';
import { englishNumber, englishYear } from './english-number.ts';
import { isEqualled, isInClause, isLabelled } from './number-context.ts';
import { match, type Numeral, type ParsedNumeral, parseNumeral } from './numeral.ts';
import { DASH, PLAIN, SIDES_MAX, suffixes, TIMES } from './read-quantity.ts';
import { readSlash, SCORE_MAX } from './read-slash.ts';
import { readSuffix } from './read-suffix.ts';
import { yearPair } from './read-year.ts';
import { isDigit, type Scan } from './scan.ts';
import { type Classified, classified, type Token } from './token.ts';

const RATIO = /(?: : |:)(?=\d)/y;
const SLASH = /\s?\/\s?(?=\d)/y;
/** `beat them 112-108`: the points of a game of basketball. */
const POINTS_MAX = 199;

/** Two numbers with a sign between them. */
export function readPair(scan: Scan, at: number, first: ParsedNumeral): Classified | undefined {
  const next = scan.text.charCodeAt(first.end);
  const sign = next === 0x20 ? scan.text[first.end + 1] : scan.text[first.end];
  const joint = sign === undefined ? undefined : PAIR_SIGNS.get(sign);
  if (joint === undefined) return undefined;
  const between = match(joint.pattern, scan.text, first.end);
  if (between === undefined) return undefined;
  return joint.read(scan, at, first.numeral, parseNumeral(scan.text, first.end + between.length), sign!);
}

interface Joint {
  readonly pattern: RegExp;
  readonly read: (
    scan: Scan,
    at: number,
    first: Numeral,
    second: ParsedNumeral,
    sign: string,
  ) => Classified | undefined;
}

/** What may join two numbers. */
const PAIR_SIGNS: ReadonlyMap<string, Joint> = new Map<string, Joint>([
  ['/', { pattern: SLASH, read: readSlash }],
  ...[...'-–—~'].map((sign) => [sign, { pattern: DASH, read: dashed }] as const),
  ...[...'xX×*'].map((sign) => [sign, { pattern: TIMES, read: sized }] as const),
  [':', { pattern: RATIO, read: ratio }],
]);

/** `16:9`; `ISO 27001:2022` is a standard and its year. */
function ratio(scan: Scan, at: number, left: Numeral, { numeral, end }: ParsedNumeral): Classified {
  if (scan.language === 'en' && left.digits.length >= 3 && /^(?:19|20)\d\d$/.test(numeral.digits))
    return classified(
      { kind: 'words', words: `${englishNumber(left)} ${englishYear(Number(numeral.digits))}` },
      at,
      end,
    );
  const scores = scan.language === 'ar' && scan.leftIn(at, SCORE_WORDS, 2) && Number(left.digits) <= SCORE_MAX;
  if (scores) return classified({ kind: 'score', left, right: numeral }, at, end);
  return classified({ kind: 'ratio', left, right: numeral }, at, end);
}

/** `2–3x per week`. */
const TIMES_BEHIND = /^[xX×](?: (?:a|per|each|daily|weekly)|\/[dwmy])/;

function dashed(scan: Scan, at: number, first: Numeral, second: ParsedNumeral): Classified | undefined {
  if (scan.text[second.end] === '-' && isDigit(scan.text.charCodeAt(second.end + 1))) return clause(scan, at);
  if (isEqualled(scan, second.end)) return undefined; // 10 - 3 = 7
  if (scan.language === 'en' && TIMES_BEHIND.test(scan.text.slice(second.end, second.end + 8)))
    return classified(
      { kind: 'words', words: `${englishNumber(first)} to ${englishNumber(second.numeral)} times` },
      at,
      second.end + 1,
    );
  const halves = first.digits === '50' && second.numeral.digits === '50' && scan.language === 'en';
  if (halves && second.numeral.fraction === undefined && scan.text[second.end] !== '%')
    return classified({ kind: 'words', words: 'fifty fifty' }, at, second.end);
  const years = yearPair(scan, at, first, second, true);
  if (years !== undefined) return years;
  if (isReference(scan, at, first, second.numeral))
    return classified({ kind: 'digits', digits: first.digits + second.numeral.digits }, at, second.end);
  const low = Number(`${first.digits}.${first.fraction ?? '0'}`);
  const high = Number(`${second.numeral.digits}.${second.numeral.fraction ?? '0'}`);
  const small = low <= SCORE_MAX && high <= SCORE_MAX;
  const points = Math.max(low, high) <= POINTS_MAX && (high < low || scan.leftIn(at, SCORE_WORDS, 1));
  const scores = (small || points) && isInClause(scan, at, SCORE_WORDS, 3);
  const { scale, of, end } = suffixes(scan, second.end);
  const hours = low <= 12 && high <= 12 && scan.leftIn(at, OPENING_WORDS, 2); // الأحد 8-4
  if (of === PLAIN && scale === undefined && (scores || (low >= high && !hours))) {
    if (!scores && namesPart(scan, at))
      return classified({ kind: 'label', text: scan.text.slice(at, second.end) }, at, second.end);
    if (!scores && isCodeLike(first, second.numeral)) {
      return classified({ kind: 'digits', digits: first.digits + second.numeral.digits }, at, second.end);
    }
    return classified({ kind: 'score', left: first, right: second.numeral }, at, second.end);
  }
  const token: Token = {
    kind: 'quantity',
    number: first,
    upTo: second.numeral,
    of,
    ...(scale === undefined ? {} : { scale }),
  };
  return classified(token, at, end);
}

const CLAUSE = /\d{1,3}(?:-\d{1,3}){2,4}(?![\d-])/y;

/** `الفقرة 3-2-1`. */
function clause(scan: Scan, at: number): Classified | undefined {
  const text = scan.language === 'ar' ? match(CLAUSE, scan.text, at) : undefined;
  return text === undefined ? undefined : classified({ kind: 'label', text }, at, at + text.length);
}

/** `البند 3-1`. */
function namesPart(scan: Scan, at: number): boolean {
  return scan.language === 'ar' && isLabelled(scan, at);
}

/** `#123-4567`, `order 112-5567`, `00-1234`. */
function isReference(scan: Scan, at: number, first: Numeral, second: Numeral): boolean {
  if (first.digits.length + second.digits.length <= 5 || first.grouped === true || second.grouped === true)
    return false;
  if (first.fraction !== undefined || second.fraction !== undefined) return false;
  const zero = first.digits.length > 1 && first.digits.startsWith('0');
  if (zero || /#\s?$/.test(scan.text.slice(Math.max(0, at - 2), at)) || scan.leftIn(at, NUMBER_WORDS, 1)) return true;
  return scan.leftIn(at, CODE_WORDS, scan.leftRun(at, FILLERS) + 1); // verification code 208-641
}

function isCodeLike(first: Numeral, second: Numeral): boolean {
  const padded = (number: Numeral): boolean => number.digits.length > 1 && number.digits.startsWith('0');
  return first.digits.length + second.digits.length > 5 || padded(first) || padded(second);
}

/** `3 x 4 m`, `1920×1080`, `2x3x4`. */
function sized(scan: Scan, at: number, first: Numeral, second: ParsedNumeral, sign: string): Classified | undefined {
  if (sign === '*' && scan.language === 'en') return undefined; // a product
  if (isEqualled(scan, second.end) || scan.text[second.end] === '^') return undefined; // 3 × 4 = 12, 6 × 10^3
  const sides = [first, second.numeral];
  let { end } = second;
  for (
    let sign = match(TIMES, scan.text, end);
    sign !== undefined && sides.length < SIDES_MAX;
    sign = match(TIMES, scan.text, end)
  ) {
    const next = parseNumeral(scan.text, end + sign.length);
    sides.push(next.numeral);
    end = next.end;
  }
  const suffix = readSuffix(scan, end);
  return classified({ kind: 'size', sides, of: suffix?.of ?? PLAIN }, at, suffix?.end ?? end);
}
