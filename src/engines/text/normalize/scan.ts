import type { Language } from '../../../core/agent.ts';
import { foldWord } from '../lexicon/fold-word.ts';

/** How far the context of a token reaches, characters: enough for six words. */
const CONTEXT_CHARS = 64;
const CONTEXT_WORDS = 6;
const NEXT_WORD_CHARS = 40;

/** A folded text with its language and the words around a place. */
export class Scan {
  readonly text: string;
  readonly language: Language;
  #leftAt = -1;
  #left: readonly string[] = [];

  constructor(text: string, language: Language) {
    this.text = text;
    this.language = language;
  }

  /** The `distance`th word before `at` (1 is the nearest), folded; empty beyond the sentence. */
  left(at: number, distance = 1): string {
    return this.#words(at)[distance - 1] ?? '';
  }

  /** Whether one of the `reach` words before `at` is in `words`. */
  leftIn(at: number, words: ReadonlySet<string>, reach: number): boolean {
    const left = this.#words(at);
    for (let index = 0; index < reach && index < left.length; index += 1) {
      const word = left[index]!;
      // و is written together with the word after it.
      if (words.has(word) || (word.length > 3 && word.startsWith('و') && words.has(word.slice(1)))) return true;
    }
    return false;
  }

  /** How many words directly before `at` are in `words`. */
  leftRun(at: number, words: ReadonlySet<string>): number {
    const left = this.#words(at);
    let count = 0;
    while (count < left.length && words.has(left[count]!)) count += 1;
    return count;
  }

  /** The word after `at`, which may be one space away; as written, with its end. Empty when there is none. */
  next(at: number): { readonly word: string; readonly start: number; readonly end: number } {
    const start = this.text.charCodeAt(at) === 0x20 ? at + 1 : at;
    const limit = Math.min(this.text.length, start + NEXT_WORD_CHARS);
    let end = start;
    while (end < limit && isLetter(this.text.charCodeAt(end))) end += 1;
    return { word: this.text.slice(start, end), start, end };
  }

  #words(at: number): readonly string[] {
    if (at !== this.#leftAt) {
      this.#leftAt = at;
      this.#left = wordsBefore(this.text, at);
    }
    return this.#left;
  }
}

function wordsBefore(text: string, at: number): string[] {
  const words: string[] = [];
  const limit = Math.max(0, at - CONTEXT_CHARS);
  let index = at - 1;
  while (index >= limit && words.length < CONTEXT_WORDS) {
    const code = text.charCodeAt(index);
    if (!isLetter(code)) {
      // A full stop before white space ends the sentence, and with it the context.
      if (isSentenceEnd(code) && index < at - 1 && text.charCodeAt(index + 1) === 0x20 && words.length + index > 3) {
        if (!isAbbreviationDot(text, index)) break;
      }
      index -= 1;
      continue;
    }
    const end = index + 1;
    while (index >= limit && isLetter(text.charCodeAt(index))) index -= 1;
    words.push(foldWord(text.slice(index + 1, end)));
  }
  return words;
}

/** `No. 5`, `ص. 5`: a dot after at most three letters. */
function isAbbreviationDot(text: string, at: number): boolean {
  let letters = 0;
  while (letters <= 3 && isLetter(text.charCodeAt(at - 1 - letters))) letters += 1;
  return text.charCodeAt(at) === 0x2e && letters <= 3;
}

function isSentenceEnd(code: number): boolean {
  return code === 0x2e || code === 0x21 || code === 0x3f || code === 0x61f;
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
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
