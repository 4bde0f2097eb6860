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
const LEADS_TO = new Set(['to', 'till', 'until', 'الي', 'لين', 'ليوم']);
/** `I have an appointment with you on Monday`. */
const MAX_NOUN_WORDS = 3;
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
    if (isOwned(words, found)) return [found];
    const from = standing && standing.start < found.start ? standing.end : undefined;
    if (from === undefined || firstPhraseJoined(words.slice(0, found.start), OPENER)) return [];
    const told = found.start - from <= MAX_NOUN_WORDS && !leadsTo(words, found);
    return told || firstPhraseJoined(words, OPENER, found.end) ? [found] : [];
  });
  return spans.length > 0 ? without(words, spans) : words;
}

/** `موعدي السبت`, my Saturday appointment; `موعدي للسبت` is where it shall be. */
function isOwned(words: readonly Word[], found: Span): boolean {
  return OWNED_NOUN.test(words[found.start - 1]?.text ?? '') && !leadsTo(words, found);
}

function leadsTo(words: readonly Word[], { start }: Span): boolean {
  return LEADS_TO.has(words[start - 1]?.text ?? '') || /^(?:لل|ل(?=يوم))/.test(words[start]?.text ?? '');
}
