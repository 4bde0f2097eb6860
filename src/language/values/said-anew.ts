import { isNumberWord } from '../number-words.ts';
import type { Span } from '../phrases/phrases-in.ts';
import type { Word } from '../words.ts';
import { ADDRESS_PARTS, isName, JOINS, NUMBERED } from './place.ts';

/**
 * A piece of a text: `number eight`, `on orchid street`, `in hittin`. What it is called by tells which piece of another saying
 * of the text it stands for; names alone are called nothing.
 */
interface Piece {
  readonly kind: string;
  /** Small words before it. */
  readonly lead: readonly Word[];
  readonly words: readonly Word[];
}

const NUMBER = '#';
const NUMBER_NAMES = new Set(['number', 'no', 'رقم']);
/** Kinds that may be said beside what was said before. */
const OTHERS = new Set(['', '#', 'in']);
const INSIDE = new Set(['in', 'في']);
const ARTICLES = new Set(['al', 'el', 'the']);
const ARABIC = /[؀-ۿ]/;
const MAX_NAME_WORDS = 3;

/** `villa 14 king street` with `villa 40`, `40` or `palm street`: the piece that is said anew takes its place; anything else stands alone. */
export function replaced(before: readonly Word[], anew: readonly Word[]): readonly Word[] {
  const number = anew.every(isNumber) ? lastNumber(before) : undefined;
  if (number) return [...before.slice(0, number.start), ...anew, ...before.slice(number.end)];
  const [first] = anew;
  const place = before.findIndex((word) => word.text === first?.text);
  const isPlaced = place >= 0 && place + anew.length <= before.length;
  const isPiece = first !== undefined && (JOINS.has(first.text) || ADDRESS_PARTS.has(first.text));
  if (isPlaced && !isPiece) return [...before.slice(0, place), ...anew, ...before.slice(place + anew.length)];
  const mended = withPieces(piecesOf(before), piecesOf(anew));
  if (mended) return mended.flatMap(({ lead, words }) => [...lead, ...words]);
  return isPlaced ? [...before.slice(0, place), ...anew, ...before.slice(place + anew.length)] : anew;
}

function isNumber({ text }: Word): boolean {
  return isNumberWord(text);
}

function lastNumber(words: readonly Word[]): Span | undefined {
  const end = words.findLastIndex(isNumber) + 1;
  if (end === 0) return undefined;
  const start = words.slice(0, end).findLastIndex((word) => !isNumber(word)) + 1;
  return { start, end };
}

/** The pieces with those that are said anew; undefined where these are a text of their own. */
function withPieces(before: readonly Piece[], anew: readonly Piece[]): readonly Piece[] | undefined {
  const [first, ...more] = anew;
  if (!first) return undefined;
  if (first.kind === '') return more.length === 0 ? withName(before, first) : undefined;
  if (!before.some(({ kind }) => kind === first.kind)) return undefined;
  let pieces = before;
  for (const piece of anew) {
    const at = piece.kind === '' ? -1 : pieces.findLastIndex(({ kind }) => kind === piece.kind);
    // `number eight palm street` with `olaya street villa nine`: the number of the one place is none of the other.
    if (at < 0 && piece.words.some(isNumber) && before.some(({ words }) => words.some(isNumber))) return undefined;
    if (at < 0 && !OTHERS.has(piece.kind)) return undefined; // `12 olaya street` with `88 king road`
    pieces = at < 0 ? [...pieces, piece] : pieces.with(at, { ...piece, lead: leadOf(pieces[at]!, piece) });
  }
  return pieces;
}

function leadOf(held: Piece, { lead }: Piece): readonly Word[] {
  return lead.length > 0 ? lead : held.lead.filter(({ text }) => !ARTICLES.has(text));
}

/** `number eight orchid street` with `orchard`: a name alone is that of the piece with a name that was said last. */
function withName(before: readonly Piece[], name: Piece): readonly Piece[] | undefined {
  if (name.words.length > MAX_NAME_WORDS || !name.words.every(isName)) return undefined;
  if (name.lead.some(({ text }) => !ARTICLES.has(text))) return undefined;
  const at = before.findLastIndex(({ words }) => words.some((word) => !isPart(word) && !isNumber(word)));
  const held = before[at];
  if (!held) return undefined;
  const start = held.words.findIndex((word) => !isPart(word));
  const end = held.words.findLastIndex((word) => !isPart(word)) + 1;
  const words = [...held.words.slice(0, start), ...name.words, ...held.words.slice(end)];
  return before.with(at, { ...held, lead: [...leadOf(held, { ...name, lead: [] }), ...name.lead], words });
}

function isPart({ text }: Word): boolean {
  return ADDRESS_PARTS.has(text);
}

function piecesOf(words: readonly Word[]): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < words.length; ) {
    const start = endOf(words, at, ({ text }) => JOINS.has(text) && !NUMBER_NAMES.has(text));
    const lead = words.slice(at, start);
    const { kind, end } = pieceAt(words, start);
    const isIn = kind === '' && lead.some(({ text }) => INSIDE.has(text));
    pieces.push({ kind: isIn ? 'in' : kind, lead, words: words.slice(start, end) });
    at = end;
  }
  return pieces;
}

/** What begins at a place: a part with its number or its name, a name with its part, a number or a name alone. */
function pieceAt(words: readonly Word[], start: number): { readonly kind: string; readonly end: number } {
  const word = words[start];
  if (!word) return { kind: '', end: start };
  if (isNumber(word)) return { kind: NUMBER, end: endOf(words, start, isNumber) };
  if (isPart(word) || NUMBER_NAMES.has(word.text)) {
    const kind = NUMBER_NAMES.has(word.text) ? NUMBER : word.text;
    const numbers = endOf(words, start + 1, isNumber);
    return { kind, end: numbers > start + 1 || !ARABIC.test(word.text) ? numbers : endOfName(words, start + 1) };
  }
  const end = endOfName(words, start);
  const part = words[end];
  const isNamed = part && isPart(part) && !ARABIC.test(part.text) && !isNumbered(words, end);
  return isNamed ? { kind: part.text, end: end + 1 } : { kind: '', end };
}

/** `tower two` is a piece by itself, `palm street two` is a street and a number. */
function isNumbered(words: readonly Word[], at: number): boolean {
  const hasNumber = words[at + 1] !== undefined && isNumber(words[at + 1]!);
  return hasNumber && NUMBERED.has(words[at]!.text);
}

function endOf(words: readonly Word[], start: number, belongs: (word: Word) => boolean): number {
  let end = start;
  while (end < words.length && belongs(words[end]!)) end += 1;
  return end;
}

/** Articles stand inside names: `abu al hasan street`. */
function endOfName(words: readonly Word[], start: number): number {
  let end = start;
  for (let at = start; at < words.length; at += 1) {
    const word = words[at]!;
    if (isNumber(word) || isPart(word) || NUMBER_NAMES.has(word.text)) break;
    if (!JOINS.has(word.text)) end = at + 1;
    else if (!ARTICLES.has(word.text) || at === start) break;
  }
  return Math.max(end, start + 1);
}
