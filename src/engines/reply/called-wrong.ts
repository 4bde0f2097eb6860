import type { FlowDefinition, SlotDefinition } from '../../core/agent.ts';
import { fold } from '../../language/fold.ts';
import { isFiller, isWeak } from '../../language/lexicon/lexicon.ts';
import { listsOf } from '../../language/lists.ts';
import { JUDGES } from '../../language/phrases/judging.ts';
import { readSlots, slotNamed, slotNames } from '../../language/values/slot-filling.ts';
import { type Word, wordsOf } from '../../language/words.ts';
import type { Heard } from './acts/act.ts';
import { withoutHesitations } from './acts/read-acts.ts';
import { heldSlots } from './corrections.ts';
import { advance } from './flow-runner.ts';
import { questionOf } from './questions.ts';
import type { TurnDraft } from './turn-draft.ts';
import { clearSlot, identifies, newIn } from './values.ts';

const list = listsOf('engines/reply/data/called-wrong.tsv');

const CHANGES =
  /(?:^| )(?:change|fix|correct|edit|update|replace|غير|غيري|اغير|نغير|تغيير|عدل|عدلي|اعدل|نعدل|تعديل|بدل|ابدل)(?: |$)/;

/** `that's not the right order number`, `can I change the time`, `الاسم مو صحيح`: a value is called wrong and no other one is said. */
export function calledWrong(draft: TurnDraft, heard: Heard): boolean {
  const { kind } = draft.state.pending;
  const flow = draft.flow;
  if (!flow || (kind !== 'confirm-flow' && kind !== 'confirm-slot' && kind !== 'change' && kind !== 'slot'))
    return false;
  if (isEither(draft, flow, withoutHesitations(heard.words))) {
    draft.wait({ kind: 'change' });
    questionOf(draft);
    return true;
  }
  const slot = wrongSlot(draft, flow, withoutHesitations(heard.words), kind === 'change');
  if (!slot) return false;
  clearSlot(draft, slot.name);
  advance(draft);
  return true;
}

/** `the number is wrong`, where two numbers were read back: which is asked. */
function isEither(draft: TurnDraft, flow: FlowDefinition, words: readonly Word[]): boolean {
  const filled = heldSlots(draft, flow);
  const numbers = filled.slots.filter((slot) => identifies(slot) && !draft.agent.owned.has(slot));
  if (numbers.length < 2 || draft.state.pending.kind === 'slot') return false;
  const named = words.filter(({ text }) => NUMBER.has(text)).length;
  const isWhich = numbers.some((slot) => slotNames(slot).some((name) => isCalled(words, wordsOf(name))));
  return named > 0 && !isWhich && wrongSlot(draft, flow, words, false) !== undefined;
}
const NUMBER = new Set(list('number').map((word) => fold(word)));

/** By a word that is not what both are. */
function isCalled(words: readonly Word[], name: readonly Word[]): boolean {
  const own = name.filter(({ text }) => !NUMBER.has(text));
  return own.length > 0 && own.every(({ text }) => words.some((word) => word.text === text));
}

function wrongSlot(
  draft: TurnDraft,
  flow: FlowDefinition,
  words: readonly Word[],
  isAsked: boolean,
): SlotDefinition | undefined {
  const filled = heldSlots(draft, flow);
  const named = slotNamed(words, filled);
  const text = words.map((word) => word.text).join(' ');
  if (!named || !(isAsked || JUDGES.test(text) || CHANGES.test(text))) return undefined;
  const own = new Set(slotNames(named).flatMap((name) => wordsOf(name).map((word) => word.text)));
  const beside = words.filter((word) => !own.has(word.text) && !isWeak(word.text) && !isFiller(word.text));
  const said = ` ${beside.map((word) => word.text).join(' ')} `;
  const left = said
    .replace(JUDGES, ' ')
    .replace(CHANGES, ' ')
    .split(' ')
    .filter((word) => word !== '' && !BESIDE.has(word));
  if (left.length > 0) return undefined;
  const withoutName = words.filter((word) => !own.has(word.text));
  const { values } = readSlots(withoutName, filled.slots, draft.setting.today, undefined, draft.state.slots);
  return Object.keys(newIn(values, draft.state.slots)).length === 0 ? named : undefined;
}

/** What is left of judging words whose other half is a small word, and of asking for a change. */
const BESIDE = new Set(list('beside').map((word) => fold(word)));
