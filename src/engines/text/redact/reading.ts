import type { Language } from '../../../core/agent.ts';
import { CanonicalText } from '../../../language/canonical-text.ts';
import { detectLanguage } from '../../../language/detect-language.ts';
import { Figures } from './figures.ts';
import { KIND_NAMES, type Kind } from './kinds.ts';
import { LABEL_INDEX, type Label } from './labels.ts';
import type { PhraseMatch } from './phrase-index.ts';
import { withSpokenDigits } from './spoken-digits.ts';
import { type Token, tokenize } from './tokens.ts';
import { type WordForms, wordForms } from './word-forms.ts';

/** How far the words reach that say what a value is, characters of canonical text. */
export const CONTEXT_CHARS = 40;
/** A statement is about somebody named this far before. */
const NAMED_CHARS = 80;
/** And how many labels on one side are looked at: more do not fit in the characters. */
const LABELS_MAX = 8;

/** What was already taken out: `[Phone Number]`, `[Phone Number 2]`, `****1234`. Never read again. */
const TAKEN_OUT = new RegExp(
  `\\[(?:${KIND_NAMES.join('|').toLowerCase()})(?: [0-9]{1,4})?\\]|(?<![*a-z0-9])\\*{4}[a-z0-9]{1,4}(?![a-z0-9])`,
  'g',
);
const ALEF_MAQSURA = 0x649;
/** Stands for every character of a placeholder in `lower`. */
export const NEUTRAL = '\u0001';

/** A stretch of the source that may not leave. Offsets are UTF-16 indexes into the source. */
export interface Found {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
  /** 0..1, how sure; decides between findings of equal length. */
  readonly score: number;
  /** Left in the text, for a human to judge. */
  readonly flagged?: true;
  /** What a mask keeps, as digits and Latin letters, when the source spells it otherwise. */
  readonly plain?: string;
}

/** A label in the text: tokens `first` to `last`. */
export type LabelMatch = PhraseMatch<Label>;

/** A text with its words, numbers and labels: what every recogniser reads. */
export class Reading {
  readonly canonical: CanonicalText;
  readonly lower: string;
  readonly tokens: readonly Token[];
  /** By position. */
  readonly labels: readonly LabelMatch[];
  /** How often anything was looked up: grows in proportion to the text, whatever is in it. */
  steps = 0;
  readonly #takenOut: { readonly start: number; readonly end: number }[] = []; // in the source, by position
  readonly #forms: (WordForms | undefined)[] = [];
  readonly #formsOf = new Map<string, WordForms>(); // words come again
  readonly #labelsUpTo: Int32Array; // number of labels that end before or at a token
  #language: Language | undefined;
  #figures: Figures | undefined;

  constructor(source: string) {
    this.canonical = new CanonicalText(source);
    this.lower = this.canonical.lower.replace(TAKEN_OUT, (placeholder, at: number) => {
      this.#takenOut.push({ start: this.canonical.start(at), end: this.canonical.end(at + placeholder.length) });
      return NEUTRAL.repeat(placeholder.length);
    });
    this.tokens = withSpokenDigits(this.lower, tokenize(this.lower));
    this.#labelsUpTo = new Int32Array(this.tokens.length + 1);
    this.labels = this.#findLabels();
  }

  get language(): Language {
    this.#language ??= detectLanguage(this.canonical.source);
    return this.#language;
  }

  get figures(): Figures {
    this.#figures ??= new Figures(this.lower);
    return this.#figures;
  }

  /** Where names were found, canonical tokens by position: set by the recogniser of names, read by that of terms. */
  readonly #named: number[] = [];

  /** Notes that a name ends at a token. */
  noteName(last: number): void {
    this.#named.push(last);
  }

  /** Whether the sentence of a token names somebody before it, and before token `until`. */
  isNamed(index: number, until = index): boolean {
    let low = 0;
    let high = this.#named.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#named[middle]! < until) low = middle + 1;
      else high = middle;
    }
    this.steps += 1;
    const last = this.tokens[this.#named[low - 1] ?? -1];
    const token = this.tokens[index]!;
    return last !== undefined && last.sentence === token.sentence && token.start - last.end <= NAMED_CHARS;
  }

  forms = (index: number): WordForms => {
    this.steps += 1;
    let known = this.#forms[index];
    if (known === undefined) {
      const { text, type } = this.tokens[index]!;
      known = this.#formsOf.get(text) ?? (type === 'word' ? wordForms(text) : { plain: [text], bare: [text] });
      this.#formsOf.set(text, known);
      this.#forms[index] = known;
    }
    return known;
  };

  /** What stands between token `index` and the one before it. */
  gapBefore(index: number): string {
    this.steps += 1;
    const from = index === 0 ? 0 : this.tokens[index - 1]!.end;
    return this.lower.slice(from, this.tokens[index]?.start ?? this.lower.length);
  }

  /** Labels that end before token `index` in its sentence, nearest first, at most `CONTEXT_CHARS` away. */
  labelsLeft(index: number, chars = CONTEXT_CHARS): LabelMatch[] {
    const token = this.tokens[index];
    const found: LabelMatch[] = [];
    if (token === undefined) return found;
    for (let at = this.#labelsUpTo[index]! - 1; at >= 0 && found.length < LABELS_MAX; at -= 1) {
      this.steps += 1;
      const label = this.labels[at]!;
      const last = this.tokens[label.last]!;
      if (token.start - last.end > chars || last.sentence !== token.sentence) break;
      found.push(label);
    }
    return found;
  }

