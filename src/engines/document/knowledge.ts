import { similarity } from '../../language/similarity.ts';
import { wordsOf } from '../../language/words.ts';
import { LINE, LinesBuilder } from './document-lines.ts';
import { type Blocks, blocksOf } from './retrieval/blocks.ts';
import { IndexedScan } from './retrieval/indexed-scan.ts';
import { PassageIndex } from './retrieval/passage-index.ts';
import { analyseQuestion } from './retrieval/question.ts';
import { rankCandidates } from './retrieval/ranking.ts';
import { TermMatcher } from './retrieval/scan.ts';
import { isStop } from './retrieval/stop-words.ts';
import { foldWord, rawWords } from './retrieval/words.ts';

/** One thing that can be found: the questions it answers (may be empty) and the text that answers, in one line or more. */
export interface KnowledgeEntry {
  readonly id: string;
  readonly questions: readonly string[];
  readonly text: string;
}
export interface KnowledgeHit {
  readonly id: string;
  /** How likely the entry answers the question, 0..1: the same measure as for documents. */
  readonly score: number;
}

const MAX_ENTRIES = 5_000;
const CANDIDATES = 24;
const MISHEARD = 0.83; // one letter in six: `توظيف` is not `تنظيف`
const REPAIRED_FROM = 4; // letters: shorter words are too alike
const SOUNDS_ALIKE = 0.99;
const MAX_VOCABULARY = 5_000;
const SAME_QUESTION = 0.98;

/**
 * What an agent knows, as a document of questions with their answers, found by the same engine as in documents. Words
 * that a recogniser misspelt are taken for the nearest known ones.
 */
export class KnowledgeIndex {
  readonly #blocks: Blocks;
  readonly #index: PassageIndex;
  readonly #entryOf: readonly (string | undefined)[]; // by block; undefined for questions
  readonly #asked = new Map<string, string>(); // a question as folded words -> entry
  readonly #vocabulary = new Map<string, string[]>(); // by first letter

  constructor(entries: readonly KnowledgeEntry[]) {
    const out = new LinesBuilder();
    const ids: (string | undefined)[] = [];
    const seen = new Set<string>();
    for (const { id, questions, text } of entries.slice(0, MAX_ENTRIES)) {
      if (seen.has(id)) continue;
      seen.add(id);
      out.leave(1);
      for (const question of questions) if (!this.#asked.has(plain(question))) this.#asked.set(plain(question), id);
      // An overlong line is cut in several: all of them belong to the entry.
      const add = (line: string, flags: number, entry: string | undefined): void => {
        out.add(line, { flags });
        while (ids.length < out.count) ids.push(entry);
      };
      add(questions.join(' ؟ '), LINE.question, undefined);
      for (const line of text.split('\n')) add(line, LINE.item, id);
    }
    this.#blocks = blocksOf(out.build());
    this.#entryOf = ids;
    this.#index = new PassageIndex(
      this.#blocks,
      ids.flatMap((id, block) => (id === undefined ? [] : [block])),
    );
    this.#learnWords();
  }

  /** Best entries first. Never throws; an empty or contentless query finds nothing. */
  search(query: string, limit = 3): KnowledgeHit[] {
    const question = analyseQuestion(this.#repaired(query));
    if (question.terms.length === 0 || this.#blocks.count === 0) return [];
    const matcher = new TermMatcher(question.terms);
    // Half of the lines are questions.
    const scan = new IndexedScan(this.#blocks, this.#index, matcher, question, this.#blocks.count / 2);
    const found = this.#index.find(question.terms, CANDIDATES);
    const best = new Map<string, number>();
    const same = this.#asked.get(plain(query));
    if (same !== undefined) best.set(same, SAME_QUESTION);
    for (const { block, score } of rankCandidates(this.#blocks, found, scan, matcher, question)) {
      const id = this.#entryOf[block];
      if (id !== undefined && score > (best.get(id) ?? -1)) best.set(id, score);
    }
    return [...best]
      .map(([id, score]) => ({ id, score }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  #learnWords(): void {
    const seen = new Set<string>();
    for (const raw of rawWords(this.#blocks.lines.text)) {
      const word = foldWord(raw);
      if (word.length < REPAIRED_FROM - 1 || seen.has(word) || seen.size >= MAX_VOCABULARY) continue;
      seen.add(word);
      const list = this.#vocabulary.get(word[0]!);
      if (list) list.push(word);
      else this.#vocabulary.set(word[0]!, [word]);
    }
  }

  /** The query with words that nothing here is like replaced by the nearest that is. */
  #repaired(query: string): string {
    return wordsOf(query)
      .map(({ text, raw }) => {
        if (text.length < REPAIRED_FROM || /\d/.test(text) || isStop(text)) return raw;
        return this.#nearest(text) ?? raw;
      })
      .join(' ');
  }

  #nearest(word: string): string | undefined {
    let best: string | undefined;
    let nearest = MISHEARD;
    const sound = soundOf(word);
    for (const known of this.#vocabulary.get(word[0]!) ?? []) {
      if (known === word) return undefined;
      if (Math.abs(known.length - word.length) > 2) continue;
      const alike = soundOf(known) === sound ? SOUNDS_ALIKE : similarity(known, word);
      if (alike >= nearest) [best, nearest] = [known, alike];
    }
    return best;
  }
}

/** Letters that many speakers and recognisers do not keep apart. */
const ALIKE: Readonly<Record<string, string>> = { ظ: 'ض', ط: 'ت', ص: 'س', ث: 'س', ذ: 'ز', غ: 'ق', ح: 'ه' };

/** A word as it sounds, roughly: `تبييظ` and `تبيض` are the same. */
function soundOf(word: string): string {
  return word.replace(/[ظطصثذغح]/g, (letter) => ALIKE[letter]!).replace(/(.)\1+/g, '$1');
}

function plain(question: string): string {
  return wordsOf(question)
    .map((word) => word.text)
    .join(' ');
}
