import type { Blocks } from './blocks.ts';
import type { PassageIndex } from './passage-index.ts';
import type { AskedQuestion } from './question.ts';
import { NO_TERMS, type Scan, type TermMask, type TermMatcher, topicalOf, weightsOf } from './scan.ts';

/** Looks only at the passages it is asked for; how rare a term is, the index says. */
export class IndexedScan implements Scan {
  readonly weights: readonly number[];
  readonly held: number;
  readonly #topical: number;
  readonly #masks = new Map<number, TermMask>();

  constructor(
    readonly blocks: Blocks,
    index: PassageIndex,
    readonly matcher: TermMatcher,
    question: AskedQuestion,
    passages: number,
  ) {
    const found = Float64Array.from(question.terms, (term) => index.holders(term.forms));
    this.weights = weightsOf(question.terms, found, passages);
    this.#topical = topicalOf(found, passages);
    this.held = found.reduce((bits, count, at) => (count > 0 ? bits | (1 << at) : bits), 0);
  }

  topical(term: number): boolean {
    return ((this.#topical >> term) & 1) === 1;
  }

  maskOf(block: number): TermMask {
    let mask = this.#masks.get(block);
    if (mask === undefined) {
      const { text } = this.blocks.lines;
      mask = this.matcher.maskOf(text, this.blocks.start(block), this.blocks.end(block)) ?? NO_TERMS;
      this.#masks.set(block, mask);
    }
    return mask;
  }
}
