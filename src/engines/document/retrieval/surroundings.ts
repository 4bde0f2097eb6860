import { LINE } from '../document-lines.ts';
import type { Blocks } from './blocks.ts';
import { anyOf, type Scan, type TermMask, type TermMatcher } from './scan.ts';

/** What a term counts, by how it is said and where. */
export const LIKE = { same: 1, concept: 0.92, synonym: 0.8, related: 0.62 } as const;
export const WORTH = {
  next: 0.62, // in the sentence before or behind
  block: 0.5, // elsewhere in the paragraph
  side: 0.3, // in the paragraph before or behind
  title: 0.45,
  topic: 0.6, // what the whole text is about
  heading: 0.92,
  label: 0.92,
  header: 0.92,
  question: 0.94,
  implied: 0.8, // `price` where an amount of money stands
} as const;
export const HERE = 0.45; // a term worth less does not count as said
const MAX_PARENTS = 5;
const TITLE_CHARS = 100;

/** What the terms of a question are worth in a block by what stands around it. */
export class Surroundings {
  readonly #title: TermMask; // the first words: mostly what the document is called, or about

  constructor(
    readonly blocks: Blocks,
    readonly scan: Scan,
    matcher: TermMatcher,
  ) {
    const start = blocks.start(0);
    this.#title = matcher.maskOf(blocks.lines.text, start, Math.min(blocks.end(0), start + TITLE_CHARS));
  }

  /** What the terms are worth by what stands above the block and beside it. */
  around(block: number): Float64Array {
    const { blocks, scan } = this;
    const worth = Float64Array.from(scan.weights, (_, at) => (scan.topical(at) ? WORTH.topic : 0));
    const parent = blocks.parent(block);
    for (const beside of [block - 1, block + 1]) {
      if (beside < 0 || beside >= blocks.count || blocks.parent(beside) !== parent) continue;
      if (blocks.is(beside, LINE.row | LINE.heading | LINE.question | LINE.label)) continue;
      mark(worth, scan.maskOf(beside), WORTH.side);
    }
    for (const [at, value] of this.above(block).entries()) worth[at] = Math.max(worth[at]!, value);
    // The first words are mostly what the document is about.
    if (block > 0 && !blocks.is(0, LINE.question)) mark(worth, this.#title, WORTH.title);
    return worth;
  }

  /** ... by what stands above it only: headings, the question of an FAQ, the names of columns. */
  above(block: number): Float64Array {
    const worth = new Float64Array(this.scan.weights.length);
    let above = this.blocks.parent(block);
    for (let depth = 0; above >= 0 && depth < MAX_PARENTS; depth += 1) {
      mark(worth, this.scan.maskOf(above), this.#worthOfParent(above, depth));
      above = this.blocks.parent(above);
    }
    return worth;
  }

  #worthOfParent(block: number, depth: number): number {
    if (this.blocks.is(block, LINE.question)) return WORTH.question;
    if (this.blocks.is(block, LINE.header)) return WORTH.header;
    if (this.blocks.is(block, LINE.label)) return WORTH.label;
    return depth <= 1 ? WORTH.heading : WORTH.title;
  }
}

/** Raises the worth of the terms that were found to `value`, less where they are only said in other words. */
export function mark(worth: Float64Array, mask: TermMask, value: number): void {
  for (let bits = anyOf(mask), at = 0; bits !== 0; bits >>>= 1, at += 1) {
    if ((bits & 1) === 0) continue;
    const like = likeOf(mask, at);
    if (value * like > worth[at]!) worth[at] = value * like;
  }
}

/** How well a word stands for a term. */
export function likeOf(mask: TermMask, at: number): number {
  if ((mask.same >> at) & 1) return LIKE.same;
  if ((mask.concept >> at) & 1) return LIKE.concept;
  return (mask.synonym >> at) & 1 ? LIKE.synonym : LIKE.related;
}
