import { BLOOD_PRESSURE, type Unit } from '../../../language/units.ts';
import { OVER_WORDS, PART_WORDS, RATING_WORDS, SCORE_WORDS } from '../lexicon/context-words.ts';
import { arabicNumber, COUNTING } from './arabic-cardinal.ts';
import { isAttributive } from './attributive.ts';
import { englishCardinal } from './english-number.ts';
import { isTimeNoun, knownNoun } from './noun-gender.ts';
import { isEqualled, isInClause } from './number-context.ts';
import { match, type Numeral, type ParsedNumeral, smallValue } from './numeral.ts';
import { readSuffix } from './read-suffix.ts';
import { yearPair } from './read-year.ts';
import { isLatin, type Scan, SPACE } from './scan.ts';
import type { Classified, Token } from './token.ts';

/** Above this a pair of numbers is no result of a match. */
export const SCORE_MAX = 30;
/** Whole numbers above are no denominators but values side by side (50/60 Hz). */
const DENOMINATOR_OF_UNITS_MAX = 16;

/** Pairs with a meaning of their own. */
const FIXED: ReadonlyMap<string, readonly [ar: string, en: string]> = new Map([
  ['24/7', ['على مدار الساعة', 'twenty-four seven']],
  ['50/50', ['خمسون خمسون', 'fifty fifty']],
  ['20/20', ['عشرون على عشرين', 'twenty twenty']],
  ['9/11', ['الحادي عشر من سبتمبر', 'nine eleven']],
]);

const OBLIQUE = { ...COUNTING, oblique: true };

const FIXED_FIRST: ReadonlySet<string> = new Set([...FIXED.keys()].map((pair) => pair.slice(0, pair.indexOf('/'))));

/** Two numbers with a slash: years, scores, ratings, blood pressure, fractions. Dates were looked for before. */
export function readSlash(scan: Scan, at: number, first: Numeral, second: ParsedNumeral): Classified | undefined {
  const numerator = smallValue(first);
  const denominator = smallValue(second.numeral);
  const until = (token: Token): Classified => ({ token, start: at, end: second.end });
  if (denominator === undefined && /^0+$/.test(second.numeral.fraction ?? ''))
    return readSlash(scan, at, first, { ...second, numeral: { digits: second.numeral.digits } }); // 3.8/4.0
  const contract = first.digits.length >= CONTRACT_DIGITS_MIN ? readContract(scan, at) : undefined;
  if (contract !== undefined) return contract;
  const chain = scan.text[second.end] === '/' ? readChain(scan, at) : undefined;
  if (chain !== undefined) return chain;
  if (scan.language === 'en' && scan.text.startsWith('24/7/365', at))
    return { token: { kind: 'words', words: 'twenty-four seven three sixty-five' }, start: at, end: at + 8 };
  if (denominator === undefined || scan.text[second.end] === '/') return undefined;
  if (scan.language === 'en' && isEqualled(scan, second.end)) return undefined; // a sum
  if (numerator === undefined) {
    // `4.75/5`, `7.5/10`: a mark.
    const marks = first.fraction !== undefined && Number(`${first.digits}.${first.fraction}`) <= denominator;
    return marks ? until({ kind: 'rating', left: first, right: second.numeral }) : undefined;
  }
  const fixed = FIXED_FIRST.has(first.digits) ? FIXED.get(`${first.digits}/${second.numeral.digits}`) : undefined;
  if (fixed !== undefined) return until({ kind: 'words', words: fixed[scan.language === 'ar' ? 0 : 1] });
  const years = yearPair(scan, at, first, second);
  if (years !== undefined) return years;
  if (denominator === 0 || first.digits.startsWith('0') || denominator > 1000) return undefined;
  const over = scan.language === 'ar' && scan.leftIn(at, OVER_WORDS, 2) && readSuffix(scan, second.end) === undefined;
  if (over)
    return until({ kind: 'words', words: `${arabicNumber(first)} على ${arabicNumber(second.numeral, OBLIQUE)}` });
  const part = scan.language === 'ar' && numerator <= denominator && scan.leftIn(at, PART_WORDS, 1);
  const marked = part || isInClause(scan, at, RATING_WORDS, 3);
  const ofThe =
    numerator < denominator &&
    scan.text.charCodeAt(second.end) === SPACE &&
    /^ (?:ال|of )/u.test(scan.text.slice(second.end, second.end + 4));
  if (!marked && !ofThe && numerator <= SCORE_MAX && denominator <= SCORE_MAX && scan.leftIn(at, SCORE_WORDS, 2))
    return until({ kind: 'score', left: first, right: second.numeral });
  if (scan.language === 'en') {
    const words = englishPair(scan, at, second.end, numerator, denominator);
    if (words !== undefined) return until({ kind: 'words', words });
  }
  const ofSome = numerator === 1 && scan.language === 'ar' && scan.next(second.end).word === 'من';
  const outOf = !ofSome && (denominator === 10 || denominator === 20 || (denominator === 100 && numerator > 1));
  return measured(
    scan,
    { kind: 'fraction', numerator, denominator, rating: (outOf && !ofThe) || marked },
    at,
    second.end,
  );
}

