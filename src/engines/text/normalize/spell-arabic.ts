import { LETTER_NAMES_AR } from '../../../language/letters.ts';
import { ACRONYMS } from '../lexicon/acronyms.ts';
import { TRANSLITERATIONS } from '../lexicon/transliterations.ts';
import { arabicCardinal, arabicDigits } from './arabic-cardinal.ts';
import { labelParts } from './label-parts.ts';

const SIGNS: Readonly<Record<string, string>> = {
  '@': 'آت',
  '.': 'دوت',
  '/': 'سلاش',
  '\\': 'باك سلاش',
  '-': 'داش',
  _: 'أندرسكور',
  '+': 'بلس',
  '#': 'هاش',
  '=': 'يساوي',
  '?': 'علامة استفهام',
  '&': 'آند',
  '%': 'بالمئة',
  ':': 'نقطتان',
  '~': 'تلدا',
  '*': 'نجمة',
};

/** Letters of a serial as names, words by the table, digits one by one: P-101A is بي واحد صفر واحد إيه. */
export function spellArabicLabel(text: string): string {
  const words: string[] = [];
  for (const part of labelParts(text, 'ar')) {
    if (part.type === 'digits')
      words.push(part.asNumber || part.asYear ? arabicCardinal(Number(part.text)) : arabicDigits(part.text));
    else if (part.type === 'letters') words.push(arabicLetters(part.text));
    else if (part.type === 'word') words.push(arabicWord(part.text));
    else if (part.text === '*') words.push('نجمة');
    else if (part.text === '#') words.push('مربع');
    else if (part.text === '+') words.push('بلس');
    else if (part.text === '.') words.push('نقطة');
  }
  return words.join(' ');
}

/** The names of Latin letters. */
export function arabicLetters(letters: string): string {
  return letters
    .toUpperCase()
    .split('')
    .map((letter) => LETTER_NAMES_AR[letter] ?? letter)
    .join(' ');
}

/** A Latin word as it is said in Arabic; unknown ones stay Latin for the synthesiser's other voice. */
function arabicWord(word: string): string {
  return TRANSLITERATIONS.get(word.toLowerCase()) ?? ACRONYMS.get(word.toUpperCase())?.ar ?? word;
}

/** A word of an address: as it sounds, not what it means, and letters where it cannot be said. */
function addressWord(word: string): string {
  const sound = SOUNDS.get(word.toLowerCase()) ?? arabicWord(word);
  const unsaid = word.length === 2 || (word.length <= UNSAID_MAX && !/[aeiouy]/i.test(word));
  return sound === word && unsaid ? arabicLetters(word) : sound;
}

/** Words without a vowel up to this length are spelled (wps, stc), and any of two letters (bit.ly). */
const UNSAID_MAX = 4;

/** Names that the table of words translates. */
const SOUNDS: ReadonlyMap<string, string> = new Map([
  ['flynas', 'فلاي ناس'],
  ['flyadeal', 'فلاي أديل'],
  ['saudi', 'سعودي'],
  ['saudia', 'سعودية'],
  ['emirates', 'إمارات'],
  ['bahrain', 'بحرين'],
  ['kuwait', 'كويت'],
  ['qatar', 'قطر'],
  ['alinma', 'الإنماء'],
  ['battery', 'باتري'],
  ['insulin', 'إنسولين'],
]);

/** `help@example.com`: help آت example دوت كوم. The protocol is not said. */
export function spellArabicElectronic(text: string): string {
  const words: string[] = [];
  for (const [part] of text.replace(/^(?:https?|ftp):\/\//i, '').matchAll(/[A-Za-z]+|\d+|[^A-Za-z\d]/g)) {
    if (/\d/.test(part)) words.push(arabicDigits(part));
    else if (/^[A-Za-z]/.test(part)) words.push(part.length === 1 ? arabicLetters(part) : addressWord(part));
    else if (SIGNS[part] !== undefined) words.push(SIGNS[part]);
  }
  return words.join(' ');
}
