import type { Language } from '../../core/agent.ts';

/** Input beyond this is not looked at: matching stays linear in a small bounded text. */
export const MAX_INPUT_CHARS = 4_000;
/** One utterance of a telephone turn never holds more words; the rest is ignored. */
export const MAX_WORDS = 200;

/** A folded word and how it was written: the folded form is compared, the raw one is said back. */
export interface Word {
  readonly text: string;
  readonly raw: string;
}

const FOLDED: Readonly<Record<string, string>> = {
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ئ: 'ي',
  ؤ: 'و',
  ة: 'ه',
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

/** The words of an utterance, folded, each with its raw spelling (punctuation stripped). At most `MAX_WORDS`. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const piece of clip(text, MAX_INPUT_CHARS).split(/[\s،؛]+/)) {
    if (piece === '') continue;
    const raw = piece.replace(/^[^\p{L}\p{N}*#+]+|[^\p{L}\p{N}\p{M}*#]+$/gu, '');
    for (const part of fold(piece).split(' ')) {
      if (part === '') continue;
      if (words.length >= MAX_WORDS) return words;
      words.push({ text: part, raw: raw === '' ? part : raw });
    }
  }
  return words;
}

const MAX_SAID_CHARS = 400;

/** Words as they were said, to be kept for a later turn. */
export function asSaid(words: readonly Word[]): string {
  return words
    .map(({ raw }) => raw)
    .join(' ')
    .slice(0, MAX_SAID_CHARS);
}

/** The language of what was said by its letters; undefined where there are none (keys, numbers). */
export function languageOfText(text: string): Language | undefined {
  let arabic = 0;
  let latin = 0;
  for (const char of clip(text, MAX_INPUT_CHARS)) {
    if (/\p{Script=Arabic}/u.test(char) && /\p{L}/u.test(char)) arabic += 1;
    else if (/\p{Script=Latin}/u.test(char)) latin += 1;
  }
  if (arabic + latin === 0) return undefined;
  return arabic >= 0.3 * (arabic + latin) ? 'ar' : 'en';
}

const ARABIC_PREFIXES = ['وال', 'بال', 'كال', 'فال', 'عال', 'هال', 'لل', 'ال'];
const ARABIC_SUFFIXES = [
  'تكم',
  'تنا',
  'كم',
  'هم',
  'ها',
  'نا',
  'ات',
  'ين',
  'ون',
  'تي',
  'تك',
  'ته',
  'ني',
  'يه',
  'ه',
  'ك',
  'ي',
  'ا',
  'و',
];
const ENGLISH_SUFFIXES: readonly (readonly [string, string])[] = [
  ['ations', 'at'],
  ['ation', 'at'],
  ['ings', ''],
  ['ing', ''],
  ['ies', 'y'],
  ['ied', 'y'],
  ['ments', ''],
  ['ment', ''],
  ['ed', ''],
  ['es', ''],
  ['s', ''],
  ['ly', ''],
  ['e', ''],
];

/**
 * A light stem of one folded word: articles, attached prepositions, personal verb prefixes and the commonest endings
 * fall away. It need not be a root; it must only be the same for `موعدي`, `الموعد` and `موعد`.
 */
export function stem(word: string): string {
  if (/[؀-ۿ]/.test(word)) return stemArabic(word);
  return stemEnglish(word);
}

function stemArabic(word: string): string {
  let out = word;
  for (const prefix of ARABIC_PREFIXES) {
    if (out.startsWith(prefix) && out.length - prefix.length >= 3) {
      out = out.slice(prefix.length);
      break;
    }
  }
  for (const suffix of ARABIC_SUFFIXES) {
    if (
      out.endsWith(suffix) &&
      out.length - suffix.length >= (suffix.length === 1 ? 3 : 2) + (suffix === 'ا' ? -1 : 0)
    ) {
      out = out.slice(0, -suffix.length);
      break;
    }
  }
  // Persons of the verb: احجز، نحجز، تحجز، يحجز.
  if (out.length >= 4 && /^[اتني]/.test(out)) out = out.slice(1);
  else if (out.length === 3 && /^ا/.test(out) && /[يا]$/.test(word)) out = out.slice(1);
  return out;
}

function stemEnglish(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word;
  for (const [suffix, replacement] of ENGLISH_SUFFIXES) {
    if (!word.endsWith(suffix)) continue;
    const rest = word.slice(0, -suffix.length);
    if (rest.length < 3 || (suffix === 's' && rest.endsWith('s'))) continue;
    // cancelled, cancelling, stopped: the doubled consonant belongs to the ending.
    const single = /^(?:ed|ing|ings)$/.test(suffix) ? rest.replace(/([bdglmnprt])\1$/, '$1') : rest;
    return single.replace(/e$/, '') + replacement;
  }
  return word;
}
