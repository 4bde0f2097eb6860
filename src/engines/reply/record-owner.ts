import type { AgentDefinition, FlowDefinition, RecordOwner, SlotDefinition } from '../../core/agent.ts';
import { fold } from '../../language/fold.ts';
import { isCommon, isFiller } from '../../language/lexicon/lexicon.ts';
import { similarity, soundOf } from '../../language/similarity.ts';
import { nationalNumber } from '../../language/values/phone.ts';
import { type Word, wordsOf } from '../../language/words.ts';

export type Row = Readonly<Record<string, string>>;

/** A flow's look-up in a table whose rows belong to people: `slot` asks for what only the owner knows. */
export interface OwnedLookup {
  readonly owner: RecordOwner;
  readonly table: string;
  readonly key: string; // slot name
  readonly slot: SlotDefinition;
  /** A name with fewer words is not yet the name. */
  readonly minWords: number;
}

/** The flow with a slot for the second fact after the key of each look-up that needs one, and what the slots are for. */
export function withOwners(
  flow: FlowDefinition,
  { tables, belongsTo }: AgentDefinition,
): { readonly flow: FlowDefinition; readonly lookups: readonly OwnedLookup[] } {
  let slots = flow.slots;
  const lookups: OwnedLookup[] = [];
  for (const action of flow.actions) {
    if (action.type !== 'lookup' || action.open) continue;
    const owner = ownValue(belongsTo, action.table);
    const at = slots.findIndex(({ name }) => name === action.key);
    if (!owner || at < 0 || lookups.some(({ slot }) => slot.name === owner.column)) continue;
    const { column: name, type, prompts } = owner;
    const slot: SlotDefinition = { ...slots.find((one) => one.name === name), name, type, prompts };
    const others = slots.filter((one) => one.name !== name);
    const after = others.findIndex((one) => one.name === action.key) + 1;
    slots = [...others.slice(0, after), slot, ...others.slice(after)];
    const counts = (ownValue(tables, action.table) ?? []).map((row) => wordsOf(row[name] ?? '').length);
    const minWords = type === 'name' ? Math.min(2, ...counts) : 1;
    lookups.push({ owner, table: action.table, key: action.key, slot, minWords });
  }
  return { flow: { ...flow, slots }, lookups };
}

function ownValue<T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return values && Object.hasOwn(values, name) ? values[name] : undefined;
}

export function rowsOf({ tables }: AgentDefinition, table: string): readonly Row[] {
  return ownValue(tables, table) ?? [];
}

/** The row of a table with a value under its key. */
export function findRow({ tables }: AgentDefinition, table: string, key: string, value: string): Row | undefined {
  const wanted = fold(value);
  if (wanted === '') return undefined;
  return ownValue(tables, table)?.find((row) => fold(String(row[key] ?? '')) === wanted);
}

/** Whether somebody calls from the number that a row belongs to. @param caller - the other end of the call, if known. */
export function callsFromOwn(
  { country }: AgentDefinition,
  { callerColumn }: RecordOwner,
  row: Row,
  caller: string | undefined,
): boolean {
  if (callerColumn === undefined || caller === undefined) return false;
  const numberOf = (text: string): string | undefined => nationalNumber(text.replace(/\D/g, ''), country);
  const own = numberOf(row[callerColumn] ?? '');
  return own !== undefined && own === numberOf(caller);
}

/** Names said in one sentence beyond which somebody only tries names. */
const MAX_TRIED_WORDS = 6;
/** The same among the words of a wish, which has more of them than an answer. */
const MAX_STORY_WORDS = 12;
/** Share of a name's letters that must be the same, and how many where it sounds the same. */
const ALIKE = 0.74;
const SOUNDS_ALIKE = 0.6;

/** Whether a sentence names the owner: every word of the name, nearly so, among the few words that may be names. */
export function namesOwner(name: string, said: readonly Word[]): boolean {
  const wanted = wordsOf(name).map(({ text }) => text);
  const own = new Set(wanted);
  const plain = said.map(({ text }) => text);
  const tried = plain.filter((word) => own.has(word) || (word.length > 1 && !isCommon(word) && !isFiller(word)));
  if (wanted.length === 0 || new Set(tried).size > MAX_TRIED_WORDS) return false;
  const pairs = plain.slice(1).map((word, at) => plain[at]! + word); // عبد الله
  return wanted.every((word) => [...tried, ...pairs].some((one) => isAlike(one, word)));
}

/** Whether a name was said among other words, before anybody asked for it: every word of it, and none that may mean something else. */
export function saysName(name: string, said: readonly Word[]): boolean {
  const uncommon = new Set(said.map(({ text }) => text).filter((word) => !isCommon(word) && !isFiller(word)));
  const wanted = wordsOf(name);
  return wanted.length > 0 && uncommon.size <= MAX_STORY_WORDS && wanted.every(({ text }) => uncommon.has(text));
}

function isAlike(said: string, name: string): boolean {
  const alike = similarity(said, name);
  if (alike >= ALIKE) return true;
  const sound = soundOf(name);
  return alike >= SOUNDS_ALIKE && sound.length > 1 && soundOf(said) === sound;
}
