import { foldedSet } from '../../../language/fold-word.ts';
import { pattern } from '../../../language/pattern.ts';
import { isAttributive } from './attributive.ts';
import { match, type ParsedNumeral, parseNumeral, parseSpacedAmount } from './numeral.ts';
import { filePath } from './read-address.ts';
import { arabicAlternatives, englishAlternatives } from './read-alternatives.ts';
import { readArabicSymbol } from './read-arabic-symbol.ts';
import { readOperator } from './read-arithmetic.ts';
import { readLeadingPlus } from './read-at-least.ts';
import { minusInSum, readDash, silentHyphen } from './read-dash.ts';
import { readSignedDigits } from './read-digits.ts';
import { readNumber, readPointFirst } from './read-number.ts';
import { isInSeries } from './read-roman.ts';
import { readCurrency, readScale, readSuffix } from './read-suffix.ts';
import { readShortYear } from './read-year.ts';
import { isBoundary, isDigit, isLatin, isLetter, isUpper, type Scan } from './scan.ts';
import type { Suffix } from './suffix.ts';
import type { Classified, Quantity, Scale, Token } from './token.ts';

/** Signs that are always said, by language: Arabic, English. */
const SPOKEN: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['&', ['و', 'and']],
  ['+', ['زائد', 'plus']],
  ['=', ['يساوي', 'equals']],
  ['×', ['في', 'times']],
  ['÷', ['على', 'divided by']],
  ['≈', ['تقريباً', 'approximately']],
  ['√', ['جذر', 'square root of']],
  ['≠', ['لا يساوي', 'not equal to']],
  ['≤', ['أقل من أو يساوي', 'less than or equal to']],
  ['≥', ['أكبر من أو يساوي', 'greater than or equal to']],
  ['±', ['زائد أو ناقص', 'plus or minus']],
  ['‰', ['بالألف', 'per mille']],
  ['%', ['بالمئة', 'percent']],
  ['٪', ['بالمئة', 'percent']],
  ['°', ['درجة', 'degrees']],
  ['²', ['تربيع', 'squared']],
  ['³', ['تكعيب', 'cubed']],
  ['\u20c1', ['ريال', 'riyals']],
  ['\ufdfc', ['ريال', 'riyals']],
  ['$', ['دولار', 'dollars']],
  ['€', ['يورو', 'euros']],
  ['£', ['جنيه', 'pounds']],
  ['@', ['آت', 'at']],
]);
/** Said only before a number. */
const BEFORE_NUMBER: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['§', ['الفقرة', 'section']],
  ['¶', ['الفقرة', 'paragraph']],
  ['©', ['حقوق النشر', 'copyright']],
  ['#', ['رقم', 'number']],
  ['№', ['رقم', 'number']],
  ['~', ['تقريباً', 'about']],
  ['<', ['أقل من', 'less than']],
  ['>', ['أكثر من', 'more than']],
]);
/** Between two operands: `5 > 3`, `x < 10`. */
const COMPARED: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['<', ['أقل من', 'is less than']],
  ['>', ['أكبر من', 'is greater than']],
]);
const OPERAND_BEFORE = /(?:\d|(?:^|\s)[a-z]) ?$/;
/** Keys of a telephone, when the words before speak of keys. */
const KEYS: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['*', ['نجمة', 'star']],
  ['#', ['مربع', 'hash']],
]);
const KEY_WORDS = foldedSet('اضغط اضغطي الضغط مفتاح زر علامة متبوعا متبوعة متبوع press dial key hit enter');
/** Two signs with one meaning in English text; `2,000/-` ends a price and is not said. */
const TWO_SIGNS: ReadonlyMap<string, string> = new Map([
  ['<=', 'less than or equal to'],
  ['>=', 'greater than or equal to'],
  ['!=', 'not equal to'],
  ['/-', ''],
  ['/=', ''],
]);
/** `Ref#:`, `Acct #: 608`, `Item # A12`. */
const NUMBERED_BEFORE = pattern('i')`
  \b(?:reference|ref|account|acct|item|order|invoice|ticket|room|phone|tel|po|id|case|serial|tracking|policy|confirmation|flight|model|
  part|member|card|vat|cr|booking|file|bill|employee|student|license|licence|unit|apt|suite) ?$
`;
const NUMBER_BEHIND = /^#(?::| [A-Z\d]|\.|$)/;
const NUMBER_SIGN: readonly [string, string] = ['رقم', 'number'];
/** C# and F#. */
const SHARP = /(?:^|[^A-Za-z\d])[CF]$/;
const SHARP_WORDS: readonly [string, string] = ['شارب', 'sharp'];
/** `#A-1093`, not `#Riyadh2030`. */
const TICKET = /[A-Z]{1,4}-?\d/y;
const UNSAID: readonly [string, string] = ['', ''];
const NUMBER_NAMES = foldedSet('رقم الرقم برقم number no');
const HASHTAG: readonly [string, string] = ['هاشتاق', 'hashtag'];

