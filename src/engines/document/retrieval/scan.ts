import { type Blocks, sentencesOf } from './blocks.ts';
import type { QuestionTerm } from './question-term.ts';
import { beginningsOf, formsOf, likeness } from './word-forms.ts';
import { eachWord, foldWord } from './words.ts';

/** Which terms of the question a stretch of text holds: bit i for term i, each in one of the three. */
export interface TermMask {
  readonly same: number;
  readonly concept: number;
  readonly synonym: number;
  readonly related: number;
}

/** Different words whose relation to the question is remembered; those beyond are worked out each time. */
const MAX_REMEMBERED = 300_000;
const NOTHING = 0;
const ABSENT_AS = 1; // paragraphs that hold it
export const NO_TERMS: TermMask = { same: 0, concept: 0, synonym: 0, related: 0 };

export function anyOf(mask: TermMask): number {
  return mask.same | mask.concept | mask.synonym | mask.related;
}

/** Tells which terms of one question a word stands for. The document's vocabulary is compared once per different word. */
export class TermMatcher {
  readonly #known = new Map<string, number>(); // word as written -> index into `#masks`
  readonly #masks: TermMask[] = [NO_TERMS];
  readonly #indexes = new Map<string, number>();

  /** First letters of the English words that may stand for a term. */
  readonly #beginnings: ReadonlySet<string>;

  constructor(readonly terms: readonly QuestionTerm[]) {
    this.#beginnings = beginningsOf(terms.map((term) => term.forms));
  }

  /** The terms found between two offsets. */
  maskOf(text: string, from: number, to: number): TermMask {
    let same = 0;
    let concept = 0;
    let synonym = 0;
    let related = 0;
    eachWord(text, from, to, (start, end) => {
      const index = this.#lookUp(text.slice(start, end));
      if (index === NOTHING) return;
      const mask = this.#masks[index]!;
      same |= mask.same;
      concept |= mask.concept;
      synonym |= mask.synonym;
      related |= mask.related;
    });
    concept &= ~same;
    synonym &= ~(same | concept);
    related &= ~(same | concept | synonym);
    return (same | concept | synonym | related) === 0 ? NO_TERMS : { same, concept, synonym, related };
  }

  wordMask(raw: string): TermMask {
    return this.#masks[this.#lookUp(raw)]!;
  }

  #lookUp(raw: string): number {
    const known = this.#known.get(raw);
    if (known !== undefined) return known;
    const index = this.#compare(raw);
    if (this.#known.size < MAX_REMEMBERED) this.#known.set(raw, index);
    return index;
  }

  /** Most English words begin otherwise than anything that stands for a term: they are not looked at closely. */
  #cannotMatch(folded: string): boolean {
    return /^[a-z]/.test(folded) && !this.#beginnings.has(folded.slice(0, 2));
  }

  #compare(raw: string): number {
    const folded = foldWord(raw);
    if (folded === '' || this.#cannotMatch(folded)) return NOTHING;
    const forms = formsOf(folded);
    const bits = [0, 0, 0, 0, 0];
    for (const [bit, term] of this.terms.entries()) bits[likeness(term.forms, forms)]! |= 1 << bit;
    const [, related = 0, synonym = 0, concept = 0, same = 0] = bits;
    if ((same | concept | synonym | related) === 0) return NOTHING;
    const key = bits.join(' ');
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#masks.push({ same, concept, synonym, related });
    this.#indexes.set(key, this.#masks.length - 1);
    return this.#masks.length - 1;
  }
}

/** What is known of the terms in the whole text. */
export interface Scan {
  maskOf(block: number): TermMask;
  readonly weights: readonly number[]; // by term: rarity in this document times its prior
  readonly held: number; // terms that occur anywhere
  /** Whether the whole text is about the term. */
  topical(term: number): boolean;
}

/** Looks at every word of the document once. */
export class DocumentScan implements Scan {
  readonly weights: readonly number[];
  readonly held: number;
  readonly #masks: readonly TermMask[];
  readonly #of: Uint32Array; // by block
  readonly #topical: number; // bits of the terms

