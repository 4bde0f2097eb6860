import { localizeList, personOf } from '../../core/agent.ts';
import { hangUp, transfer } from './flow-runner.ts';
import { examplesText, questionOf } from './questions.ts';
import { STOCK } from './stock-phrases.ts';
import type { TurnDraft } from './turn-draft.ts';

export function onSilence(draft: TurnDraft): void {
  const ladder = draft.agent.definition.noInput ?? STOCK.noInput;
  const step = draft.state.noInput;
  draft.set({ noInput: step + 1 });
  if (step >= localizeList(ladder, draft.language).length) return hangUp(draft);
  draft.askOf(ladder, step);
  questionOf(draft);
}

/** The pending question was answered with nothing usable: ask again, more helpfully, then give up. */
export function notUnderstood(draft: TurnDraft): void {
  if (draft.sayWords()) return questionOf(draft);
  draft.understood = false;
  const { pending, attempts } = draft.state;
  const prompts = pending.kind === 'slot' ? localizeList(draft.slot?.prompts, draft.language).length : 1;
  const next = attempts + 1;
  if (next >= Math.max(3, prompts)) return giveUp(draft);
  draft.set({ attempts: next });
  if (pending.kind === 'confirm-slot' || pending.kind === 'confirm-flow') draft.stock('sayYesOrNo', {}, 0);
  else if (next >= prompts || pending.kind !== 'slot') draft.stock('slotAgain', {}, next - 1);
  questionOf(draft);
}

/** Nothing the agent knows: what a document says, else the ladder of the agent, then its way out. */
export function noMatch(draft: TurnDraft): void {
  draft.unanswered = true;
  if (draft.sayPassage() || draft.sayWords()) return;
  draft.understood = false;
  const ladder = draft.agent.definition.noMatch ?? STOCK.noMatch;
  const step = draft.state.noMatch;
  draft.set({ noMatch: step + 1 });
  if (step >= localizeList(ladder, draft.language).length) return giveUp(draft);
  draft.askOf(ladder, step, { examples: examplesText(draft) });
}

export function giveUp(draft: TurnDraft): void {
  const { definition } = draft.agent;
  draft.stock('giveUp');
  if (personOf(definition) && definition.onGiveUp !== 'hangup') return transfer(draft, undefined);
  hangUp(draft);
}
