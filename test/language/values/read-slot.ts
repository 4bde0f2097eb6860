import type { SlotDefinition, SlotType } from '../../../src/core/agent.ts';
import type { CalendarDay } from '../../../src/language/calendar/calendar.ts';
import { SLOT_PARSERS } from '../../../src/language/values/parsers.ts';
import type { Found } from '../../../src/language/values/slot.ts';
import { wordsOf } from '../../../src/language/words.ts';

/** A Friday. */
export const TODAY: CalendarDay = { year: 2026, month: 11, day: 20 };

/** What one parser reads from a sentence, as a row of a table needs it. */
export function readSlot(
  type: SlotType,
  text: string,
  options: {
    readonly asked?: boolean;
    readonly definition?: Partial<SlotDefinition>;
    readonly today?: CalendarDay;
  } = {},
): Found | undefined {
  const definition: SlotDefinition = { name: type, type, prompts: {}, ...options.definition };
  return SLOT_PARSERS[type](wordsOf(text), { today: options.today ?? TODAY, definition, asked: options.asked ?? true });
}
