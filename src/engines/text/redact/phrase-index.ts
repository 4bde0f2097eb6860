import { lazily } from '../../../core/lazily.ts';
import { foldWord } from '../../../language/fold-word.ts';
import type { Token } from './tokens.ts';
import type { WordForms } from './word-forms.ts';

interface Phrase<Meaning> {
  readonly words: readonly string[];
  readonly meaning: Meaning;
  /** Counts up: of two that fit alike the later one holds. */
  readonly order: number;
}

/** The phrases that begin with one word: that word alone, and longer ones by their second word. */
interface Entry<Meaning> {
  alone: Phrase<Meaning> | undefined;
  readonly bySecond: Map<string, Phrase<Meaning>[]>;
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

/** Phrases of one to a few words, looked up by their first two; the longest phrase at a place wins. */
export class PhraseIndex<Meaning> {
  readonly #added: [phrases: readonly string[], meaning: Meaning][] = [];
  readonly #byFirst = lazily(() => byFirstOf(this.#added.splice(0)));
  readonly #form: keyof WordForms;

  /** `form`: whether a possessive ending may follow the words of the table. */
  constructor(form: keyof WordForms) {
    this.#form = form;
  }

  /**
   * Before it is first asked: only then are they folded.
   *
   * @param phrases - their words parted by a space.
   */
  add(phrases: readonly string[], meaning: Meaning): void {
    this.#added.push([phrases, meaning]);
  }

  /** The longest phrase that begins at token `at`; of equally long ones that of the fuller form, then the last added. */
  at(tokens: readonly Token[], forms: (index: number) => WordForms, at: number): PhraseMatch<Meaning> | undefined {
    let best: Phrase<Meaning> | undefined;
    let found = '';
    for (const form of forms(at)[this.#form]) {
      const entry = this.#byFirst().get(form);
      if (entry === undefined) continue;
      const longer = entry.bySecond.size === 0 ? undefined : this.#longest(entry, tokens, forms, at);
      const here = longer ?? entry.alone;
      if (here === undefined || here.words.length <= (best?.words.length ?? 0)) continue;
      best = here;
      found = form;
    }
    if (best === undefined) return undefined;
    return {
      first: at,
      last: at + best.words.length - 1,
      meaning: best.meaning,
      prefix: prefixOf(tokens[at]!.text, found),
    };
  }

  /** The longest phrase of two words or more. */
  #longest(
    entry: Entry<Meaning>,
    tokens: readonly Token[],
    forms: (index: number) => WordForms,
    at: number,
  ): Phrase<Meaning> | undefined {
    if (!follows(tokens, at + 1)) return undefined;
    let best: Phrase<Meaning> | undefined;
    for (const second of forms(at + 1)[this.#form]) {
      for (const phrase of entry.bySecond.get(second) ?? []) {
        const longer = phrase.words.length - (best?.words.length ?? 0);
        if (longer < 0 || (longer === 0 && phrase.order < best!.order)) continue;
        if (this.#continues(tokens, forms, at, phrase.words)) best = phrase;
      }
    }
    return best;
  }

  /** Whether the words from the third on follow. */
  #continues(
    tokens: readonly Token[],
    forms: (index: number) => WordForms,
    at: number,
    words: readonly string[],
  ): boolean {
    for (let offset = 2; offset < words.length; offset += 1) {
      if (!follows(tokens, at + offset)) return false; // digits too: `type 2 diabetes`
      if (!forms(at + offset)[this.#form].includes(words[offset]!)) return false;
    }
    return true;
  }
}

function byFirstOf<Meaning>(added: readonly (readonly [readonly string[], Meaning])[]): Map<string, Entry<Meaning>> {
  const byFirst = new Map<string, Entry<Meaning>>();
  let order = 0;
  for (const [phrases, meaning] of added) {
    for (const phrase of phrases) {
      const words = phrase.split(' ').map(foldWord);
      const [first, second] = words;
      if (first === undefined) continue;
      const entry = byFirst.get(first) ?? { alone: undefined, bySecond: new Map() };
      byFirst.set(first, entry);
      order += 1;
      const found = { words, meaning, order };
      if (second === undefined) entry.alone = found;
      else entry.bySecond.set(second, [...(entry.bySecond.get(second) ?? []), found]);
    }
  }
  return byFirst;
}

/** Whether a token stands near enough to the one before it to go on with a phrase. */
function follows(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  return token !== undefined && token.start - tokens[at - 1]!.end <= GAP_CHARS_MAX;
}

/** `بالربو` found as `ربو`: the preposition is one letter, the article belongs to the phrase. */
function prefixOf(word: string, form: string): number {
  if (form.length >= word.length || !word.endsWith(form)) return 0;
  const before = word.length - form.length;
  return word.slice(0, before).endsWith('ال') ? before - 2 : before;
}
