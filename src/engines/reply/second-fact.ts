import type { SlotDefinition } from '../../core/agent.ts';
import { same } from '../../language/values/slot.ts';
import { wordsOf } from '../../language/words.ts';
import { questionOf } from './questions.ts';
import { callsFromOwn, findRow, namesOwner, type OwnedLookup, type Row, rowsOf, saysName } from './record-owner.ts';
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
  const said = [slots[slot.name], memory[slot.name]].some((one) => one && row && fits(lookup, row, one.value));
  const caller = draft.setting.variables['caller'];
  if (
    row &&
    (said || saidAtOnce(draft, lookup, row) || callsFromOwn(draft.agent.definition, lookup.owner, row, caller))
  ) {
    hold(draft, slot, row);
    return 'settled';
  }
  clearSlot(draft, slot.name);
  if (draft.setting.mode === 'keypad' && slot.type === 'name') return 'person'; // a name cannot be keyed
  draft.wait({ kind: 'slot', slot: slot.name });
  questionOf(draft);
  return 'asked';
}

/** Whether the wish itself named whose the row is, and nobody else who has one: `Sara Naser here, I'd like to cancel`. */
function saidAtOnce({ agent, state }: TurnDraft, { slot, table }: OwnedLookup, row: Row): boolean {
  if (slot.type !== 'name') return false;
  const words = wordsOf(state.begunBy);
  const names = rowsOf(agent.definition, table).map((one) => one[slot.name] ?? '');
  const said = new Set(names.filter((name) => saysName(name, words)));
  return said.size === 1 && said.has(row[slot.name] ?? '');
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
