/** A sentence of the gateway as data: what it says, and the values in it; a value may be such a sentence. */
export interface SaidNotice {
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Words of ours, or a value that stands in them as it is. */
export type Piece = string | { readonly value: string };

const HOLE = /\{\{(\w+)\}\}/;
const NESTED_MAX = 20;

/**
 * A sentence in the words of one language, its values apart, so that none turns the direction of what is beside it. Pure.
 *
 * @param wordsOf - the words of a code, with `{{holes}}`; undefined where there are none.
 * @returns undefined where it, or a sentence in it, has no words: then the English of the gateway stands.
 */
export function noticePieces(
  { code, params }: SaidNotice,
  wordsOf: (code: string) => string | undefined,
  depth = 0,
): readonly Piece[] | undefined {
  const words = wordsOf(code);
  if (words === undefined || depth > NESTED_MAX) return undefined;
  const pieces: Piece[] = [];
  // Of what was split at the holes every other part is the name of one.
  for (const [index, part] of words.split(HOLE).entries()) {
    if (index % 2 === 0) {
      if (part !== '') pieces.push(part);
      continue;
    }
    const value = Object.hasOwn(params, part) ? params[part] : '';
    const inner = isNotice(value) ? noticePieces(value, wordsOf, depth + 1) : [{ value: String(value) }];
    if (!inner) return undefined;
    pieces.push(...inner);
  }
  return pieces;
}

const isNotice = (value: unknown): value is SaidNotice =>
  typeof value === 'object' && value !== null && 'code' in value && 'params' in value;

/** FIRST STRONG ISOLATE and its end (UAX #9 §2.4.2): what `<bdi>` is where there are no elements. */
const [ISOLATE, END] = ['\u2068', '\u2069'];

export const piecesText = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : `${ISOLATE}${piece.value}${END}`)).join('');
