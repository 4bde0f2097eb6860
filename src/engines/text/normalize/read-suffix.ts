import { CURRENCIES, CURRENCY_ADJECTIVES, type Currency } from '../../../language/currencies.ts';
import { foldedSet, foldWord } from '../../../language/fold-word.ts';
import { readUnit } from './read-unit.ts';
import { isArabic, isBoundary, isDigit, isLatin, type Scan } from './scan.ts';
import type { Suffix } from './suffix.ts';
import type { Quantity, Scale } from './token.ts';

const ADJECTIVES = foldedSet(CURRENCY_ADJECTIVES);
const ADJECTIVE_OF = new Map(CURRENCY_ADJECTIVES.split(' ').map((word) => [foldWord(word), word]));
const SIGNS: ReadonlyMap<string, Currency> = new Map(
  CURRENCIES.flatMap((currency) => [currency.code, ...currency.signs].map((sign) => [sign, currency] as const)),
);
const ARABIC_SIGNS: ReadonlyMap<string, Currency> = new Map(
  CURRENCIES.flatMap((currency) => currency.arabicSigns.map((sign) => [foldWord(sign), currency] as const)),
);
const NOUNS: ReadonlyMap<string, Currency> = new Map(
  CURRENCIES.filter((currency) => currency.owns).flatMap((currency) => {
    const { singular, plural } = currency.ar;
    const forms = [singular, plural, `${singular}ات`, `${singular}ا`, `${singular}ين`, `${singular}ان`];
    return forms.map((form) => [foldWord(form), currency] as const);
  }),
);
const CODE = /S\.R(?![A-Za-z])|[A-Za-z]{2,3}\$?|[ACSR]\$|[$¢€£¥₹₺₩₽₱฿₦৳\u20c1\ufdfc]/y;
/** Codes that are no English words: also read in small letters. */
export const CODES_OF_ANY_CASE: ReadonlySet<string> = new Set(
  'sar sr usd aed kwd qar bhd omr egp eur gbp rs'.split(' '),
);
/** `ر.س`, `ر. س.`, `د.إ`: two or three single letters with dots, or the two letters of the riyal alone. */
const ARABIC_SIGN = /(?:[ء-ي]\.\s?[ء-ي](?![ء-ي])(?:\.[ء-ي](?![ء-ي]))?|رس(?![ء-ي])|ر س(?![ء-ي]))/y;

const SCALE_WORDS: ReadonlyMap<string, Scale> = new Map<string, Scale>([
  ...(['الف', 'الاف', 'ألفا', 'thousand', 'k'] as const).map((word) => [foldWord(word), 1e3] as const),
  ...(['مليون', 'ملايين', 'مليونا', 'million', 'mn', 'mln', 'mil', 'mill'] as const).map(
    (word) => [foldWord(word), 1e6] as const,
  ),
  ...(['مليار', 'مليارات', 'مليارا', 'بليون', 'billion', 'bn', 'bil'] as const).map(
    (word) => [foldWord(word), 1e9] as const,
  ),
  ...(['تريليون', 'ترليون', 'تريليونات', 'trillion', 'tn', 'trn'] as const).map(
    (word) => [foldWord(word), 1e12] as const,
  ),
]);

/** Behind a letter of scale that stands apart: `SAR 1.5 m`. */
const ENDS_SCALE = /[ .,;)!?]/;

/** `a $5-million deal`. */
const HYPHENED_SCALE = /^-(?:thousand|million|billion|trillion)\b/;

