import { WISH_OPENERS } from '../../../language/phrases/cues.ts';
import { phraseAt, phraseTable, type Span } from '../../../language/phrases/phrases-in.ts';
import type { Word } from '../../../language/words.ts';

const OPENER = phraseTable(WISH_OPENERS);

/**
 * The words of wishing (`I want to`, `ابغى`) that stand nearest before a word.
 *
 * @param within - in how many words before it they begin at most.
 */
export function wishBefore(words: readonly Word[], at: number, within = at): Span | undefined {
  for (let start = at - 1; start >= Math.max(0, at - within); start -= 1) {
    const opener = phraseAt(words, start, OPENER);
    if (opener && opener.end <= at) return opener;
  }
  return undefined;
}
