import type { SlotDefinition } from '../../core/agent.ts';
import type { CalendarDay } from '../../language/calendar/calendar.ts';
import { pattern } from '../../language/pattern.ts';
import { REASONS, STANDINGS, WISH_OPENERS } from '../../language/phrases/cues.ts';
import {
  firstPhrase,
  firstPhraseJoined,
  phraseAt,
  phraseTable,
  type Span,
  without,
} from '../../language/phrases/phrases-in.ts';
import { SLOT_PARSERS } from '../../language/values/parsers.ts';
import type { SlotContext } from '../../language/values/slot.ts';
import type { Word } from '../../language/words.ts';

const STANDING = phraseTable(STANDINGS);
const OPENER = phraseTable(WISH_OPENERS);
/** `موعدي بكرة`: a noun with its owner, and at once when it is. */
const OWNED_NOUN = /^.{2,}ي$/;
/** `موعده عندكم الأحد`, `his appointment is on Sunday`: the words before the day, of an appointment or a delivery there is. */
const ARRANGED = pattern()`
  (?:^| )(?:(?:موعد|ميعاد|حجز|توصيل)(?:ي|ه|ها|نا|هم)(?: (?:عندكم|معكم|كان|هو|يوم))*|(?:appointment|booking|delivery|visit|order) (?:is|
  was)(?: (?:on|at|for|scheduled|booked|due))*)$
`;
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
    const context = { today, definition, asked: false };
    const found = SLOT_PARSERS[definition.type](words, context);
    if (!found) return [];
    if (isOwned(words, found) || isMovedOn(words, found, context)) return [found];
    const from = standing && standing.start < found.start ? standing.end : undefined;
    if (from === undefined || firstPhraseJoined(words.slice(0, found.start), OPENER)) return [];
    const told = found.start - from <= MAX_NOUN_WORDS && !leadsTo(words, found);
    return told || firstPhraseJoined(words, OPENER, found.end) ? [found] : [];
  });
  return spans.length > 0 ? without(words, spans) : words;
}

/** `موعدي السبت`, my Saturday appointment; `موعدي للسبت` is where it shall be. */
function isOwned(words: readonly Word[], found: Span): boolean {
  const before = words.slice(0, found.start).map(({ text }) => text);
  const isNoun = OWNED_NOUN.test(before.at(-1) ?? '') && !phraseAt(words, found.start - 1, OPENER); // ابي السبت is a wish
  return (isNoun || ARRANGED.test(before.join(' '))) && !leadsTo(words, found);
}

/** `Sunday I have a deadline, move it to Monday`: where it shall be is said behind it. */
function isMovedOn(words: readonly Word[], found: Span, context: SlotContext): boolean {
  const later = SLOT_PARSERS[context.definition.type](words.slice(found.end), context);
  if (!later || leadsTo(words, found)) return false;
  return leadsTo(words, { start: later.start + found.end, end: later.end + found.end });
}

const REASON = phraseTable(REASONS);
const MAX_BEFORE_STANDING = 1;
const GOES_ON = phraseTable(`${WISH_OPENERS}|so|but|then|بس|لكن|خلاص|طيب|اجل`);

/** `a cleaning, because we have a wedding on Friday`: the words without the day and hour of what is only told as a reason. */
export function withoutReason(
  words: readonly Word[],
  slots: readonly SlotDefinition[],
  today: CalendarDay,
): readonly Word[] {
  const reason = firstPhrase(words, REASON);
  const standing = reason && firstPhrase(words, STANDING, reason.end);
  if (!standing || standing.start - reason.end > MAX_BEFORE_STANDING) return words;
  const end = firstPhraseJoined(words, GOES_ON, standing.end)?.start ?? words.length;
  const told = words.slice(standing.end, end);
  const spans = slots.flatMap((definition): Span[] => {
    if (!CHANGED.has(definition.type)) return [];
    const found = SLOT_PARSERS[definition.type](told, { today, definition, asked: false });
    return found ? [{ start: found.start + standing.end, end: found.end + standing.end }] : [];
  });
  return without(words, spans);
}

function leadsTo(words: readonly Word[], { start }: Span): boolean {
  return LEADS_TO.has(words[start - 1]?.text ?? '') || /^(?:لل|ل(?=يوم))/.test(words[start]?.text ?? '');
}
