import type { FlowDefinition, SlotDefinition } from '../../core/agent.ts';
import { pattern } from '../../language/pattern.ts';
import { contrasted, refusedAt } from '../../language/values/contrast.ts';
import { digitsAtEnd, digitsInstead } from '../../language/values/corrected-digits.ts';
import type { SlotValue } from '../../language/values/slot.ts';
import { readSlots, readSlotText, slotNamed } from '../../language/values/slot-filling.ts';
import { mendedText } from '../../language/values/text.ts';
import { readYesNo } from '../../language/values/yesno.ts';
import type { Word } from '../../language/words.ts';
import type { Guess } from './compiled-agent.ts';
import { advance } from './flow-runner.ts';
import type { TurnDraft } from './turn-draft.ts';
import { clearSlot, identifies, newIn, putSlots } from './values.ts';

const CORRECTION = pattern()`
  (?:^| )(?:no|i said|i meant|i mean|not|sorry|actually|change|wrong|instead|لا|قصدي|اقصد|قلت|مو|مب|غير|غيري|اغير|نغير|تغيير|بدل|ابدل|غلط|
  عدل|اعدل|نعدل|تعديل)(?: |$)
`;

export function isCorrection(words: readonly Word[]): boolean {
  return CORRECTION.test(words.map((word) => word.text).join(' '));
}

export function withoutLeadingYesNo(words: readonly Word[]): readonly Word[] {
  const read = readYesNo(words);
  return read && read.start <= 1 && read.end < words.length ? words.slice(read.end) : words;
}

export function isOwnIntent(guess: Guess, flow: FlowDefinition): boolean {
  return guess.meaning.kind === 'intent' && guess.meaning.intent.flow === flow.name;
}

/** The flow with only the slots that have a value. */
export function heldSlots(draft: TurnDraft, flow: FlowDefinition): FlowDefinition {
  return { ...flow, slots: flow.slots.filter((slot) => draft.state.slots[slot.name] !== undefined) };
}

/** New values for slots that have one already, or a slot named as wrong. */
export function corrected(draft: TurnDraft, words: readonly Word[], flow: FlowDefinition, asked?: string): boolean {
  const held = draft.state.slots;
  const filled = heldSlots(draft, flow).slots;
  const { values } = readSlots(withoutLeadingYesNo(words), filled, draft.setting.today, asked, held);
  const changed = newIn(values, held);
  if (Object.keys(changed).length > 0) {
    const end = numberEnd(draft, words, filled, undefined);
    putSlots(draft, end && changed[end.name] === undefined ? { ...changed, [end.name]: end.value } : changed);
    sayChanged(draft);
    advance(draft);
    return true;
  }
  const named = slotNamed(words, { ...flow, slots: filled });
  if (numberCorrected(draft, words, filled, named)) return true;
  const text = named ? undefined : otherText(draft, words, filled);
  if (text) {
    putSlots(draft, text);
    sayChanged(draft);
    advance(draft);
    return true;
  }
  if (!named || Object.keys(values).length > 0) return false;
  const said = named.type === 'text' || named.type === 'name' ? textAfterName(draft, words, named, flow) : undefined;
  if (said) {
    putSlots(draft, { [named.name]: said });
    sayChanged(draft);
    advance(draft);
    return true;
  }
  clearSlot(draft, named.name);
  advance(draft);
  return true;
}

/** The number whose end is said to be another one, with its new value: the one that is named, or the longest. */
function numberEnd(
  draft: TurnDraft,
  words: readonly Word[],
  filled: readonly SlotDefinition[],
  named: SlotDefinition | undefined,
): { readonly name: string; readonly value: SlotValue } | undefined {
  const plain = words.map(({ text }) => text);
  const end = digitsAtEnd(plain);
  const numbers = filled.filter(identifies);
  const longest = [...numbers].sort(
    (a, b) => draft.state.slots[b.name]!.value.length - draft.state.slots[a.name]!.value.length,
  )[0];
  const slot = numbers.find((one) => one === named) ?? longest;
  const before = slot && draft.state.slots[slot.name]!.value;
  if (!slot || !before) return undefined;
  const ended = end && end.length * 2 <= before.length ? before.slice(0, -end.length) + end : undefined;
  const whole = digitsInstead(plain, before) ?? ended;
  const value = whole && readSlotText(whole, slot, draft.setting.today);
  return value && value.value !== before ? { name: slot.name, value } : undefined;
}

