import type { Language } from '../../../core/agent.ts';
import { foldWord } from '../../../language/fold-word.ts';

/** How far the context of a token reaches, characters: enough for six words. */
const CONTEXT_CHARS = 64;
const CONTEXT_WORDS = 6;
const NEXT_WORD_CHARS = 40;
export const SPACE = 0x20;
export const DOT = 0x2e;
export const SLASH = 0x2f;
export const COLON = 0x3a;
const AT_SIGN = 0x40;
const WAW = 0x648;

/** A run of digits and what stands behind it. */
export interface DigitRun {
  readonly end: number;
  /** Code of the character directly behind; NaN at the end of the text. */
  readonly next: number;
  /** The same one space on, where a space is behind. */
  readonly follow: number;
}

export interface NextWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** A word of the text: a run of letters. Folded when first asked for. */
interface Word {
  readonly start: number;
  readonly end: number;
  /** A sentence ended between the word before and this one. */
  readonly first: boolean;
  folded: string | undefined;
}

const NO_WORDS: readonly string[] = [];

/** A folded text with its language and the words around a place. Each word is found and folded once, however often it is asked for. */
export class Scan {
  readonly text: string;
  readonly language: Language;
  readonly #words: Word[] = [];
  #parsedTo = 0;
  #sentenceEnded = false;
  #leftAt = -1;
  #left: readonly string[] = NO_WORDS;
  readonly #run = { end: 0, next: Number.NaN, follow: Number.NaN };
  #runAt = -1;
  #nextAt = -1;
  #next: NextWord = { word: '', start: 0, end: 0 };
  #nextFolded: string | undefined;
  #spanEnd = -1;
  #lastAddressSign = -1;

  constructor(text: string, language: Language) {
    this.text = text;
    this.language = language;
  }

  /** The `distance`th word before `at` (1 is the nearest), folded; empty beyond the sentence. */
  left(at: number, distance = 1): string {
    return this.#wordsBefore(at)[distance - 1] ?? '';
  }

  /** Whether one of the `reach` words before `at` is in `words`. */
  leftIn(at: number, words: ReadonlySet<string>, reach: number): boolean {
    const left = this.#wordsBefore(at);
    for (let index = 0; index < reach && index < left.length; index += 1) {
      const word = left[index]!;
      // و is written together with the word after it.
      if (words.has(word) || (word.length > 3 && word.charCodeAt(0) === WAW && words.has(word.slice(1)))) return true;
    }
    return false;
  }

  /** How many words directly before `at` are in `words`. */
  leftRun(at: number, words: ReadonlySet<string>): number {
    const left = this.#wordsBefore(at);
    let count = 0;
    while (count < left.length && words.has(left[count]!)) count += 1;
    return count;
  }

  /** The word after `at`, which may be one space away; as written, with its end. Empty when there is none. */
  next(at: number): NextWord {
    if (at === this.#nextAt) return this.#next;
    const start = this.text.charCodeAt(at) === SPACE ? at + 1 : at;
    const limit = Math.min(this.text.length, start + NEXT_WORD_CHARS);
    let end = start;
    while (end < limit && isLetter(this.text.charCodeAt(end))) end += 1;
    this.#nextAt = at;
    this.#nextFolded = undefined;
    this.#next = { word: this.text.slice(start, end), start, end };
    return this.#next;
  }

  /** The same word, folded: several tables are asked for it. */
  nextFolded(at: number): string {
    const { word } = this.next(at);
    this.#nextFolded ??= foldWord(word);
    return this.#nextFolded;
  }

  /**
   * The digits that begin at `at`: take the fields at once, the next call overwrites them. What follows them tells most readers at
   * once that they need not look.
   */
  digits(at: number): DigitRun {
    const run = this.#run;
    if (at !== this.#runAt) {
      let end = at;
      while (isDigit(this.text.charCodeAt(end))) end += 1;
      this.#runAt = at;
      run.end = end;
      run.next = this.text.charCodeAt(end);
      run.follow = run.next === SPACE ? this.text.charCodeAt(end + 1) : run.next;
    }
    return run;
  }

  /** Whether a sign of addresses (`@`, `://`, a dot before a letter) follows `at` before the next space. */
  mayBeAddress(at: number): boolean {
    if (at >= this.#spanEnd) {
      const space = this.text.indexOf(' ', at);
      this.#spanEnd = space < 0 ? this.text.length : space + 1;
      this.#lastAddressSign = lastAddressSign(this.text, at, this.#spanEnd);
    }
    return at < this.#lastAddressSign;
  }

  #wordsBefore(at: number): readonly string[] {
    if (at !== this.#leftAt) {
      this.#leftAt = at;
      this.#parse(at);
      this.#left = this.#collect(at);
    }
    return this.#left;
  }

