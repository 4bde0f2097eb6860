import type { Guess } from './compiled-agent.ts';
import { control } from './controls.ts';
import { runActions, startFlow } from './flow-runner.ts';
import type { Word } from './fold.ts';
import { questionOf } from './questions.ts';
import type { TurnDraft } from './turn-draft.ts';

/** Does what was understood. In the middle of a flow an answer is followed by the pending question. */
export function perform(draft: TurnDraft, guess: Guess, words: readonly Word[]): void {
  const { meaning } = guess;
  draft.set({ noMatch: 0 });
  draft.meant.push(guess.id);
  if (meaning.kind === 'stock') return control(draft, meaning.name);
  draft.set({ served: true });
  if (meaning.kind === 'knowledge') {
    draft.answer(meaning.item.answer);
    return questionOf(draft);
  }
  const { intent } = meaning;
  if (intent.answer) draft.answer(intent.answer);
  const flow = draft.agent.flows.get(intent.flow ?? '');
  if (flow) return startFlow(draft, flow, words);
  if (intent.action) runActions(draft, [intent.action], 0);
  if (!draft.action && !draft.tool) questionOf(draft);
}
