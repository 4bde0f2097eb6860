import type { SlotDefinition } from '../../core/agent.ts';
import { wordsOf } from './fold.ts';
import { questionOf } from './questions.ts';
import { callsFromOwn, findRow, namesOwner, type OwnedLookup, type Row } from './record-owner.ts';
import { same } from './slots/slot.ts';
import type { TurnDraft } from './turn-draft.ts';
import { clearSlot } from './values.ts';

/**
 * Makes sure that the row of the flow is the caller's: by the number that calls, by what was said already, or by asking.
 *
 * @returns whether the flow may go on, the question has been asked, or only a person can help.
 */
export function settle(draft: TurnDraft, lookup: OwnedLookup): 'settled' | 'asked' | 'person' {
  const { slot } = lookup;
  const { slots, memory } = draft.state;
  const row = rowOf(draft, lookup);
  const said = [slots[slot.name], memory[slot.name]].find((one) => one && row && fits(lookup, row, one.value));
  if (row && (said || callsFromOwn(draft.agent.definition, lookup.owner, row, draft.setting.variables['caller']))) {
    hold(draft, slot, row);
    return 'settled';
  }
  clearSlot(draft, slot.name);
  if (draft.setting.mode === 'keypad' && slot.type === 'name') return 'person'; // a name cannot be keyed
  draft.wait({ kind: 'slot', slot: slot.name });
  questionOf(draft);
  return 'asked';
}

export function rowOf(draft: TurnDraft, { table, key }: OwnedLookup): Row | undefined {
  return findRow(draft.agent.definition, table, key, draft.state.slots[key]?.value ?? '');
}

export function fits({ slot }: OwnedLookup, row: Row, value: string): boolean {
  const own = row[slot.name] ?? '';
  return slot.type === 'name' ? namesOwner(own, wordsOf(value)) : own !== '' && own === value;
}

/** From here on the name is spelt as the row has it. */
export function hold(draft: TurnDraft, slot: SlotDefinition, row: Row): void {
  const held = draft.state.slots[slot.name];
  const value = row[slot.name] ?? '';
  const kept = held?.value === value ? held : { value, say: held && slot.type !== 'name' ? held.say : same(value) };
  draft.set({ slots: { ...draft.state.slots, [slot.name]: kept } });
}
