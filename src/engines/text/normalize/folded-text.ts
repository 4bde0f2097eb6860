import { pattern } from '../../../language/pattern.ts';

/** Characters a synthesiser would stumble over: controls, direction marks, joiners, byte order marks. White space stays. */
const INVISIBLE =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Variation_Selector}/u;
/** Text of these characters alone, without double spaces, needs no folding: the common case is found in one pass. */
const PLAIN = pattern()`
  ^(?! )(?:[!-~\u00a1-\u00ac\u00ae-\u00b1\u00b4-\u00b8\u00bb\u00bf-\u024f\u060c\u061b\u061f\u0621-\u0652\u066a\u2013\u2014\u2018-\u201d
  \u20ac\u20c1]| (?! |$))*$
`;
const DECIMAL_DIGIT = /\p{Nd}/u;
const OTHER_NUMBER = /[\p{No}\p{Nl}]/u;
const SPACE = /\s/u;
/** Marks that may compose with the letter before them (NFC). */
const COMPOSING = /[\u0300-\u036f\u0653-\u0655]/;
const KEPT_NUMBERS = '²³';
const ROMAN_VALUES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 50, 100, 500, 1000];
const FIRST_ROMAN = 0x2160;
const ARABIC_COMMA = '\u060c';
const COMMA_IN_NUMBER = /\d\u060c\d/;

/**
 * A text as the classifier reads it: no invisible characters, single spaces, all digits 0-9, ٫ as `.`, ٬ as `,`, ½ as `1/2`.
 * Knows for every character where it came from.
 */
export interface FoldedText {
  readonly text: string;
  /** Where the caller wrote `text.slice(start, end)`, `start` < `end`: indices into the original. */
  source(start: number, end: number): SourceRange;
}

export interface SourceRange {
  readonly from: number;
  readonly until: number;
}

export function foldText(original: string): FoldedText {
  const trimmed = original.trimEnd();
  if (PLAIN.test(trimmed) && !(trimmed.includes(ARABIC_COMMA) && COMMA_IN_NUMBER.test(trimmed)))
    return { text: trimmed, source: (from, until) => ({ from, until }) };
  const folder = new Folder(original);
  return folder.fold();
}

/** Where each character of the folded text begins and ends in the original; grows as it is written. */
class Origins {
  #starts: Uint32Array;
  #ends: Uint32Array;
  #length = 0;

  constructor(capacity: number) {
    this.#starts = new Uint32Array(capacity);
    this.#ends = new Uint32Array(capacity);
  }

