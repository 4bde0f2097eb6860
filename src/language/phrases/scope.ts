import type { Word } from '../words.ts';
import { CLAUSE_STARTS, NEGATIONS } from './cues.ts';
import { type PhraseTable, phraseAt, phrasesIn, phraseTable, type Span } from './phrases-in.ts';

export const NEGATES: PhraseTable = phraseTable(NEGATIONS);
const STARTS: PhraseTable = phraseTable(CLAUSE_STARTS);
/** How far a negation reaches where no clause ends before. */
const MAX_SCOPE_WORDS = 7;
/** Looked at in one sentence. */
export const MAX_NEGATIONS = 4;

/** A negation with what it reaches. Words that lead to the verb (`want to`) do not begin a clause there. */
export function scopeOf(words: readonly Word[], negation: Span): Span {
  const limit = Math.min(words.length, negation.end + MAX_SCOPE_WORDS);
  let end = negation.end;
  while (end < limit) {
    const begins = phraseAt(words, end, STARTS);
    const negates = phraseAt(words, end, NEGATES);
    if (begins || (negates && end > negation.end)) break;
    end += 1;
  }
  return { start: negation.start, end };
}

/** The negations of a sentence, each with what it reaches. */
export function negationsIn(words: readonly Word[]): Span[] {
  return phrasesIn(words, NEGATES)
    .slice(0, MAX_NEGATIONS)
    .map((negation) => scopeOf(words, negation));
}
