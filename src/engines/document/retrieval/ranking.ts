import { fold } from '../../reply/fold.ts';
import { LINE } from '../document-lines.ts';
import { type AnswerKind, hasKind, hasMeasure, isNumberWord, namesSomebody, setsLimit } from './answer-kinds.ts';
import { type Blocks, type Sentence, sentencesOf } from './blocks.ts';
import { opposedSides, type Side, speaksOfOpposite } from './opposites.ts';
import { type AskedQuestion, isNegative } from './question.ts';
import type { Scan, TermMask, TermMatcher } from './scan.ts';
import { rawWords } from './words.ts';

/** A sentence that may be the answer. */
export interface Candidate {
  readonly block: number;
  readonly sentence: Sentence;
  /** Share of the question, by rarity, that the sentence and what it stands under speak of, cut where it misses something: 0..1. */
  readonly score: number;
  /** Share that the sentence says itself: 0..1. */
  readonly own: number;
  /** Orders candidates: `score`, and how much of it the sentence says itself. */
  readonly rank: number;
}

const CANDIDATE_BLOCKS = 80;
const MAX_PARENTS = 5;

/** What a term counts that is not in the sentence but near it. */
const WORTH = {
  weak: 0.65,
  next: 0.62, // in the sentence before or behind
  block: 0.5, // elsewhere in the paragraph
  side: 0.3, // in the paragraph before or behind
  title: 0.45,
  heading: 0.92,
  label: 0.92,
  header: 0.92,
  question: 0.94,
  implied: 0.8, // `price` where an amount of money stands
} as const;

/** Left of the score where the line holds nothing of the asked kind. */
const WITHOUT_KIND: Readonly<Record<AnswerKind, number>> = {
  email: 0.3,
  url: 0.4,
  phone: 0.35,
  money: 0.5,
  percent: 0.5,
  clock: 0.5,
  duration: 0.55,
  number: 0.5,
  date: 0.56,
  person: 0.66,
  place: 0.75,
  reason: 0.97,
  yesno: 1,
  other: 1,
};
const KIND_NEXT_DOOR = 0.7; // it stands in the next sentence
const REQUIRED_MISSING = 0.47;
const REQUIRED_ELSEWHERE = 0.68;
const OPPOSITE = 0.55;
const SECOND_BEST = /\b(?:second|third|fourth)[ -](?:\w+est|most)\b|(?:ثاني|ثالث|رابع) (?:أ|ا)\p{L}{2,}/iu;
const NOW = /\b(?:current|currently|now|today|present|nowadays)\b|الحالي|حاليا|الآن|اليوم/i;
const NOT_NOW = 0.5;
const NOT_NEGATIVE = 0.95;
const ASKS_ITSELF = 0.5;
const ONLY_A_HEADING = 0.6;
const OWN_WORDS = 0.14;
const NAMES_SOMEBODY = 0.06;
/** A word of the question that the whole document lacks: it is about something else, or in other words. */
const ABSENT = 0.84;
const ABSENT_YESNO = 0.74;
const NOT_COUNTED = 0.72; // a number stands there, but not beside what is counted
const COUNTED_ALIKE = 0.75; // beside a related word: `teaches 1,240` for teachers
const NOT_MEASURED = 0.6; // `how deep`, and no metres
const NO_SUCH_EVENT = 0.6; // `when was he born`, and no birth
const OTHER_ROLE = 0.85; // `minister`, and only a ministry
const EVENTS: ReadonlySet<string> = new Set(['=death', '=pregnant', '=marriage', '=found']);
const NOTHING_OF_ITS_OWN = 0.65; // only the title, or a paragraph nearby, speaks of the question
const SOFT_BELOW = 0.5; // priors of words that may stand in any question
const FIGURES: ReadonlySet<AnswerKind> = new Set(['money', 'percent', 'duration', 'date']);
const PHRASE = 0.04; // two words of the question side by side in the sentence, or in what it stands under
const PHRASES_MAX = 3;
const PHRASED_CANDIDATES = 60;
const COUNT_SAID = /\b(?:number|total|are|is)\b|عدد|بلغ|يقدر|[:=\t]| {2}/i;
const COUNTED_WITHIN = 3; // words between a number and what it counts

/** Concepts that are said by the shape of the answer itself. */
const IMPLIED: Readonly<Partial<Record<AnswerKind, readonly string[]>>> = {
  money: ['=price', '=pay'],
  duration: ['=duration', '=notice-period'],
  date: ['=deadline'],
  clock: ['=hour', '=open', '=close'],
  phone: ['=phone'],
  email: ['=email', '=location'],
  place: ['=location'],
  reason: ['=cause'],
};

