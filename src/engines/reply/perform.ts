import type { FlowDefinition } from '../../core/agent.ts';
import { MORE } from '../../language/phrases/cues.ts';
import { kinIn } from '../../language/phrases/kin.ts';
import { firstPhraseJoined, phraseTable } from '../../language/phrases/phrases-in.ts';
import { readSlots } from '../../language/values/slot-filling.ts';
import type { Word } from '../../language/words.ts';
import type { Guess } from './compiled-agent.ts';
import { control } from './controls.ts';
import { runActions, startFlow } from './flow-runner.ts';
import { questionOf } from './questions.ts';
import { namesOwner } from './record-owner.ts';
import type { TurnDraft } from './turn-draft.ts';
import { newIn } from './values.ts';

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
  if (flow && isDoneAlready(draft, flow, words)) return sayDone(draft);
  if (flow) return startFlow(draft, flow, words);
  if (intent.action) runActions(draft, [intent.action], 0);
  if (!draft.action && !draft.tool) questionOf(draft);
}

const ANOTHER = phraseTable(MORE);
/** `yes, now it is right` is no day. */
export const NOW = new Set(['now', 'الحين', 'للحين', 'الان', 'توا']);

/** What was just done is wished for again, for nobody else, and nothing in it is new: it may be the same wish said twice. */
function isDoneAlready(draft: TurnDraft, flow: FlowDefinition, words: readonly Word[]): boolean {
  const { lastDone } = draft.state;
  if (lastDone?.flow !== flow.name || draft.state.flow !== undefined) return false;
  const name = flow.slots.find((slot) => slot.type === 'name' && lastDone.slots[slot.name] !== undefined);
  const isNamed = name !== undefined && namesOwner(lastDone.slots[name.name]!.value, words);
  const isForOthers = kinIn(words).some((person) => !lastDone.kin.includes(person));
  if (!isNamed && (isForOthers || firstPhraseJoined(words, ANOTHER))) return false;
  const said = words.filter(({ text }) => !NOW.has(text));
  const { values } = readSlots(said, flow.slots, draft.setting.today);
  return Object.keys(newIn(values, lastDone.slots)).length === 0;
}

/** Said, and not done again; who does want it once more says so. */
function sayDone(draft: TurnDraft): void {
  draft.set({ lastDone: undefined, served: true });
  draft.stock('doneAlready');
}
