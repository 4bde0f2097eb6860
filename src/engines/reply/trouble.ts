import { actOf, type Heard } from './acts/act.ts';
import { toldToDo } from './acts/told-to-do.ts';
import { certainly } from './compiled-agent.ts';
import { COMPLAINT } from './complaint-intent.ts';
import { transfer } from './flow-runner.ts';
import { perform } from './perform.ts';
import { questionOf } from './questions.ts';
import type { TurnDraft } from './turn-draft.ts';
import { NEARNESS } from './understanding.ts';

/** Danger to somebody: what the agent says to it, else the emergency number, and a person. */
export function emergency(draft: TurnDraft, heard: Heard): boolean {
  if (actOf(heard, 'trouble')?.kind !== 'emergency') return false;
  // By the whole sentence: `the bleeding does not stop, I want to cancel my appointment` is not about cancelling.
  const guesses = draft.agent.guess(heard.words.map(({ text }) => text));
  if ([heard.guesses, guesses].every((some) => isAnsweredByAgent({ guesses: some }, NEARNESS.justThat))) return false;
  const route = draft.agent.definition.routes?.emergency;
  draft.meant.push('trouble:emergency');
  if (route) draft.answer(route.text);
  else draft.stock('emergency');
  if (!route || route.action?.type === 'transfer')
    transfer(draft, route?.action?.type === 'transfer' ? route.action.target : undefined);
  else questionOf(draft);
  return true;
}

/** An author who has an answer for just this is heard first. @param answers - how near a question must be for that. */
function isAnsweredByAgent({ guesses }: Pick<Heard, 'guesses'>, answers: number): boolean {
  const [top] = guesses;
  if (!top || top.meaning.kind === 'stock' || top.id === COMPLAINT) return false;
  const transfers = top.meaning.kind === 'intent' && top.meaning.intent.action?.type === 'transfer';
  const needed = transfers ? NEARNESS.accept : top.meaning.kind === 'knowledge' ? answers : NEARNESS.certain;
  return top.score >= needed;
}

/** Regret, and a person; who says behind it what is to be done (`so just cancel the whole thing`) has it done. */
export function complaint(draft: TurnDraft, heard: Heard): boolean {
  const trouble = actOf(heard, 'trouble');
  if (trouble?.kind !== 'complaint' || isAnsweredByAgent(heard, NEARNESS.surelyElse)) return false;
  const id = draft.state.pending.kind === 'open' ? toldToDo(draft.agent, heard, trouble.span.end) : undefined;
  const meaning = id === undefined ? undefined : draft.agent.meaning(id);
  if (id !== undefined && meaning) {
    draft.stock('sorryToHear');
    perform(draft, certainly(id, meaning), heard.wanted);
    return true;
  }
  const route = draft.agent.definition.routes?.complaint;
  draft.meant.push('trouble:complaint');
  if (route) draft.answer(route.text);
  else draft.stock('sorryToHear');
  const action = route?.action;
  transfer(draft, action?.type === 'transfer' ? action.target : undefined, action?.text);
  return true;
}
