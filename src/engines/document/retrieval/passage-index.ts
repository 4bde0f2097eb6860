import MiniSearch from 'minisearch';
import type { Blocks } from './blocks.ts';
import type { QuestionTerm } from './question-term.ts';
import { formsOf, type WordForms } from './word-forms.ts';
import { foldWord, rawWords } from './words.ts';

interface Passage {
  readonly id: number; // the block
  readonly text: string;
  readonly above: string; // what it stands under: headings, the question of an FAQ, the names of columns
}

const MAX_PARENTS = 3;
const ABOVE_BOOST = 0.8;
const BEGINNING = 6; // letters: `cancellation` and `cancelled` meet
/** What a shared form says about two words. */
const BOOST = { key: 1, concept: 0.9, synonym: 0.7, other: 0.7, root: 0.4, beginning: 0.5 } as const;

/** The forms of a word under which it is found, each with what it is worth. */
function tokensOf(forms: WordForms): Map<string, number> {
  const tokens = new Map<string, number>();
  const put = (token: string, boost: number): void => {
    if (boost > (tokens.get(token) ?? 0)) tokens.set(token, boost);
  };
  put(forms.key, BOOST.key);
  for (const other of forms.others) if (other.length >= 3) put(other, BOOST.other);
  for (const concept of forms.meanings.concepts) put(concept, BOOST.concept);
  for (const row of forms.meanings.synonyms) put(`=${row}`, BOOST.synonym);
  for (const row of forms.meanings.relatives) put(`=${row}`, BOOST.root);
  for (const root of forms.roots) put(`/${root}`, BOOST.root);
  if (/^[a-z]{7,}$/.test(forms.key)) put(`^${forms.key.slice(0, BEGINNING)}`, BOOST.beginning);
  return tokens;
}

/**
 * BM25+ over the passages of a text by MiniSearch, with the words of this service: folded, lightly stemmed, and under
 * their synonyms. An index for one question holds only the words that have to do with it, which is what makes it small
 * enough to be built for every question about a document.
 */
export class PassageIndex {
  readonly #search: MiniSearch<Passage>;
  readonly #tokens = new Map<string, string[]>(); // of words as written; lives as long as the passages are added
  readonly #only: ReadonlySet<string> | undefined;

  constructor(blocks: Blocks, passages: Iterable<number>, question?: readonly QuestionTerm[]) {
    this.#only = question && new Set(question.flatMap((term) => [...tokensOf(term.forms).keys()]));
    this.#search = new MiniSearch<Passage>({
      fields: ['text', 'above'],
      tokenize: rawWords,
      processTerm: (word) => this.#process(word),
    });
    for (const id of passages) this.#search.add({ id, text: blocks.text(id), above: aboveOf(blocks, id) });
    this.#tokens.clear();
  }

  /** The passages nearest to the question, best first. */
  find(terms: readonly QuestionTerm[], limit: number): number[] {
    const boosts = new Map<string, number>();
    for (const { forms, prior } of terms) {
      for (const [token, boost] of tokensOf(forms)) boosts.set(token, Math.max(boosts.get(token) ?? 0, boost * prior));
    }
    return this.#query(boosts).slice(0, limit);
  }

  /** How many passages hold a word or one that stands for it. */
  holders(forms: WordForms): number {
    return this.#query(tokensOf(forms)).length;
  }

  #query(boosts: ReadonlyMap<string, number>): number[] {
    const tokens = [...boosts.keys()];
    if (tokens.length === 0) return [];
    const hits = this.#search.search(tokens.join(' '), {
      tokenize: () => tokens,
      processTerm: (token) => token,
      boost: { above: ABOVE_BOOST },
      boostTerm: (token) => boosts.get(token) ?? 1,
    });
    return hits.map((hit) => hit.id as number);
  }

  #process(word: string): string[] | null {
    const known = this.#tokens.get(word);
    if (known) return known.length > 0 ? known : null;
    const folded = foldWord(word);
    const only = this.#only;
    const all = folded === '' ? [] : [...tokensOf(formsOf(folded)).keys()];
    const kept = only ? all.filter((token) => only.has(token)) : all;
    this.#tokens.set(word, kept);
    return kept.length > 0 ? kept : null;
  }
}

function aboveOf(blocks: Blocks, block: number): string {
  const parts: string[] = [];
  let above = blocks.parent(block);
  for (let depth = 0; above >= 0 && depth < MAX_PARENTS; depth += 1) {
    parts.push(blocks.text(above));
    above = blocks.parent(above);
  }
  return parts.join('\n');
}