  /** The last labels that end before token `index`, nearest first, of whatever sentence. */
  labelsBefore(index: number, count: number): readonly LabelMatch[] {
    const upTo = this.#labelsUpTo[index]!;
    this.steps += count;
    return this.labels.slice(Math.max(0, upTo - count), upTo).reverse();
  }

  /** Labels that begin after token `index` in its sentence, nearest first. */
  labelsRight(index: number, chars = CONTEXT_CHARS): LabelMatch[] {
    const token = this.tokens[index];
    const found: LabelMatch[] = [];
    if (token === undefined) return found;
    for (let at = this.#labelsUpTo[index + 1]!; at < this.labels.length && found.length < LABELS_MAX; at += 1) {
      this.steps += 1;
      const label = this.labels[at]!;
      const first = this.tokens[label.first]!;
      if (first.start - token.end > chars || first.sentence !== token.sentence) break;
      if (label.first > index) found.push(label);
    }
    return found;
  }

  /** What the label is that begins at a token. */
  labelAt(index: number): Label | undefined {
    this.steps += 1;
    const next = this.labels[this.#labelsUpTo[index]!];
    return next?.first === index ? next.meaning : undefined;
  }

  hasLabel(index: number, wanted: Label, chars = CONTEXT_CHARS): boolean {
    const is = (label: LabelMatch): boolean => label.meaning === wanted;
    return this.labelsLeft(index, chars).some(is) || this.labelsRight(index, chars).some(is);
  }

  /** `على` written with its own letter; without it the word is a name or `عليّ`. */
  isPreposition(index: number): boolean {
    return this.canonical.source.charCodeAt(this.canonical.end(this.tokens[index]!.end) - 1) === ALEF_MAQSURA;
  }

  /** The first letter of a token as the source spells it: أ and ا are one in the canonical text. */
  sourceLetter(index: number): string {
    return this.canonical.source.charAt(this.canonical.start(this.tokens[index]!.start));
  }

  /** Whether only words stand between two tokens (exclusive). */
  noDigitsBetween(first: number, last: number): boolean {
    this.steps += last - first;
    for (let at = first + 1; at < last; at += 1) if (this.tokens[at]!.type === 'digits') return false;
    return true;
  }

  /** Whether no value, also none that was taken out before, stands between two tokens: the first may speak of the last. */
  noValueBetween(first: number, last: number): boolean {
    return this.noDigitsBetween(first, last) && this.noPlaceholderBetween(first, last);
  }

  noPlaceholderBetween(first: number, last: number): boolean {
    const from = this.tokens[first]?.end ?? 0;
    const to = this.tokens[last]?.start ?? this.lower.length;
    this.steps += 1;
    return !this.lower.slice(from, to).includes(NEUTRAL);
  }

  /** Whether anything was taken out before. */
  get hasTakenOut(): boolean {
    return this.#takenOut.length > 0;
  }

  /** The finding without what was taken out before: itself, or the parts beside it. */
  withoutTakenOut(found: Found): readonly Found[] {
    const inside = this.#takenOutIn(found.start, found.end);
    if (inside.length === 0) return [found];
    const parts: Found[] = [];
    let at = found.start;
    for (const { start, end } of [...inside, { start: found.end, end: found.end }]) {
      const raw = this.canonical.source.slice(at, start);
      const part = raw.trim();
      const from = at + raw.indexOf(part);
      if (/[\p{L}\p{N}]/u.test(part)) parts.push({ ...found, start: from, end: from + part.length });
      at = end;
    }
    return parts;
  }

  #takenOutIn(from: number, to: number): readonly { readonly start: number; readonly end: number }[] {
    let low = 0;
    let high = this.#takenOut.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#takenOut[middle]!.end <= from) low = middle + 1;
      else high = middle;
    }
    let last = low;
    while (last < this.#takenOut.length && this.#takenOut[last]!.start < to) last += 1;
    return this.#takenOut.slice(low, last);
  }

  /** What was taken out right after a token. */
  placeholderAfter(index: number, chars: number): boolean {
    const { end } = this.tokens[index]!;
    return this.lower.slice(end, end + chars).includes(NEUTRAL);
  }

  /** A finding at canonical indexes. */
  found(kind: Kind, start: number, end: number, score: number, plain?: string): Found {
    return {
      kind,
      start: this.canonical.start(start),
      end: this.canonical.end(end),
      score,
      ...(plain === undefined ? {} : { plain }),
    };
  }

  /** A finding from token `first` to token `last`. */
  foundTokens(kind: Kind, first: number, last: number, score: number, plain?: string): Found {
    return this.found(kind, this.tokens[first]!.start, this.tokens[last]!.end, score, plain);
  }

  /** The tokens as the source writes capitals. */
  cased(index: number): string {
    const token = this.tokens[index]!;
    return this.canonical.cased.slice(token.start, token.end);
  }

  #findLabels(): LabelMatch[] {
    const labels: LabelMatch[] = [];
    let index = 0;
    while (index < this.tokens.length) {
      const match = this.tokens[index]!.type === 'word' ? LABEL_INDEX.at(this.tokens, this.forms, index) : undefined;
      const next = match === undefined ? index + 1 : match.last + 1;
      for (let at = index; at < next; at += 1) this.#labelsUpTo[at] = labels.length;
      if (match !== undefined) labels.push(match);
      index = next;
    }
    this.#labelsUpTo[this.tokens.length] = labels.length;
    return labels;
  }
}