const HALVED = /^ (?:price|off|day|board|dozen|term|time|moon|marathon|brother|sister|full|empty|asleep)\b/;

/** `page 2/5` is two of five, `4/5 stars` four out of five, `1/2 price` half. */
function englishPair(scan: Scan, at: number, end: number, first: number, second: number): string | undefined {
  if (first <= second && PART_WORDS.has(scan.left(at)))
    return `${englishCardinal(first)} of ${englishCardinal(second)}`;
  const behind = scan.text.slice(end, end + 10);
  if (second === first + 1 && first > 9 && /^ season\b/.test(behind))
    return `${englishCardinal(first)} ${englishCardinal(second)}`;

  return first === 1 && second === 2 && HALVED.test(behind) ? 'half' : undefined;
}

const CONTRACT_DIGITS_MIN = 6;
const CONTRACT = /\d{6,15}\/\d{1,6}(?:-\d{1,4})?(?![\d/])/y;

/** `عقد رقم 10452368741/1-0`. */
function readContract(scan: Scan, at: number): Classified | undefined {
  const text = scan.language === 'ar' ? match(CONTRACT, scan.text, at) : undefined;
  return text === undefined ? undefined : { token: { kind: 'label', text }, start: at, end: at + text.length };
}

const CHAIN = /\d{1,6}(?:\/\d{1,6}){2,4}(?![\d/])/y;

/** `صك رقم 3/25/112`: no date. */
function readChain(scan: Scan, at: number): Classified | undefined {
  const found = scan.language === 'ar' ? match(CHAIN, scan.text, at) : undefined;
  if (found === undefined) return undefined;
  const words = found.split('/').map((part, index) => arabicNumber({ digits: part }, index === 0 ? COUNTING : OBLIQUE));
  return { token: { kind: 'words', words: words.join(' على ') }, start: at, end: at + found.length };
}

/** A fraction with the unit behind it: `1/2 kg`, `3/8"`; `50/60 Hz` are two values. */
export function measured(
  scan: Scan,
  fraction: Extract<Token, { kind: 'fraction' }>,
  at: number,
  end: number,
): Classified {
  const suffix = fraction.rating ? undefined : readSuffix(scan, end);
  if (suffix?.of.type !== 'measure') return timeFraction(scan, fraction, at, end);
  if (scan.language === 'en' && suffix.of.unit === BLOOD_PRESSURE) {
    const words = `${englishCardinal(fraction.numerator)} over ${englishCardinal(fraction.denominator)} ${BLOOD_PRESSURE.en[1]}`;
    return { token: { kind: 'words', words }, start: at, end: suffix.end };
  }
  const pressure = scan.language === 'ar' && fraction.numerator > fraction.denominator;
  if (!pressure && fraction.denominator > DENOMINATOR_OF_UNITS_MAX && fraction.whole === undefined) {
    const [number, upTo] = [{ digits: String(fraction.numerator) }, { digits: String(fraction.denominator) }];
    return { token: { kind: 'quantity', number, upTo, of: suffix.of }, start: at, end: suffix.end };
  }
  const attributive = isAttributive(scan, at, suffix.end, suffix.of);
  return { token: { ...fraction, of: suffix.of, ...(attributive && { attributive }) }, start: at, end: suffix.end };
}

/** `1 1/2 ساعة`: a stretch of time is said before its fraction. */
function timeFraction(scan: Scan, fraction: Extract<Token, { kind: 'fraction' }>, at: number, end: number): Classified {
  const next = scan.language === 'ar' && fraction.whole !== undefined ? scan.next(end) : undefined;
  const noun = next === undefined ? undefined : knownNoun(next.word);
  if (noun === undefined || !isTimeNoun(noun)) return { token: fraction, start: at, end: endOfOrdinal(scan.text, end) };
  const unit: Unit = { signs: [], ar: noun, en: ['', ''] };
  return { token: { ...fraction, of: { type: 'measure', unit } }, start: at, end: next!.end };
}

/** The ending of `1/100th`, `2/3rds`. */
function endOfOrdinal(text: string, end: number): number {
  if (!isLatin(text.charCodeAt(end))) return end;
  const ending = /^(?:th|nd|rd)s?/.exec(text.slice(end, end + 3))?.[0].length ?? 0;
  return isLatin(text.charCodeAt(end + ending)) ? end : end + ending;
}
