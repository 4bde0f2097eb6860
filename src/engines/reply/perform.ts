import type { FlowDefinition } from '../../core/agent.ts';
import { type CalendarDay, dateValue, dayOf } from '../../language/calendar/calendar.ts';
import { termsOf } from '../../language/lexicon/lexicon.ts';
import { MORE, ONCE_MORE } from '../../language/phrases/cues.ts';
import { kinIn } from '../../language/phrases/kin.ts';
import { firstPhraseJoined, phraseTable, withoutPhrases } from '../../language/phrases/phrases-in.ts';
import { readSlots } from '../../language/values/slot-filling.ts';
import { type Word, wordsOf } from '../../language/words.ts';
import type { Guess } from './compiled-agent.ts';
import { control } from './controls.ts';
import { looksUp, runActions, startFlow } from './flow-runner.ts';
import { questionOf } from './questions.ts';
import { findRow, namesOwner } from './record-owner.ts';
import { withoutStanding } from './standing-values.ts';
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
const AGAIN = phraseTable(ONCE_MORE);
/** `yes, now it is right` is no day. */
export const NOW = new Set(['now', 'الحين', 'للحين', 'الان', 'توا']);

/** What was just done is wished for again, for nobody else, and nothing in it is new: it may be the same wish said twice. */
function isDoneAlready(draft: TurnDraft, flow: FlowDefinition, words: readonly Word[]): boolean {
  const { lastDone } = draft.state;
  if (lastDone?.flow !== flow.name || draft.state.flow !== undefined) return false;
  const name = flow.slots.find((slot) => slot.type === 'name' && lastDone.slots[slot.name] !== undefined);
  const isNamed = name !== undefined && namesOwner(lastDone.slots[name.name]!.value, words);
  const isForOthers = kinIn(words).some((person) => !lastDone.kin.includes(person));
  const { today } = draft.setting;
  // To a record that was changed so it is done once: `please send it once again` is the same wish.
  const wished = looksUp(flow) ? withoutStanding(withoutPhrases(words, AGAIN), flow.slots, today) : words;
  if (!isNamed && (isForOthers || firstPhraseJoined(wished, ANOTHER) || isOfOtherThing(draft, flow, words)))
    return false;
  const said = wished.filter(({ text }) => !NOW.has(text));
  const anew = Object.entries(newIn(readSlots(said, flow.slots, today).values, lastDone.slots));
  return anew.every(([slot, { value }]) => isOver(value, today) || isPartOf(value, lastDone.slots[slot]?.value ?? ''));
}

/** `send my shoes once again`, where a lamp was: a thing that the record does not name. */
function isOfOtherThing({ agent, state }: TurnDraft, { actions }: FlowDefinition, words: readonly Word[]): boolean {
  const lookup = actions.find((action) => action.type === 'lookup');
  const number = state.lastDone?.slots[lookup?.key ?? '']?.value ?? '';
  const row = lookup && findRow(agent.definition, lookup.table, lookup.key, number);
  const own = new Set(
    wordsOf(Object.values(row ?? {}).join(' ')).flatMap(({ text }) => termsOf([text])[0]?.word ?? text),
  );
  return (
    row !== undefined && termsOf(words.map(({ text }) => text)).some(({ key, word }) => key === THING && !own.has(word))
  );
}
const THING = '=goods';

/** `it came back to you yesterday`: nothing can be wished for then. */
function isOver(value: string, today: CalendarDay): boolean {
  const day = dayOf(value);
  return day !== undefined && value < dateValue(today, today).value;
}

/** A place said once more, with its town or without: one of the two holds all words of the other. */
function isPartOf(value: string, held: string): boolean {
  const [said, before] = [value, held].map((text) => wordsOf(text).map((word) => word.text));
  return (
    before!.length > 1 &&
    (said!.every((word) => before!.includes(word)) || before!.every((word) => said!.includes(word)))
  );
}

/** Said, and not done again; who does want it once more says so. */
function sayDone(draft: TurnDraft): void {
  draft.set({ lastDone: undefined, served: true });
  draft.stock('doneAlready');
}
