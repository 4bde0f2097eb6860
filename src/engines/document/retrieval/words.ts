import { fold } from '../../../language/fold.ts';

const OTHER = 1;
const WORD = 2;
const JOINS_DIGITS = 3; // between two digits: 1,250 12/03/2025 9:30
const JOINS_LETTERS = 4; // between two letters: don't

const MAX_WORD_CHARS = 64; // a longer one is no word: its beginning stands for it

/** What each UTF-16 unit is, learnt as it is met. */
const CLASSES = new Uint8Array(65_536);

function classOf(code: number): number {
  const known = CLASSES[code]!;
  if (known !== 0) return known;
  const char = String.fromCharCode(code);
  let found = OTHER;
  if (/[\p{L}\p{N}\p{M}\u0640\u200c\u200d]/u.test(char)) found = WORD;
  else if ('.,:/-٫٬'.includes(char)) found = JOINS_DIGITS;
  else if ("'’".includes(char)) found = JOINS_LETTERS;
  CLASSES[code] = found;
  return found;
}

function isDigit(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x660 && code <= 0x669) || (code >= 0x6f0 && code <= 0x6f9);
}

/**
 * Reports every word of `text` between two offsets, in order, as it is written. One pass, nothing allocated: this runs
 * over whole documents.
 */
export function eachWord(text: string, from: number, to: number, visit: (start: number, end: number) => void): void {
  let start = -1;
  for (let i = from; i < to; i += 1) {
    const code = text.charCodeAt(i);
    const kind = classOf(code);
    if (kind === WORD) {
      if (start < 0) start = i;
      continue;
    }
    if (start < 0) continue;
    if (kind !== OTHER && i + 1 < to && i > start) {
      const before = text.charCodeAt(i - 1);
      const after = text.charCodeAt(i + 1);
      if (kind === JOINS_DIGITS && isDigit(before) && isDigit(after)) continue;
      if (kind === JOINS_LETTERS && classOf(before) === WORD && classOf(after) === WORD) continue;
    }
    visit(start, Math.min(i, start + MAX_WORD_CHARS));
    start = -1;
  }
  if (start >= 0) visit(start, Math.min(to, start + MAX_WORD_CHARS));
}

/** The words of a short text as written. */
export function rawWords(text: string): string[] {
  const words: string[] = [];
  eachWord(text, 0, text.length, (start, end) => words.push(text.slice(start, end)));
  return words;
}

/** A word as it is compared; see `fold`. Digits come out as ASCII without thousands separators. */
export function foldWord(raw: string): string {
  if (/^[a-z0-9]+$/.test(raw)) return raw;
  const folded = fold(raw);
  return folded.includes(' ') ? folded.slice(0, folded.indexOf(' ')) : folded;
}
