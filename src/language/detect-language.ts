import type { Language } from '../core/agent.ts';
import { clip, MAX_INPUT_CHARS } from './fold.ts';

type Range = readonly [first: number, last: number];

/** Letters by script; digits and punctuation belong to none. */
const LATIN: readonly Range[] = [
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0xc0, 0xd6],
  [0xd8, 0xf6],
  [0xf8, 0x2b8],
  [0x1e00, 0x1eff],
  [0x2160, 0x2188],
  [0xff21, 0xff3a],
  [0xff41, 0xff5a],
];
const ARABIC: readonly Range[] = [
  [0x620, 0x63f],
  [0x641, 0x65f],
  [0x66e, 0x6dc],
  [0x6de, 0x6ef],
  [0x6fa, 0x6ff],
  [0x750, 0x77f],
  [0x8a0, 0x8e1],
  [0xfb50, 0xfdff],
  [0xfe70, 0xfefc],
];
const ARABIC_DIGITS: readonly Range[] = [
  [0x660, 0x669],
  [0x6f0, 0x6f9],
];

const LATIN_LETTER = 1;
const ARABIC_LETTER = 2;
const ARABIC_DIGIT = 3;
/** What each UTF-16 code unit counts as: 64 kB, so that a text costs one look per character. */
const KIND = kinds();

function kinds(): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (const [first, last] of LATIN) table.fill(LATIN_LETTER, first, last + 1);
  for (const [first, last] of ARABIC) table.fill(ARABIC_LETTER, first, last + 1);
  for (const [first, last] of ARABIC_DIGITS) table.fill(ARABIC_DIGIT, first, last + 1);
  return table;
}

/** The language most letters belong to; text without letters counts as Arabic when it has Arabic-Indic digits. */
export function detectLanguage(text: string): Language {
  const counts = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) counts[KIND[text.charCodeAt(at)]!]! += 1;
  const [, latin, arabic, arabicDigits] = counts as [number, number, number, number];
  if (arabic === 0 && latin === 0) return arabicDigits > 0 ? 'ar' : 'en';
  return arabic >= latin ? 'ar' : 'en';
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
