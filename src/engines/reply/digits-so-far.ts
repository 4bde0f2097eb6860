import type { SlotDefinition } from '../../core/agent.ts';
import { digitRuns } from '../../language/number-words.ts';
import { isAmount } from '../../language/values/counted.ts';
import { digitsValue } from '../../language/values/digits.ts';
import { SLOT_PARSERS } from '../../language/values/parsers.ts';
import { isPartOfNumber } from '../../language/values/phone.ts';
import { type Word, wordsOf } from '../../language/words.ts';
import { advance } from './flow-runner.ts';
import type { TurnDraft } from './turn-draft.ts';
import { identifies, putSlots } from './values.ts';

const MAX_DIGITS = 20;
const MIN_PART = 2;

/**
 * Takes the part of a number that was said, after the parts said before: `four five`, then `two one`. What is still too
 * short is kept and the rest asked for.
 *
 * @returns false when there are no digits, or none that lead on to the number.
 */
export function spokenDigits(draft: TurnDraft, slot: SlotDefinition, words: readonly Word[]): boolean {
  if (!identifies(slot)) return false;
  const plain = words.map(({ text }) => text);
  const said = digitRuns(plain)
    .filter((run) => !isAmount(plain, run)) // `it cost forty five riyals`, `بكرة الساعة عشر`
    .map(({ digits }) => digits)
    .join('');
  const before = draft.state.digits;
  if (said.length < (before === '' ? MIN_PART : 1)) return false; // `the blue one`
  const whole = before === '' ? undefined : SLOT_PARSERS[slot.type](wordsOf(before + said), contextOf(draft, slot));
  if (whole) {
    putSlots(draft, { [slot.name]: whole.value });
    advance(draft);
    return true;
  }
  const isPart = (digits: string): boolean =>
    slot.type === 'phone' ? isPartOfNumber(digits, slot.country) : digits.length < (slot.minDigits ?? MAX_DIGITS);
  const kept = [before + said, said].find(isPart);
  if (kept === undefined) return false;
  draft.set({ digits: kept, noMatch: 0 });
  draft.stock('digitsSoFar', { digits: digitsValue(kept).say[draft.language] });
  return true;
}

function contextOf(draft: TurnDraft, definition: SlotDefinition): Parameters<(typeof SLOT_PARSERS)['digits']>[1] {
  return { today: draft.setting.today, definition, asked: true };
}
