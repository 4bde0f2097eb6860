import type { Passage } from './contract.ts';
import { DocumentLines, LINE } from './document-lines.ts';
import { placesOf } from './retrieval/answer.ts';
import { type Blocks, blocksOf } from './retrieval/blocks.ts';
import { IndexedScan } from './retrieval/indexed-scan.ts';
import { PassageIndex } from './retrieval/passage-index.ts';
import { type AskedQuestion, analyseQuestion } from './retrieval/question.ts';
import { quoteOf } from './retrieval/quotes.ts';
import { type Candidate, rankCandidates } from './retrieval/ranking.ts';
import { DocumentScan, type Scan, TermMatcher } from './retrieval/scan.ts';
import { spokenRow } from './retrieval/spoken-row.ts';
import { wording } from './retrieval/wording.ts';

/** A document whose text is known. */
export interface IndexedDocument {
  readonly id: string;
  readonly name: string;
  readonly lines: DocumentLines;
}

/** So few paragraphs are read whole: the answer may stand where no word of the question does. */
const READ_WHOLE = 80;
const CANDIDATES = 80;
/** So few are counted by their sentences, which a scan of all words does. */
const SCANNED_WHOLE = 200;

/** Documents that are asked again and again: read once, and looked up in some milliseconds. Pure. */
export class DocumentIndex {
  readonly #blocks: Blocks;
  readonly #index: PassageIndex;
  readonly #firstLines: readonly number[];

  constructor(private readonly documents: readonly IndexedDocument[]) {
    const parts = documents.map(({ lines }) => lines);
    let first = 0;
    this.#firstLines = parts.map((lines) => {
      first += lines.count;
      return first - lines.count;
    });
    this.#blocks = blocksOf(joined(parts));
    this.#index = new PassageIndex(this.#blocks, range(this.#blocks.count));
  }

  /** The passages that most likely answer, best first, each of another paragraph; none where no word of the question occurs. */
  find(asked: string, limit: number): Passage[] {
    const question = analyseQuestion(asked);
    if (question.terms.length === 0 || this.#blocks.count === 0) return [];
    const best = new Map<number, Candidate>();
    for (const one of this.#candidates(question)) {
      if (best.size >= limit) break;
      if (!best.has(one.block)) best.set(one.block, one);
    }
    return [...best.values()].map((one) => this.#passage(one));
  }

  #passage(found: Candidate): Passage {
    const line = this.#lineAt(found);
    const at = this.#documentAt(line);
    const { id, name } = this.documents[at]!;
    const places = placesOf(this.#blocks, found)?.filter(
      ({ block }) => this.#documentAt(this.#firstLine(block)) === at,
    );
    return {
      ...{ document: id, name, page: this.#blocks.lines.pages[line]!, score: found.score },
      text: places ? wording(this.#blocks, places) : this.#said(found),
      quote: quoteOf(this.#blocks, found.block, found.sentence),
    };
  }

  #candidates(question: AskedQuestion): readonly Candidate[] {
    const blocks = this.#blocks;
    const matcher = new TermMatcher(question.terms);
    const scan: Scan =
      blocks.count <= SCANNED_WHOLE
        ? new DocumentScan(blocks, matcher)
        : new IndexedScan(blocks, this.#index, matcher, question, blocks.count);
    if (scan.held === 0) return [];
    const found = blocks.count <= READ_WHOLE ? range(blocks.count) : this.#index.find(question.terms, CANDIDATES);
    return rankCandidates(blocks, found, scan, matcher, question);
  }

  /** A row is heard with the names of its columns; one of questions and answers is its answer. */
  #said(found: Candidate): string {
    const { block } = found;
    const row = this.#blocks.text(block);
    if (!this.#blocks.is(block, LINE.row) || /[?؟]/.test(row)) return wording(this.#blocks, [found]);
    const above = this.#blocks.parent(block);
    const header = above >= 0 && this.#blocks.is(above, LINE.header) ? this.#blocks.text(above) : undefined;
    return spokenRow(row, header);
  }

  #documentAt(line: number): number {
    return this.#firstLines.findLastIndex((first) => first <= line);
  }

  #firstLine(block: number): number {
    return this.#blocks.firstLine[block]!;
  }

  #lineAt({ block, sentence }: Candidate): number {
    const { lines, firstLine } = this.#blocks;
    let line = firstLine[block]!;
    while (line + 1 < firstLine[block + 1]! && lines.starts[line + 1]! <= sentence.start) line += 1;
    return line;
  }
}

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Several texts as one; what a line stands under stays within its document. */
function joined(parts: readonly DocumentLines[]): DocumentLines {
  const count = parts.reduce((sum, { count: own }) => sum + own, 0);
  const starts = new Uint32Array(count + 1);
  const flags = new Uint8Array(count);
  const parents = new Int32Array(count);
  const pages = new Uint32Array(count);
  let line = 0;
  let offset = 0;
  for (const part of parts) {
    for (let own = 0; own < part.count; own += 1) {
      starts[line + own] = offset + part.starts[own]!;
      parents[line + own] = part.parents[own]! < 0 ? -1 : line + part.parents[own]!;
    }
    flags.set(part.flags, line);
    if (part.count > 0) flags[line]! |= LINE.apart; // no paragraph goes on in another document
    pages.set(part.pages, line);
    line += part.count;
    offset += part.text.length;
  }
  starts[count] = offset;
  return new DocumentLines(parts.map(({ text }) => text).join(''), starts, flags, parents, pages);
}
