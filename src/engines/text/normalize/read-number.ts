import { ARABIC_MONTH_PAIRS, ARABIC_MONTH_WORDS } from '../lexicon/calendar-names.ts';
import {
  BETWEEN_WORDS,
  COUNT_BEFORE_EN,
  COUNTED_EN,
  LABEL_BEFORE,
  NUMBER_WORDS,
  OPENING_WORDS,
  ORDINAL_LABELS,
  SCORE_WORDS,
  YEAR_WORDS_AR,
  YEAR_WORDS_EN,
} from '../lexicon/context-words.ts';
import { foldWord } from '../lexicon/fold-word.ts';
import { match, type Numeral, type ParsedNumeral, parseNumeral, smallValue } from './numeral.ts';
import { calendarOf, readEra } from './read-calendar.ts';
import { isCode, isSent } from './read-digits.ts';
import { measured, readSlash, SCORE_MAX, yearPair } from './read-slash.ts';
import { readScale, readSuffix } from './read-suffix.ts';
import { isDigit, isLatin, type Scan, SPACE } from './scan.ts';
import type { Classified, Quantity, Scale, Token } from './token.ts';

const DASH = /\s?[-–—~]\s?(?=\d)/y;
const TIMES = /\s?[xX×*]\s?(?=\d)/y;
const RATIO = /(?: : |:)(?=\d)/y;
const SLASH = /\s?\/\s?(?=\d)/y;
const ENGLISH_ORDINAL = /(?:st|nd|rd|th)(?![\p{L}\p{N}])/uy;
const DECADE = /['’]?s(?![\p{L}\p{N}])/uy;
const MIXED = /\d{1,6} \d{1,3}\/\d{1,3}(?![\d/])/y;
const PLAIN: Quantity = { type: 'plain' };
/** `the 80s and 90s`, `90s music`. */
const DECADE_BEFORE = /\d0['’]?s(?:,? (?:and|or|to|through) |, ?| & | ?[-–/] ?)['’‘]?$/;
const DECADE_BEHIND = /^ (?:music|hits|songs|style|party|films|movies|rock|pop|fashion|era|classics|theme|kids)\b/;
const DECADE_WORDS: ReadonlySet<string> = new Set('the his her their my your our early mid late'.split(' '));
/** `100s of users`. */
const PLURALS: ReadonlyMap<number, string> = new Map([
  [10, 'tens'],
  [100, 'hundreds'],
  [1000, 'thousands'],
]);
/** `2025 and 2026`, `2025 و2026`, `Q3 2025`. */
const AFTER_YEAR = /(?:(?:19|20)\d\d(?:,? (?:and|or|to|&) | ?و| أو |, ?|، ?)|(?:^|\s)(?:Q[1-4]|H[12]|FY) ?)$/;
const APOSTROPHES = "'’‘";
const SIDES_MAX = 3;
/** `beat them 112-108`: the points of a game of basketball. */
const POINTS_MAX = 199;
const POINT_FRACTION = /\.\d{1,6}(?![\d.]*\d|[A-Za-z]{3})/y;
const ORDINAL_LABEL_MAX = 100;

/** Everything that begins with an ordinary number: amounts, measures, ranges, scores, fractions, years, ordinals. */
export function readNumber(scan: Scan, at: number, negative = false): Classified {
  const mixed = negative ? undefined : readMixedFraction(scan, at);
  if (mixed !== undefined) return mixed;
  const first = spacedThousands(scan, at) ?? parseNumeral(scan.text, at, scan.digits(at).end);
  const parsed = negative ? { numeral: { ...first.numeral, negative: true }, end: first.end } : first;
  return (
    readPair(scan, at, parsed) ??
    readDecade(scan, at, parsed) ??
    readWithSuffix(scan, at, parsed) ??
    readSpecial(scan, at, parsed) ??
    readPlain(scan, at, parsed)
  );
}

const SPACED = /\d{1,3}(?: \d{3})+(?!\d|[.,/:-]\d)/y;
const SPACED_COUNT = /^ (?:[a-z]{3,}s|people|SAR|USD|EUR|AED|GBP)\b|^ ?[€$%]/;
const SPACED_MAX = 19;

/** `45 000`, `1 001 entries`: thousands apart by spaces, unless they may be the groups of a code. */
function spacedThousands(scan: Scan, at: number): ParsedNumeral | undefined {
  const { next, follow } = scan.digits(at);
  if (next !== SPACE || !isDigit(follow) || scan.text[at] === '0') return undefined;
  const found = match(SPACED, scan.text, at);
  if (found === undefined || found.length > SPACED_MAX || isLabelled(scan, at)) return undefined;
  const end = at + found.length;
  const counts = found.length <= 6 && SPACED_COUNT.test(scan.text.slice(end, end + 24));
  if (!(counts || found.endsWith(' 000'))) return undefined;
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
  return readWithSuffix(scan, at, parsed) ?? readPlain(scan, at, parsed);
}

/** `0.25-` at the end of Arabic text: the minus of a number typed from right to left. */
const MINUS_BEHIND = /-(?=$|[ ،.؛)])/y;

