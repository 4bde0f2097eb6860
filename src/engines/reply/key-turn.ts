import { wordsOf } from '../../language/words.ts';
import type { Act, Heard } from './acts/act.ts';
import { answerPending } from './answers.ts';
import { certainly } from './compiled-agent.ts';
import { control } from './controls.ts';
import { advance } from './flow-runner.ts';
import { type KeyMeaning, otherLanguageOf, readKeys } from './keypad.ts';
import { giveUp, noMatch, notUnderstood } from './misunderstood.ts';
import { digress, followUp } from './open-question.ts';
import { speakIn } from './other-language.ts';
import { perform } from './perform.ts';
import type { TurnDraft } from './turn-draft.ts';
import { putSlots } from './values.ts';

/** Keys in words. */
function plainWords(text: string): Heard {
  const words = wordsOf(text);
  const span = { start: 0, end: words.length };
  const acts: Act[] =
    text === 'yes' ? [{ type: 'affirm', span, conditional: false }] : text === 'no' ? [{ type: 'deny', span }] : [];
  return { words, text, acts, guesses: [], forbidden: new Set(), wanted: words };
}

export function onKeys(draft: TurnDraft, text: string): void {
  if (isNumberAtChange(draft, text) && answerPending(draft, plainWords(text), digress)) return;
  const meaning = readKeys(draft, text);
  switch (meaning.kind) {
    case 'human':
      return control(draft, 'human');
    case 'repeat':
      if (draft.setting.mode === 'keypad' && draft.state.pending.kind === 'open') return; // the menu follows
      return control(draft, 'repeat');
    case 'yes':
    case 'no':
      answerPending(draft, plainWords(meaning.kind), digress);
      return;
    case 'value': {
      const { pending } = draft.state;
      if (draft.slot && draft.agent.owned.has(draft.slot)) {
        if (!answerPending(draft, plainWords(text), digress)) notUnderstood(draft);
        return;
      }
      if (pending.kind === 'slot') putSlots(draft, { [pending.slot]: meaning.value });
      return advance(draft);
    }
    case 'option':
      return onOption(draft, meaning, text);
    case 'wrong':
      return wrongKey(draft, text);
  }
}

/** Asked what is wrong: a whole number is the right one, no choice from a list. */
function isNumberAtChange({ state }: TurnDraft, text: string): boolean {
  const { kind } = state.pending;
  return (kind === 'change' || kind === 'confirm-flow') && text.replace(/\D/g, '').length >= MIN_NUMBER;
}
const MIN_NUMBER = 3;

function onOption(draft: TurnDraft, meaning: Extract<KeyMeaning, { kind: 'option' }>, text: string): void {
  const { pending } = draft.state;
  if (pending.kind === 'change') {
    const slot = draft.flow?.slots[meaning.index];
    if (!slot) return wrongKey(draft, text);
    const { [slot.name]: _, ...slots } = draft.state.slots;
    draft.set({ slots });
    return advance(draft);
  }
  const other =
    pending.kind === 'open' && meaning.index === draft.agent.menu.length ? otherLanguageOf(draft) : undefined;
  if (other) return speakIn(draft, other);
  const id = pending.kind === 'choose' ? pending.options[meaning.index] : undefined;
  const intent = draft.agent.menu[meaning.index];
  const chosen =
    pending.kind === 'choose'
      ? (id && draft.agent.meaning(id)) || undefined
      : intent && ({ kind: 'intent', intent } as const);
  if (!chosen) return wrongKey(draft, text);
  draft.wait({ kind: 'open' });
  perform(draft, certainly(id ?? `intent:${intent?.name}`, chosen), []);
}

/** Keys that mean nothing here; a spoken number (`4521`) may still continue the last flow. */
function wrongKey(draft: TurnDraft, text: string): void {
  if (draft.state.pending.kind === 'open' && followUp(draft, wordsOf(text))) return;
  if (draft.state.pending.kind !== 'open') return notUnderstood(draft);
  if (draft.setting.mode === 'voice') return noMatch(draft);
  const step = draft.state.noMatch;
  draft.set({ noMatch: step + 1 });
  if (step >= 2) return giveUp(draft);
  draft.stock('wrongKey');
}