/** `no, the last two digits are six seven`, `it ends with eight nine, not eight seven`. */
export function numberCorrected(
  draft: TurnDraft,
  words: readonly Word[],
  filled: readonly SlotDefinition[],
  named?: SlotDefinition,
): boolean {
  const end = numberEnd(draft, words, filled, named);
  if (!end) return false;
  putSlots(draft, { [end.name]: end.value });
  sayChanged(draft);
  advance(draft);
  return true;
}

/** `it's sixty, not sixteen`: of a text that was said. */
export function partCorrected(draft: TurnDraft, words: readonly Word[], flow: FlowDefinition): boolean {
  for (const slot of heldSlots(draft, flow).slots) {
    const { name } = slot;
    const held = draft.state.slots[name]!;
    const value = slot.type === 'text' ? (contrasted(held, words) ?? saidAnew(draft, words, slot, held)) : undefined;
    if (!value) continue;
    putSlots(draft, { [name]: value });
    sayChanged(draft);
    advance(draft);
    return true;
  }
  return false;
}

/** `the address is fourteen palm street in al nakheel, not al yasmin`. */
function saidAnew(
  draft: TurnDraft,
  words: readonly Word[],
  slot: SlotDefinition,
  held: SlotValue,
): SlotValue | undefined {
  const said = withoutLeadingYesNo(words.slice(0, refusedAt(held, words) ?? 0));
  return readSlots(said, [slot], draft.setting.today, slot.name).values[slot.name];
}

const POINTS_TO_TEXT = new Set(['its', 'it', 'to', 'هو', 'الي', 'علي']);

const MIN_TEXT_WORDS = 4;

/** `no, it's 40 Palm Street`: with a single free text among the values, that is the one meant. */
function otherText(
  draft: TurnDraft,
  words: readonly Word[],
  filled: readonly SlotDefinition[],
): Readonly<Record<string, SlotValue>> | undefined {
  const texts = filled.filter(({ type }) => type === 'text');
  const rest = withoutLeadingYesNo(words);
  if (texts.length !== 1 || rest.length < MIN_TEXT_WORDS || !POINTS_TO_TEXT.has(rest[0]!.text)) return undefined;
  return readSlots(rest, texts, draft.setting.today, texts[0]!.name).values;
}

/** `the address is 9 Palm Road`: what follows the slot's name. */
function textAfterName(
  draft: TurnDraft,
  words: readonly Word[],
  slot: SlotDefinition,
  flow: FlowDefinition,
): SlotValue | undefined {
  const only = { ...flow, slots: [slot] };
  const at = words.findIndex((_, i) => slotNamed(words.slice(0, i + 1), only) !== undefined);
  let from = at + 1;
  while (from < words.length && LINKS.has(words[from]!.text)) from += 1;
  const after = words.slice(from);
  if (at < 0 || after.length === 0 || isCorrection(after)) return undefined;
  const said = readSlots(after, [slot], draft.setting.today, slot.name).values[slot.name];
  const held = draft.state.slots[slot.name];
  return said && held && slot.type === 'text' ? mendedText(held, said) : said;
}

const LINKS = new Set(['is', 'to', 'should', 'be', 'هو', 'الي', 'علي', 'يكون']);

/** Said only of what was changed. */
export function sayChanged(draft: TurnDraft): void {
  if (draft.refused.length === 0) draft.stock('changed');
}