const HANDLE = /@[A-Za-z\d_][\w.]{0,40}\w/y;
const OPERATORS: ReadonlySet<string> = new Set('*/^');
const APOSTROPHES: ReadonlySet<string> = new Set("'’‘");

/** Currency or percent before its number, signs of numbers, and signs that are said. */
export function readSymbol(scan: Scan, at: number): Classified | undefined {
  const { text } = scan;
  const sign = text[at]!;
  const signed = sign === '+' || sign === '(' || sign === '*' || sign === '#' ? readSignedDigits(scan, at) : undefined;
  if (signed !== undefined) return signed;
  const own = scan.language === 'ar' ? arabicSign(scan, at) : undefined;
  if (own !== undefined) return own;
  if (sign === '@') {
    const handle = match(HANDLE, text, at);
    if (handle !== undefined)
      return { token: { kind: 'electronic', text: handle }, start: at, end: at + handle.length };
  }
  if (sign === '.') return readPointFirst(scan, at);
  if (OPERATORS.has(sign)) {
    const operator = readOperator(scan, at);
    if (operator !== undefined) return operator;
  }
  if (APOSTROPHES.has(sign)) return readShortYear(scan, at);
  if ((sign === '/' || sign === '~') && scan.language === 'en') {
    const path = filePath(scan, at);
    if (path !== undefined) return path;
  }
  if (sign === '/') return readPer(scan, at) ?? betweenWords(scan, at);
  if (sign === '-' || sign === '–')
    return minusInSum(scan, at) ?? readNegative(scan, at) ?? readDash(scan, at) ?? silentHyphen(scan, at);
  if (sign === '%' || sign === '٪') {
    const leading = isDigit(text.charCodeAt(at + 1))
      ? leadingQuantity(scan, at, { of: { type: 'percent' }, end: at + 1 })
      : undefined;
    if (leading !== undefined) return leading;
  }
  const currency = readLeadingCurrency(scan, at);
  if (currency !== undefined) return currency;
  return spokenSign(scan, at, sign);
}

/** Signs with a reading of their own in Arabic text; a percent sign typed before its number may stand one space away. */
function arabicSign(scan: Scan, at: number): Classified | undefined {
  const { text } = scan;
  if (text[at] === '+') return readLeadingPlus(scan, at) ?? readArabicSymbol(scan, at);
  const percent = (text[at] === '%' || text[at] === '٪') && /^ \d/.test(text.slice(at + 1, at + 3));
  if (percent && !/\d\s?$/.test(text.slice(Math.max(0, at - 2), at)))
    return leadingQuantity(scan, at, { of: { type: 'percent' }, end: at + 1 });
  return readArabicSymbol(scan, at);
}

/** `SAR 100`, `$5`, `ر.س 100`: at the currency. */
export function readLeadingCurrency(scan: Scan, at: number): Classified | undefined {
  const currency = readCurrency(scan, at);
  if (currency === undefined || isSerial(scan, at, currency.end)) return undefined;
  return leadingQuantity(scan, at, currency);
}

const IN_TRAVEL =
  /(?:flight|flying|gate|terminal|boarding|depart|land|arriv|airport|رحل|بواب|مطار|[إا]قلاع|هبوط|صالة|طائرة|المبنى)/iu;
