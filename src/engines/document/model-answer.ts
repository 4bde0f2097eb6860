import type { Outbound } from '../privacy/outbound.ts';
import type { DocumentAnswer } from './contract.ts';
import { type DocumentLines, LinesBuilder } from './document-lines.ts';
import { findCandidates, notAnswered } from './retrieval/answer.ts';
import { AT } from './retrieval/evidence.ts';
import { analyseQuestion } from './retrieval/question.ts';
import { folded, verifiedQuotes } from './retrieval/quotes.ts';

/** What a language model is given: the passages most likely to hold the answer, and nothing else of the document. */
export interface ModelQuestion {
  readonly question: string;
  readonly language: 'ar' | 'en'; // of the question, and of the answer that is wanted
  readonly passages: readonly string[]; // in reading order
}

/** What it claims. Nothing of it is believed before `believedAnswer`. */
export interface ModelClaim {
  readonly answered: boolean;
  readonly answer: string;
  readonly quotes: readonly string[]; // lines of the passages, word for word
}

/** The same with everything personal taken out; the claim about it names the placeholders. */
export interface OutboundQuestion {
  readonly question: Outbound;
  readonly language: 'ar' | 'en';
  readonly passages: readonly Outbound[];
}

/** A language model behind a chat-completions service, asked to answer from passages and to quote them. */
export interface DocumentModel {
  readonly name: string;
  /** Failure: throws. Aborting `signal` rejects. */
  claim(question: OutboundQuestion, signal: AbortSignal): Promise<ModelClaim>;
  available(): { readonly ok: true } | { readonly ok: false; readonly why: string };
}

const PASSAGES_CHARS = 8_000; // about 2,000 tokens of English
const MAX_ANSWER_CHARS = 1_000;

/** The best paragraphs of a document for one question, up to a total length, each under its heading. */
export function modelQuestion(lines: DocumentLines, question: string, maxChars = PASSAGES_CHARS): ModelQuestion {
  const asked = analyseQuestion(question);
  const { blocks, candidates } = findCandidates(lines, asked);
  const chosen = new Set<number>();
  let chars = 0;
  for (const { block, evidence } of candidates) {
    if (evidence[AT.cover] === 0) continue; // speaks of nothing that was asked: no need to show it
    const added = [block, blocks.parent(block)].filter((one) => one >= 0 && !chosen.has(one));
    const length = added.reduce((sum, one) => sum + blocks.end(one) - blocks.start(one), 0);
    if (chars + length > maxChars) break;
    for (const one of added) chosen.add(one);
    chars += length;
  }
  const passages = [...chosen].sort((a, b) => a - b).map((block) => folded(blocks.text(block)));
  return { question: asked.text, language: asked.language, passages };
}

/**
 * What may leave the service of a model's claim: its answer stands only on quotes that occur in the document word for
 * word, and every number in it must stand in one of them. Otherwise the document counts as silent.
 */
export function believedAnswer(lines: DocumentLines, question: string, claim: ModelClaim): DocumentAnswer {
  const { language, text } = analyseQuestion(question);
  if (!claim.answered || claim.answer.trim() === '') return notAnswered(language);
  const quotes = verifiedQuotes(lines, claim.quotes);
  if (quotes.length === 0) return notAnswered(language);
  const known = numbersIn(`${quotes.join(' ')} ${text}`);
  for (const number of numbersIn(claim.answer)) if (!known.has(number)) return notAnswered(language);
  return { answer: folded(claim.answer).slice(0, MAX_ANSWER_CHARS), quotes, answered: true };
}

/** Stands between passages, so that no quote reaches from one into the next. */
const BETWEEN_PASSAGES = '\u241e';

/** The passages of a document as lines: what is verified against them stands in the document, word for word. */
export function linesOfPassages(passages: readonly string[]): DocumentLines {
  const builder = new LinesBuilder();
  for (const passage of passages) {
    builder.add(passage);
    builder.add(BETWEEN_PASSAGES);
  }
  return builder.build();
}

/** Numbers as they are compared: ASCII digits, no thousands separators. */
function numbersIn(text: string): Set<string> {
  const ascii = text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660)).replace(/٫/g, '.');
  return new Set([...ascii.matchAll(/\d[\d,٬]*(?:\.\d+)?/g)].map(([number]) => number.replace(/[,٬]/g, '')));
}
