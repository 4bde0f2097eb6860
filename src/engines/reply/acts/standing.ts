import { isCommon, isFiller } from '../../../language/lexicon/lexicon.ts';
import { STANDINGS } from '../../../language/phrases/cues.ts';
import { firstPhrase, phraseTable, type Span } from '../../../language/phrases/phrases-in.ts';
import type { Word } from '../../../language/words.ts';

const STANDING = phraseTable(STANDINGS);
/** Who has it: `my mother has`, `يا ولدي انا عندي`. */
const MAX_BEFORE = 3;

/** Where a sentence begins by telling what there is: `I have an appointment, but I cannot come`. */
export function standingIn(words: readonly Word[]): Span | undefined {
  const span = firstPhrase(words, STANDING);
  if (!span || span.start > MAX_BEFORE) return undefined;
  return words.slice(0, span.start).every(({ text }) => isCommon(text) || isFiller(text)) ? span : undefined;
}
