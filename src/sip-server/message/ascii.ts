/** Character classes and single-pass scanners of the RFC 3261 §25.1 grammar. Everything here is linear in its input. */

const SP = 0x20;
const TAB = 0x09;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LESS = 0x3c;
const GREATER = 0x3e;

/** A membership table for ASCII, so that one character costs one array read. */
export function charTable(chars: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const char of chars) table[char.charCodeAt(0)] = 1;
  return table;
}

export const DIGITS = '0123456789';
export const ALPHANUMERIC = `abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ${DIGITS}`;
export const HEX_TABLE = charTable(`${DIGITS}abcdefABCDEF`);
const DIGIT_TABLE = charTable(DIGITS);
const TOKEN_TABLE = charTable(`${ALPHANUMERIC}-.!%*_+\`'~`);
const WORD_TABLE = charTable(`${ALPHANUMERIC}-.!%*_+\`'~()<>:\\"/[]?{}`);

/** True when `text` is not empty and every character is in `table`. */
export function madeOf(text: string, table: Uint8Array): boolean {
  if (text.length === 0) return false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code > 127 || table[code] === 0) return false;
  }
  return true;
}

export function isToken(text: string): boolean {
  return madeOf(text, TOKEN_TABLE);
}
export function isTokenCode(code: number): boolean {
  return code < 128 && TOKEN_TABLE[code] === 1;
}
/** `word` of RFC 3261 §25.1, the alphabet of Call-ID. */
export function isWord(text: string): boolean {
  return madeOf(text, WORD_TABLE);
}
export function isSpace(code: number): boolean {
  return code === SP || code === TAB;
}

/** Decimal digits only, at most `max`; undefined for anything else, however many digits it has. */
export function parseUint(text: string, max: number): number | undefined {
  if (!madeOf(text, DIGIT_TABLE)) return undefined;
  const value = Number(text);
  return value <= max ? value : undefined;
}

/** Removes spaces and tabs at both ends, and only those: `String.trim` would also eat Unicode spaces. */
export function trimSpace(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/**
 * Splits at `separator` outside quoted strings and angle brackets; pieces are trimmed and may be empty.
 * Undefined when a quoted string or a bracket is never closed, so that a reader refuses instead of guessing.
 */
export function splitOutside(text: string, separator: string): string[] | undefined {
  const wanted = separator.charCodeAt(0);
  const pieces: string[] = [];
  let from = 0;
  let angle = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = quotedEnd(text, i);
      if (i < 0) return undefined;
    } else if (code === LESS) angle = true;
    else if (code === GREATER) angle = false;
    else if (code === wanted && !angle) {
      pieces.push(trimSpace(text.slice(from, i)));
      from = i + 1;
    }
  }
  if (angle) return undefined;
  pieces.push(trimSpace(text.slice(from)));
  return pieces;
}

/** Index of the quote that closes the one at `start`, or -1. */
export function quotedEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i += 1;
    else if (code === QUOTE) return i;
  }
  return -1;
}

/** True for exactly one well formed quoted string from end to end. */
export function isQuoted(text: string): boolean {
  return text.charCodeAt(0) === QUOTE && quotedEnd(text, 0) === text.length - 1;
}

/** The content of a quoted string without its escapes; other text comes back as it is. */
export function unquote(text: string): string {
  if (!isQuoted(text)) return text;
  if (!text.includes('\\')) return text.slice(1, -1);
  const parts: string[] = [];
  let from = 1;
  for (let i = 1; i < text.length - 1; i += 1) {
    if (text.charCodeAt(i) !== BACKSLASH) continue;
    parts.push(text.slice(from, i));
    from = i + 1;
    i += 1;
  }
  parts.push(text.slice(from, -1));
  return parts.join('');
}

/** A quoted string holding `text`; control characters become spaces, since a line break would end the header. */
export function quote(text: string): string {
  let out = '"';
  for (const char of text) {
    const code = char.charCodeAt(0);
    if (char === '"' || char === '\\') out += `\\${char}`;
    else out += code < SP || code === 0x7f ? ' ' : char;
  }
  return `${out}"`;
}