function classified(token: Token, start: number, end: number): Classified {
  return { token, start, end };
}

/** Two numbers with a sign between them. */
function readPair(scan: Scan, at: number, first: ParsedNumeral): Classified | undefined {
  const next = scan.text.charCodeAt(first.end);
  const sign = next === 0x20 ? scan.text[first.end + 1] : scan.text[first.end];
  const joint = sign === undefined ? undefined : PAIR_SIGNS.get(sign);
  if (joint === undefined) return undefined;
  const between = match(joint.pattern, scan.text, first.end);
  if (between === undefined) return undefined;
  return joint.read(scan, at, first.numeral, parseNumeral(scan.text, first.end + between.length));
}

interface Joint {
  readonly pattern: RegExp;
  readonly read: (scan: Scan, at: number, first: Numeral, second: ParsedNumeral) => Classified | undefined;
}

/** What may join two numbers. */
const PAIR_SIGNS: ReadonlyMap<string, Joint> = new Map<string, Joint>([
  ['/', { pattern: SLASH, read: readSlash }],
  ...[...'-–—~'].map((sign) => [sign, { pattern: DASH, read: dashed }] as const),
  ...[...'xX×*'].map((sign) => [sign, { pattern: TIMES, read: sized }] as const),
  [':', { pattern: RATIO, read: ratio }],
]);

function ratio(_: Scan, at: number, left: Numeral, { numeral, end }: ParsedNumeral): Classified {
  return classified({ kind: 'ratio', left, right: numeral }, at, end);
}

