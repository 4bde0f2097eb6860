import MiniSearch from 'minisearch';
import { wordsOf } from '../reply/fold.ts';
import { isFiller, isWeak, term } from '../reply/lexicon.ts';
import { similarity } from '../reply/similarity.ts';

/** One thing that can be found: the questions it answers (may be empty) and the text that answers. */
export interface KnowledgeEntry {
  readonly id: string;
  readonly questions: readonly string[];
  readonly text: string;
}
export interface KnowledgeHit {
  readonly id: string;
  /** MiniSearch's BM25+ score: orders hits of one query, means nothing across queries. */
  readonly score: number;
  /** Share of the query's content, weighted by rarity, that the entry holds: 0..1. The threshold works on this. */
  readonly cover: number;
}

const MAX_ENTRIES = 5_000;
const MAX_QUERY_TERMS = 64;
const TEXT_COVER = 0.75; // a term found only in the answer counts less than one in a question
const FUZZY_WORD = 0.75;
const FUZZY_MAX_VOCABULARY = 5_000;

/**
 * Retrieval over short texts in Arabic and English: BM25+ on folded, lightly stemmed terms, then the cover of the
 * question's terms, by which one knows whether the answer is there at all.
 */
export class KnowledgeIndex {
  readonly #search: MiniSearch<{ id: string; questions: string; text: string }>;
  readonly #terms = new Map<string, { questions: Set<string>; text: Set<string> }>();
  readonly #documents = new Map<string, number>(); // term -> entries that hold it
  readonly #vocabulary: string[];

  constructor(entries: readonly KnowledgeEntry[]) {
    this.#search = new MiniSearch({ fields: ['questions', 'text'], tokenize: termsOf, processTerm: (one) => one });
    for (const entry of entries.slice(0, MAX_ENTRIES)) {
      if (this.#terms.has(entry.id)) continue;
      const questions = entry.questions.join(' \n ');
      this.#search.add({ id: entry.id, questions, text: entry.text });
      const held = { questions: new Set(termsOf(questions)), text: new Set(termsOf(entry.text)) };
      this.#terms.set(entry.id, held);
      for (const one of new Set([...held.questions, ...held.text])) {
        this.#documents.set(one, (this.#documents.get(one) ?? 0) + 1);
      }
    }
    this.#vocabulary = [...this.#documents.keys()].slice(0, FUZZY_MAX_VOCABULARY);
  }

  /** Best entries first. Never throws; an empty or contentless query finds nothing. */
  search(query: string, limit = 3): KnowledgeHit[] {
    const asked = [...new Set(contentTerms(query).map((one) => this.#nearest(one)))].slice(0, MAX_QUERY_TERMS);
    if (asked.length === 0 || this.#terms.size === 0) return [];
    const hits = this.#search.search(asked.join(' '), { boost: { questions: 2 }, tokenize: (text) => text.split(' ') });
    return hits
      .slice(0, Math.max(limit, 8))
      .map((hit) => ({ id: String(hit.id), score: hit.score, cover: this.#cover(asked, String(hit.id)) }))
      .sort((a, b) => b.cover - a.cover || b.score - a.score)
      .slice(0, limit);
  }

  #cover(asked: readonly string[], id: string): number {
    const held = this.#terms.get(id)!;
    let all = 0;
    let found = 0;
    for (const one of asked) {
      const weight = this.#weight(one);
      all += weight;
      if (held.questions.has(one)) found += weight;
      else if (held.text.has(one)) found += weight * TEXT_COVER;
    }
    return all === 0 ? 0 : found / all;
  }

  #weight(one: string): number {
    return Math.log(1 + (this.#terms.size + 1) / (this.#documents.get(one) ?? 0.5));
  }

  #nearest(one: string): string {
    if (this.#documents.has(one) || one.length < 4) return one;
    let best = one;
    let bestLikeness = FUZZY_WORD;
    for (const known of this.#vocabulary) {
      if (Math.abs(known.length - one.length) > 2 || known[0] !== one[0]) continue;
      const likeness = similarity(known, one);
      if (likeness > bestLikeness) {
        bestLikeness = likeness;
        best = known;
      }
    }
    return best;
  }
}

function termsOf(text: string): string[] {
  return wordsOf(text).map((word) => term(word.text));
}

function contentTerms(query: string): string[] {
  const words = wordsOf(query).map((word) => word.text);
  return words.filter((word) => !isWeak(word) && !isFiller(word)).map(term);
}
