import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import type { Bridge, Token } from './tokens.ts';

const list = listsOf('engines/text/redact/data/read-out.tsv');
const PAUSES = foldedSet(...list('pauses'));
const LINKS = foldedSet(...list('links'));
const TAKES = foldedSet(...list('takes'));
const SPEAKERS = foldedSet(...list('speakers'));
const REPEATS = foldedSet(...list('repeats'));
const REPAIRS = foldedSet(...list('repairs'));
const COUNTED = foldedSet(...list('counted'));

/** Whether a word belongs to reading a number out, rather than to a sentence about something. */
export const isReadOutWord = (word: string): boolean =>
  PAUSES.has(word) || TAKES.has(word) || SPEAKERS.has(word) || takesBack(word);
/** Whether a word says that what came before is said once more, or otherwise. */
export const takesBack = (word: string): boolean => REPAIRS.has(word) || REPEATS.has(word);
/** Whether a number before this word says how many of it. */
export const isCounted = (word: string): boolean => COUNTED.has(word);

/** Between two pieces at most. */
const WORDS_MAX = 8;
const CHARS_MAX = 64;
const GAP = /^[\s,.?!;:…"'()[\]-]{0,6}$/;

/**
 * Whether nothing but time passes between the number that ended before token `from` and a piece of it further on: `um`, `sorry`,
 * `Agent: yes? Caller:`.
 *
 * @param isDigit - whether a token begins a piece.
 * @param written - of written numbers only hesitation and another's turn are no words of a sentence.
 */
export function bridgeFrom(
  lower: string,
  tokens: readonly Token[],
  from: number,
  isDigit: (at: number) => boolean,
  written: boolean,
): { readonly kind: Bridge; readonly next: number } | undefined {
  const startChar = tokens[from - 1]!.end;
  let kind: Bridge = 'pause';
  let hasSpeaker = false;
  let isAloud = !written;
  for (let at = from; at < tokens.length && at - from <= WORDS_MAX; at += 1) {
    const token = tokens[at]!;
    const before = lower.slice(tokens[at - 1]!.end, token.start);
    if (token.end - startChar > CHARS_MAX || !GAP.test(before)) return undefined;
    if (isDigit(at)) return at > from && (isAloud || hasSpeaker) ? { kind, next: at } : undefined;
    const { text } = token;
    if (SPEAKERS.has(text) && COLON.test(lower.slice(token.end, token.end + 2))) {
      hasSpeaker = true;
      if (kind === 'pause') kind = 'turn';
    } else if (REPAIRS.has(text)) kind = 'repair';
    else if (TAKES.has(text) || REPEATS.has(text)) {
      if (kind === 'pause') kind = 'turn';
    } else if (PAUSES.has(text)) isAloud = true;
    else if (!LINKS.has(text)) return undefined;
  }
  return undefined;
}

const COLON = /^ ?:/;

/** Digits that a repair may take back, beside all of the piece before it. */
const TAKEN_BACK_MAX = 3;
const READINGS_MAX = 12;
export const LAST_DIGITS = Array.from({ length: TAKEN_BACK_MAX }, (_, index) => index + 1);

/** What digits may have been, without so many at their end. */
export function withoutLast(readings: readonly string[], counts: readonly number[]): readonly string[] {
  const heads = counts.flatMap((count) => readings.map((one) => one.slice(0, Math.max(0, one.length - count))));
  return [...new Set(heads)].slice(0, READINGS_MAX);
}

/**
 * What the digits before a bridge may have been, when those after it are read: all of them; or, where the piece before it was said
 * again or taken back, without that piece or without its last digits.
 */
export function readingsAfter(readings: readonly string[], piece: string, kind: Bridge): readonly string[] {
  if (kind === 'pause') return readings;
  const last = kind === 'turn' ? [] : LAST_DIGITS.filter((count) => count < piece.length);
  return withoutLast(readings, [0, piece.length, ...last]);
}