/** `million`, `ألف`, `k` after a number. */
export function readScale(
  scan: Scan,
  at: number,
  isMoney = false,
): { readonly scale: Scale; readonly end: number } | undefined {
  const { text } = scan;
  if (isMoney && text[at] === '-' && HYPHENED_SCALE.test(text.slice(at, at + 10)))
    return readScale(scan, at + 1, isMoney);
  const code = text.charCodeAt(text.charCodeAt(at) === 0x20 ? at + 1 : at);
  if (!(isLatin(code) || isArabic(code))) return undefined;
  const { word, start, end } = scan.next(at);
  if (!isBoundary(text, end)) return undefined;
  if (word.length === 1) {
    if (
      start > at &&
      !(isMoney && scan.language === 'en' && /[kKmMbBT]/.test(word) && ENDS_SCALE.test(text[end] ?? ' '))
    )
      return undefined;
    if (
      /^[kK]$/.test(word) &&
      (KARATS.test(text.slice(Math.max(0, at - 3), end + 8)) || RACES.test(text.slice(Math.max(0, at - 12), end + 8)))
    )
      return undefined;
    if (word === 'k' || (word === 'K' && (!isSingleDigit(text, at) || isArabicCount(text, at, end))))
      return { scale: 1e3, end };
    const large = LARGE_LETTERS.get(word.toLowerCase());
    if (isMoney || word === 'M') return large === undefined ? undefined : { scale: large, end };
    if (word === 'm' && PEOPLE_BEHIND.test(text.slice(end, end + 14))) return { scale: 1e6, end };
    return word === 'B' && isCountOfBillions(text, at, end) ? { scale: 1e9, end } : undefined;
  }
  const scale = SCALE_WORDS.get(scan.nextFolded(at));
  return scale === undefined ? undefined : { scale, end };
}

const LARGE_LETTERS: ReadonlyMap<string, Scale> = new Map([
  ['m', 1e6],
  ['b', 1e9],
  ['t', 1e12],
]);

/** `5m people`: no metres. */
const PEOPLE_BEHIND =
  /^ (?:people|users|customers|subscribers|views|viewers|followers|visitors|downloads|jobs|homes|tonnes|barrels|visits|passengers|pilgrims)\b/;

/** `1.2B`, `2B users`; a seat or flat is 2B. */
function isCountOfBillions(text: string, at: number, end: number): boolean {
  return (
    /\d\.\d{1,3}$/.test(text.slice(Math.max(0, at - 5), at)) ||
    /^ (?:[a-z]{3,}s|people)\b/.test(text.slice(end, end + 24))
  );
}

/** `a 5K run`, `ran the 10K`. */
const RACES =
  /(?:^|\D)(?:5|10|15|21|42)[kK] (?:run|race|walk|event|jog|course)|(?:ran|run) (?:the |a )(?:5|10|15|21|42)[kK]/;

/** `24k gold`. */
const KARATS = /(?:^|\D)(?:9|10|14|18|21|22|24)[kK](?= gold)/;

/** `4K` is a screen, `40K` forty thousand. */
function isSingleDigit(text: string, end: number): boolean {
  return !/[\d.,]/.test(text[end - 2] ?? '');
}

/** `1K متابع`, but `4K` and `8K` are screens in any language. */
function isArabicCount(text: string, at: number, end: number): boolean {
  return !/[48]/.test(text[at - 1] ?? '') && /^ (?!ال)[ء-ي]{3}/u.test(text.slice(end, end + 4));
}

/** Currency, percent or unit directly after the number that ends at `at`, or one space on. */
export function readSuffix(scan: Scan, at: number, isMoneyContext = false): Suffix | undefined {
  const { text } = scan;
  const joint = text.charCodeAt(at);
  const start = joint === 0x20 || (joint === 0x2d && isLatin(text.charCodeAt(at + 1))) ? at + 1 : at; // 10 km, 10-km
  const sign = text[start];
  if (sign === undefined || isDigit(text.charCodeAt(start))) return undefined;
  if (sign === '%' || sign === '٪') return { of: { type: 'percent' }, end: start + 1 };
  if (joint === 0x2d && text.startsWith('in-', start)) return undefined; // 3-in-1
  return readCurrency(scan, start) ?? readUnit(scan, start, start > at, isMoneyContext);
}

