import { localize } from '../../core/agent.ts';
import { SLOT_WORDS } from '../../language/values/slot-words.ts';
import { labelOf } from './compiled-agent.ts';
import { keypadHelp, nextMenu } from './keypad.ts';
import type { TurnDraft } from './turn-draft.ts';

const MAX_EXAMPLES_SAID = 4;

/** Says the pending question, in the wording that its failed attempts call for. */
export function questionOf(draft: TurnDraft): void {
  const { state, agent } = draft;
  const { pending } = state;
  const flow = agent.flows.get(state.flow ?? '');
  switch (pending.kind) {
    case 'open':
      return;
    case 'slot': {
      const slot = draft.slot;
      if (!slot) return;
      if ((slot.prompts.ar ?? slot.prompts.en ?? []).length > 0) draft.askOf(slot.prompts, state.attempts);
      else draft.stock('askSlot', { slot: localize(SLOT_WORDS[slot.type]?.say, draft.language) });
      break;
    }
    case 'confirm-slot': {
      const slot = draft.slot;
      const value = state.slots[pending.slot]?.say[draft.language] ?? '';
      if (slot?.confirm) draft.ask(slot.confirm);
      else draft.stock('confirmValue', { value });
      break;
    }
    case 'confirm-flow':
      draft.ask(flow?.confirm);
      break;
    case 'change':
      draft.stock('whatToChange');
      break;
    case 'choose': {
      const meanings = pending.options.map((id) => agent.meaning(id));
      const [a, b] = meanings.map((one) => (one ? labelOf(one, draft.language) : ''));
      const one = meanings[0]?.kind === 'knowledge' ? 'didYouAsk' : 'didYouMeanOne';
      if (b === undefined) draft.stock(one, { a: a ?? '' });
      else draft.stock('didYouMean', { a: a ?? '', b });
    }
  }
  if (draft.setting.mode === 'keypad') keypadHelp(draft);
}

/** The agent's offers in one breath: `booking an appointment, prices or a person`. */
export function examplesText(draft: TurnDraft): string {
  const labels = draft.agent.menu
    .slice(0, MAX_EXAMPLES_SAID)
    .map((intent) => labelOf({ kind: 'intent', intent }, draft.language));
  if (labels.length <= 1) return labels.join('');
  const joiner = draft.language === 'ar' ? '، أو ' : ', or ';
  const comma = draft.language === 'ar' ? '، ' : ', ';
  return `${labels.slice(0, -1).join(comma)}${joiner}${labels.at(-1)}`;
}

/** In keypad mode an open question is the menu, where nothing else is said; after something else it is there for the asking. */
export function offerMenu(draft: TurnDraft): void {
  const { agent, language, lines, state } = draft;
  if (draft.setting.mode !== 'keypad' || draft.action || draft.tool || state.pending.kind !== 'open') return;
  if (lines.length > 0) return draft.stock('menuAgain');
  draft.ask({ [language]: nextMenu(agent, language, state.lastText) });
}
