import type { Guess } from './compiled-agent.ts';
import { SURENESS } from './sureness-weights.ts';

/** What tells whether the first of the guesses is what is meant, in the order of the weights. */
export const EVIDENCE = ['score', 'lead', 'whole', 'other', 'coverLead', 'strange', 'denial', 'asks'] as const;
export type EvidenceName = (typeof EVIDENCE)[number];
/** Every kind of evidence has its weight. */
const WEIGHTS: Readonly<Record<EvidenceName | 'bias', number>> = SURENESS;

/** More words that nobody knows make a guess no less sure. */
const MAX_STRANGE = 3;
const PLEASANTRIES = new Set(['stock:hello', 'stock:thanks', 'stock:how-are-you']);

export function isPleasantry(guess: Guess): boolean {
  return PLEASANTRIES.has(guess.id);
}

/**
 * The evidence for the first of the guesses: how near it is and by how much the nearest, whether the whole sentence reads
 * like it, how much of the sentence its own examples hold more than those of any other, words that no example holds, how much
 * it is like talk that is for no agent, a denial on one side only, a question.
 *
 * @param guesses - by falling score; at least one.
 */
export function evidenceOf([top, ...others]: readonly [Guess, ...Guess[]]): Readonly<Record<EvidenceName, number>> {
  // A greeting and the question how one is are answered alike.
  const second = others.find((guess) => !(isPleasantry(top) && isPleasantry(guess)));
  return {
    score: top.score,
    lead: top.score - (second?.score ?? 0),
    whole: top.whole,
    other: top.other,
    coverLead: top.cover - Math.max(0, ...others.map(({ cover }) => cover)),
    strange: Math.min(MAX_STRANGE, top.strange),
    denial: top.denial ? 1 : 0,
    asks: top.asks ? 1 : 0,
  };
}

/** How likely the first of the guesses is what is meant, 0..1; 0 where there is none. */
export function surenessOf([top, ...others]: readonly Guess[]): number {
  if (!top) return 0;
  const evidence = evidenceOf([top, ...others]);
  const sum = EVIDENCE.reduce((all, name) => all + WEIGHTS[name] * evidence[name], WEIGHTS.bias);
  return 1 / (1 + Math.exp(-sum));
}
