import type { Blocks } from './blocks.ts';
import { AT, EVIDENCE, type EvidenceName, type Examined } from './evidence.ts';
import { Examiner } from './examiner.ts';
import type { AskedQuestion } from './question.ts';
import type { Scan, TermMatcher } from './scan.ts';
import { ANSWERS, RANK } from './weights.ts';

/** A sentence that may be the answer. */
export interface Candidate extends Examined {
  /** Orders candidates of one question; means nothing across questions. */
  readonly rank: number;
  /** How likely the sentence answers the question: 0..1. */
  readonly score: number;
}

/** The sentences of the given blocks by how likely they answer the question, best first. */
export function rankCandidates(
  blocks: Blocks,
  found: readonly number[],
  scan: Scan,
  matcher: TermMatcher,
  question: AskedQuestion,
): Candidate[] {
  const examiner = new Examiner(blocks, scan, matcher, question);
  const candidates = found
    .flatMap((block) => examiner.examine(block))
    .map((one) => ({ ...one, rank: dot(RANK, one.evidence), score: likelihood(one.evidence) }))
    .sort((a, b) => b.rank - a.rank || a.sentence.start - b.sentence.start);
  const [first] = candidates;
  if (!first) return [];
  first.evidence[AT.lead] = leadOf(first.rank, candidates.find((one) => one.block !== first.block)?.rank);
  return [{ ...first, score: likelihood(first.evidence) }, ...candidates.slice(1)];
}

const LEAD_FULL = 3;
/** By how much the first candidate is ahead of the best of another paragraph: 0..1. */
export function leadOf(first: number, second: number | undefined): number {
  return second === undefined ? 1 : Math.min(1, (first - second) / LEAD_FULL);
}

/** Whatever else speaks for it: what is about another matter is no answer. */
export const BROKEN = 0.5;

function likelihood(evidence: Float64Array): number {
  const score = sigmoid(ANSWERS.bias + dot(ANSWERS, evidence));
  return evidence[AT.breaks] === 1 ? score * BROKEN : score;
}

function dot(weights: Readonly<Partial<Record<EvidenceName, number>>>, evidence: Float64Array): number {
  let sum = 0;
  for (const [at, name] of EVIDENCE.entries()) sum += (weights[name] ?? 0) * evidence[at]!;
  return sum;
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
