import type { FlowDefinition, SlotDefinition } from '../../core/agent.ts';
import type { SlotValue } from '../../language/values/slot.ts';
import { readSlots, slotNamed } from '../../language/values/slot-filling.ts';
import { unclearHour } from '../../language/values/time.ts';
import { yesNoValue } from '../../language/values/yesno.ts';
import type { Word } from '../../language/words.ts';
import type { Heard } from './acts/act.ts';
import { refusedIn } from './acts/refused.ts';
import { sayChanged } from './corrections.ts';
import { advance } from './flow-runner.ts';
import type { TurnDraft } from './turn-draft.ts';
import { putSlots } from './values.ts';

const READ_ANEW: readonly SlotDefinition['type'][] = ['time', 'date', 'choice'];
/** What is refused by its own words, whatever else the sentence asks: `I don't want the money`. */
export const OFFERED: readonly SlotDefinition['type'][] = ['yesno'];
const NOON = 12 * 60;

/**
 * A value put in the place of one that is named or refused, in words that would be none by themselves: `make it five, not half past
 * four`, `الساعة خليها ست مو خمس`. What is read as an answer to the question of that value is it.
 *
 * @returns whether a value was changed.
 */
export function insteadOf(draft: TurnDraft, heard: Heard, flow: FlowDefinition, types = READ_ANEW): boolean {
  const held = draft.state.slots;
  const filled = flow.slots.filter(({ name, type }) => held[name] && types.includes(type));
  const named = types === OFFERED ? undefined : slotNamed(heard.words, { ...flow, slots: filled });
  const slot = named ?? refusedSlot(draft, heard.words, filled);
  const value = slot && readInstead(draft, heard.wanted, slot, held[slot.name]!);
  if (!slot || !value || value.value === held[slot.name]!.value) return false;
  putSlots(draft, { [slot.name]: value });
  sayChanged(draft);
  advance(draft);
  return true;
}

/** The one whose value is said not to be meant. */
function refusedSlot(
  draft: TurnDraft,
  words: readonly Word[],
  filled: readonly SlotDefinition[],
): SlotDefinition | undefined {
  const { today } = draft.setting;
  const refused = refusedIn(filled, words, today).map(({ start, end }) => words.slice(start + 1, end));
  return filled.find((slot) =>
    refused.some((said) => {
      const { values } = readSlots(said, [slot], today, slot.name);
      return values[slot.name]?.value === draft.state.slots[slot.name]?.value;
    }),
  );
}

/** Read as an answer; an hour of which both halves of the day are open is in the half of the one it replaces. */
function readInstead(
  draft: TurnDraft,
  words: readonly Word[],
  slot: SlotDefinition,
  held: SlotValue,
): SlotValue | undefined {
  const { today } = draft.setting;
  // Of two that were offered the one that is refused leaves the other: `I don't want the money`.
  if (slot.type === 'yesno') return slot.choices && yesNoValue(slot, held.value === 'no' ? 'yes' : 'no');
  const unclear = slot.type === 'time' ? unclearHour(words, { today, definition: slot, asked: true }) : undefined;
  if (unclear) return unclear.options[minuteOf(held.value) < NOON ? 0 : 1];
  return readSlots(words, [slot], today, slot.name).values[slot.name];
}

/** `16:30` -> 990. */
function minuteOf(clock: string): number {
  const [hour = 0, minute = 0] = clock.split(':').map(Number);
  return hour * 60 + minute;
}
