import { isCardRange } from '../../../language/check-digits.ts';
import { isOtherPolicy } from './codes.ts';
import type { Kind } from './kinds.ts';
import type { Label } from './labels.ts';
import { isPersonalPhone } from './number-rules.ts';
import { isCounted, isReadOutWord, LAST_DIGITS, takesBack, withoutLast } from './read-out.ts';
import type { Found, Reading } from './reading.ts';
import { saidAt } from './spoken-digits.ts';

/** What a number that is dictated piece by piece is. */
interface Dictated {
  readonly kind: Kind;
  readonly labels: readonly Label[];
  /** It ends where its digits are such a number. */
  readonly isWhole?: (digits: string) => boolean;
  /** Of any length: it ends where something else is spoken of. */
  readonly digitsMin?: number;
}

const PHONE: Dictated = { kind: 'Phone Number', labels: ['phone'], isWhole: isPersonalPhone };
const DICTATED: readonly Dictated[] = [
  PHONE,
  { kind: 'National ID', labels: ['id', 'iqama'], isWhole: (digits) => /^1[0-9]{9}$/.test(digits) },
  { kind: 'Iqama', labels: ['iqama', 'id'], isWhole: (digits) => /^2[0-9]{9}$/.test(digits) },
  { kind: 'Card Number', labels: ['card'], isWhole: (digits) => digits.length === 16 && isCardRange(digits) },
  { kind: 'Bank Account', labels: ['account'], digitsMin: 6 },
  { kind: 'Policy Number', labels: ['policy'], digitsMin: 5 },
  { kind: 'Credential', labels: ['code', 'pin'], digitsMin: 4 },
  { kind: 'Credential', labels: ['security'], digitsMin: 3 },
];
/** How a mobile or landline number of the country begins, that nobody has called one. */
const CALLED_SO_BY_ITSELF = /^(?:05|9665|009665|01[1-7])/;

/** A number begins so near to what it is, also in the next turn. */
const REACH_CHARS = 70;
/** Between two pieces, whatever the words are; and where the number may be of any length. */
const REMARK_WORDS_MAX = { whole: 8, open: 6 } as const;
const PIECES_MAX = 12;
const DIGITS_MAX = 24;
/** Who begins anew begins with the same digits. */
const RESTART_MIN = 3;

/** Digits that follow one another. */
interface Piece {
  readonly first: number; // tokens
  readonly last: number;
  readonly digits: string;
}

/**
 * Numbers that are dictated with remarks between their pieces: `zero five five hold on three four eight my pen one nine two six`. The
 * words between tell nothing; that the pieces together are a number of the kind that was named, or one of a phone, does. Each piece is
 * found by itself, so the remarks stay.
 */
export function findDictated(reading: Reading): Found[] {
  const found: Found[] = [];
  let free = 0; // pieces before this token are spoken for
  const take = (from: number, what: Dictated): void => {
    const pieces = from < free ? undefined : piecesFrom(reading, from, what);
    if (!pieces) return;
    free = pieces.at(-1)!.last + 1;
    for (const { first, last, digits } of pieces) found.push(reading.foundTokens(what.kind, first, last, 0.6, digits));
  };
  for (const label of reading.labels) {
    for (const what of DICTATED) {
      if (!what.labels.includes(label.meaning) || (label.meaning === 'policy' && isOtherPolicy(reading, label)))
        continue;
      const from = firstPiece(reading, label.last);
      // What a label names has been taken out already where its number may be of any length.
      if (from !== undefined && (what.isWhole || reading.noPlaceholderBetween(label.last, from))) take(from, what);
    }
  }
  for (let at = 0; at < reading.tokens.length; ) {
    const piece = pieceAt(reading, at);
    if (piece && CALLED_SO_BY_ITSELF.test(piece.digits)) take(at, PHONE);
    at = Math.max(free, piece ? piece.last + 1 : at + 1);
  }
  return found;
}