/** A currency sign, code or Arabic noun at `at`, with a nationality after it. */
export function readCurrency(scan: Scan, at: number): Suffix | undefined {
  const { text } = scan;
  const code = text.charCodeAt(at);
  if (isArabic(code)) return arabicCurrency(scan, at);
  CODE.lastIndex = at;
  const found = CODE.exec(text)?.[0];
  if (found === undefined) return undefined;
  const joined =
    isLatin(code) && !isLatin(text.charCodeAt(at + found.length)) ? codeAndSign(text, at, found) : undefined;
  if (joined !== undefined) return joined;
  const currency = SIGNS.get(found.toUpperCase());
  if (
    currency === undefined ||
    (isLatin(code) &&
      ((found !== found.toUpperCase() && !CODES_OF_ANY_CASE.has(found.toLowerCase())) ||
        !isLetterEnd(text, at + found.length)))
  ) {
    return undefined;
  }
  return { of: moneyIn(currency), end: at + found.length };
}

/** A sign behind a code, before its number. */
const SIGN_BEHIND = / ?([$€£¥\u20c1\ufdfc])(?=\d)/y;
const DOLLAR = 0x24;

/** `USD$20`, `EUR€5`, `US $20`: the code, or the two together, say which money it is. */
function codeAndSign(text: string, at: number, found: string): Suffix | undefined {
  const last = at + found.length - 1;
  const end = text.charCodeAt(last) === DOLLAR ? last : last + 1;
  if (end < at + 2) return undefined;
  SIGN_BEHIND.lastIndex = end;
  const sign = SIGN_BEHIND.exec(text);
  const letters = text.slice(at, end);
  if (sign === null || letters !== letters.toUpperCase()) return undefined;
  const together = SIGNS.get(letters + sign[1]!);
  const [code, own] = [SIGNS.get(letters), SIGNS.get(sign[1]!)];
  const dollars = sign[1] === '$' && code?.ar.singular === own?.ar.singular;
  const currency = together ?? (code !== undefined && (code === own || dollars) ? code : undefined);
  return currency === undefined ? undefined : { of: moneyIn(currency), end: SIGN_BEHIND.lastIndex };
}

function moneyIn(currency: Currency): Quantity {
  return currency.arAdjective === undefined
    ? { type: 'money', currency }
    : { type: 'money', currency, adjective: currency.arAdjective };
}

function isLetterEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return !(isLatin(code) || isArabic(code));
}

function arabicCurrency(scan: Scan, at: number): Suffix | undefined {
  const { text } = scan;
  ARABIC_SIGN.lastIndex = at;
  const sign = ARABIC_SIGN.exec(text)?.[0];
  if (sign !== undefined) {
    const letters = foldWord(sign.replace(/[.\s]/g, ''));
    const currency = ARABIC_SIGNS.get(letters);
    if (currency === undefined) return undefined;
    const end = at + sign.length;
    // The dot after the last letter is part of the sign, unless it ends the text.
    const dotted = sign.includes('.') && text[end] === '.' && end + 1 < text.length;
    return { of: moneyIn(currency), end: dotted ? end + 1 : end };
  }
  const { end } = scan.next(at);
  const currency = NOUNS.get(scan.nextFolded(at));
  if (currency === undefined || !isBoundary(text, end)) return undefined;
  const after = scan.next(end);
  const nationality = after.start > end ? nationalityOf(after.word) : undefined;
  if (nationality === undefined) return { of: { type: 'money', currency }, end };
  return { of: { type: 'money', currency, adjective: nationality }, end: after.end };
}

/** سعودي, سعودياً, سعودية, سعوديين -> سعودي. */
function nationalityOf(word: string): string | undefined {
  const folded = foldWord(word).replace(/(?:ه|ا|ين|ان)$/u, '');
  return ADJECTIVES.has(folded) ? ADJECTIVE_OF.get(folded) : undefined;
}
