import { fold } from '../../reply/fold.ts';
import { LINE } from '../document-lines.ts';
import {
  type AnswerKind,
  hasKind,
  hasMeasure,
  isNumberWord,
  measureSays,
  namesDate,
  namesSomebody,
  setsLimit,
} from './answer-kinds.ts';
import { type Blocks, sentencesOf } from './blocks.ts';
import { AT, EVIDENCE, type EvidenceName, type Examined } from './evidence.ts';
import { opposedSides, type Side, speaksOfOpposite } from './opposites.ts';
import { type AskedQuestion, isNegative } from './question.ts';
import { anyOf, NO_TERMS, type Scan, type TermMask, type TermMatcher } from './scan.ts';
import { rawWords } from './words.ts';

/** What a term counts, by how it is said and where. */
const LIKE = { same: 1, concept: 0.92, synonym: 0.8, related: 0.62 } as const;
const WORTH = {
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
const HERE = 0.45; // a term worth less does not count as said
const MAX_PARENTS = 5;
const SOFT_BELOW = 0.5; // priors of words that may stand in any question
const MASS_FULL = 9;
const PHRASES_FULL = 3;
const COUNTED_WITHIN = 3; // words between a number and what it counts
const ANNOUNCES = /[:：][^\p{L}\p{N}]*$/u;
const SAME_QUESTION = 0.88;
const HOW_MANY = /\bhow many\b|(?<!\p{L})(?:كم|عدد)(?!\p{L})/iu;
const KEYED = /^"[^"]{1,80}"\s*:/;
const COUNT_SAID = /\b(?:number|total|are|is)\b|عدد|بلغ|يقدر|[:=\t,]| {2}/i;
const SECOND_BEST = /\b(?:second|third|fourth)[ -](?:\w+est|most)\b|(?:ثاني|ثالث|رابع) (?:أ|ا)\p{L}{2,}/iu;
const SUPERLATIVE = /\b(?:\w{3,}est|most)\b|(?:أ|ا)(?:كبر|طول|قدم|على|صغر|شهر|هم)/iu;
const NOW = /\b(?:current|currently|now|today|present|nowadays)\b|الحالي|حاليا|الآن|اليوم/i;
const FIGURES: ReadonlySet<AnswerKind> = new Set(['money', 'percent', 'duration', 'date']);
const EVENTS: ReadonlySet<string> = new Set(['=death', '=pregnant', '=marriage', '=establish']);

/** Which part of the evidence says that something of the asked kind is not there. */
const LACKING: Readonly<Partial<Record<AnswerKind, EvidenceName>>> = {
  money: 'noFigure',
  percent: 'noFigure',
  clock: 'noFigure',
  duration: 'noFigure',
  number: 'noFigure',
  date: 'noDate',
  person: 'noPerson',
  place: 'noPlace',
  phone: 'noContact',
  email: 'noContact',
  url: 'noContact',
  reason: 'noReason',
};

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

/** Collects the evidence of one question in one text. */
export class Examiner {
  readonly #total: number;
  readonly #hardTotal: number;
  readonly #heaviest: number;
  readonly #asked: string; // the question, folded
  readonly #opposed: readonly Side[];
  readonly #implied: number; // bits of the terms that the kind of answer says itself
  readonly #numbers: number;
  readonly #soft: number;
  readonly #hard: number;
  readonly #absent: number;

  constructor(
    readonly blocks: Blocks,
    readonly scan: Scan,
    readonly matcher: TermMatcher,
    readonly question: AskedQuestion,
  ) {
    const { terms } = question;
    this.#asked = fold(question.text);
    this.#opposed = opposedSides(question.folded);
    const concepts = IMPLIED[question.kind] ?? [];
    this.#implied = this.#bits((at) => terms[at]!.forms.meanings.concepts.some((one) => concepts.includes(one)));
    this.#numbers = this.#bits((at) => terms[at]!.forms.number);
    this.#soft = this.#bits((at) => terms[at]!.prior < SOFT_BELOW);
    const hard = this.#bits(() => true) & ~(this.#soft | this.#implied);
    this.#hard = hard === 0 ? this.#bits(() => true) : hard;
    this.#total = this.#weight(this.#bits(() => true)) || 1;
    this.#hardTotal = this.#weight(this.#hard) || 1;
    this.#heaviest = Math.max(1, ...scan.weights.filter((_, at) => (this.#hard >> at) & 1));
    this.#absent = this.#bits(
      (at) => ((this.#hard >> at) & 1) === 1 && ((scan.held >> at) & 1) === 0 && limitOf(terms[at]!) === undefined,
    );
  }

  #bits(test: (index: number) => boolean): number {
    let bits = 0;
    for (let index = 0; index < this.question.terms.length; index += 1) if (test(index)) bits |= 1 << index;
    return bits;
  }