const TRAVEL_CHARS = 40;

/** `JD0123456789` is a shipment and `QR1164` near a gate a flight, whatever JD and QR are besides. */
function isSerial(scan: Scan, at: number, end: number): boolean {
  const { text } = scan;
  if (end - at !== 2 || !isLatin(text.charCodeAt(at)) || !isDigit(text.charCodeAt(end))) return false;
  if (text[end] === '0' && isDigit(text.charCodeAt(end + 1))) return true;
  return text.startsWith('QR', at) && IN_TRAVEL.test(text.slice(Math.max(0, at - TRAVEL_CHARS), end + TRAVEL_CHARS));
}

const BEFORE_AMOUNT = /\.?\s?(-?)(?=\d)/y;

function leadingQuantity(scan: Scan, at: number, before: Suffix): Classified | undefined {
  BEFORE_AMOUNT.lastIndex = before.end;
  const gap = BEFORE_AMOUNT.exec(scan.text);
  if (gap === null) return undefined;
  // `$.99` has no whole dollars; `Rs. 500` is abbreviated.
  const cents = scan.text[before.end] === '.' && !isLetter(scan.text.charCodeAt(before.end - 1));
  const numberAt = BEFORE_AMOUNT.lastIndex;
  const spaced =
    scan.language === 'en' && before.of.type === 'money' ? parseSpacedAmount(scan.text, numberAt) : undefined;
  const read = spaced ?? parseNumeral(scan.text, numberAt);
  const first = cents ? { numeral: { digits: '0', fraction: read.numeral.digits }, end: read.end } : read;
  const number = gap[1] === '-' ? { ...first.numeral, negative: true } : first.numeral;
  const own = readScale(scan, first.end, true);
  const upTo = upperEnd(scan, own?.end ?? first.end, before.of);
  const end = upTo?.end ?? own?.end ?? first.end;
  const scale = upTo === undefined ? undefined : readScale(scan, end, true);
  // `$5M-$10` are two amounts.
  if (upTo !== undefined && own !== undefined && own.scale !== scale?.scale) {
    return { token: { kind: 'quantity', number, scale: own.scale, of: before.of }, start: at, end: own.end };
  }
  const token: Token = {
    kind: 'quantity',
    number,
    ...(upTo === undefined ? {} : { upTo: upTo.numeral }),
    ...scaleOf(scale ?? own),
    of: before.of,
    ...(upTo === undefined && isAttributive(scan, at, scale?.end ?? end, before.of) && { attributive: true }),
  };
  return { token, start: at, end: repeatedSign(scan, scale?.end ?? end, before.of) };
}

function scaleOf(read: ReturnType<typeof readScale>): { readonly scale?: Scale } {
  return read === undefined ? {} : { scale: read.scale };
}

const DASH = /\s?[-–—]\s?/y;

/** The second number of `$10-$20`, `SAR 100 - 300`. */
function upperEnd(scan: Scan, end: number, of: Quantity): ParsedNumeral | undefined {
  DASH.lastIndex = end;
  if (!DASH.test(scan.text)) return undefined;
  let at = DASH.lastIndex;
  const sign = readCurrency(scan, at);
  if (sign?.of.type === 'money' && of.type === 'money' && sign.of.currency === of.currency) {
    at = scan.text[sign.end] === ' ' ? sign.end + 1 : sign.end;
  }
  return isDigit(scan.text.charCodeAt(at)) ? parseNumeral(scan.text, at) : undefined;
}

/** `SAR 100 ريال` and bidirectional text that shows the sign twice: one is said. */
function repeatedSign(scan: Scan, end: number, of: Quantity): number {
  const start = scan.text[end] === ' ' ? end + 1 : end;
  if (of.type === 'percent') return scan.text[start] === '%' ? start + 1 : end;
  if (of.type !== 'money') return end;
  const again = readCurrency(scan, start);
  const same = again?.of.type === 'money' && again.of.currency === of.currency;
  return same ? again.end : end;
}

