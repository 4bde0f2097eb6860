import type { SlotDefinition } from '../../core/agent.ts';
import { fold } from '../../language/fold.ts';
import { listsOf } from '../../language/lists.ts';
import { kinIn } from '../../language/phrases/kin.ts';
import { type SlotValue, same } from '../../language/values/slot.ts';
import { readSlots, slotNamed } from '../../language/values/slot-filling.ts';
import { isUnsure } from '../../language/values/yesno.ts';
import { type Word, wordsOf } from '../../language/words.ts';
import { actOf, type Heard } from './acts/act.ts';
import { advance, toOwnerOnly } from './flow-runner.ts';
import { questionOf } from './questions.ts';
import { findRow, namesOwner, type OwnedLookup, rowsOf } from './record-owner.ts';
import { fits, hold, rowOf } from './second-fact.ts';
import type { TurnDraft } from './turn-draft.ts';
import { NEARNESS } from './understanding.ts';
import { clearSlot, newIn, putSlots } from './values.ts';

/** Answers that do not fit in a call before a person looks after it. */
const MAX_STRANGE = 2;

/** Takes the words as the second fact. Somebody who sees that the number was wrong says another one instead. */
export function answerFact(draft: TurnDraft, heard: Heard, lookup: OwnedLookup): boolean {
  const { slot, key } = lookup;
  const { words, guesses } = heard;
  const { today } = draft.setting;
  const keys = draft.flow?.slots.filter(({ name }) => name === key) ?? [];
  const number = newIn(readSlots(words, keys, today, undefined, draft.state.slots).values, draft.state.slots);
  putSlots(draft, number);
  const row = rowOf(draft, lookup);
  const given = slot.type === 'name' ? undefined : readSlots(words, [slot], today, slot.name).values[slot.name];
  const names = (from: readonly Word[]): boolean => row !== undefined && namesOwner(row[slot.name] ?? '', from);
  const isNamed = row && (given ? fits(lookup, row, given.value) : names(words) || names(beforeClause(words)));
  if (isNamed) {
    hold(draft, slot, row);
    advance(draft);
    return true;
  }
  if (Object.keys(number).length > 0) {
    advance(draft);
    return true;
  }
  const [top] = guesses;
  const isElse = top && top.meaning.kind !== 'stock' && top.score >= NEARNESS.clearlyElse;
  const another = slot.type === 'name' ? nameOfAnother(draft, lookup, words) : undefined;
  if (isElse && !another) return false;
  const read = (from: readonly Word[]): SlotValue | undefined =>
    readSlots(from, [slot], today, slot.name).values[slot.name];
  const value = given ?? another ?? read(words) ?? (slot.type === 'name' ? read(beforeClause(words)) : undefined);
  if (isUnsure(words)) strange(draft, lookup);
  else if (value) tooShort(lookup, value) ? askWhole(draft) : strange(draft, lookup, value);
  else if (actOf(heard, 'deny') || kinIn(words).length > 0)
    strange(draft, lookup); // `it's my flatmate's order`
  else return false;
  return true;
}

/** `khalid haddad, the order is my brother's`: what stands before a clause that tells whose it is. */
function beforeClause(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex(({ text }, i) => i > 0 && TELLS_WHOSE.has(text));
  return at < 0 || at > MAX_NAME_WORDS ? [] : words.slice(0, at);
}
const TELLS_WHOSE = new Set(listsOf('engines/reply/data/fact-answers.tsv')('tells-whose').map((word) => fold(word)));
const MAX_NAME_WORDS = 4;

/** The whole name of the owner of another record: whatever is said around it, it is a name. */
function nameOfAnother(
  { agent }: TurnDraft,
  { slot, table }: OwnedLookup,
  words: readonly Word[],
): SlotValue | undefined {
  const said = new Set(words.map(({ text }) => text));
  const names = rowsOf(agent.definition, table).map((row) => String(row[slot.name] ?? ''));
  const name = names.find((one) => {
    const parts = wordsOf(one);
    return parts.length >= MIN_WHOLE_NAME && parts.every(({ text }) => said.has(text));
  });
  return name === undefined ? undefined : { value: name, say: same(name) };
}
const MIN_WHOLE_NAME = 2;

/** The number is asked for again, and the caller says the name, or whose it is: the number may have been right. */
export function answeredByName(draft: TurnDraft, words: readonly Word[], asked: SlotDefinition): boolean {
  const before = numberBefore(draft, asked);
  if (!before) return false;
  const { lookup, number } = before;
  const row = findRow(draft.agent.definition, lookup.table, lookup.key, number.value);
  const isNamed = row !== undefined && namesOwner(row[lookup.slot.name] ?? '', words);
  if (!isNamed && kinIn(words).length === 0 && !slotNamed(words, { slots: [lookup.slot] })) return false;
  putSlots(draft, { [asked.name]: number });
  if (isNamed) hold(draft, lookup.slot, row);
  advance(draft);
  return true;
}

/** The number that did not fit a name, where another one is asked for. */
function numberBefore(
  draft: TurnDraft,
  asked: SlotDefinition,
): { readonly lookup: OwnedLookup; readonly number: SlotValue } | undefined {
  const lookup = draft.flow?.slots.map((slot) => draft.agent.owned.get(slot)).find((one) => one?.key === asked.name);
  const number = draft.state.memory[asked.name];
  return lookup?.slot.type === 'name' && number && draft.state.strange > 0 ? { lookup, number } : undefined;
}

/** Whether words name whom the record is of that is spoken of. */
export function namesRecord(draft: TurnDraft, words: readonly Word[]): boolean {
  const { slot } = draft;
  if (!slot || draft.state.pending.kind !== 'slot') return false;
  const asked = draft.agent.owned.get(slot);
  const before = asked ? undefined : numberBefore(draft, slot);
  const lookup = asked ?? before?.lookup;
  const number = before?.number ?? draft.state.slots[lookup?.key ?? ''];
  const row = lookup && number && findRow(draft.agent.definition, lookup.table, lookup.key, number.value);
  return row !== undefined && lookup?.slot.type === 'name' && namesOwner(row[lookup.slot.name] ?? '', words);
}

function tooShort({ slot, minWords }: OwnedLookup, { value }: SlotValue): boolean {
  return slot.type === 'name' && wordsOf(value).length < minWords;
}

function askWhole(draft: TurnDraft): void {
  const { attempts } = draft.state;
  if (attempts + 1 >= MAX_STRANGE) return toOwnerOnly(draft);
  draft.set({ attempts: attempts + 1 });
  draft.stock('wholeName');
}

/** Number and fact do not fit, or the caller has none: which of the two is wrong, and whether there is such a row, is not told. */
function strange(draft: TurnDraft, { owner, key, slot }: OwnedLookup, value?: SlotValue): void {
  const times = draft.state.strange + 1;
  draft.set({ strange: times, noMatch: 0 });
  if (times >= MAX_STRANGE) return toOwnerOnly(draft);
  if (!value) {
    draft.set({ attempts: draft.state.attempts + 1 });
    return questionOf(draft);
  }
  const { memory, slots } = draft.state;
  draft.set({ memory: { ...memory, [slot.name]: value, ...(slots[key] && { [key]: slots[key] }) } });
  if (owner.otherwise) draft.answer(owner.otherwise);
  else draft.stock('noneSuch');
  clearSlot(draft, key);
  draft.wait({ kind: 'slot', slot: key });
  draft.set({ attempts: 1 });
  questionOf(draft);
}