/** The token where the first digits behind a label begin. */
function firstPiece(reading: Reading, label: number): number | undefined {
  const { tokens } = reading;
  const end = tokens[label]!.end;
  for (let at = label + 1; at < tokens.length && tokens[at]!.start - end <= REACH_CHARS; at += 1) {
    const piece = pieceAt(reading, at);
    if (piece) return isCountedPiece(reading, piece) ? undefined : at;
  }
  return undefined;
}

/** The pieces of one number, two or more; undefined where they are none. */
function piecesFrom(
  reading: Reading,
  from: number,
  { isWhole, digitsMin = 0 }: Dictated,
): readonly Piece[] | undefined {
  const { tokens } = reading;
  const remarkMax = isWhole ? REMARK_WORDS_MAX.whole : REMARK_WORDS_MAX.open;
  const pieces: Piece[] = [];
  let readings: readonly string[] = [''];
  let remark: string[] = [];
  for (let at = from; at < tokens.length && pieces.length < PIECES_MAX; ) {
    reading.steps += 1;
    const piece = pieceAt(reading, at);
    if (!piece) {
      remark.push(tokens[at]!.text);
      if (remark.length > remarkMax) break;
      at += 1;
      continue;
    }
    if (isCountedPiece(reading, piece) || (!isWhole && pieces.length > 0 && !remark.some(isReadOutWord))) break;
    const before = pieces.at(-1);
    if (before) readings = headsOf(readings, before.digits, piece.digits, remark.some(takesBack));
    readings = readings.map((head) => head + piece.digits).filter(({ length }) => length <= DIGITS_MAX);
    if (readings.length === 0) break;
    pieces.push(piece);
    if (isWhole && readings.some(isWhole)) return pieces.length > 1 ? pieces : undefined;
    remark = [];
    at = piece.last + 1;
  }
  const isEnough = !isWhole && pieces.length > 1 && readings.some(({ length }) => length >= digitsMin);
  return isEnough ? pieces : undefined;
}

/** What the digits before a piece may have been: without what it says again, or takes back. */
function headsOf(readings: readonly string[], before: string, next: string, isTakenBack: boolean): readonly string[] {
  if (next.startsWith(before)) return withoutLast(readings, [before.length]);
  if (next.length > 1 && before.endsWith(next)) return withoutLast(readings, [next.length]);
  const isRestart = next.length >= RESTART_MIN && readings[0]!.startsWith(next.slice(0, RESTART_MIN));
  if (isTakenBack) return withoutLast(readings, [0, before.length, DIGITS_MAX, ...LAST_DIGITS]);
  return isRestart ? [...readings, ''] : readings;
}

const BESIDE = /^[\s.-]{0,3}$/;

/** The digits that begin at a token; a single one in words is none: `one minute`. */
function pieceAt(reading: Reading, from: number): Piece | undefined {
  const { lower, tokens } = reading;
  let digits = '';
  let at = from;
  while (at < tokens.length && digits.length <= DIGITS_MAX && (at === from || BESIDE.test(reading.gapBefore(at)))) {
    const token = tokens[at]!;
    const said = token.type === 'digits' ? { digits: token.text, next: at + 1 } : saidAt(lower, tokens, at);
    if (!said) break;
    // `two three eight one minute`: the last is so many of what follows.
    if (at > from && said.digits.length === 1 && isCounted(tokens[said.next]?.text ?? '')) break;
    digits += said.digits;
    at = said.next;
  }
  const isAlone = at === from + 1 && tokens[from]!.type === 'word' && digits.length < 2;
  return digits === '' || isAlone ? undefined : { first: from, last: at - 1, digits };
}

/** An amount, a time, or so many of something. */
function isCountedPiece(reading: Reading, { first, last }: Piece): boolean {
  const { tokens, figures } = reading;
  if (figures.isBlocked(tokens[first]!.start, tokens[last]!.end)) return true;
  const next = first === last ? tokens[last + 1] : undefined; // what is read digit by digit is no quantity
  return next !== undefined && /^ $/.test(reading.gapBefore(last + 1)) && isCounted(next.text);
}
