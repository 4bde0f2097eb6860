import type { Word } from '../words.ts';
import { unclearChoice } from './choice.ts';
import { impossibleDay, type Refused } from './impossible-day.ts';
import { SLOT_PARSERS } from './parsers.ts';
import { noSuchNumber } from './phone.ts';
import type { SlotContext } from './slot.ts';
import { type UnclearHour, unclearHour } from './time.ts';
import { weekendIn } from './weekend.ts';

/**
 * What was said for a slot that is no value yet, and why: a day that does not exist, the weekend, an hour that may be in the
 * morning or in the evening. Undefined where the words hold a value, or nothing for this slot.
 */
export function unsettled(words: readonly Word[], context: SlotContext): Refused | undefined {
  const { type } = context.definition;
  if (type !== 'date' && type !== 'time' && type !== 'choice' && type !== 'phone') return undefined;
  if (SLOT_PARSERS[type](words, context)) return undefined;
  if (type === 'phone') return noSuchNumber(words, context);
  if (type === 'date') return impossibleDay(words, context) ?? weekendIn(words);
  const unclear = type === 'time' ? unclearHour(words, context) : unclearChoice(words, context.definition);
  return unclear && whichHalf(unclear);
}

function whichHalf({ options, start, end }: UnclearHour): Refused {
  const [early, late] = options;
  return { refusal: { kind: 'which-half', say: { early: early.say, late: late.say }, options }, start, end };
}
