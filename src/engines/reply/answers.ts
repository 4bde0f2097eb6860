import type { FlowDefinition, SlotDefinition } from '../../core/agent.ts';
import { actOf, type Heard } from './acts/act.ts';
import { type Guess, labelOf } from './compiled-agent.ts';
import type { Pending } from './dialogue-state.ts';
import { spokenDigits } from './digits-so-far.ts';
import { advance, completeFlow, leaveFlow } from './flow-runner.ts';
import { type Word, wordsOf } from './fold.ts';
import { isFiller, isWeak, termsOf } from './lexicon.ts';
import { digitRuns, isNumberWord, readCardinal, readOrdinal } from './number-words.ts';
import { perform } from './perform.ts';
import { questionOf } from './questions.ts';
import { readSlots, slotNamed } from './slot-filling.ts';
import type { SlotValue } from './slots/slot.ts';
import { unsettled } from './slots/unsettled.ts';
import { readYesNo } from './slots/yesno.ts';
import type { TurnDraft } from './turn-draft.ts';
import { NEARNESS } from './understanding.ts';
import { clearSlot, putSlots, refuse } from './values.ts';

/** What to do with a question that came along with an answer. */
type Digress = (draft: TurnDraft, guesses: readonly Guess[], words: readonly Word[], text: string) => boolean;
type Handler = (draft: TurnDraft, heard: Heard, digress: Digress) => boolean;

const HANDLERS: Readonly<Record<Exclude<Pending['kind'], 'open'>, Handler>> = {
  slot: answerSlot,
  'confirm-slot': answerConfirmSlot,
  'confirm-flow': answerConfirmFlow,
  change: answerChange,
  choose: answerChoose,
};

/** Takes the words as an answer to the pending question. @returns false when they are not one. */
export function answerPending(draft: TurnDraft, heard: Heard, digress: Digress): boolean {
  const { kind } = draft.state.pending;
  return kind !== 'open' && HANDLERS[kind](draft, heard, digress);
}

function currentFlow(draft: TurnDraft): FlowDefinition | undefined {
  return draft.agent.flows.get(draft.state.flow ?? '');
}

const CORRECTION =
  /(?:^| )(?:no|i said|i meant|i mean|not|sorry|actually|change|wrong|instead|لا|قصدي|اقصد|قلت|مو|مب|غير|غيري|بدل|غلط|عدل)(?: |$)/;

function isCorrection(words: readonly Word[]): boolean {
  return CORRECTION.test(words.map((word) => word.text).join(' '));
}

function withoutLeadingYesNo(words: readonly Word[]): readonly Word[] {
  const read = readYesNo(words);
  return read && read.start <= 1 && read.end < words.length ? words.slice(read.end) : words;
}

/** `not tomorrow, the day after`: a day may be named by the one it is not; what is refused itself is no answer. */
function meantWords(draft: TurnDraft, slot: SlotDefinition, { words, wanted }: Heard): readonly Word[] {
  if (wanted.length === words.length) return words;
  const read = (from: readonly Word[]): string | undefined =>
    readSlots(from, [slot], draft.setting.today, slot.name).values[slot.name]?.value;
  const whole = read(wanted) === undefined ? read(words) : undefined;
  const refused = read(words.filter((word) => !wanted.includes(word)));
  return whole !== undefined && whole !== refused ? words : wanted;
}

function answerSlot(draft: TurnDraft, heard: Heard, digress: Digress): boolean {
  const flow = currentFlow(draft);
  const slot = draft.slot;
  if (!flow || !slot) return false;
  const { guesses } = heard;
  const words = meantWords(draft, slot, heard);
  const free = slot.type === 'text' || slot.type === 'name';
  const elsewhere = guesses[0];
  const enough = elsewhere?.meaning.kind === 'stock' ? NEARNESS.certain : NEARNESS.clearlyElse; // سعد is no thanks
  if (free && elsewhere && elsewhere.score >= enough && !isOwnIntent(elsewhere, flow)) return false;
  if (elsewhere && wantsOther(elsewhere, words, slot, flow)) return false;
  const held = draft.state.slots;
  const otherNamed = free && isCorrection(words.slice(0, 2)) && slotNamed(words, heldSlots(draft, flow)) !== undefined;
  const dictates = IDENTIFIERS.has(slot.type) && isDictated(words); // `seven three, no, seven four` corrects no time
  if (!dictates && isCorrection(words) && (!free || otherNamed) && corrected(draft, words, flow)) return true;
  const open =
    slot.type === 'text' ? [slot] : flow.slots.filter((one) => one.name === slot.name || held[one.name] === undefined);
  const { values, rest } = readSlots(words, open, draft.setting.today, slot.name);
  if (values[slot.name] === undefined) {
    if (spokenDigits(draft, slot, words) || notYet(draft, slot, words)) return true;
    return !dictates && isCorrection(words) && corrected(draft, words, flow);
  }
  // "how much is the cleaning?" names a choice and asks something else.
  const onlyAsks =
    slot.type === 'choice' &&
    rest.some((word) => !isFiller(word.text) && !isNamed(word, slot)) &&
    elsewhere?.meaning.kind === 'knowledge';
  if (onlyAsks && elsewhere.score >= NEARNESS.questionToo) return false;
  putSlots(draft, values);
  if (!free && questionToo(draft, rest, flow)) {
    const asked = draft.agent.guess(rest.map((word) => word.text));
    draft.wait({ kind: 'open' });
    digress(draft, asked, rest, rest.map((word) => word.raw).join(' '));
  }
  if (draft.state.flow === flow.name) advance(draft);
  return true;
}

