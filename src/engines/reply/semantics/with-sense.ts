import type { CompiledAgent, Guess } from '../compiled-agent.ts';

/**
 * What likeness of sense adds to the nearness of words, and the likeness that adds nothing. Chosen on rounds 8 and 9 of
 * `test/engines/reply/fixtures`, which were written by others than the lexicon.
 */
const SENSE = { weight: 0.6, neutral: 0.3 };
/** An example itself, or nearly: its words say it all. */
const SURE_BY_WORDS = 0.9;

/** Guesses by words, made likelier or less likely by their sense; what only the sense speaks for is there too. */
export function withSense(agent: CompiledAgent, guesses: readonly Guess[], near: ReadonlyMap<string, number>): Guess[] {
  const added = (id: string): number => SENSE.weight * ((near.get(id) ?? SENSE.neutral) - SENSE.neutral);
  const byWords = guesses.map((guess) =>
    guess.score >= SURE_BY_WORDS ? guess : { ...guess, score: Math.min(1, Math.max(0, guess.score + added(guess.id))) },
  );
  const known = new Set(guesses.map(({ id }) => id));
  const bySense = [...near.keys()].flatMap((id): Guess[] => {
    const meaning = agent.meaning(id);
    if (known.has(id) || !meaning || added(id) <= 0) return [];
    const { known: knownShare = 0, other = 0 } = guesses[0] ?? {};
    return [{ id, meaning, score: Math.min(1, added(id)), denies: false, known: knownShare, other, whole: 0 }];
  });
  return [...byWords, ...bySense].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