function dashed(scan: Scan, at: number, first: Numeral, second: ParsedNumeral): Classified | undefined {
  if (scan.text[second.end] === '-' && isDigit(scan.text.charCodeAt(second.end + 1))) return undefined;
  if (EQUALS.test(scan.text.slice(second.end, second.end + 2))) return undefined; // 10 - 3 = 7
  const years = yearPair(scan, at, first, second);
  if (years !== undefined) return years;
  if (isReference(scan, at, first, second.numeral))
    return classified({ kind: 'digits', digits: first.digits + second.numeral.digits }, at, second.end);
  const low = Number(`${first.digits}.${first.fraction ?? '0'}`);
  const high = Number(`${second.numeral.digits}.${second.numeral.fraction ?? '0'}`);
  const small = low <= SCORE_MAX && high <= SCORE_MAX;
  const scores = (small || (high < low && low <= POINTS_MAX)) && scan.leftIn(at, SCORE_WORDS, 3);
  const { scale, of, end } = suffixes(scan, second.end);
  const hours = low <= 12 && high <= 12 && scan.leftIn(at, OPENING_WORDS, 2); // الأحد 8-4
  if (of === PLAIN && scale === undefined && (scores || (low >= high && !hours))) {
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

/** `#123-4567`, `order 112-5567`, `00-1234`. */
function isReference(scan: Scan, at: number, first: Numeral, second: Numeral): boolean {
  if (first.digits.length + second.digits.length <= 5 || first.grouped === true || second.grouped === true)
    return false;
  if (first.fraction !== undefined || second.fraction !== undefined) return false;
  const zero = first.digits.length > 1 && first.digits.startsWith('0');
  return zero || scan.text[at - 1] === '#' || scan.leftIn(at, NUMBER_WORDS, 1);
}

function isCodeLike(first: Numeral, second: Numeral): boolean {
  return (
    first.digits.length + second.digits.length > 5 || first.digits.startsWith('0') || second.digits.startsWith('0')
  );
}

/** A product, no size: `3 × 4 = 12`. */
const EQUALS = /^\s?=/;

/** `3 x 4 m`, `1920×1080`, `2x3x4`. */
function sized(scan: Scan, at: number, first: Numeral, second: ParsedNumeral): Classified | undefined {
  if (EQUALS.test(scan.text.slice(second.end, second.end + 2))) return undefined;
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

function suffixes(scan: Scan, at: number): { readonly scale?: Scale; readonly of: Quantity; readonly end: number } {
  const scale = readScale(scan, at);
  const after = scale?.end ?? at;
  const suffix = readSuffix(scan, after);
  const end = suffix?.end ?? after;
  return { ...(scale === undefined ? {} : { scale: scale.scale }), of: suffix?.of ?? PLAIN, end };
}

function readWithSuffix(scan: Scan, at: number, parsed: ParsedNumeral): Classified | undefined {
  const { scale, of, end } = suffixes(scan, parsed.end);
  if (of === PLAIN && scale === undefined) return undefined;
  if (of.type === 'measure' && isYearWithEra(scan, at, parsed)) return undefined;
  if (of.type === 'measure' && isWholeCode(parsed.numeral)) return undefined;
  const sides = scan.language === 'en' ? sidesWithUnits(scan, end, of, scale, [parsed.numeral]) : undefined;
  if (sides !== undefined) return classified({ kind: 'size', sides: sides.sides, of }, at, sides.end);
  const token = {
    kind: 'quantity' as const,
    number: parsed.numeral,
    of,
    ...(scale === undefined ? {} : { scale }),
    ...((scan.text[parsed.end] === '-' || (of.type === 'measure' && isAttributive(scan, end))) && {
      attributive: true,
    }),
  };
  const upTo = sameQuantity(scan, end, of, scale);
  return upTo === undefined ? classified(token, at, end) : classified({ ...token, upTo: upTo.numeral }, at, upTo.end);
}

/** `a 12 V battery`, `a 10 km race`: the unit describes the thing behind it. */
const DESCRIBED =
  /^ (?:battery|bulb|charger|adapter|lamp|motor|engine|outlet|socket|supply|drive|disk|card|screen|monitor|tank|bottle|bag|race|walk|radius|wall|fence|pool|cable|pipe|lens|camera|dash|relay|sprint|ladder|rope|hose)\b/;

function isAttributive(scan: Scan, end: number): boolean {
  return scan.language === 'en' && DESCRIBED.test(scan.text.slice(end, end + 12));
}

/** The other sides of `25 m x 12 m`: the same unit again. */
function sidesWithUnits(
  scan: Scan,
  end: number,
  of: Quantity,
  scale: Scale | undefined,
  sides: readonly Numeral[],
): { readonly sides: readonly Numeral[]; readonly end: number } | undefined {
  const times = of.type === 'measure' && sides.length < SIDES_MAX ? match(TIMES, scan.text, end) : undefined;
  const next = times === undefined ? undefined : sameUnit(scan, end + times.length, of, scale);
  if (next === undefined) return sides.length > 1 ? { sides, end } : undefined;
  return sidesWithUnits(scan, next.end, of, scale, [...sides, next.numeral]);
}

/** The upper end of `100 ريال - 200 ريال`, `5%-10%`: the same unit again. */
function sameQuantity(scan: Scan, end: number, of: Quantity, scale: Scale | undefined): ParsedNumeral | undefined {
  const dash = match(DASH, scan.text, end);
  if (dash === undefined || of === PLAIN) return undefined;
  return sameUnit(scan, end + dash.length, of, scale);
}

/** The number at `at`, if it has this unit and scale. */
function sameUnit(scan: Scan, at: number, of: Quantity, scale: Scale | undefined): ParsedNumeral | undefined {
  const second = parseNumeral(scan.text, at);
  const after = suffixes(scan, second.end);
  if (after.scale !== scale || after.of.type !== of.type) return undefined;
  if (after.of.type === 'money' && of.type === 'money' && after.of.currency !== of.currency) return undefined;
  if (after.of.type === 'measure' && of.type === 'measure' && after.of.unit !== of.unit) return undefined;
  return { numeral: second.numeral, end: after.end };
}

function isWholeCode(number: Numeral): boolean {
  return number.digits.length > 1 && number.digits.startsWith('0') && number.fraction === undefined;
}

/** م after a year is ميلادي, not metre. */
function isYearWithEra(scan: Scan, at: number, parsed: ParsedNumeral): boolean {
  const { digits, fraction, grouped } = parsed.numeral;
  if (fraction !== undefined || grouped === true) return false;
  if (isEarlyYear(scan, at, parsed)) return true;
  if (digits.length !== 4) return false;
  return calendarOf(Number(digits)) !== undefined && readEra(scan, parsed.end) !== undefined && at >= 0;
}

/** `سنة 622م`. */
function isEarlyYear(scan: Scan, at: number, { numeral, end }: ParsedNumeral): boolean {
  return numeral.digits.length === 3 && scan.leftIn(at, YEAR_WORDS_AR, 1) && readEra(scan, end) !== undefined;
}

/** `the 1990s`, `his 30s`; after other words 30s are seconds. */
function readDecade(scan: Scan, at: number, parsed: ParsedNumeral): Classified | undefined {
  const next = scan.text[parsed.end];
  if (next !== 's' && next !== "'" && next !== '’') return undefined;
  const value = smallValue(parsed.numeral);
  const decade = match(DECADE, scan.text, parsed.end);
  if (value === undefined || decade === undefined || value % 10 !== 0) return undefined;
  const many = PLURALS.get(value);
  if (
    many !== undefined &&
    /^ (?:of|more)\b/.test(scan.text.slice(parsed.end + decade.length, parsed.end + decade.length + 5))
  )
    return classified({ kind: 'words', words: many }, at, parsed.end + decade.length);
  if (parsed.numeral.grouped === true) return undefined;
  const years = value >= 1700 && value < 2100;
  if (!years && !(value >= 20 && value < 100 && isShortDecade(scan, at, parsed.end + decade.length))) return undefined;
  return classified({ kind: 'decade', value }, at, parsed.end + decade.length);
}

/** `the 90s`, `'90s`: years, not seconds. */
function isShortDecade(scan: Scan, at: number, end: number): boolean {
  if (DECADE_WORDS.has(scan.left(at)) || APOSTROPHES.includes(scan.text[at - 1] ?? ' ')) return true;
  return (
    DECADE_BEHIND.test(scan.text.slice(end, end + 12)) || DECADE_BEFORE.test(scan.text.slice(Math.max(0, at - 16), at))
  );
}

/** English ordinals, years. */
function readSpecial(scan: Scan, at: number, parsed: ParsedNumeral): Classified | undefined {
  const { numeral, end } = parsed;
  const value = smallValue(numeral);
  if (value === undefined || numeral.negative === true) return undefined;
  const ordinal = isLatin(scan.text.charCodeAt(end)) ? match(ENGLISH_ORDINAL, scan.text, end) : undefined;
  if (ordinal !== undefined) return classified({ kind: 'ordinal', value }, at, end + ordinal.length);
  if (isEarlyYear(scan, at, parsed)) {
    const { calendar, end: until } = readEra(scan, end)!;
    return classified({ kind: 'year', value, calendar, era: true }, at, until);
  }
  if (numeral.digits.length !== 4 || numeral.grouped === true) return undefined;
  const calendar = calendarOf(value);
  if (calendar === undefined) return undefined;
  const era = readEra(scan, end);
  if (era !== undefined) return classified({ kind: 'year', value, calendar: era.calendar, era: true }, at, era.end);
  if (!isYear(scan, at, end)) return undefined;
  return classified({ kind: 'year', value, calendar, era: false }, at, end);
}

function isYear(scan: Scan, at: number, end: number): boolean {
  if (scan.leftIn(at, YEAR_WORDS_AR, 1) || afterMonth(scan, at)) return true;
  if (AFTER_YEAR.test(scan.text.slice(Math.max(0, at - 16), at))) return true;
  if (scan.language === 'ar') return isBareYear(scan, at, end);
  if (isSent(scan, at, end - at)) return false;
  // Hijri years without their era look like any number.
  if (scan.text.slice(at, end) <= '1500' && !/^(?:in|since|year)$/.test(scan.left(at))) return false;
  if (scan.text[at - 1] === '(' && scan.text[end] === ')') return true;
  if (!scan.leftIn(at, YEAR_WORDS_EN, 1) && isCode(scan, at, end, { digits: scan.text.slice(at, end) })) return false;
  if (scan.text[at - 1] === '-' && isLatin(scan.text.charCodeAt(at - 2))) return true; // pre-1980
  // `in 2000 cases` and `about 2000 people` count; otherwise four digits of this size are a year.
  const next = scan.next(end).word;
  if (COUNTED_EN.has(next) || (/^[a-z]{3,}s$/.test(next) && !isRecent(scan.text.slice(at, end)))) return false;
  return scan.leftIn(at, YEAR_WORDS_EN, 1) || !scan.leftIn(at, COUNT_BEFORE_EN, 1);
}

/** `كأس العالم 2034`: four digits of our time that count nothing. As an amount only its case would differ. */
function isBareYear(scan: Scan, at: number, end: number): boolean {
  const digits = scan.text.slice(at, end);
  if (digits < '1950' || digits > '2060' || digits === '2000' || isLabelled(scan, at)) return false;
  return !isCode(scan, at, end, { digits }) && scan.next(end).word === '';
}

/** `2025 results`: years of the business at hand, more often than counts. */
function isRecent(year: string): boolean {
  return year > '2010' && year < '2040';
}

/** `يناير 2026`, `ربيع الأول 1447`. */
function afterMonth(scan: Scan, at: number): boolean {
  if (ARABIC_MONTH_WORDS.has(scan.left(at))) return true;
  return ARABIC_MONTH_PAIRS.get(scan.left(at, 2))?.second.includes(scan.left(at)) === true;
}

/** A number on its own: code, ordinal of a floor, or a count. */
function readPlain(scan: Scan, at: number, parsed: ParsedNumeral): Classified {
  const { numeral, end } = parsed;
  if (isCode(scan, at, end, numeral)) return classified({ kind: 'digits', digits: numeral.digits }, at, end);
  const value = smallValue(numeral);
  if (value !== undefined && value > 0 && value <= ORDINAL_LABEL_MAX && scan.leftIn(at, ORDINAL_LABELS, 1)) {
    if (!countsPupils(scan, end, value)) return classified({ kind: 'ordinal', value }, at, end);
  }
  if (scan.language === 'ar' && numeral.fraction !== undefined && match(MINUS_BEHIND, scan.text, end) !== undefined)
    return classified({ kind: 'quantity', number: { ...numeral, negative: true }, of: PLAIN }, at, end + 1);
  return classified({ kind: 'quantity', number: numeral, of: PLAIN }, at, end);
}

/** `في الصف 31 طالباً`, `23 طالبة`: the number counts them and does not name the class. */
function countsPupils(scan: Scan, end: number, value: number): boolean {
  const { word } = scan.next(end);
  if (/[^\u064a](?:\u0627\u064b|\u064b\u0627)$/u.test(word)) return true; // not عالمياً
  return value > 10 && /^(?!\u0627\u0644).*\u0629$/u.test(word) && !LABEL_BEFORE.has(foldWord(word));
}

/** `3 1/2`. */
function readMixedFraction(scan: Scan, at: number): Classified | undefined {
  const { next, follow } = scan.digits(at);
  if (next !== 0x20 || !isDigit(follow)) return undefined;
  const found = match(MIXED, scan.text, at);
  if (found === undefined) return undefined;
  const [whole, numerator, denominator] = found.split(/[ /]/).map(Number) as [number, number, number];
  if (numerator >= denominator || denominator > 100) return undefined;
  return measured(scan, { kind: 'fraction', whole, numerator, denominator, rating: false }, at, at + found.length);
}

/** Whether the number at `at` names the thing before it (الغرفة 12) and so counts nothing after it. */
export function isLabelled(scan: Scan, at: number): boolean {
  return scan.leftIn(at, LABEL_BEFORE, 1);
}

/** Whether `من` or `between` already stands before a range. */
export function rangeWord(scan: Scan, at: number): 'from' | 'between' | undefined {
  if (!scan.leftIn(at, BETWEEN_WORDS, 1)) return undefined;
  return /^(?:بين|between)$/u.test(scan.left(at)) ? 'between' : 'from';
}