const UNIT_SIGNS: ReadonlySet<string> = new Set('"″”′°%²³');

/** A minus stands before its number and after no number or letter. */
function readNegative(scan: Scan, at: number): Classified | undefined {
  const { text } = scan;
  const before = text.charCodeAt(at - 1);
  if (isDigit(before) || isLetter(before) || text[at - 1] === '-') return undefined;
  if (scan.language === 'en' && UNIT_SIGNS.has(text[at - 1] ?? '')) return undefined; // 5°-10°
  if (!isDigit(text.charCodeAt(at + 1))) return negativeMoney(scan, at);
  const found = readNumber(scan, at + 1, true);
  const { token } = found;
  if (token.kind !== 'quantity') return undefined;
  return { ...found, start: at };
}

/** `-$250`. */
function negativeMoney(scan: Scan, at: number): Classified | undefined {
  const found = readLeadingCurrency(scan, at + 1);
  if (found?.token.kind !== 'quantity') return undefined;
  return { ...found, token: { ...found.token, number: { ...found.token.number, negative: true } }, start: at };
}

/** `6.5 L/100 km`. */
const UNIT_BEFORE = /\d ?[A-Za-z]{1,4} ?$/;
const PER_AMOUNT = /^\/ ?100 ?(?:km|g|ml|mL|m|mi)\b/;
/** `SAR/kWh`. */
const CODE_BEFORE = /(?:^|[^A-Za-z])(?:SAR|USD|AED|EUR|GBP|SR|[$€£])$/;
/** `60 beats/min`. */
const COUNT_BEFORE = /\d [a-z]{3,14}$/;
const TIME_BEHIND = /^\/(?:min|sec|hr|hour|day|week|wk|month|mo|year|yr|s|h|person|night|user|unit|item|kg|km)\b/;
const AMOUNT_BEFORE = /\d\s?(?:[A-Za-z]{1,3}[²³]?|[$€£%\u20c1\ufdfc]|ريال|ر\.?\s?س\.?)?$/u;

/** The rate of `SAR 2.18/L`, `$9.99/month`, `50 ريال/شهر`. */
function readPer(scan: Scan, at: number): Classified | undefined {
  const { text } = scan;
  const before = text.slice(Math.max(0, at - 18), at);
  if (scan.language === 'en' && UNIT_BEFORE.test(before) && PER_AMOUNT.test(text.slice(at, at + 10)))
    return { token: { kind: 'words', words: ' per ' }, start: at, end: at + 1 };
  if (!isLetter(text.charCodeAt(at + 1))) return undefined;
  const events =
    (CODE_BEFORE.test(before) && readSuffix(scan, at + 1)?.of.type === 'measure') ||
    (COUNT_BEFORE.test(before) && TIME_BEHIND.test(text.slice(at, at + 8)));
  if (!events && !AMOUNT_BEFORE.test(before)) return undefined;
  const arabic = scan.language === 'ar';
  const per = arabic ? 'لكل' : 'per';
  const unit = readSuffix(scan, at + 1);
  const letter = arabic && scan.next(at + 1).word.length === 1;
  if (letter && unit?.of.type !== 'measure') return undefined; // المادة 3/ب
  if (letter && unit?.end === at + 2 && /\d\s?$/.test(before)) return undefined; // ترخيص 1234/م
  if (unit?.of.type === 'money' && !arabic)
    return { token: { kind: 'words', words: `${per} ${unit.of.currency.en[0]}` }, start: at, end: unit.end };
  if (unit?.of.type !== 'measure') {
    const named = isUpper(text.charCodeAt(at + 1)); // EU 42/US 9
    return named ? undefined : { token: { kind: 'words', words: per }, start: at, end: at + 1 };
  }
  const { ar, arAdjective, en } = unit.of.unit;
  const name = arabic ? [ar.singular, arAdjective].filter(Boolean).join(' ') : en[0];
  return { token: { kind: 'words', words: `${per} ${name}` }, start: at, end: unit.end };
}

function betweenWords(scan: Scan, at: number): Classified | undefined {
  const alternatives = scan.language === 'en' ? englishAlternatives(scan, at) : arabicAlternatives(scan.text, at);
  return alternatives ?? betweenOrdinals(scan, at) ?? betweenRomans(scan, at);
}

