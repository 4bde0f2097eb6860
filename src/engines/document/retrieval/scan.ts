import type { Blocks } from './blocks.ts';
import type { QuestionTerm } from './question.ts';
import { formsOf, likeness } from './word-forms.ts';
import { eachWord, foldWord } from './words.ts';

/** Which terms of the question a stretch of text holds: bit i for term i. */
export interface TermMask {
  readonly strong: number; // the word or its synonym
  readonly weak: number; // a related word; never set together with `strong`
}

const STRONG_FROM = 0.8;
/** Different words whose relation to the question is remembered; those beyond are worked out each time. */
const MAX_REMEMBERED = 300_000;
const NOTHING = 0;
const ABSENT_AS = 1; // paragraphs that hold it

/** Tells which terms of one question a word stands for. The document's vocabulary is compared once per different word. */
export class TermMatcher {
  readonly #known = new Map<string, number>(); // word as written -> index into `#masks`
  readonly #masks: TermMask[] = [{ strong: 0, weak: 0 }];
  readonly #indexes = new Map<string, number>();

  constructor(readonly terms: readonly QuestionTerm[]) {}

  /** The terms found between two offsets. */
  maskOf(text: string, from: number, to: number): TermMask {
    let strong = 0;
    let weak = 0;
    eachWord(text, from, to, (start, end) => {
      const mask = this.#masks[this.#lookUp(text.slice(start, end))]!;
      strong |= mask.strong;
      weak |= mask.weak;
    });
    return { strong, weak: weak & ~strong };
  }

  #lookUp(raw: string): number {
    const known = this.#known.get(raw);
    if (known !== undefined) return known;
    const index = this.#compare(raw);
    if (this.#known.size < MAX_REMEMBERED) this.#known.set(raw, index);
    return index;
  }

  #compare(raw: string): number {
    const folded = foldWord(raw);
    if (folded === '') return NOTHING;
    const forms = formsOf(folded);
    let strong = 0;
    let weak = 0;
    for (const [bit, term] of this.terms.entries()) {
      const alike = likeness(term.forms, forms);
      if (alike >= STRONG_FROM) strong |= 1 << bit;
      else if (alike > 0) weak |= 1 << bit;
    }
    if (strong === 0 && weak === 0) return NOTHING;
    const key = `${strong} ${weak}`;
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#masks.push({ strong, weak });
    this.#indexes.set(key, this.#masks.length - 1);
    return this.#masks.length - 1;
  }
}

/** What one pass over the document found. */
export interface Scan {
  readonly strong: Int32Array; // by block
  readonly weak: Int32Array;
  readonly weights: readonly number[]; // by term: rarity in this document times its prior
  readonly held: number; // terms that occur anywhere, strongly or weakly
  readonly heldStrongly: number;
}

/** Looks at every word of the document once. */
export function scanBlocks(blocks: Blocks, matcher: TermMatcher): Scan {
  const { count } = blocks;
  const strong = new Int32Array(count);
  const weak = new Int32Array(count);
  const found = new Float64Array(matcher.terms.length); // blocks that hold the term
  let held = 0;
  let heldStrongly = 0;
  for (let block = 0; block < count; block += 1) {
    const mask = matcher.maskOf(blocks.lines.text, blocks.start(block), blocks.end(block));
    if (mask.strong === 0 && mask.weak === 0) continue;
    strong[block] = mask.strong;
    weak[block] = mask.weak;
    held |= mask.strong | mask.weak;
    heldStrongly |= mask.strong;
    for (let bit = 0; bit < found.length; bit += 1) {
      if ((mask.strong >> bit) & 1) found[bit]! += 1;
      else if ((mask.weak >> bit) & 1) found[bit]! += 0.5;
    }
  }
  const weights = matcher.terms.map((term, bit) => {
    // A word the document lacks may only be worded differently there; a name, a number or a rare thing may not.
    const often = found[bit] === 0 && !term.required ? ABSENT_AS : found[bit]!;
    return term.prior * rarity(often, count);
  });
  return { strong, weak, weights, held, heldStrongly };
}

/** Inverse document frequency over paragraphs; small documents are smoothed, for they say little about rarity. */
function rarity(found: number, blocks: number): number {
  const total = Math.max(blocks, 20);
  return Math.log(1 + total / (found + 0.7));
}