  constructor(
    readonly blocks: Blocks,
    matcher: TermMatcher,
  ) {
    const masks: TermMask[] = [NO_TERMS];
    const indexes = new Map<string, number>();
    const found = new Float64Array(matcher.terms.length);
    const of = new Uint32Array(blocks.count);
    let held = 0;
    let last = 0;
    const indexOf = (mask: TermMask): number => {
      const key = `${mask.same} ${mask.concept} ${mask.synonym} ${mask.related}`;
      const known = indexes.get(key) ?? masks.push(mask) - 1;
      indexes.set(key, known);
      return known;
    };
    for (let block = 0; block < blocks.count; block += 1) {
      const mask = matcher.maskOf(blocks.lines.text, blocks.start(block), blocks.end(block));
      if (mask === NO_TERMS) continue;
      const index = alike(mask, masks[last]!) ? last : indexOf(mask);
      last = index;
      of[block] = index;
      held |= anyOf(mask);
      countTerms(found, mask);
    }
    this.#masks = masks;
    this.#of = of;
    this.held = held;
    const said = blocks.count <= FEW_BLOCKS ? countSentences(blocks, matcher) : { found, passages: blocks.count };
    this.#topical = topicalOf(said.found, said.passages);
    const weights = weightsOf(matcher.terms, said.found, said.passages);
    this.weights = weights.map((weight, at) => (this.topical(at) ? weight * TOPICAL_WEIGHT : weight));
  }

  topical(term: number): boolean {
    return ((this.#topical >> term) & 1) === 1;
  }

  maskOf(block: number): TermMask {
    return this.#masks[this.#of[block]!]!;
  }

  /**
   * The blocks that hold something of the question themselves or in what they stand under, in reading order; of more
   * than `most`, those whose terms weigh most.
   */
  promising(most: number): number[] {
    const weights = this.#masks.map((mask) => this.#weightOf(mask));
    const weightAt = (block: number): number => {
      const parent = this.blocks.parent(block);
      return weights[this.#of[block]!]! + (parent < 0 ? 0 : weights[this.#of[parent]!]!);
    };
    const found: number[] = [];
    for (let block = 0; block < this.blocks.count; block += 1) if (weightAt(block) > 0) found.push(block);
    if (found.length <= most) return found;
    const byWeight = Float64Array.from(found, weightAt).sort();
    const least = byWeight[byWeight.length - most]!;
    const better = found.filter((block) => weightAt(block) > least);
    const equal = found.filter((block) => weightAt(block) === least).slice(0, most - better.length);
    return [...better, ...equal].sort((a, b) => a - b);
  }

  #weightOf(mask: TermMask): number {
    return this.weights.reduce((sum, weight, bit) => sum + ((anyOf(mask) >> bit) & 1 ? weight : 0), 0);
  }
}

function alike(a: TermMask, b: TermMask): boolean {
  return a.same === b.same && a.concept === b.concept && a.synonym === b.synonym && a.related === b.related;
}

/** The text has so few paragraphs that its sentences say more about what is rare. */
const FEW_BLOCKS = 200;
const TOPICAL_FROM = 0.2; // of the passages
const TOPICAL_WEIGHT = 0.5; // sentences about it need not say so again

function countSentences(blocks: Blocks, matcher: TermMatcher): { found: Float64Array; passages: number } {
  const found = new Float64Array(matcher.terms.length);
  let passages = 0;
  for (let block = 0; block < blocks.count; block += 1) {
    for (const { start, end } of sentencesOf(blocks, block)) {
      passages += 1;
      countTerms(found, matcher.maskOf(blocks.lines.text, start, end));
    }
  }
  return { found, passages };
}

/** The terms that so many passages hold that the whole text is about them. */
export function topicalOf(found: Float64Array, passages: number): number {
  return found.reduce(
    (bits, count, at) => (count >= TOPICAL_FROM * passages && count >= 3 ? bits | (1 << at) : bits),
    0,
  );
}

const COUNTED = { same: 1, concept: 0.9, synonym: 0.6, related: 0.4 } as const;

/** Adds one passage to how many hold each term. */
export function countTerms(found: Float64Array, mask: TermMask): void {
  for (let bit = 0; bit < found.length; bit += 1) {
    if ((mask.same >> bit) & 1) found[bit]! += COUNTED.same;
    else if ((mask.concept >> bit) & 1) found[bit]! += COUNTED.concept;
    else if ((mask.synonym >> bit) & 1) found[bit]! += COUNTED.synonym;
    else if ((mask.related >> bit) & 1) found[bit]! += COUNTED.related;
  }
}

/** What each term weighs, by how many of the passages hold it. */
export function weightsOf(terms: readonly QuestionTerm[], found: Float64Array, passages: number): number[] {
  return terms.map((term, bit) => {
    // A word the document lacks may only be worded differently there; a name, a number or a rare thing may not.
    const often = found[bit] === 0 && !term.required ? ABSENT_AS : found[bit]!;
    return term.prior * rarity(often, passages);
  });
}

/** Inverse document frequency over paragraphs; small documents are smoothed, for they say little about rarity. */
function rarity(found: number, blocks: number): number {
  const total = Math.max(blocks, 20);
  return Math.log(1 + total / (found + 0.7));
}