const ORDINAL_BEFORE = /\d(?:st|nd|rd|th)\s?$/;
const ORDINAL_AFTER = /^\s?\d{1,3}(?:st|nd|rd|th)\b/;

/** `2nd/3rd floor`. */
function betweenOrdinals(scan: Scan, at: number): Classified | undefined {
  const { text } = scan;
  if (!ORDINAL_AFTER.test(text.slice(at + 1, at + 8)) || !ORDINAL_BEFORE.test(text.slice(Math.max(0, at - 5), at)))
    return undefined;
  return { token: { kind: 'words', words: scan.language === 'ar' ? ' أو ' : ' or ' }, start: at, end: at + 1 };
}

/** `Stage III/IV`. */
function betweenRomans(scan: Scan, at: number): Classified | undefined {
  if (!isInSeries(scan, at + 1)) return undefined;
  return { token: { kind: 'words', words: scan.language === 'ar' ? ' أو ' : ' or ' }, start: at, end: at + 1 };
}

function spokenSign(scan: Scan, at: number, sign: string): Classified | undefined {
  const { text } = scan;
  if (scan.language === 'en' && text.startsWith('+/-', at))
    return { token: { kind: 'words', words: 'plus or minus' }, start: at, end: at + 3 };
  const two = scan.language === 'en' ? TWO_SIGNS.get(text.slice(at, at + 2)) : undefined;
  if (two !== undefined && (two !== '' || isDigit(text.charCodeAt(at - 1))))
    return { token: { kind: 'words', words: two }, start: at, end: at + 2 };
  const choose = (pair: readonly [string, string], end: number): Classified => ({
    token: { kind: 'words', words: pair[scan.language === 'ar' ? 0 : 1] },
    start: at,
    end,
  });
  const afterSpace = text[at + 1] === ' ' ? at + 2 : at + 1;
  const number = BEFORE_NUMBER.get(sign);
  const named = sign === '#' && match(TICKET, text, at + 1) !== undefined;
  if (number !== undefined && (named || isDigit(text.charCodeAt(afterSpace)))) {
    const compared = COMPARED.get(sign);
    if (compared !== undefined && scan.language === 'en' && OPERAND_BEFORE.test(text.slice(Math.max(0, at - 3), at)))
      return choose(compared, at + 1);
    return choose(alreadyNumber(scan, at, sign) ? UNSAID : number, at + 1);
  }
  if (
    sign === '#' &&
    NUMBERED_BEFORE.test(text.slice(Math.max(0, at - 16), at)) &&
    NUMBER_BEHIND.test(text.slice(at, at + 5))
  )
    return choose(NUMBER_SIGN, at + 1);
  if (sign === '#' && isLetter(text.charCodeAt(at + 1))) return choose(HASHTAG, at + 1);
  const key = KEYS.get(sign);
  if (key !== undefined && isBoundary(text, at + 1)) {
    const typed = sign === '#' && isDigit(text.charCodeAt(at - 1));
    const alone = text[at - 1] === ' ' && /^(?:$|[ .,;!?])/.test(text[at + 1] ?? '');
    if (typed || (isBoundary(text, at - 1) && scan.leftIn(at, KEY_WORDS, alone ? 6 : 3))) return choose(key, at + 1);
    if (sign === '#' && SHARP.test(text.slice(Math.max(0, at - 2), at))) return choose(SHARP_WORDS, at + 1);
  }
  const spoken = SPOKEN.get(sign);
  if (spoken === undefined || text[at + 1] === sign) return undefined;
  if (sign === '&' && scan.language === 'ar' && text[at + 1] === ' ' && isLetter(text.charCodeAt(at + 2)))
    return choose(spoken, at + 2);
  return choose(spoken, at + 1);
}

/** `رقم #5` says رقم once. */
function alreadyNumber(scan: Scan, at: number, sign: string): boolean {
  return sign === '#' && scan.leftIn(at, NUMBER_NAMES, 2);
}
