import { fold } from '../../../language/fold.ts';
import { LINE } from '../document-lines.ts';
import {
  type AnswerKind,
  hasKind,
  hasMeasure,
  measureSays,
  namesDate,
  namesPast,
  namesSomebody,
  setsLimit,
} from './answer-kinds.ts';
import { type Blocks, sentencesOf } from './blocks.ts';
import { namesOneOf } from './categories.ts';
import { countedIn, HOW_MANY } from './counted.ts';
import { AT, EVIDENCE, type EvidenceName, type Examined } from './evidence.ts';
import { opposedSides, type Side, speaksOfOpposite } from './opposites.ts';
import { type AskedQuestion, isNegative } from './question.ts';
import { anyOf, NO_TERMS, type Scan, type TermMask, type TermMatcher } from './scan.ts';
import { SentenceReading } from './sentence-reading.ts';
import { HERE, LIKE, likeOf, mark, Surroundings, WORTH } from './surroundings.ts';

const PAST_WHEN =
  /^(?:when (?:was|were|did)|in (?:which|what) year|(?:في )?(?:اي )(?:عام|سنه)|متي (?:(?!ي|ت|ن)|ت(?:م|اسس|وفي)))/;
const FAR = 0.4; // of the worth of a term that stands elsewhere
const SOFT_BELOW = 0.5; // priors of words that may stand in any question
const MASS_FULL = 9;
const PHRASES_FULL = 3;
const ANNOUNCES = /[:：][^\p{L}\p{N}]*$/u;
const SAME_QUESTION = 0.88;
const KEYED = /^"[^"]{1,80}"\s*:/;
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
  name: 'noName',
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
  readonly #surroundings: Surroundings;
  readonly #soft: number;
  readonly #rest: number; // hard terms without names, numbers and what the document is about
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
    this.#surroundings = new Surroundings(blocks, scan, matcher);
    this.#numbers = this.#bits((at) => terms[at]!.forms.number);
    this.#soft = this.#bits((at) => terms[at]!.prior < SOFT_BELOW);
    const hard = this.#bits(() => true) & ~(this.#soft | this.#implied);
    const telling = hard & ~this.#bits((at) => scan.topical(at));
    // What the whole text is about tells nothing: then the common words of the question have to.
    this.#hard = telling === 0 ? this.#bits(() => true) & ~(hard === 0 ? 0 : this.#implied) : hard;
    this.#rest = this.#hard & ~this.#bits((at) => terms[at]!.required || scan.topical(at));
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
    const blockMask = this.scan.maskOf(block);
    const kinds = sentences.map((one) => this.#hasKind(block, text.slice(one.start, one.end)));
    const above = this.#surroundings.above(block);
    const around = this.#surroundings.around(block);
    mark(around, blockMask, WORTH.block);
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
      const reading = new SentenceReading(said, this.matcher);
      if (this.#namesKind(reading))
        for (const one of [worth, close]) one[this.question.head] = Math.max(one[this.question.head]!, WORTH.implied);
      this.#lexical(evidence, worth, own, close, blockMask);
      this.#nearness(evidence, reading, worth, close);
      this.#shape(evidence, block, said, kinds[at]!, Boolean(kinds[at + 1] || kinds[at - 1]));
      this.#sense(evidence, block, said, close, reading);
      evidence[AT.nothingOwn] = this.#nothingOwn(block, masks, at) ? 1 : 0;
      evidence[AT.phrases] = this.#phrases(block, reading);
      evidence[AT.asked] = this.#asksSame(block, above) ? 1 : 0;
      return { block, sentence, own: evidence[AT.own]!, evidence };
    });
    // A value behind a key is a figure or none: it cannot be the answer beside it.
    return examined.filter(
      (one) => one.evidence[AT.noFigure] === 0 || !KEYED.test(text.slice(one.sentence.start, one.sentence.end)),
    );
  }

  #lexical(evidence: Float64Array, worth: Float64Array, own: Float64Array, close: Float64Array, same: TermMask): void {
    const { scan, question } = this;
    evidence[AT.cover] = this.#share(worth, -1, this.#total);
    evidence[AT.own] = this.#share(own, -1, this.#total);
    evidence[AT.hardCover] = this.#share(worth, this.#hard, this.#hardTotal);
    evidence[AT.hardOwn] = this.#share(own, this.#hard, this.#hardTotal);
    evidence[AT.sameCover] = this.#share(
      worth.map((value, at) => (((same.same | same.concept) >> at) & 1 ? value : 0)),
      this.#hard,
      this.#hardTotal,
    );
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
    evidence[AT.english] = question.language === 'en' ? 1 : 0;
    evidence[AT.yesno] = question.kind === 'yesno' ? 1 : 0;
  }

  #nearness(evidence: Float64Array, reading: SentenceReading, worth: Float64Array, close: Float64Array): void {
    const { question, scan } = this;
    const places = reading.answers(question.kind, question.folded);
    const context = worth.map((value) => value * FAR);
    evidence[AT.near] = reading.near(places, this.#hard, scan.weights, likeOf, context);
    evidence[AT.nearRest] = reading.near(places, this.#rest, scan.weights, likeOf, context);
    evidence[AT.plainCover] = this.#rest === 0 ? 1 : this.#share(worth, this.#rest, this.#weight(this.#rest) || 1);
    evidence[AT.noAnswerPlace] = places.length === 0 ? 1 : 0;
    this.#key(evidence, reading, places, worth, close);
    const missing = question.group.filter((term) => close[term]! < HERE).length;
    evidence[AT.groupMissing] = missing / (question.group.length || 1);
    const unsaid = (term: number): boolean => term >= 0 && close[term]! < HERE && ((scan.held >> term) & 1) === 0;
    evidence[AT.headAbsent] = unsaid(question.head) ? 1 : 0;
    evidence[AT.eventAbsent] = unsaid(question.event) ? 1 : 0;
    evidence[AT.kindMissing] = question.category && question.head >= 0 && close[question.head]! < HERE ? 1 : 0;
    evidence[AT.newName] =
      (question.kind === 'person' || question.kind === 'name') && places.some(([, value]) => value === 1) ? 1 : 0;
  }

  /** The one word that says what is wanted of the things that are spoken of. */
  #key(
    evidence: Float64Array,
    reading: SentenceReading,
    places: ReturnType<SentenceReading['answers']>,
    worth: Float64Array,
    close: Float64Array,
  ): void {
    const { question, scan } = this;
    const key = [question.event, question.counted, question.head].find((term) => term >= 0) ?? -1;
    evidence[AT.keyNone] = key < 0 ? 1 : 0;
    if (key < 0) return;
    const context = close.map((value) => value * FAR);
    evidence[AT.keyNear] = reading.near(places, 1 << key, scan.weights, likeOf, context);
    const others = this.#hard & ~(1 << key);
    if (close[key]! >= HERE || others === 0) return;
    evidence[AT.onlyKey] = this.#share(worth, others, this.#weight(others) || 1);
  }

  #shape(evidence: Float64Array, block: number, said: string, kind: boolean, kindBeside: boolean): void {
    const { blocks, question } = this;
    const lacking = LACKING[question.kind];
    if (lacking) evidence[kind ? AT.shape : AT[lacking]] = 1;
    if (lacking && !kind) evidence[kindBeside ? AT.shapeBeside : AT.lacks] = 1;
    if (question.kind === 'date' && kind && !namesDate(said)) evidence[AT.vague] = 1;
    if (question.kind === 'date' && PAST_WHEN.test(this.#asked) && !namesPast(said)) evidence[AT.undated] = 1;
    if (/[?؟][^\p{L}\p{N}]*$/u.test(said)) evidence[AT.asks] = 1;
    if (blocks.is(block, LINE.heading | LINE.label | LINE.header) && !ANNOUNCES.test(said)) evidence[AT.heading] = 1;
    if (question.kind === 'person' && namesSomebody(said)) evidence[AT.names] = 1;
  }

  #sense(evidence: Float64Array, block: number, said: string, worth: Float64Array, reading: SentenceReading): void {
    const { question } = this;
    const put = (name: EvidenceName, holds: boolean): void => {
      evidence[AT[name]] = holds ? 1 : 0;
    };
    const counted =
      question.kind === 'number' ? countedIn(reading, said, question.counted, this.#namesCounted(block, worth)) : 'yes';
    put(
      'breaks',
      evidence[AT.noContact] === 1 ||
        (evidence[AT.heading] === 1 && evidence[AT.noFigure]! + evidence[AT.noDate]! > 0) ||
        this.#missesEvent(worth) ||
        speaksOfOpposite(said, this.#opposed) ||
        (SUPERLATIVE.test(question.text) && SECOND_BEST.test(said) && !SECOND_BEST.test(question.text)) ||
        (question.kind === 'person' && NOW.test(question.text) && !NOW.test(said)),
    );
    put('unnegated', question.kind !== 'yesno' && question.negative && !isNegative(said));
    put('countedAlike', counted === 'alike');
    put('notCounted', counted === 'no');
    put('noMeasure', !hasMeasure(this.#asked, said));
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

  #phrases(block: number, reading: SentenceReading): number {
    const parent = this.blocks.parent(block);
    const above =
      parent < 0 ? 0 : new SentenceReading(this.blocks.text(parent), this.matcher).phrases(this.question.pairs);
    const found = Math.max(reading.phrases(this.question.pairs), above);
    return Math.min(found, PHRASES_FULL) / PHRASES_FULL;
  }

  /** Whether the column, the label or the question above says what is counted. */
  #namesCounted(block: number, worth: Float64Array): boolean {
    const { blocks, question } = this;
    const parent = blocks.parent(block);
    if (parent < 0 || question.counted < 0 || worth[question.counted]! < WORTH.label * LIKE.concept) return false;
    if (blocks.is(parent, LINE.header | LINE.label)) return true;
    return blocks.is(parent, LINE.question) && HOW_MANY.test(blocks.text(parent));
  }

  /** `which disease`: `smallpox` names one. */
  #namesKind(reading: SentenceReading): boolean {
    const head = this.question.terms[this.question.head];
    return (
      head !== undefined &&
      namesOneOf(
        head.forms.folded,
        reading.words.map((word) => word.folded),
      )
    );
  }

  /** Dates and places stand beside many events: the one that was asked for must be spoken of. */
  #missesEvent(worth: Float64Array): boolean {
    if (this.question.kind !== 'date' && this.question.kind !== 'place') return false;
    return this.question.terms.some(
      (term, at) => term.forms.meanings.concepts.some((one) => EVENTS.has(one)) && worth[at]! <= LIKE.related,
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

  #share(worth: Float64Array, bits: number, of: number): number {
    let sum = 0;
    for (const [at, weight] of this.scan.weights.entries()) if ((bits >> at) & 1) sum += weight * worth[at]!;
    return sum / of;
  }
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