/** Something was said for the slot that is no value yet: why is said, and it is asked again. */
function notYet(draft: TurnDraft, slot: SlotDefinition, words: readonly Word[]): boolean {
  const found = unsettled(words, { today: draft.setting.today, definition: slot, asked: true });
  if (!found) return false;
  draft.set({ noMatch: 0 });
  refuse(draft, slot, found.refusal);
  questionOf(draft);
  return true;
}

const IDENTIFIERS = new Set<SlotDefinition['type']>(['digits', 'phone']);

const MIN_DICTATED = 3;

/** Digits of a long number, in whatever pieces. */
function isDictated(words: readonly Word[]): boolean {
  const runs = digitRuns(words.map(({ text }) => text));
  return runs.reduce((sum, { digits }) => sum + digits.length, 0) >= MIN_DICTATED;
}

/** `first, where is order 6104`: the number is for another wish, clear and in words that the question does not hold. */
function wantsOther(guess: Guess, words: readonly Word[], slot: SlotDefinition, flow: FlowDefinition): boolean {
  if (!IDENTIFIERS.has(slot.type) || guess.meaning.kind !== 'intent' || isOwnIntent(guess, flow)) return false;
  if (guess.meaning.intent.flow === undefined || guess.score < NEARNESS.clearlyElse) return false;
  const asked = promptKeys(slot);
  return keysOf(words).some((key) => key.startsWith('=') && !asked.has(key) && !CARRIES_VALUE.has(key));
}

/** Said around any number, for any wish. */
const CARRIES_VALUE = new Set([
  '=want',
  '=not',
  '=wait',
  '=number',
  '=thanks',
  '=wrong',
  '=order',
  '=package',
  '=appointment',
]);

function promptKeys(slot: SlotDefinition | undefined): ReadonlySet<string> {
  return new Set([...(slot?.prompts.ar ?? []), ...(slot?.prompts.en ?? [])].flatMap((text) => keysOf(wordsOf(text))));
}

function keysOf(words: readonly Word[]): string[] {
  return termsOf(words.map(({ text }) => text)).map(({ key }) => key);
}

/** A choice said twice over is still only the choice. */
function isNamed(word: Word, slot: SlotDefinition): boolean {
  const says = (slot.choices ?? []).flatMap((choice) => [...(choice.say.ar ?? []), ...(choice.say.en ?? [])]);
  return says.some((said) => wordsOf(said).some(({ text }) => text === word.text));
}

/** `tomorrow, and how much is it?`: the value is taken, the question answered, the flow goes on. */
function questionToo(draft: TurnDraft, rest: readonly Word[], flow: FlowDefinition): boolean {
  const content = rest.filter((word) => !isWeak(word.text) && !isFiller(word.text) && !isNumberWord(word.text));
  const asked = promptKeys(draft.slot); // `it is for order number 4522` says only what was asked for
  if (rest.length < 3 || keysOf(content).every((key) => asked.has(key))) return false;
  const top = draft.agent.guess(rest.map((word) => word.text))[0];
  if (!top || top.score < NEARNESS.questionToo || isOwnIntent(top, flow)) return false;
  return top.meaning.kind === 'knowledge' || (top.meaning.kind === 'intent' && top.meaning.intent.flow === undefined);
}

function isOwnIntent(guess: Guess, flow: FlowDefinition): boolean {
  return guess.meaning.kind === 'intent' && guess.meaning.intent.flow === flow.name;
}

/** The flow with only the slots that have a value. */
function heldSlots(draft: TurnDraft, flow: FlowDefinition): FlowDefinition {
  return { ...flow, slots: flow.slots.filter((slot) => draft.state.slots[slot.name] !== undefined) };
}

