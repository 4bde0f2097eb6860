/** A piece of a word and the logarithm of how often it stands in text; its index is its number. */
export type PieceRow = readonly [piece: string, logProbability: number];

/** Stands where a space was, and before the first word. */
const SPACE = '▁';
const UNKNOWN = 0;
/** Numbers of signs that no text holds: unknown, begin, end and spare ones. */
const RESERVED = 6;
/** What an unknown character costs: more than any piece. */
const UNKNOWN_LOG_PROBABILITY = -100;

/**
 * Cuts text into the pieces that are likeliest together, by a unigram model (Kudo 2018): the best cut up to every
 * character, found from left to right. Unknown characters side by side are one unknown piece.
 */
export class PieceTokenizer {
  readonly #pieces = new Map<string, { readonly id: number; readonly logProbability: number }>();
  readonly #longest: number;

  constructor(rows: readonly PieceRow[]) {
    let longest = 1;
    for (const [id, [piece, logProbability]] of rows.entries()) {
      if (id < RESERVED || piece === '') continue;
      this.#pieces.set(piece, { id, logProbability });
      longest = Math.max(longest, piece.length);
    }
    this.#longest = longest;
  }

  /** @returns numbers of pieces, at most `limit`; the cost grows with the length of the text. */
  encode(text: string, limit: number): number[] {
    const normal = text.normalize('NFKC').trim();
    if (normal === '') return [];
    const marked = SPACE + normal.replace(/\s+/g, SPACE);
    return this.#cut(marked).slice(0, limit);
  }

  #cut(text: string): number[] {
    const best = new Float64Array(text.length + 1).fill(Number.NEGATIVE_INFINITY);
    const from = new Int32Array(text.length + 1);
    const ids = new Int32Array(text.length + 1);
    best[0] = 0;
    const reach = (start: number, end: number, id: number, logProbability: number): void => {
      const score = best[start]! + logProbability;
      if (score <= best[end]!) return;
      best[end] = score;
      from[end] = start;
      ids[end] = id;
    };
    for (let start = 0; start < text.length; start += 1) {
      reach(start, start + 1, UNKNOWN, UNKNOWN_LOG_PROBABILITY);
      for (let end = start + 1; end <= Math.min(text.length, start + this.#longest); end += 1) {
        const piece = this.#pieces.get(text.slice(start, end));
        if (piece) reach(start, end, piece.id, piece.logProbability);
      }
    }
    const found: number[] = [];
    for (let at = text.length; at > 0; at = from[at]!) {
      if (ids[at] !== UNKNOWN || found.at(-1) !== UNKNOWN) found.push(ids[at]!);
    }
    return found.reverse();
  }
}