/** The likeliest answers, best first. */
export function rankCandidates(blocks: Blocks, scan: Scan, matcher: TermMatcher, question: AskedQuestion): Candidate[] {
  const ranker = new Ranker(blocks, scan, matcher, question);
  const ranked = likelyBlocks(blocks, scan, ranker)
    .flatMap((block) => ranker.candidatesOf(block))
    .sort(byRank);
  const best = ranked.slice(0, PHRASED_CANDIDATES).map((one) => ranker.withPhrases(one));
  return best.sort(byRank);
}

function byRank(a: Candidate, b: Candidate): number {
  return b.rank - a.rank || a.sentence.start - b.sentence.start;
}

/** The blocks with the best cover, context included: the only ones that are taken apart into sentences. */
function likelyBlocks(blocks: Blocks, scan: Scan, ranker: Ranker): number[] {
  const best: { block: number; cover: number }[] = [];
  let lowest = 0;
  for (let block = 0; block < blocks.count; block += 1) {
    const parent = blocks.parent(block);
    const parentMask = parent < 0 ? 0 : scan.strong[parent]! | scan.weak[parent]!;
    if (scan.strong[block] === 0 && scan.weak[block] === 0 && parentMask === 0) continue;
    const cover = ranker.roughCover(block);
    if (best.length >= CANDIDATE_BLOCKS && cover <= lowest) continue;
    best.push({ block, cover });
    if (best.length >= CANDIDATE_BLOCKS * 2) {
      best.sort((a, b) => b.cover - a.cover || a.block - b.block);
      best.length = CANDIDATE_BLOCKS;
      lowest = best.at(-1)!.cover;
    }
  }
  best.sort((a, b) => b.cover - a.cover || a.block - b.block);
  return best.slice(0, CANDIDATE_BLOCKS).map((one) => one.block);
}

class Ranker {
  readonly #total: number;
  readonly #asked: string; // the question, folded
  readonly #opposed: readonly Side[];
  readonly #implied: number; // bits of the terms that the kind of answer says itself
  readonly #numbers: number;
  readonly #soft: number;
  readonly #absence: number; // what is left of every score for words that the document lacks

  constructor(
    readonly blocks: Blocks,
    readonly scan: Scan,
    readonly matcher: TermMatcher,
    readonly question: AskedQuestion,
  ) {
    this.#total = scan.weights.reduce((sum, weight) => sum + weight, 0) || 1;
    this.#asked = fold(question.text);
    this.#opposed = opposedSides(question.folded);
    const concepts = IMPLIED[question.kind] ?? [];
    this.#implied = this.#bits((index) => concepts.includes(question.terms[index]!.forms.concept ?? ''));
    this.#numbers = this.#bits((index) => question.terms[index]!.forms.number);
    this.#soft = this.#bits((index) => question.terms[index]!.prior < SOFT_BELOW);
    this.#absence = this.#absenceFactor();
  }