/** New values for slots that have one already, or a slot named as wrong. */
function corrected(draft: TurnDraft, words: readonly Word[], flow: FlowDefinition, asked?: string): boolean {
  const held = draft.state.slots;
  const filled = heldSlots(draft, flow).slots;
  const { values } = readSlots(withoutLeadingYesNo(words), filled, draft.setting.today, asked, held);
  const changed = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => held[name]?.value !== value.value),
  );
  if (Object.keys(changed).length > 0) {
    putSlots(draft, changed);
    sayChanged(draft);
    advance(draft);
    return true;
  }
  const named = slotNamed(words, { ...flow, slots: filled });
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
  return readSlots(after, [slot], draft.setting.today, slot.name).values[slot.name];
}
const LINKS = new Set(['is', 'to', 'should', 'be', 'هو', 'الي', 'علي', 'يكون']);

function answerConfirmSlot(draft: TurnDraft, { words }: Heard): boolean {
  const flow = currentFlow(draft);
  const slot = draft.slot;
  if (!flow || !slot) return false;
  const yesNo = readYesNo(words);
  if (yesNo?.answer === 'yes' && !hasNewValue(draft, words, slot)) {
    draft.set({ confirmed: [...draft.state.confirmed, slot.name], noMatch: 0 });
    const others = flow.slots.filter((one) => draft.state.slots[one.name] === undefined);
    putSlots(draft, readSlots(words.slice(yesNo.end), others, draft.setting.today).values);
    advance(draft);
    return true;
  }
  if (corrected(draft, words, flow, readableAlone(slot) ? slot.name : undefined)) return true;
  if (yesNo?.answer !== 'no') return false;
  clearSlot(draft, slot.name);
  draft.set({ pending: { kind: 'slot', slot: slot.name }, attempts: draft.state.attempts + 1 });
  questionOf(draft);
  return true;
}

function readableAlone(slot: SlotDefinition): boolean {
  return slot.type !== 'text' && slot.type !== 'yesno' && slot.type !== 'name';
}

function hasNewValue(draft: TurnDraft, words: readonly Word[], slot: SlotDefinition): boolean {
  const { values } = readSlots(words, [slot], draft.setting.today, undefined, draft.state.slots);
  const value = values[slot.name];
  return value !== undefined && value.value !== draft.state.slots[slot.name]?.value;
}

/** The read-back: only a yes without a but lets the flow act. */
function answerConfirmFlow(draft: TurnDraft, heard: Heard): boolean {
  const flow = currentFlow(draft);
  if (!flow) return false;
  const { words } = heard;
  const yes = actOf(heard, 'affirm');
  if (yes) return agreed(draft, flow, heard, yes);
  const other = elsewhere(heard, flow);
  const denies = actOf(heard, 'deny') !== undefined || actOf(heard, 'leave') !== undefined;
  if (other && (denies || words.length > SHORT_ANSWER) && other.score >= NEARNESS.clearlyElse) {
    leaveFlow(draft);
    perform(draft, other, heard.wanted);
    return true;
  }
  if (asksSomething(draft, heard, flow)) return false; // answered, and asked again
  if (corrected(draft, heard.wanted, flow)) return true;
  if (!denies) return false;
  if (anew(draft, heard, flow)) return true;
  if (actOf(heard, 'leave')) {
    leaveFlow(draft);
    draft.stock('flowCancelled');
    return true;
  }
  draft.wait({ kind: 'change' });
  questionOf(draft);
  return true;
}

const SHORT_ANSWER = 5;
/** `yes, now it is right` is no day. */
const NOW = new Set(['now', 'الحين', 'الان', 'توا']);

function agreed(
  draft: TurnDraft,
  flow: FlowDefinition,
  heard: Heard,
  yes: NonNullable<ReturnType<typeof actOf<'affirm'>>>,
): boolean {
  const { words, guesses } = heard;
  const held = draft.state.slots;
  const after = (yes.span.start === 0 ? heard.wanted.slice(yes.span.end) : heard.wanted).filter(
    ({ text }) => !NOW.has(text),
  );
  const { values } = readSlots(after, flow.slots, draft.setting.today, undefined, held);
  const changes = Object.entries(values).some(([name, value]) => held[name]?.value !== value.value);
  if (changes) return corrected(draft, after, flow);
  const [top] = guesses;
  const asks = words.length > SHORT_ANSWER && top?.meaning.kind === 'knowledge' && top.score >= NEARNESS.questionToo;
  if (!yes.conditional && !asks) {
    completeFlow(draft, flow);
    return true;
  }
  if (top && top.meaning.kind !== 'stock' && !isOwnIntent(top, flow) && top.score >= NEARNESS.accept) return false; // answered first
  draft.stock('beforeThat');
  return true;
}

