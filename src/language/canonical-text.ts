import { LETTER_VARIANTS } from './letter-variants.ts';

/** First digit of the decimal systems that turn up in pasted text, beside 0-9. */
const ZEROS = [
  0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0, 0x0f20,
  0x1040, 0x17e0, 0x1810, 0xff10,
];
const MATHEMATICAL_DIGITS = 0x1d7ce; // five alphabets of ten, up to 0x1d7ff
const MARK = /[\u0640\u064b-\u065f\u0670]/;
/** Ligatures of whole sentences (U+FDFA, U+FDFB) would make a text eighteen times as long. */
const LIGATURE_LETTERS_MAX = 8;
const BLESSING = ' صلي ';
const SPACE = 0x20;
const DASH = 0x2d;

/** One code unit for another, for the characters of the basic plane that need it; 0 removes. Built once. */
const FOLDS = new Map<number, number>();
for (const zero of ZEROS) for (let digit = 0; digit < 10; digit += 1) FOLDS.set(zero + digit, 0x30 + digit);
for (let code = 0xff01; code <= 0xff5e; code += 1) if (!FOLDS.has(code)) FOLDS.set(code, code - 0xfee0);
for (const [from, to] of [
  ...LETTER_VARIANTS,
  ['یې', 'ي'],
  ['ھہەۀ', 'ه'],
  ['کڪ', 'ك'],
  ['٫', '.'],
  ['٬،', ','],
  ['؟', '?'],
  ['؛', ';'],
  ['’‘ʼ', "'"],
  ['“”«»', '"'],
] as const) {
  for (const letter of from) FOLDS.set(letter.charCodeAt(0), to.charCodeAt(0));
}
for (const code of [0xa0, 0x1680, 0x202f, 0x205f, 0x3000, 0x09, 0x0b, 0x0c]) FOLDS.set(code, SPACE);
for (let code = 0x2000; code <= 0x200a; code += 1) FOLDS.set(code, SPACE);
for (const code of [0x0d, 0x85, 0x2028, 0x2029]) FOLDS.set(code, 0x0a);
for (const code of [0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0xfe58, 0xfe63]) FOLDS.set(code, DASH);
for (const [first, last] of [
  [0x00, 0x08],
  [0x0e, 0x1f],
  [0x7f, 0x84],
  [0x86, 0x9f],
  [0xad, 0xad],
  [0x0300, 0x036f],
  [0x061c, 0x061c],
  [0x0640, 0x0640], // tatweel
  [0x064b, 0x065f], // diacritics, and hamza as a mark of its own
  [0x0670, 0x0670],
  [0x06d6, 0x06ed],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x20e3, 0x20e3], // keycap
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
] as const) {
  for (let code = first; code <= last; code += 1) FOLDS.set(code, 0);
}

/**
 * A text as the recognisers read it: digits 0-9, one spelling for letters people mix, no invisible characters, lower case.
 * `lower` and `cased` have the same length; `start` and `end` lead back to the source.
 */
export class CanonicalText {
  readonly source: string;
  readonly lower: string;
  readonly cased: string;
  readonly #starts: Uint32Array | undefined; // none when nothing moved
  readonly #length: number;

  constructor(source: string) {
    this.source = source;
    const units = PLAIN.test(source) ? undefined : canonical(source);
    this.cased = units?.text ?? source;
    this.lower = this.cased.replace(/[A-ZÀ-ÖØ-Þ]+/g, (capitals) => capitals.toLowerCase());
    this.#length = this.cased.length;
    const moved =
      units !== undefined && (units.length !== source.length || units.starts[units.length - 1] !== source.length - 1);
    this.#starts = moved ? units.starts : undefined;
  }

  /** Where the character at `index` begins in the source; the length of the source at the end. */
  start(index: number): number {
    if (this.#starts === undefined) return index;
    return index < this.#length ? this.#starts[index]! : this.source.length;
  }

  /** Where the character before `index` ends in the source with its diacritics, `index` > 0. */
  end(index: number): number {
    if (this.#starts === undefined) return index;
    const start = index > 0 ? this.#starts[index - 1]! : 0;
    let end = start + (this.source.codePointAt(start)! > 0xffff ? 2 : 1);
    while (end < this.source.length && MARK.test(this.source.charAt(end))) end += 1;
    return end;
  }
}

/** The code units that `FOLDS` gives, for every one of the basic plane; 0 removes. */
const FOLDED = Uint16Array.from({ length: 0x10000 }, (_, code) => FOLDS.get(code) ?? code);
/** Printable characters, spaces and line ends stay as they are. */
const PLAIN = /^[\n\x20-\x7e]*$/;

/** Code units with where each begins in the source. */
class Units {
  codes: Uint16Array;
  starts: Uint32Array;
  length = 0;

  constructor(capacity: number) {
    this.codes = new Uint16Array(capacity);
    this.starts = new Uint32Array(capacity);
  }

  push(code: number, start: number): void {
    if (this.length === this.codes.length) this.#grow();
    this.codes[this.length] = code;
    this.starts[this.length] = start;
    this.length += 1;
  }

  /** Ligatures make a text longer. */
  #grow(): void {
    const { codes, starts } = this;
    this.codes = new Uint16Array(2 * codes.length + 1);
    this.starts = new Uint32Array(2 * starts.length + 1);
    this.codes.set(codes);
    this.starts.set(starts);
  }

  get text(): string {
    const parts: string[] = [];
    for (let at = 0; at < this.length; at += CHUNK) {
      parts.push(String.fromCharCode(...this.codes.subarray(at, Math.min(this.length, at + CHUNK))));
    }
    return parts.join('');
  }
}

const CHUNK = 8_192; // code units an argument list may carry

function canonical(source: string): Units {
  const units = new Units(source.length);
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code >= 0xd800 && code <= 0xdbff) {
      const point = source.codePointAt(at)!;
      const digit = point >= MATHEMATICAL_DIGITS && point <= 0x1d7ff ? (point - MATHEMATICAL_DIGITS) % 10 : -1;
      units.push(digit < 0 ? 0x2a : 0x30 + digit, at); // anything else of the upper planes is no letter here
      if (point > 0xffff) at += 1;
    } else if ((code >= 0xfb50 && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfefc)) {
      const letters = source.charAt(at).normalize('NFKC');
      for (const letter of letters.length > LIGATURE_LETTERS_MAX ? BLESSING : letters) {
        const folded = FOLDED[letter.charCodeAt(0)]!;
        if (folded !== 0) units.push(folded, at);
      }
    } else {
      const folded = FOLDED[code]!;
      if (folded !== 0) units.push(folded, at);
    }
  }
  return units;
}