  #weight(bits: number): number {
    return this.scan.weights.reduce((sum, weight, at) => sum + ((bits >> at) & 1 ? weight : 0), 0);
  }

  /** Every sentence of a block; none where the block is a question with its answer below. */
  examine(block: number): Examined[] {
    const { blocks } = this;
    if (blocks.is(block, LINE.question) && this.#isAnswered(block)) return [];
    const { text } = blocks.lines;
    const sentences = sentencesOf(blocks, block);
    const masks = sentences.map((one) => this.matcher.maskOf(text, one.start, one.end));
    const kinds = sentences.map((one) => this.#hasKind(block, text.slice(one.start, one.end)));
    const above = this.#above(block);
    const around = this.#around(block);
    mark(around, this.scan.maskOf(block), WORTH.block);
    const examined = sentences.map((sentence, at) => {
      const said = text.slice(sentence.start, sentence.end);
      const worth = around.slice();
      for (const beside of [at - 1, at + 1]) if (masks[beside]) mark(worth, masks[beside], WORTH.next);
      mark(worth, masks[at]!, 1);
      this.#markImplied(worth, said, kinds[at]!);
      const own = new Float64Array(worth.length);
      mark(own, masks[at]!, 1);
      const close = above.slice();
      mark(close, masks[at]!, 1);
      this.#markImplied(close, said, kinds[at]!);
      const evidence = new Float64Array(EVIDENCE.length);
      this.#lexical(evidence, worth, own, close);
      this.#shape(evidence, block, said, kinds[at]!, Boolean(kinds[at + 1] || kinds[at - 1]));
      this.#sense(evidence, block, said, close);
      evidence[AT.nothingOwn] = this.#nothingOwn(block, masks, at) ? 1 : 0;
      evidence[AT.phrases] = this.#phrases(block, said);
      evidence[AT.asked] = this.#asksSame(block, above) ? 1 : 0;
      return { block, sentence, own: evidence[AT.own]!, evidence };
    });
    // A value behind a key is a figure or none: it cannot be the answer beside it.
    return examined.filter(
      (one) => one.evidence[AT.noFigure] === 0 || !KEYED.test(text.slice(one.sentence.start, one.sentence.end)),
    );
  }

  #lexical(evidence: Float64Array, worth: Float64Array, own: Float64Array, close: Float64Array): void {
    const { scan, question } = this;
    evidence[AT.cover] = this.#share(worth, -1, this.#total);
    evidence[AT.own] = this.#share(own, -1, this.#total);
    evidence[AT.hardCover] = this.#share(worth, this.#hard, this.#hardTotal);
    evidence[AT.hardOwn] = this.#share(own, this.#hard, this.#hardTotal);
    let best = 0;
    let missing = 0;
    for (const [at, weight] of scan.weights.entries()) {
      const bit = 1 << at;
      if ((this.#hard & bit) === 0) continue;
      best = Math.max(best, weight * own[at]!);
      if (worth[at]! < HERE && (scan.held & bit) !== 0) missing += weight;
    }
    evidence[AT.best] = best / this.#heaviest;
    evidence[AT.mass] = Math.min(1, this.#share(own, this.#hard, MASS_FULL));
    evidence[AT.missing] = missing / this.#hardTotal;
    evidence[AT.absent] = this.#weight(this.#absent) / this.#hardTotal;
    if (question.kind === 'money') evidence[AT.otherPrice] = Math.min(1, evidence[AT.missing]! + evidence[AT.absent]!);
    for (const [at, term] of question.terms.entries()) {
      if (!term.required || worth[at]! >= HERE) continue;
      evidence[(scan.held >> at) & 1 ? AT.requiredElsewhere : AT.requiredAbsent] = 1;
    }
    const judge = (term: number, missing: number, related: number): void => {
      if (term < 0) return;
      const value = close[term]!;
      if (value < HERE) evidence[missing] = 1;
      else if (value <= LIKE.related) evidence[related] = 1;
    };
    judge(question.focus, AT.focusMissing, AT.focusRelated);
    judge(question.head, AT.headMissing, AT.headRelated);
    judge(question.event, AT.eventMissing, AT.eventRelated);
    evidence[AT.single] = bitCount(this.#hard) <= 1 ? 1 : 0;
    evidence[AT.yesno] = question.kind === 'yesno' ? 1 : 0;
  }

  #shape(evidence: Float64Array, block: number, said: string, kind: boolean, kindBeside: boolean): void {
    const { blocks, question } = this;
    const lacking = LACKING[question.kind];
    if (lacking) evidence[kind ? AT.shape : AT[lacking]] = 1;
    if (lacking && !kind && kindBeside) evidence[AT.shapeBeside] = 1;
    if (question.kind === 'date' && kind && !namesDate(said)) evidence[AT.vague] = 1;
    if (/[?؟][^\p{L}\p{N}]*$/u.test(said)) evidence[AT.asks] = 1;
    if (blocks.is(block, LINE.heading | LINE.label | LINE.header) && !ANNOUNCES.test(said)) evidence[AT.heading] = 1;
    if (question.kind === 'person' && namesSomebody(said)) evidence[AT.names] = 1;
  }

  #sense(evidence: Float64Array, block: number, said: string, worth: Float64Array): void {
    const { question } = this;
    const put = (name: EvidenceName, holds: boolean): void => {
      evidence[AT[name]] = holds ? 1 : 0;
    };
    const counted = this.#counted(block, said, worth);
    put(
      'breaks',
      !hasMeasure(this.#asked, said) ||
        counted === 'no' ||
        evidence[AT.noContact] === 1 ||
        evidence[AT.requiredAbsent] === 1 ||
        (evidence[AT.heading] === 1 && evidence[AT.noFigure]! + evidence[AT.noDate]! > 0) ||
        this.#missesEvent(worth) ||
        speaksOfOpposite(said, this.#opposed) ||
        (SUPERLATIVE.test(question.text) && SECOND_BEST.test(said) && !SECOND_BEST.test(question.text)) ||
        (question.kind === 'person' && NOW.test(question.text) && !NOW.test(said)),
    );
    put('unnegated', question.kind !== 'yesno' && question.negative && !isNegative(said));
    put('countedAlike', counted === 'alike');
  }

  /** A cell below a column, or a value behind a key, has no unit of its own: its number will do. */
  #hasKind(block: number, text: string): boolean {
    const { blocks, question } = this;
    if (hasKind(question.kind, text, question.words)) return true;
    if (!FIGURES.has(question.kind)) return false;
    const parent = blocks.parent(block);
    const figure = KEYED.test(text) || (parent >= 0 && blocks.is(parent, LINE.header));
    return figure && hasKind('number', text, question.words);
  }

  #markImplied(worth: Float64Array, said: string, kind: boolean): void {
    const { question } = this;
    const say = (bits: number): void => mark(worth, { ...NO_TERMS, same: bits }, WORTH.implied);
    if (kind) say(this.#implied);
    if (question.kind === 'yesno' && hasKind('number', said, new Set())) say(this.#numbers);
    // `maximum load`: `not more than 9 kg` says so without the word.
    for (const [at, term] of question.terms.entries()) {
      const limit = limitOf(term);
      if (worth[at]! < WORTH.implied && measureSays(term.forms.folded, said)) worth[at] = WORTH.implied;
      if (limit && worth[at]! < WORTH.implied && setsLimit(limit, said)) worth[at] = WORTH.implied;
    }
  }

  /** Something that is looked for must stand in the sentence, beside it, or in what it is directly under. */
  #nothingOwn(block: number, masks: readonly TermMask[], at: number): boolean {
    const { blocks, scan } = this;
    let near = 0;
    for (const mask of [masks[at - 1], masks[at], masks[at + 1]]) if (mask) near |= anyOf(mask);
    const parent = blocks.parent(block);
    if (parent > 0 || (parent === 0 && !blocks.is(0, LINE.heading))) near |= anyOf(scan.maskOf(parent));
    const wanted = this.#hard & ~this.#numbers;
    return wanted !== 0 && (near & wanted) === 0;
  }

  #phrases(block: number, said: string): number {
    const parent = this.blocks.parent(block);
    const found = Math.max(this.#phrasesIn(said), parent >= 0 ? this.#phrasesIn(this.blocks.text(parent)) : 0);
    return Math.min(found, PHRASES_FULL) / PHRASES_FULL;
  }

  #phrasesIn(text: string): number {
    const { pairs } = this.question;
    if (pairs.length === 0) return 0;
    const masks = rawWords(text).map((word) => this.matcher.wordMask(word));
    const says = (mask: TermMask | undefined, at: number): boolean =>
      mask !== undefined && (((mask.same | mask.concept | mask.synonym) >> at) & 1) === 1;
    return pairs.filter(([first, second]) => masks.some((mask, at) => says(mask, first) && says(masks[at + 1], second)))
      .length;
  }

  /** `how many branches`: a number must stand beside the branches, where these are spoken of. */
  #counted(block: number, text: string, worth: Float64Array): 'yes' | 'alike' | 'no' {
    const { question } = this;
    const focus = question.counted;
    if (question.kind !== 'number' || focus < 0) return 'yes';
    const words = rawWords(text);
    const parent = this.blocks.parent(block);
    const column = parent >= 0 && this.blocks.is(parent, LINE.header | LINE.label);
    const named =
      column || (parent >= 0 && this.blocks.is(parent, LINE.question) && HOW_MANY.test(this.blocks.text(parent)));
    let found: 'yes' | 'alike' | 'no' = named && worth[focus]! >= WORTH.label * LIKE.concept ? 'yes' : 'no';
    for (const [at, word] of words.entries()) {
      const mask = this.matcher.wordMask(word);
      if (((anyOf(mask) >> focus) & 1) === 0) continue;
      const before = words.slice(Math.max(0, at - COUNTED_WITHIN), at).some(isNumberWord);
      const behind = COUNT_SAID.test(text) && words.slice(at + 1, at + COUNTED_WITHIN + 2).some(isNumberWord);
      const next = isNumberWord(words[at + 1] ?? '') || isNumberWord(words[at + 2] ?? '');
      const beside = isNumberWord(words[at - 1] ?? '') || isNumberWord(words[at - 2] ?? '') || next;
      if (!before && !behind) found = found !== 'no' || next ? 'alike' : 'no';
      else if (((mask.same | mask.concept) >> focus) & 1) return 'yes';
      else if (beside) return 'alike';
    }
    return found;
  }

  /** Dates and places stand beside many events: the one that was asked for must be spoken of. */
  #missesEvent(worth: Float64Array): boolean {
    if (this.question.kind !== 'date' && this.question.kind !== 'place') return false;
    return this.question.terms.some(
      (term, at) => term.forms.meanings.concepts.some((one) => EVENTS.has(one)) && worth[at]! < WORTH.block,
    );
  }

  /** Whether the block answers the question that was asked, word for word or nearly. */
  #asksSame(block: number, above: Float64Array): boolean {
    const parent = this.blocks.parent(block);
    if (parent < 0 || !this.blocks.is(parent, LINE.question)) return false;
    return this.#share(above, -1, this.#total) >= SAME_QUESTION;
  }

  /** Whether something stands below a question. */
  #isAnswered(block: number): boolean {
    return block + 1 < this.blocks.count && this.blocks.parent(block + 1) === block;
  }

  /** What the terms are worth by what stands above the block and beside it. */
  #around(block: number): Float64Array {
    const { blocks, scan } = this;
    const worth = new Float64Array(scan.weights.length);
    const parent = blocks.parent(block);
    for (const beside of [block - 1, block + 1]) {
      if (beside < 0 || beside >= blocks.count || blocks.parent(beside) !== parent) continue;
      if (blocks.is(beside, LINE.row | LINE.heading | LINE.question | LINE.label)) continue;
      mark(worth, scan.maskOf(beside), WORTH.side);
    }
    for (const [at, value] of this.#above(block).entries()) worth[at] = Math.max(worth[at]!, value);
    // The first line is mostly what the document is called.
    if (block > 0 && !blocks.is(0, LINE.question)) mark(worth, scan.maskOf(0), WORTH.title);
    return worth;
  }

  /** ... by what stands above it only: headings, the question of an FAQ, the names of columns. */
  #above(block: number): Float64Array {
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

  #share(worth: Float64Array, bits: number, of: number): number {
    let sum = 0;
    for (const [at, weight] of this.scan.weights.entries()) if ((bits >> at) & 1) sum += weight * worth[at]!;
    return sum / of;
  }
}

/** Raises the worth of the terms that were found to `value`, less where they are only said in other words. */
function mark(worth: Float64Array, mask: TermMask, value: number): void {
  for (let bits = anyOf(mask), at = 0; bits !== 0; bits >>>= 1, at += 1) {
    if ((bits & 1) === 0) continue;
    const like = likeOf(mask, at);
    if (value * like > worth[at]!) worth[at] = value * like;
  }
}

function likeOf(mask: TermMask, at: number): number {
  if ((mask.same >> at) & 1) return LIKE.same;
  if ((mask.concept >> at) & 1) return LIKE.concept;
  return (mask.synonym >> at) & 1 ? LIKE.synonym : LIKE.related;
}

function limitOf(term: AskedQuestion['terms'][number]): '=maximum' | '=minimum' | undefined {
  const { concepts } = term.forms.meanings;
  return concepts.includes('=maximum') ? '=maximum' : concepts.includes('=minimum') ? '=minimum' : undefined;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}
