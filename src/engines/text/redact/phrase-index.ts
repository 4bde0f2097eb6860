import { foldWord } from '../lexicon/fold-word.ts';
import type { Token } from './tokens.ts';
import type { WordForms } from './word-forms.ts';

interface Phrase<Meaning> {
  readonly words: readonly string[];
  readonly meaning: Meaning;
}

/** A phrase found at the tokens `first` to `last`. */
export interface PhraseMatch<Meaning> {
  readonly first: number;
  readonly last: number;
  readonly meaning: Meaning;
  /** Letters before the phrase in its first word: conjunction and preposition, not the article. */
  readonly prefix: number;
}

/** How much may stand between the words of a phrase: a space, a hyphen, `: `. */
const GAP_CHARS_MAX = 2;

/** Phrases of one to a few words, looked up by their first word; the longest phrase at a place wins. */
export class PhraseIndex<Meaning> {
  readonly #byFirst = new Map<string, Phrase<Meaning>[]>();
  readonly #form: keyof WordForms;

  /** `form`: whether a possessive ending may follow the words of the table. */
  constructor(form: keyof WordForms) {
    this.#form = form;
  }

  /** `list`: phrases separated by `|`, words by a space. */
  add(list: string, meaning: Meaning): void {
    for (const phrase of list.split('|')) {
      const words = phrase
        .trim()
        .split(/\s+/u)
        .filter((word) => word !== '')
        .map(foldWord);
      if (words.length === 0) continue;
      const known = this.#byFirst.get(words[0]!) ?? [];
      if (known.length === 0) this.#byFirst.set(words[0]!, known);
      known.push({ words, meaning });
    }
  }

  /** The longest phrase that begins at token `at`; of equally long ones that of the fuller form, then the last added. */
  at(tokens: readonly Token[], forms: (index: number) => WordForms, at: number): PhraseMatch<Meaning> | undefined {
    let best: Phrase<Meaning> | undefined;
    let found = '';
    for (const form of forms(at)[this.#form]) {
      const phrases = this.#byFirst.get(form);
      if (phrases === undefined) continue;
      for (const phrase of phrases) {
        const length = best?.words.length ?? 0;
        if (phrase.words.length < length || (phrase.words.length === length && form !== found)) continue;
        if (!this.#continues(tokens, forms, at, phrase.words)) continue;
        best = phrase;
        found = form;
      }
    }
    if (best === undefined) return undefined;
    return {
      first: at,
      last: at + best.words.length - 1,
      meaning: best.meaning,
      prefix: prefixOf(tokens[at]!.text, found),
    };
  }

  #continues(
    tokens: readonly Token[],
    forms: (index: number) => WordForms,
    at: number,
    words: readonly string[],
  ): boolean {
    for (let offset = 1; offset < words.length; offset += 1) {
      const token = tokens[at + offset];
      if (token === undefined) return false; // digits too: `type 2 diabetes`
      if (token.start - tokens[at + offset - 1]!.end > GAP_CHARS_MAX) return false;
      if (!forms(at + offset)[this.#form].includes(words[offset]!)) return false;
    }
    return true;
  }
}

/** `بالربو` found as `ربو`: the preposition is one letter, the article belongs to the phrase. */
function prefixOf(word: string, form: string): number {
  if (form.length >= word.length || !word.endsWith(form)) return 0;
  const before = word.length - form.length;
  return word.slice(0, before).endsWith('ال') ? before - 2 : before;
}
