import { readSlots } from '../../language/values/slot-filling.ts';
import type { Heard } from './acts/act.ts';
import type { TurnDraft } from './turn-draft.ts';

/** Whether the words hold a value of the pending question that nothing else looks like. */
export function fits(draft: TurnDraft, { words }: Pick<Heard, 'words'>): boolean {
  const slot = draft.state.pending.kind === 'slot' ? draft.slot : undefined;
  if (!slot || slot.type === 'text' || slot.type === 'name' || slot.type === 'yesno') return false;
  return readSlots(words, [slot], draft.setting.today, slot.name).values[slot.name] !== undefined;
}