/** `how long does it take?` names no value that is wrong. */
function asksSomething(draft: TurnDraft, { guesses, wanted }: Heard, flow: FlowDefinition): boolean {
  const [top] = guesses;
  if (top?.meaning.kind !== 'knowledge' || top.score < NEARNESS.questionToo) return false;
  const held = draft.state.slots;
  const { values } = readSlots(wanted, flow.slots, draft.setting.today, undefined, held);
  return Object.entries(values).every(([name, { value }]) => held[name]?.value === value);
}

/** Another undertaking that is clearly meant. */
function elsewhere({ guesses }: Heard, flow: FlowDefinition): Guess | undefined {
  const [top] = guesses;
  return top?.meaning.kind === 'intent' && !isOwnIntent(top, flow) ? top : undefined;
}

/** Said only of what was changed. */
function sayChanged(draft: TurnDraft): void {
  if (draft.refused.length === 0) draft.stock('changed');
}

/** `no, olaya street 20`: what follows the no is the text that was read back. */
function anew(draft: TurnDraft, { words }: Heard, flow: FlowDefinition): boolean {
  const rest = withoutLeadingYesNo(words);
  const said = rest.filter(({ text }) => !isWeak(text) && !isFiller(text));
  if (rest.length === words.length || said.length < 2) return false;
  const texts = flow.slots.filter(({ name, type }) => type === 'text' && draft.state.slots[name]);
  const [slot] = texts;
  if (!slot || texts.length > 1) return false;
  const { values } = readSlots(rest, [slot], draft.setting.today, slot.name);
  if (values[slot.name] === undefined) return false;
  putSlots(draft, values);
  sayChanged(draft);
  advance(draft);
  return true;
}

const NOTHING = /^(?:no )?(?:nothing|none|ولا شي|لا شي|ما فيه شي|ولا شيء)/;

function answerChange(draft: TurnDraft, heard: Heard): boolean {
  const flow = currentFlow(draft);
  if (!flow) return false;
  const { wanted: words } = heard;
  const other = elsewhere(heard, flow);
  if (other && other.score >= NEARNESS.clearlyElse) {
    leaveFlow(draft);
    perform(draft, other, heard.wanted);
    return true;
  }
  if (corrected(draft, words, flow)) return true;
  if (NOTHING.test(words.map((word) => word.text).join(' '))) {
    draft.wait({ kind: 'confirm-flow' });
    questionOf(draft);
    return true;
  }
  if (anew(draft, heard, flow)) return true;
  if (!actOf(heard, 'deny') && !actOf(heard, 'leave')) return false;
  leaveFlow(draft); // nothing to change and not agreed: let it go
  draft.stock('flowCancelled');
  return true;
}

/** One of the two that were asked back: by its words, its place, or yes when there was one. */
function answerChoose(draft: TurnDraft, { words, guesses }: Heard): boolean {
  const { pending } = draft.state;
  if (pending.kind !== 'choose') return false;
  const utterance = wordsOf(pending.utterance);
  const take = (id: string): boolean => {
    const meaning = draft.agent.meaning(id);
    if (!meaning) return false;
    draft.wait({ kind: 'open' });
    perform(draft, { id, meaning, score: 1, denies: false, known: 1, other: 0 }, [...utterance, ...words]);
    return true;
  };
  const yesNo = readYesNo(words);
  const first = pending.options[0];
  if (yesNo?.answer === 'yes' && pending.options.length === 1 && first) return take(first);
  const named = guesses.find((guess) => pending.options.includes(guess.id) && guess.score >= 0.45);
  if (named && yesNo?.answer !== 'no') return take(named.id);
  const plain = words.map((word) => word.text);
  const telling = pending.options.filter((id) => sharesWord(draft, id, plain));
  if (telling.length === 1 && telling[0] && yesNo?.answer !== 'no') return take(telling[0]); // "the home one" is no first
  const place = plain
    .map((_, i) => readOrdinal(plain, i) ?? (plain.length <= 3 ? readCardinal(plain, i) : undefined))
    .find(Boolean);
  const byPlace = place && pending.options[place.value - 1];
  if (byPlace) return take(byPlace);
  if (telling[0] && yesNo?.answer !== 'no') return take(telling[0]);
  if (yesNo?.answer === 'no' && words.length <= 3) {
    draft.wait({ kind: 'open' });
    draft.stock('nothingToCancel');
    return true;
  }
  return false;
}

function sharesWord(draft: TurnDraft, id: string, plain: readonly string[]): boolean {
  const meaning = draft.agent.meaning(id);
  if (!meaning) return false;
  const label = new Set(wordsOf(labelOf(meaning, draft.language)).map((word) => word.text));
  return plain.some((word) => label.has(word) && !isWeak(word));
}
