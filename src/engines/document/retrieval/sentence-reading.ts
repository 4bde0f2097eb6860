import { FAMILY_NAMES, GIVEN_NAMES } from '../../../language/names/name-lists.ts';
import type { AnswerKind } from './answer-kinds.ts';
import { isDateWord, isNumberWord, isPlaceWord, isReasonWord, isRoleWord } from './answer-words.ts';
import { anyOf, type TermMask, type TermMatcher } from './scan.ts';
import { isStop } from './stop-words.ts';
import { eachWord, foldWord } from './words.ts';

/** One word of a sentence. */
export interface ReadWord {
  readonly raw: string;
  readonly folded: string;
  readonly mask: TermMask; // terms of the question it stands for
  /** Words from the beginning, every comma counted as some more: what a comma parts belongs together less. */
  readonly at: number;
  readonly begins: boolean; // the first of a sentence: its capital says nothing
}

const COMMA_WORDS = 3;
const NEARNESS_WORDS = 9; // what stands so far away counts a third
const PARTS = /[,;:،؛()–—]/;

/** A name of the question in another form: `Olga's`. */
function isNamed(kind: AnswerKind, word: ReadWord): boolean {
  return (kind === 'person' || kind === 'name' || kind === 'place') && word.mask.same !== 0;
}

/** The words of one sentence as far as a question is concerned. */
export class SentenceReading {
  readonly words: readonly ReadWord[];

  constructor(text: string, matcher: TermMatcher, from = 0, to = text.length) {
    const words: ReadWord[] = [];
    let at = 0;
    let last = from;
    eachWord(text, from, to, (start, end) => {
      const raw = text.slice(start, end);
      at += PARTS.test(text.slice(last, start)) ? 1 + COMMA_WORDS : 1;
      last = end;
      words.push({ raw, folded: foldWord(raw), mask: matcher.wordMask(raw), at, begins: words.length === 0 });
    });
    this.words = words;
  }

  /** How many of the pairs of terms stand side by side. */
  phrases(pairs: readonly (readonly [number, number])[]): number {
    const says = (word: ReadWord | undefined, term: number): boolean =>
      word !== undefined && (((word.mask.same | word.mask.concept | word.mask.synonym) >> term) & 1) === 1;
    return pairs.filter(([first, second]) =>
      this.words.some((word, at) => says(word, first) && says(this.words[at + 1], second)),
    ).length;
  }

  /**
   * Where something stands that may answer a question of `kind`, each 0..1 by how well it would; the question's own
   * words never do.
   */
  answers(kind: AnswerKind, asked: ReadonlySet<string>): readonly (readonly [word: ReadWord, worth: number])[] {
    const found: (readonly [ReadWord, number])[] = [];
    for (const [at, word] of this.words.entries()) {
      if (kind !== 'reason' && (asked.has(word.folded) || isNamed(kind, word))) continue;
      const worth = this.#answerWorth(kind, word, at);
      if (worth > 0) found.push([word, worth]);
    }
    return found;
  }

  #answerWorth(kind: AnswerKind, word: ReadWord, at: number): number {
    switch (kind) {
      case 'number':
      case 'money':
      case 'percent':
      case 'duration':
        return isNumberWord(word.raw) ? 1 : 0;
      case 'date':
      case 'clock':
        return isDateWord(word.raw) ? 1 : isNumberWord(word.raw) ? 0.6 : 0;
      case 'person':
        return this.#isName(word, at) ? (this.#isPlaceName(at) ? 0.5 : 1) : isRoleWord(word.raw) ? 0.6 : 0;
      case 'name':
        return this.#isName(word, at) || this.#isCalled(at) ? 1 : 0;
      case 'place':
        return this.#isName(word, at) ? 1 : isPlaceWord(word.raw) ? 0.8 : this.#behindPreposition(at) ? 0.7 : 0;
      case 'reason':
        return isReasonWord(word.raw) ? 1 : 0;
      default:
        return anyOf(word.mask) === 0 && !isStop(word.folded) ? 1 : 0;
    }
  }

  #isName(word: ReadWord, at: number): boolean {
    if (/^\p{Lu}/u.test(word.raw)) return !word.begins || /^\p{Lu}/u.test(this.words[at + 1]?.raw ?? '');
    const { folded } = word;
    if (/^[a-z]/.test(folded)) return false;
    const before = this.words[at - 1]?.folded ?? '';
    if (GIVEN_NAMES.has(folded) || FAMILY_NAMES.has(folded) || /^(?:بن|بنت|ابن|ابو|ال)$/.test(before)) return true;
    return (
      isRoleWord(this.words[at - 1]?.raw ?? '') || (/^ال/.test(before) && isRoleWord(this.words[at - 2]?.raw ?? ''))
    );
  }

  /** `the Kingdom of Arvonia`, `in Paris`, `Corrie Bridge`: a name, but of nobody. */
  #isPlaceName(at: number): boolean {
    const before = this.words[at - 1]?.folded ?? '';
    const next = this.words[at + 1];
    if (isPlaceWord(next?.raw ?? '') || isPlaceWord(this.words[at]!.raw)) return true;
    return /^(?:in|at|from|near|on|through|across|towards|of|the)$/.test(before) && !/^\p{Lu}/u.test(next?.raw ?? '');
  }

  /** `steroids called cardenolides` */
  #isCalled(at: number): boolean {
    const before = this.words[at - 1]?.folded ?? '';
    return /^(?:called|named|termed|dubbed|nicknamed|باسم|اسمه|اسمها|[يت]سمي|[يت]دعي|[يت]عرف|سماه|سماها|سمي)$/.test(
      before,
    );
  }

  #behindPreposition(at: number): boolean {
    const { folded } = this.words[at]!;
    return (
      /^(?:in|at|from|to|near|on|into|في|من|الي|عند|قرب|نحو|بين)$/.test(this.words[at - 1]?.folded ?? '') ||
      /^بال/.test(folded)
    );
  }

  /**
   * The share of the weights of `terms` that is said near what may be the answer: 1 where all of them stand beside it. `context`
   * is what each term is worth without standing near.
   */
  near(
    places: readonly (readonly [word: ReadWord, worth: number])[],
    terms: number,
    weights: readonly number[],
    likeOf: (mask: TermMask, term: number) => number,
    context: Float64Array,
  ): number {
    const said = weights.map((_, term) =>
      (terms >> term) & 1 ? this.words.filter(({ mask }) => (anyOf(mask) >> term) & 1) : [],
    );
    const all = weights.reduce((sum, weight, term) => sum + ((terms >> term) & 1 ? weight : 0), 0);
    if (all === 0) return 0;
    let best = 0;
    for (const [place, worth] of places) {
      let sum = 0;
      for (const [term, weight] of weights.entries()) {
        if (((terms >> term) & 1) === 0) continue;
        let nearest = context[term]!;
        for (const word of said[term]!) {
          if (word === place) continue;
          const away = Math.max(0, Math.abs(word.at - place.at) - 2);
          nearest = Math.max(nearest, likeOf(word.mask, term) * Math.exp(-away / NEARNESS_WORDS));
        }
        sum += weight * nearest;
      }
      best = Math.max(best, (worth * sum) / all);
    }
    return best;
  }
}