  #bits(test: (index: number) => boolean): number {
    let bits = 0;
    for (let index = 0; index < this.question.terms.length; index += 1) if (test(index)) bits |= 1 << index;
    return bits;
  }

  #absenceFactor(): number {
    const { question, scan } = this;
    let factor = 1;
    for (const [index, term] of question.terms.entries()) {
      const bit = 1 << index;
      if ((this.#soft | this.#implied | this.#numbers) & bit || term.required || isLimit(term.forms.concept)) continue;
      if (scan.held & bit) continue;
      factor *= question.kind === 'yesno' ? ABSENT_YESNO : ABSENT;
    }
    return factor;
  }

  /** Cover of a whole block with what stands above it and beside it. */
  roughCover(block: number): number {
    const worth = new Float64Array(this.scan.weights.length);
    this.#mark(worth, { strong: this.scan.strong[block]!, weak: this.scan.weak[block]! }, 1);
    this.#markAround(worth, block);
    return this.#sum(worth);
  }

  candidatesOf(block: number): Candidate[] {
    const { blocks, question } = this;
    const isQuestion = blocks.is(block, LINE.question);
    if (isQuestion && this.#isAnswered(block)) return [];
    const { text } = blocks.lines;
    const sentences = sentencesOf(blocks, block);
    const masks = sentences.map((one) => this.matcher.maskOf(text, one.start, one.end));
    const kinds = sentences.map((one) => this.#hasKind(block, text.slice(one.start, one.end)));
    const around = new Float64Array(this.scan.weights.length);
    this.#markAround(around, block);
    this.#mark(around, { strong: this.scan.strong[block]!, weak: this.scan.weak[block]! }, WORTH.block);
    return sentences.map((sentence, at) => {
      const worth = around.slice();
      for (const beside of [at - 1, at + 1]) if (masks[beside]) this.#mark(worth, masks[beside], WORTH.next);
      this.#mark(worth, masks[at]!, 1);
      const own = new Float64Array(worth.length);
      this.#mark(own, masks[at]!, 1);
      const said = text.slice(sentence.start, sentence.end);
      if (kinds[at]) this.#mark(worth, { strong: this.#implied, weak: 0 }, WORTH.implied);
      if (question.kind === 'yesno' && hasKind('number', said, new Set())) {
        this.#mark(worth, { strong: this.#numbers, weak: 0 }, WORTH.implied);
      }
      this.#markLimits(worth, said);
      const fit =
        this.#absence *
        this.#ownFactor(block, masks, at) *
        this.#fit(block, sentence, worth, kinds[at]!, Boolean(kinds[at + 1] || kinds[at - 1]));
      const score = this.#sum(worth) * fit;
      const named = question.kind === 'person' && namesSomebody(said) ? NAMES_SOMEBODY : 0;
      const ownCover = this.#sum(own);
      return { block, sentence, score, own: ownCover, rank: score + OWN_WORDS * ownCover * fit + named };
    });
  }

  /** The candidate ranked higher for words that stand side by side as in the question. */
  withPhrases(candidate: Candidate): Candidate {
    const { blocks } = this;
    const { start, end } = candidate.sentence;
    let found = this.#phrasesIn(blocks.lines.text.slice(start, end));
    const parent = blocks.parent(candidate.block);
    if (parent >= 0) found = Math.max(found, this.#phrasesIn(blocks.text(parent)));
    return found === 0 ? candidate : { ...candidate, rank: candidate.rank + PHRASE * Math.min(found, PHRASES_MAX) };
  }

  #phrasesIn(text: string): number {
    const masks = rawWords(text).map((word) => this.matcher.maskOf(word, 0, word.length).strong);
    let found = 0;
    for (const [first, second] of this.question.pairs) {
      if (masks.some((mask, at) => (mask >> first) & 1 && ((masks[at + 1] ?? 0) >> second) & 1)) found += 1;
    }
    return found;
  }

  /** A cell below a column, or a value behind a key, has no unit of its own: its number will do. */
  #hasKind(block: number, text: string): boolean {
    const { blocks, question } = this;
    if (hasKind(question.kind, text, question.words)) return true;
    if (!FIGURES.has(question.kind)) return false;
    const parent = blocks.parent(block);
    const figure = /^"[^"]{1,80}"\s*:/.test(text) || (parent >= 0 && blocks.is(parent, LINE.header));
    return figure && hasKind('number', text, question.words);
  }

  /** What is left of a cover when the sentence is looked at closely: 0..1. */
  #fit(block: number, sentence: Sentence, worth: Float64Array, kind: boolean, kindBeside: boolean): number {
    const { blocks, question } = this;
    const text = blocks.lines.text.slice(sentence.start, sentence.end);
    let fit = 1;
    if (!kind) fit *= kindBeside ? Math.max(KIND_NEXT_DOOR, WITHOUT_KIND[question.kind]) : WITHOUT_KIND[question.kind];
    if (/[?؟][^\p{L}\p{N}]*$/u.test(text)) fit *= ASKS_ITSELF;
    if (blocks.is(block, LINE.heading | LINE.label | LINE.header)) fit *= ONLY_A_HEADING;
    fit *= this.#countFactor(text, worth);
    if (!hasMeasure(this.#asked, text)) fit *= NOT_MEASURED;
    if (this.#missesEvent(worth)) fit *= NO_SUCH_EVENT;
    if (question.kind === 'person' && question.focus >= 0 && worth[question.focus]! <= WORTH.weak) fit *= OTHER_ROLE;
    if (SECOND_BEST.test(text) && !SECOND_BEST.test(question.text)) fit *= OPPOSITE;
    if (question.kind === 'person' && NOW.test(question.text) && !NOW.test(text)) fit *= NOT_NOW;
    if (speaksOfOpposite(text, this.#opposed)) fit *= OPPOSITE;
    if (question.kind !== 'yesno' && question.negative && !isNegative(text)) fit *= NOT_NEGATIVE;
    for (const [index, term] of question.terms.entries()) {
      if (!term.required || worth[index]! >= 0.45) continue;
      fit *= (this.scan.held >> index) & 1 ? REQUIRED_ELSEWHERE : REQUIRED_MISSING;
    }
    return fit;
  }

  /** Something that is looked for must stand in the sentence, beside it, or in what it is directly under. */
  #ownFactor(block: number, masks: readonly TermMask[], at: number): number {
    const { blocks, scan } = this;
    let near = 0;
    for (const mask of [masks[at - 1], masks[at], masks[at + 1]]) if (mask) near |= mask.strong | mask.weak;
    const parent = blocks.parent(block);
    if (parent > 0 || (parent === 0 && !blocks.is(0, LINE.heading))) near |= scan.strong[parent]! | scan.weak[parent]!;
    const all = this.#bits(() => true);
    const wanted = all & ~(this.#soft | this.#implied | this.#numbers);
    return wanted === 0 || near & wanted ? 1 : NOTHING_OF_ITS_OWN;
  }

  /** `maximum load`: `not more than 9 kg` says so without the word. */
  #markLimits(worth: Float64Array, text: string): void {
    for (const [index, term] of this.question.terms.entries()) {
      const { concept } = term.forms;
      if (isLimit(concept) && worth[index]! < WORTH.implied && setsLimit(concept, text)) worth[index] = WORTH.implied;
    }
  }

  /** `how many branches`: a number must stand beside the branches, where these are spoken of. */
  #countFactor(text: string, worth: Float64Array): number {
    const { question } = this;
    const focus = question.terms[question.focus];
    if (!question.counts || question.kind !== 'number' || !focus) return 1;
    const words = rawWords(text);
    let factor: number = worth[question.focus]! >= WORTH.question ? 1 : NOT_COUNTED;
    for (const [at, word] of words.entries()) {
      const { strong, weak } = this.matcher.maskOf(word, 0, word.length);
      if ((((strong | weak) >> question.focus) & 1) === 0) continue;
      const before = words.slice(Math.max(0, at - COUNTED_WITHIN), at).some(isNumberWord);
      const behind = COUNT_SAID.test(text) && words.slice(at + 1, at + COUNTED_WITHIN + 2).some(isNumberWord);
      const beside = before || behind;
      if (!beside) factor = NOT_COUNTED;
      else if ((strong >> question.focus) & 1) return 1;
      else return COUNTED_ALIKE;
    }
    return factor;
  }

  /** Dates and places stand beside many events: the one that was asked for must be spoken of. */
  #missesEvent(worth: Float64Array): boolean {
    if (this.question.kind !== 'date' && this.question.kind !== 'place') return false;
    return this.question.terms.some((term, at) => EVENTS.has(term.forms.concept ?? '') && worth[at]! < WORTH.block);
  }

  /** Whether something stands below a question. */
  #isAnswered(block: number): boolean {
    return block + 1 < this.blocks.count && this.blocks.parent(block + 1) === block;
  }

  #markAround(worth: Float64Array, block: number): void {
    const { blocks, scan } = this;
    const parent = blocks.parent(block);
    for (const beside of [block - 1, block + 1]) {
      if (beside < 0 || beside >= blocks.count || blocks.parent(beside) !== parent) continue;
      if (blocks.is(beside, LINE.row | LINE.heading | LINE.question | LINE.label)) continue;
      this.#mark(worth, { strong: scan.strong[beside]!, weak: scan.weak[beside]! }, WORTH.side);
    }
    let above = parent;
    for (let depth = 0; above >= 0 && depth < MAX_PARENTS; depth += 1) {
      this.#mark(worth, { strong: scan.strong[above]!, weak: scan.weak[above]! }, this.#worthOfParent(above, depth));
      above = blocks.parent(above);
    }
    // The first line is mostly what the document is called.
    if (block > 0) this.#mark(worth, { strong: scan.strong[0]!, weak: scan.weak[0]! }, WORTH.title);
  }

  #worthOfParent(block: number, depth: number): number {
    if (this.blocks.is(block, LINE.question)) return WORTH.question;
    if (this.blocks.is(block, LINE.header)) return WORTH.header;
    if (this.blocks.is(block, LINE.label)) return WORTH.label;
    return depth <= 1 ? WORTH.heading : WORTH.title;
  }

  #mark(worth: Float64Array, mask: TermMask, value: number): void {
    for (let bits = mask.strong | mask.weak, index = 0; bits !== 0; bits >>>= 1, index += 1) {
      if ((bits & 1) === 0) continue;
      const here = (mask.strong >> index) & 1 ? value : value * WORTH.weak;
      if (here > worth[index]!) worth[index] = here;
    }
  }

  #sum(worth: Float64Array): number {
    let sum = 0;
    for (const [index, weight] of this.scan.weights.entries()) sum += weight * worth[index]!;
    return sum / this.#total;
  }
}

function isLimit(concept: string | undefined): concept is '=maximum' | '=minimum' {
  return concept === '=maximum' || concept === '=minimum';
}