  /** Finds the words that begin before `until`. */
  #parse(until: number): void {
    const { text } = this;
    let at = this.#parsedTo;
    while (at < until) {
      const code = text.charCodeAt(at);
      if (!isLetter(code)) {
        if (this.#endsSentence(at, code)) this.#sentenceEnded = true;
        at += 1;
        continue;
      }
      const start = at;
      while (isLetter(text.charCodeAt(at))) at += 1;
      this.#words.push({ start, end: at, first: this.#sentenceEnded, folded: undefined });
      this.#sentenceEnded = false;
    }
    this.#parsedTo = at;
  }

  #collect(at: number): readonly string[] {
    const words = this.#words;
    let index = words.length - 1;
    while (index >= 0 && words[index]!.start >= at) index -= 1;
    if (index < 0) return NO_WORDS;
    const limit = at - CONTEXT_CHARS;
    if (words[index]!.end <= limit || this.#sentenceEndsBetween(words[index]!.end, at)) return NO_WORDS;
    const found: string[] = [];
    for (; index >= 0 && found.length < CONTEXT_WORDS; index -= 1) {
      const word = words[index]!;
      if (word.end <= limit) break;
      found.push(word.end > at ? foldWord(this.text.slice(word.start, at)) : this.#fold(word));
      if (word.first) break;
    }
    return found;
  }

  #fold(word: Word): string {
    word.folded ??= foldWord(this.text.slice(word.start, word.end));
    return word.folded;
  }

  #sentenceEndsBetween(from: number, until: number): boolean {
    for (let at = from; at < until - 1; at += 1) {
      if (this.#endsSentence(at, this.text.charCodeAt(at))) return true;
    }
    return false;
  }

  /** A full stop before white space ends the sentence, and with it the context. */
  #endsSentence(at: number, code: number): boolean {
    return isSentenceEnd(code) && this.text.charCodeAt(at + 1) === SPACE && !isAbbreviationDot(this.text, at);
  }
}

function lastAddressSign(text: string, from: number, until: number): number {
  for (let at = until - 1; at > from; at -= 1) {
    const code = text.charCodeAt(at);
    if (code === AT_SIGN || (code === SLASH && text.charCodeAt(at - 1) === SLASH)) return at;
    if (code === DOT && isLatin(text.charCodeAt(at + 1))) return at;
  }
  return -1;
}

/** `No. 5`, `ص. 5`: a dot after one to three letters. */
function isAbbreviationDot(text: string, at: number): boolean {
  let letters = 0;
  while (letters <= 3 && isLetter(text.charCodeAt(at - 1 - letters))) letters += 1;
  if (text.charCodeAt(at) !== DOT || letters < 1 || letters > 3) return false;
  if (isLatin(text.charCodeAt(at - 1))) return true; // 841-2260 ext. 204
  // `5 م.`, `1446هـ.`: behind a number the letters are a unit.
  const before = at - 1 - letters;
  return !isDigit(text.charCodeAt(text.charCodeAt(before) === SPACE ? before - 1 : before));
}

function isSentenceEnd(code: number): boolean {
  return code === 0x2e || code === 0x21 || code === 0x3f || code === 0x61f;
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function isDash(code: number): boolean {
  return code === 0x2d || code === 0x2013 || code === 0x2014;
}

export function isLatin(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

export function isUpper(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

/** Letters of the Arabic block with their marks and tatweel, without its punctuation and digits. */
export function isArabic(code: number): boolean {
  return (code >= 0x620 && code <= 0x65f) || (code >= 0x66e && code <= 0x6d3) || (code >= 0x6fa && code <= 0x6ff);
}

export function isLetter(code: number): boolean {
  return (
    isLatin(code) ||
    isArabic(code) ||
    (code >= 0xc0 && code <= 0x24f && code !== 0xd7 && code !== 0xf7) ||
    code === 0x670 ||
    (code >= 0x370 && code <= 0x52f)
  );
}

/** Whether the character at `at` is neither letter nor digit: a token may end before it. */
export function isBoundary(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at >= text.length || !(isLetter(code) || isDigit(code));
}
