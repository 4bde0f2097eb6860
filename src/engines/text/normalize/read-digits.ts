import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import { CODE_WORDS, FILLERS, MODEL_MAKERS, NUMBER_WORDS, NUMBERED_BY, PHONE_WORDS } from '../lexicon/context-words.ts';
import { isCountedWord, isLikelyCounted } from './noun-gender.ts';
import { isInClause } from './number-context.ts';
import { match, type Numeral } from './numeral.ts';
import { DOT, isDash, isDigit, type Scan, SPACE } from './scan.ts';
import type { Classified } from './token.ts';

const list = listsOf('engines/text/normalize/data/read-digits.tsv');

/** A number said digit by digit by its shape; `first`: how many digits its first run may have. */
interface Shape {
  readonly first: readonly [min: number, max: number];
  readonly starts?: number;
  readonly pattern: RegExp;
}

const STAR = 0x2a;
const SMALL_X = 0x78;
const ZERO = 0x30;
const EIGHT = 0x38;
const NINE = 0x39;
/** Phones, cards, grouped references. */
const SHAPES: readonly Shape[] = [
  { first: [2, 12], pattern: /(?!\d{2}-\d{2}-\d{4}(?!\d))\d{2,12}(?:-\d{1,12}){2,8}(?![\d-])/y },
  { first: [2, Infinity], starts: ZERO, pattern: /00\d{1,3}(?:[ -]?\d){6,12}(?!\d)/y },
  { first: [2, Infinity], starts: ZERO, pattern: /0\d(?:[ -]?\d){5,9}(?![\d.]\d|\d)/y },
  { first: [4, Infinity], starts: ZERO, pattern: /0\d{3,}(?![\d.,]\d)/y },
  { first: [3, Infinity], starts: NINE, pattern: /966(?:[ -]?\d){9}(?!\d)/y },
  { first: [4, Infinity], starts: NINE, pattern: /920\d(?:[ -]?\d){5}(?!\d)/y },
  { first: [3, Infinity], starts: EIGHT, pattern: /800(?:[ -]?\d){7}(?!\d)/y },
  { first: [4, 4], pattern: /\d{4}(?:[ -]\d{4}){2,4}(?!\d)/y },
  { first: [3, 3], pattern: /\d{3}[-. ]\d{3,4}[-. ]\d{4}(?!\d)/y },
  { first: [1, 1], pattern: /\d-\d{3}-\d{3}-\d{4}(?!\d)|\d(?:-\d){2,8}(?![\d-])/y },
  { first: [3, 3], pattern: /[2-9]\d{2}-\d{4}(?!\d)/y },
];
const PLUS_PHONE = /\+\d(?:(?:(?!\. )[ .()-]){0,2}\d){6,14}(?!\d)/y;
const BRACKET_PHONE = /\((\d{2,4})\)[ -]?\d(?:[ -]?\d){5,8}(?!\d)/y;
/** `**8890`: the hidden digits of a card are not said. */
const MASKED = /\*{2,16}[ -]?\d{2,6}(?![\d*#])/y;
/** `*8890` after the name of a card or an account, `8890*`, `608***123`. */
const ONCE_MASKED = /\*\d{3,4}(?![\d*#])/y;
const HIDDEN_AFTER = foldedSet('مدى فيزا ماستركارد من إلى لحسابك');
const MASK_BEHIND = /\d{2,6}(?:\*{1,12}(?:\d{2,6})?|[xX]{3,8}\d{2,4})(?![\d*#A-Za-z]|\s?[\d])/y;
/** `4557 88XX XXXX 1234`. */
const MASKED_CARD = /\d{4}(?:[ -]?[\dxX*]{4}){2}[ -]?\d{4}(?![\dA-Za-z])/y;
/** The groups of a code: `90 12 45`. */
const SPACED_CODE = /\d{1,4}(?: \d{1,4}){1,5}(?![\d%٪]|[.,:/-]\d)/y;
const SPACED_CODE_DIGITS = [4, 10] as const;
const KEYPAD = /[*#]\d{1,20}(?:[*#]\d{1,20}){0,6}#?/y;
const VERSION = /\d+(?:\.\d+){2,}/y;
/** `iOS 17.2`. */
const SHORT_VERSION = /\d{1,3}\.\d{1,2}(?!\d|\.\d|\s?%)/y;
const VERSION_WORDS = foldedSet(
  'الإصدار إصدار للإصدار النسخة نسخة version release ios ipados macos android python java windows bluetooth linux ubuntu',
);
const DOT_THOUSANDS = /^\d{1,3}(?:\.\d{3})+$/;

/** From this many digits an ungrouped number is a code, unless it ends in thousands. */
const CODE_DIGITS_MIN = 8;
const LONGEST_AMOUNT = 15;

/** Phones, cards and references, recognised by shape alone. */
export function readDigitShape(scan: Scan, at: number): Classified | undefined {
  const length = scan.digits(at).end - at;
  const code = spacedCode(scan, at);
  if (code !== undefined) return code;
  const mask = scan.text.charCodeAt(at + length);
  const masked = mask === STAR || (mask | 0x20) === SMALL_X ? match(MASK_BEHIND, scan.text, at) : undefined;
  if (masked !== undefined)
    return { token: { kind: 'digits', digits: onlyDigits(masked) }, start: at, end: at + masked.length };
  const card = length === 4 ? match(MASKED_CARD, scan.text, at) : undefined;
  if (card !== undefined && /[xX*]/.test(card))
    return { token: { kind: 'digits', digits: onlyDigits(card) }, start: at, end: at + card.length };
  if (!mayHaveShape(scan, at)) return undefined;
  const leading = scan.text.charCodeAt(at);
  for (const { first, starts, pattern } of SHAPES) {
    if (length < first[0] || length > first[1] || (starts !== undefined && starts !== leading)) continue;
    const found = match(pattern, scan.text, at);
    if (found === undefined) continue;
    const end = at + found.length;
    // Typed from right to left, the plus of +966 ends up behind.
    const plus = scan.text[end] === '+' && !isDigit(scan.text.charCodeAt(end + 1));
    const token = { kind: 'digits' as const, digits: onlyDigits(found) };
    return { token: plus ? { ...token, plus } : token, start: at, end: plus ? end + 1 : end };
  }
  return undefined;
}

function spacedCode(scan: Scan, at: number): Classified | undefined {
  const { next, follow } = scan.digits(at);
  if (scan.language !== 'ar' || next !== SPACE || !isDigit(follow)) return undefined;
  if (!scan.leftIn(at, CODE_WORDS, scan.leftRun(at, FILLERS) + 2)) return undefined;
  const found = match(SPACED_CODE, scan.text, at);
  const digits = found === undefined ? '' : onlyDigits(found);
  const [min, max] = SPACED_CODE_DIGITS;
  if (digits.length < min || digits.length > max) return undefined;
  return { token: { kind: 'digits', digits }, start: at, end: at + found!.length };
}

/** A group of a few digits has a shape only with a sign and another group behind it. */
function mayHaveShape(scan: Scan, at: number): boolean {
  const { end, next } = scan.digits(at);
  const length = end - at;
  if (length > 3 || scan.text.charCodeAt(at) === ZERO || isDash(next)) return true;
  return length === 3 && (next === DOT || next === SPACE) && isDigit(scan.text.charCodeAt(end + 1));
}

/** `2.0.1`, `192.168.1.1`; dots between groups of three are thousands and left alone. */
export function readVersion(scan: Scan, at: number): Classified | undefined {
  if (scan.digits(at).next !== DOT) return undefined;
  const short = scan.leftIn(at, VERSION_WORDS, 1) ? match(SHORT_VERSION, scan.text, at) : undefined;
  const found = match(VERSION, scan.text, at) ?? short;
  if (found === undefined) return undefined;
  const parts = found.split('.');
  const address =
    parts.length === 4 && parts.every((part) => part.length <= 3 && Number(part) <= 255 && !/^0\d/.test(part));
  if (DOT_THOUSANDS.test(found) && !address) return undefined;
  return { token: { kind: 'version', parts }, start: at, end: at + found.length };
}

/** `+966 50 ...`, `(011) 234 5678`, `*900#`: at the sign. */
export function readSignedDigits(scan: Scan, at: number): Classified | undefined {
  const plus = match(PLUS_PHONE, scan.text, at);
  if (plus !== undefined) {
    return { token: { kind: 'digits', digits: onlyDigits(plus), plus: true }, start: at, end: at + plus.length };
  }
  const bracket = match(BRACKET_PHONE, scan.text, at);
  if (bracket !== undefined) {
    return { token: { kind: 'digits', digits: onlyDigits(bracket) }, start: at, end: at + bracket.length };
  }
  const masked = match(MASKED, scan.text, at);
  if (masked !== undefined)
    return { token: { kind: 'digits', digits: onlyDigits(masked) }, start: at, end: at + masked.length };
  const hidden =
    scan.leftIn(at, NUMBER_WORDS, 2) || scan.leftIn(at, HIDDEN_AFTER, 1)
      ? match(ONCE_MASKED, scan.text, at)
      : undefined;
  if (hidden !== undefined)
    return { token: { kind: 'digits', digits: hidden.slice(1) }, start: at, end: at + hidden.length };
  const keypad = match(KEYPAD, scan.text, at);
  if (keypad === undefined || !(keypad.startsWith('*') || keypad.endsWith('#'))) return undefined;
  return { token: { kind: 'label', text: keypad }, start: at, end: at + keypad.length };
}

/** `أرسل 1 إلى 5050`, `send STOP to 5050`. */
const SENT_TO = foldedSet('إلى الى على للرقم لرقم to');
const STREETS = foldedSet('طريق شارع حي street road rd st ave avenue district blvd riyadh jeddah dammam');
const CITIES = foldedSet(...list('cities'));
/** `Fort Worth, TX 76102`, `CA 90210`. */
const STATE_BEFORE = new RegExp(`(?:, [A-Z]{2}|(?:^|[^A-Za-z])(?:${list('states').join('|')})) $`);
const STREET_AFTER = /^،? ?(?:طريق |شارع |(?:[A-Z][a-z]+ ){1,3}(?:Rd|Road|St|Street|Ave|Avenue|Blvd|Highway)\b)/u;
const SEND_WORDS = foldedSet('أرسل ارسل أرسلي إرسال ارسال رسالة send text sms');

/** `7719 is your login code`, `استخدم 7719 كرمز تحقق`. */
const CODE_BEHIND =
  /^ (?:(?:as|is|for) (?:your|the|a|my|our) (?:[\w-]+ ){0,3}(?:code|pin|otp|password|passcode)\b|(?:هو |كـ? ?)?(?:ال)?(?:رمز|كود))/iu;

/** Whether a plain whole number is a code, by its length, its leading zero, or the words before it. */
export function isCode(scan: Scan, at: number, end: number, number: Numeral): boolean {
  if (number.fraction !== undefined || number.grouped === true) return false;
  const { digits } = number;
  if (digits.length > 1 && digits.startsWith('0')) return true;
  if (digits.length > LONGEST_AMOUNT) return true;
  if (digits.length >= CODE_DIGITS_MIN && !digits.endsWith('000'))
    return scan.leftIn(at, NUMBERED_BY, 4) || scan.leftIn(at, NUMBER_WORDS, 2) || !countsPeople(scan, at, end);
  if (digits.length < 3) return false;
  if (isEmergencyNumber(scan, at, end, digits)) return true;
  if (digits.length === 3 && scan.leftIn(at, MODEL_MAKERS, 1)) return !countsSomething(scan, end, 3);
  const fillers = scan.leftRun(at, FILLERS);
  if (isInClause(scan, at, CODE_WORDS, fillers + (digits.length >= 4 ? 3 : 2))) return true;
  if (digits.length >= 4 && isInClause(scan, at, NUMBER_WORDS, fillers + 2)) return true;
  if (digits.length === 4 && scan.left(at) === 'ب' && /نته/u.test(scan.left(at, 2))) return true; // تنتهي بـ 4477
  const plate = isPlateLetter(scan.left(at, 1)) && isPlateLetter(scan.left(at, 2)) && scan.text[at - 2] !== '.'; // ر.س.
  if (digits.length >= 4 && plate) return true;
  if (digits.length >= 4 && CODE_BEHIND.test(scan.text.slice(end, end + 48))) return true;
  if (digits.length >= 5 && scan.leftIn(at, NUMBERED_BY, 4) && !countsSomething(scan, end, 4)) return true;
  if (isMessage(scan, at, end)) return true;
  if (isSent(scan, at, digits.length) || isInAddress(scan, at, end, digits.length)) return true;
  if (scan.left(at, 1) === 'ب' && scan.left(at, 2) === 'ص') return true; // ص.ب: a post box
  return isInClause(scan, at, PHONE_WORDS, 3) && !countsSomething(scan, end, digits.length);
}

/** Numbers of police, ambulance, fire service, traffic, health and complaints. */
const EMERGENCY_NUMBERS: ReadonlySet<string> = new Set(
  '911 112 999 997 998 993 994 996 937 940 988 101 110 113 118 119 122 123 190 191'.split(' '),
);
const EMERGENCY_CONTEXT =
  /\b(?:report|emergenc|police|ambulance|fires?\b|accident|traffic|civil defen|rescue|dial|hotline|complain|crisis|paramedic)/i;

/** `report accidents to 993`: the words around tell a number to call from an amount. */
function isEmergencyNumber({ text, language }: Scan, at: number, end: number, digits: string): boolean {
  if (
    language !== 'en' ||
    !EMERGENCY_NUMBERS.has(digits) ||
    !/ (?:to|at|on|via|or|and|number|is) $/.test(text.slice(Math.max(0, at - 8), at))
  )
    return false;
  if (/^ ?[a-z]{3,}s\b/.test(text.slice(end, end + 16))) return false;
  return EMERGENCY_CONTEXT.test(text.slice(Math.max(0, at - 64), at));
}

/** `أرسل 1 إلى 5050`: a short number that messages go to. */
export function isSent(scan: Scan, at: number, length: number): boolean {
  return length <= 6 && SENT_TO.has(scan.left(at)) && scan.leftIn(at, SEND_WORDS, 6);
}

const SENT_BEHIND = /^ (?:[إا]ل[ىي]|عل[ىي]|للرقم|لرقم|to)(?: رقم| الرقم)? \d/u;

/** The 1010 of `أرسل 1010 إلى 5050`. */
function isMessage(scan: Scan, at: number, end: number): boolean {
  return scan.leftIn(at, SEND_WORDS, 1) && SENT_BEHIND.test(scan.text.slice(end, end + 24));
}

/** `7741 King Fahd Rd, Riyadh 12214`: the building before a street, the postal code after it. */
function isInAddress(scan: Scan, at: number, end: number, length: number): boolean {
  if (length === 5 && STATE_BEFORE.test(scan.text.slice(Math.max(0, at - 5), at))) return true;
  if (length === 5 && CITIES.has(scan.left(at))) return !countsSomething(scan, end, 4);
  if (length === 5) return scan.leftIn(at, STREETS, 6) && !countsSomething(scan, end, 4);
  return length === 4 && STREET_AFTER.test(scan.text.slice(end, end + 40));
}

const COUNTED_UP = foldedSet('عدد بلغ بلغت يبلغ تبلغ تجاوز تجاوزت إجمالي مجموع');

/** `عدد المشاهدات 15432876`, `34218169 نسمة`: a long number without its commas. */
function countsPeople(scan: Scan, at: number, end: number): boolean {
  return (
    scan.language === 'ar' &&
    (scan.leftIn(at, COUNTED_UP, 2) || countsSomething(scan, end, 4) || isLikelyCounted(scan.next(end).word))
  );
}

/** `call 100 customers`, `كلم 120 عميل`: a counted noun follows directly. */
function countsSomething(scan: Scan, end: number, length: number): boolean {
  if (length > 4) return false;
  const { word } = scan.next(end);
  return /^[a-z]+s$/.test(word) || isCountedWord(word);
}

function isPlateLetter(word: string): boolean {
  return word.length === 1 && word !== 'و';
}

function onlyDigits(text: string): string {
  let digits = '';
  for (let at = 0; at < text.length; at += 1) if (isDigit(text.charCodeAt(at))) digits += text[at];
  return digits;
}
