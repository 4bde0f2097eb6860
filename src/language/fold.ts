import { LETTER_VARIANTS } from './letter-variants.ts';

/** Input beyond this is not looked at: matching stays linear in a small bounded text. */
export const MAX_INPUT_CHARS = 4_000;

/** What one letter is written for another, and what nobody says. */
const FOLDED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LETTER_VARIANTS),
  ی: 'ي',
  ۀ: 'ه',
  ک: 'ك',
  گ: 'ق',
  چ: 'ج',
  پ: 'ب',
  ڤ: 'ف',
  ء: '',
  "'": '',
  '’': '',
  '‘': '',
  '`': '',
  '٫': '.',
  '٬': '',
};
/** Diacritics, tatweel, bidi marks, zero-width characters, combining accents: they carry nothing here. */
const DROPPED =
  /[\u064b-\u065f\u0670\u06d6-\u06ed\u0640\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\u00ad]|[\u0300-\u036f]/;
const INSIDE_NUMBER = new Set([':', '/', '.', '-']);

/** Cuts without splitting a surrogate pair. */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars);
}

function asciiDigit(code: number): string | undefined {
  if (code >= 0x30 && code <= 0x39) return String.fromCharCode(code);
  if (code >= 0x660 && code <= 0x669) return String.fromCharCode(code - 0x660 + 0x30);
  if (code >= 0x6f0 && code <= 0x6f9) return String.fromCharCode(code - 0x6f0 + 0x30);
  return undefined;
}

/** Folded already but for capitals, as most of what lists hold and recognisers write. */
const PLAIN_WORD = '[A-Za-z0-9\u0627\u0628\u062a-\u063a\u0641-\u0648\u064a]+';
const PLAIN = new RegExp(`^(?:${PLAIN_WORD}(?: ${PLAIN_WORD})*)?$`);

/** Signs of ASCII, letters and vowels of Arabic: folded one by one, they need no normal form before. */
const NORMAL = /^[\0-\x7f\u060c\u061b\u061f\u0621-\u0652\u0660-\u0669]*$/;

const SEPARATOR = '\n';
/** What each character folds to, learnt as it is met: at most one entry for every UTF-16 unit. */
const FOLDED_UNITS: (string | undefined)[] = [];

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9';
}

/** The folded form of one UTF-16 unit: '' where it is dropped, `SEPARATOR` where it parts words. */
function foldChar(code: number, char: string): string {
  const known = FOLDED_UNITS[code];
  if (known !== undefined) return known;
  const folded = foldUnit(code, char);
  FOLDED_UNITS[code] = folded;
  return folded;
}

function foldUnit(code: number, char: string): string {
  if (DROPPED.test(char)) return '';
  const digit = asciiDigit(code) ?? FOLDED[char];
  if (digit !== undefined) return digit;
  if (INSIDE_NUMBER.has(char) || char === ',') return char;
  return /[\p{L}\p{N}*#+&%]/u.test(char) ? char.toLowerCase() : SEPARATOR;
}

/**
 * Text as it is compared: one spelling for every alef, ya and ta marbuta, no diacritics, ASCII digits, lower case,
 * single spaces. `: / . -` survive only between digits (times and dates). Linear, and bounded by `MAX_INPUT_CHARS`.
 */
export function fold(text: string): string {
  if (text.length <= MAX_INPUT_CHARS && PLAIN.test(text)) return text.toLowerCase();
  const source = normalForm(clip(text, MAX_INPUT_CHARS));
  // NFKD splits أ into alef and hamza above, é into e and an accent; the second halves are dropped below.
  let out = '';
  let before = ' '; // the last character of `out`
  for (let i = 0; i < source.length && out.length < MAX_INPUT_CHARS; i += 1) {
    const folded = foldChar(source.charCodeAt(i), source[i]!);
    let next = folded;
    if (folded === SEPARATOR) next = ' ';
    else if (folded.length === 1 && INSIDE_NUMBER.has(folded)) {
      next = isDigit(before) && asciiDigit(source.charCodeAt(i + 1)) !== undefined ? folded : ' ';
    } else if (folded === ',') {
      next = isDigit(before) && /^\d{3}(?!\d)/.test(source.slice(i + 1, i + 5)) ? '' : ' '; // 1,250 is one number
    }
    if (next === '' || (next === ' ' && before === ' ')) continue;
    out += next;
    before = next;
  }
  return out.trim();
}

function normalForm(text: string): string {
  return NORMAL.test(text) ? text : clip(text.normalize('NFKC').normalize('NFKD'), MAX_INPUT_CHARS * 2);
}
