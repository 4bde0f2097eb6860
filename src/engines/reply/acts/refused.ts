import type { SlotDefinition } from '../../../core/agent.ts';
import type { Word } from '../fold.ts';
import { digitRuns } from '../number-words.ts';
import { SLOT_PARSERS } from '../slots/parsers.ts';
import type { CalendarDay } from '../slots/slot.ts';
import { REFUSALS } from './cues.ts';
import { firstPhrase, phraseTable, type Span } from './phrases-in.ts';
import { MAX_NEGATIONS, scopeOf } from './scope.ts';

const REFUSES = phraseTable(REFUSALS);
/** Types of values that are refused by naming them: `not Tuesday`, `مو تقويم`. */
const REFUSED_TYPES = new Set<SlotDefinition['type']>(['date', 'time', 'choice', 'yesno']);
/** Words between a refusal and the value it refuses: `do not bring it today`. */
const MAX_BEFORE_VALUE = 3;
const MIN_REFUSED_DIGITS = 2;

/** Values that a sentence says are not meant, each with its negation: another one is meant, or none. */
export function refusedIn(slots: readonly SlotDefinition[], words: readonly Word[], today: CalendarDay): Span[] {
  const found: Span[] = [];
  for (let from = 0; found.length < MAX_NEGATIONS; ) {
    const negation = firstPhrase(words, REFUSES, from);
    if (!negation) break;
    const { end: limit } = scopeOf(words, negation);
    const scope = words.slice(negation.end, limit);
    const shortest = scope.findIndex(
      (_, at) => at <= MAX_BEFORE_VALUE && holdsValue(slots, scope.slice(0, at + 1), today),
    );
    const ends = shortest < 0 ? [] : [negation.end + shortest + 1];
    const run = digitRuns(scope.map(({ text }) => text))[0];
    if (run && run.start <= 1 && run.digits.length >= MIN_REFUSED_DIGITS) ends.push(negation.end + run.end);
    from = ends.length > 0 ? Math.min(...ends) : negation.end;
    if (ends.length > 0) found.push({ start: negation.start, end: from });
  }
  return found;
}

function holdsValue(slots: readonly SlotDefinition[], words: readonly Word[], today: CalendarDay): boolean {
  return slots.some(
    ({ type, ...definition }) =>
      REFUSED_TYPES.has(type) &&
      SLOT_PARSERS[type === 'yesno' ? 'choice' : type](words, {
        today,
        definition: { ...definition, type },
        asked: false,
      }) !== undefined,
  );
}
