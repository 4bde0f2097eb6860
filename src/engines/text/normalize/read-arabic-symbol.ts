import { match } from './numeral.ts';
import { isArabic, isDigit, isLatin, isLetter, type Scan } from './scan.ts';
import { type Classified, classified } from './token.ts';

type Reader = (scan: Scan, at: number) => Classified | undefined;

/** Signs that Arabic text says in a way of its own; what these leave is read as in any text. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['_', underscore],
  ['/', slash],
  ['&', ampersand],
  ['+', plus],
  ['*', star],
]);

export function readArabicSymbol(scan: Scan, at: number): Classified | undefined {
  return READERS.get(scan.text[at]!)?.(scan, at);
}

function words(said: string, at: number, end: number): Classified {
  return classified({ kind: 'words', words: said }, at, end);
}

function isWord(code: number): boolean {
  return isLetter(code) || isDigit(code);
}

/** `#اليوم_الوطني_95`. */
function underscore({ text }: Scan, at: number): Classified | undefined {
  return isWord(text.charCodeAt(at - 1)) && isWord(text.charCodeAt(at + 1)) ? words(' ', at, at + 1) : undefined;
}

const AND_OR = /(?:^|[^\p{L}\p{N}])و$/u;
const OR = /^[أا]و(?![ء-ي])/u;
const YEAR_BEFORE = /(?<!\d)\d{4}\s?(?:هـ|م)\s?$/u;
const YEAR_BEHIND = /\/\s?\d{4}(?!\d|[-/.,:]\d)/y;
const RATE =
  /\s?\/\s?(?=(?:اليوم|يوم|ليلة|الليلة|شهر|الشهر|سنة|السنة|ساعة|الساعة|أسبوع|شخص|الشخص|طفل|متر|كيلو|قطعة|حبة|طلب)(?![\u0621-\u064a]))/y;
const CURRENCY_BEFORE = /(?:ريالاً?|درهماً?|ديناراً?|دولاراً?|ر\.س\.?|\u20c1|\ufdfc)\s?$/u;

/** `و/أو`, `1990م/1410هـ`, `50 ريال / يوم`. */
function slash({ text }: Scan, at: number): Classified | undefined {
  const before = text.slice(Math.max(0, at - 8), at);
  if (AND_OR.test(before) && OR.test(text.slice(at + 1, at + 4))) return words('', at, at + 1);
  if (YEAR_BEFORE.test(before) && match(YEAR_BEHIND, text, at) !== undefined) return words('،', at, at + 1);
  const rate = CURRENCY_BEFORE.test(before) ? match(RATE, text, at) : undefined;
  return rate === undefined ? undefined : words('لكل', at, at + 1);
}

/** `R&D`: letters that were joined so stay apart from their و. */
function ampersand({ text }: Scan, at: number): Classified | undefined {
  const joined = isLatin(text.charCodeAt(at - 1)) && isLatin(text.charCodeAt(at + 1));
  return joined ? words(' آند ', at, at + 1) : undefined;
}

/** `A+`, `C++`: a name. */
function plus({ text }: Scan, at: number): Classified | undefined {
  const before = text.charCodeAt(text[at - 1] === '+' ? at - 2 : at - 1);
  return isLatin(before) && !isWord(text.charCodeAt(at + 1)) ? words(' بلس', at, at + 1) : undefined;
}

const STARRED = /(?:فندق|فنادق|منتجع|شقق|تصنيف|خدمة|ضيافة)[^.،]{0,24}\s[1-7]\s?$/u;

/** `فندق 5*`. */
function star({ text }: Scan, at: number): Classified | undefined {
  if (isArabic(text.charCodeAt(at + 1)) || !STARRED.test(text.slice(Math.max(0, at - 36), at))) return undefined;
  return words(' نجوم', at, at + 1);
}