  /** `count` more folded characters come from `start` to `end`. */
  add(count: number, start: number, end: number): void {
    if (this.#length + count > this.#starts.length) this.#grow(this.#length + count);
    for (let left = count; left > 0; left -= 1) {
      this.#starts[this.#length] = start;
      this.#ends[this.#length] = end;
      this.#length += 1;
    }
  }

  /** The last character also takes in the original up to `end`. */
  extendLast(end: number): void {
    this.#ends[this.#length - 1] = end;
  }

  range(start: number, end: number): SourceRange {
    return { from: this.#starts[start]!, until: this.#ends[end - 1]! };
  }

  #grow(needed: number): void {
    const capacity = Math.max(needed, this.#starts.length * 2);
    const starts = new Uint32Array(capacity);
    const ends = new Uint32Array(capacity);
    starts.set(this.#starts);
    ends.set(this.#ends);
    this.#starts = starts;
    this.#ends = ends;
  }
}

class Folder {
  readonly #original: string;
  readonly #origins: Origins;
  #text = '';
  #tail = ''; // the last piece, not yet part of #text: a mark may still compose with it
  #pendingSpace = -1; // where the white space not yet written began
  #last = '';
  #expanded = false; // whether the last character became several

  constructor(original: string) {
    this.#original = original;
    this.#origins = new Origins(original.length + 16);
  }

  fold(): FoldedText {
    const original = this.#original;
    let at = 0;
    while (at < original.length) {
      const length = original.codePointAt(at)! > 0xffff ? 2 : 1;
      const character = length === 1 ? original[at]! : original.slice(at, at + length);
      this.#take(character, at, at + length);
      at += length;
    }
    const origins = this.#origins;
    return { text: this.#text + this.#tail, source: (start, end) => origins.range(start, end) };
  }

  #take(character: string, start: number, end: number): void {
    const code = character.charCodeAt(0);
    if (code < 0x80 && code > 0x20 && code !== 0x7f && this.#pendingSpace < 0 && !this.#expanded) {
      this.#write(character, start, end);
      return;
    }
    const number = PLAIN_NUMBERS.get(character);
    if (number === undefined) {
      if (SPACE.test(character) || code === 0x85) {
        if (this.#pendingSpace < 0) this.#pendingSpace = start;
        return;
      }
      if (character.length === 1 && code >= 0xd800 && code <= 0xdfff) return; // half of a surrogate pair
      if (INVISIBLE.test(character)) return;
    }
    const folded = number === undefined ? this.#folded(character, start, end) : this.#spaced(number, start);
    if (this.#pendingSpace >= 0) {
      if (this.#tail !== '') this.#write(' ', this.#pendingSpace, start);
      this.#pendingSpace = -1;
    }
    // ½1 is a half and a one, not 1/21.
    if (this.#expanded && isDigit(folded[0] ?? '') && isDigit(this.#last)) this.#write(' ', start, start);
    if (number === undefined && COMPOSING.test(character) && this.#compose(character, end)) return;
    this.#write(folded, start, end);
  }

  #folded(character: string, start: number, end: number): string {
    const code = character.codePointAt(0)!;
    if (code < 0x80) return character;
    if (character === '\u066b') return '.';
    if (character === '\u066c') return ',';
    if (code === 0x2044 || code === 0x2215) return '/';
    if (code === 0x2212) return '-';
    if (character === ARABIC_COMMA && isDigit(this.#last) && DECIMAL_DIGIT.test(this.#original.charAt(end))) return ',';
    if (code >= 0x660 && code <= 0x669) return String(code - 0x660);
    if (code >= 0x6f0 && code <= 0x6f9) return String(code - 0x6f0);
    if (code >= 0x621 && code <= 0x652) return character;
    if (DECIMAL_DIGIT.test(character)) return String(digitValue(code));
    if (KEPT_NUMBERS.includes(character) || !OTHER_NUMBER.test(character)) return character;
    return this.#spaced(plainNumber(character, code), start);
  }

  /** `3½` is two numbers. */
  #spaced(plain: string, at: number): string {
    if (this.#pendingSpace < 0 && isDigit(this.#last) && isDigit(plain[0]!)) this.#pendingSpace = at;
    return plain;
  }

  #compose(mark: string, end: number): boolean {
    if (this.#tail === '') return false;
    const composed = (this.#tail + mark).normalize('NFC');
    if (composed.length !== this.#tail.length) return false;
    this.#tail = composed;
    this.#origins.extendLast(end);
    this.#last = composed;
    return true;
  }

  #write(folded: string, start: number, end: number): void {
    if (folded === '') return;
    this.#text += this.#tail;
    this.#tail = folded;
    this.#origins.add(folded.length, start, end);
    this.#expanded = folded.length > 1;
    this.#last = folded[folded.length - 1]!;
  }
}

/** The number signs met so far; Unicode has about a thousand. */
const PLAIN_NUMBERS = new Map<string, string>();

/** `½` is 1/2, `Ⅷ` 8, `①` 1. */
function plainNumber(character: string, code: number): string {
  let plain = PLAIN_NUMBERS.get(character);
  if (plain === undefined) {
    const roman = code >= FIRST_ROMAN && code < FIRST_ROMAN + 32;
    plain = roman
      ? String(ROMAN_VALUES[(code - FIRST_ROMAN) % 16]!)
      : character.normalize('NFKC').replaceAll('\u2044', '/');
    PLAIN_NUMBERS.set(character, plain);
  }
  return plain;
}

function isDigit(text: string): boolean {
  return text !== '' && text >= '0' && text <= '9' && text.length === 1;
}

/** Unicode keeps the ten digits of a script together, zero first (mathematical ones decompose). */
function digitValue(code: number): number {
  const plain = String.fromCodePoint(code).normalize('NFKC');
  if (plain >= '0' && plain <= '9') return Number(plain);
  let value = 0;
  while (value < 9 && DECIMAL_DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1;
  return value;
}
