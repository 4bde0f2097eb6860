import type { SlotDefinition } from '../../core/agent.ts';
import { STANDINGS, WISH_OPENERS } from './acts/cues.ts';
import { firstPhrase, firstPhraseJoined, phraseTable, type Span, without } from './acts/phrases-in.ts';
import type { Word } from './fold.ts';
import { SLOT_PARSERS } from './slots/parsers.ts';
import type { CalendarDay } from './slots/slot.ts';

const STANDING = phraseTable(STANDINGS);
const OPENER = phraseTable(WISH_OPENERS);
/** `موعدي بكرة`: a noun with its owner, and at once when it is. */
const OWNED_NOUN = /^.{2,}ي$/;
const CHANGED = new Set<SlotDefinition['type']>(['date', 'time']);

/**
 * Who wants something changed tells what it is before what it shall be: `I have an appointment tomorrow, can you make it
 * Thursday`. The words without the day and hour of what there is.
 *
 * @param slots - of a flow about a record that exists.
 */
export function withoutStanding(
  words: readonly Word[],
  slots: readonly SlotDefinition[],
  today: CalendarDay,
): readonly Word[] {
  const standing = firstPhrase(words, STANDING);
  const spans = slots.flatMap((definition): Span[] => {
    if (!CHANGED.has(definition.type)) return [];
    const found = SLOT_PARSERS[definition.type](words, { today, definition, asked: false });
    if (!found) return [];
    const opener = firstPhraseJoined(words, OPENER, found.end);
    const begun = firstPhraseJoined(words.slice(0, found.start), OPENER);
    if (!opener || begun) return [];
    const isOwned = OWNED_NOUN.test(words[found.start - 1]?.text ?? '');
    return isOwned || (standing && standing.start < found.start) ? [found] : [];
  });
  return spans.length > 0 ? without(words, spans) : words;
}
