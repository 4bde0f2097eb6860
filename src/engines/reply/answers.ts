import type { FlowDefinition, SlotDefinition } from '../../core/agent.ts';
import { isFiller, isWeak } from '../../language/lexicon/lexicon.ts';
import { digitRuns, isNumberWord, readCardinal, readOrdinal } from '../../language/number-words.ts';
import { LEAVINGS, REPLACEMENTS } from '../../language/phrases/cues.ts';
import { firstPhrase, phraseTable, withoutPhrases } from '../../language/phrases/phrases-in.ts';
import { isOnlyName } from '../../language/values/name.ts';
import { ADDRESS_PARTS } from '../../language/values/place.ts';
import { readSlots, slotNamed } from '../../language/values/slot-filling.ts';
import { isPlace } from '../../language/values/text.ts';
import { unsettled } from '../../language/values/unsettled.ts';
import { validate } from '../../language/values/validate.ts';
import { NO_WORDS, readYesNo, YES_WORDS } from '../../language/values/yesno.ts';
import { type Word, wordsOf } from '../../language/words.ts';
import type { Heard } from './acts/act.ts';
import { withoutHesitations } from './acts/read-acts.ts';
import { asBefore } from './as-before.ts';
import { certainly, type Guess, labelOf } from './compiled-agent.ts';
import { answerChange, answerConfirmFlow, answerConfirmSlot } from './confirmations.ts';
import { corrected, heldSlots, isCorrection, isOwnIntent } from './corrections.ts';
import type { Pending } from './dialogue-state.ts';
import { spokenDigits } from './digits-so-far.ts';
import { answeredByName, answerFact } from './fact-answers.ts';
import { advance } from './flow-runner.ts';
import { perform } from './perform.ts';
import { isOfQuestion } from './question-values.ts';
import { questionOf } from './questions.ts';
import type { TurnDraft } from './turn-draft.ts';
import { NEARNESS } from './understanding.ts';
import { CARRIES_VALUE, keysOf } from './value-words.ts';
import { identifies, NO_MINUTE, putSlots, refuse, type Values } from './values.ts';

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

/** `not tomorrow, the day after`: a day may be named by the one it is not; what is refused itself is no answer. */
function meantWords(draft: TurnDraft, slot: SlotDefinition, { words, wanted }: Heard): readonly Word[] {
  if (wanted.length === words.length || slot.type === 'yesno') return words; // to refuse one of two is an answer
  const read = (from: readonly Word[]): string | undefined =>
    readSlots(from, [slot], draft.setting.today, slot.name).values[slot.name]?.value;
  const whole = read(wanted) === undefined ? read(words) : undefined;
  const refused = read(words.filter((word) => !wanted.includes(word)));
  return whole !== undefined && whole !== refused ? words : wanted;
}

function answerSlot(draft: TurnDraft, heard: Heard, digress: Digress): boolean {
  const flow = draft.flow;
  const slot = draft.slot;
  if (!flow || !slot) return false;
  const fact = draft.agent.owned.get(slot);
  if (fact) return answerFact(draft, heard, fact);
  const { guesses } = heard;
  const said = meantWords(draft, slot, heard);
  const bare = withoutHesitations(said);
  const words = bare.length > 0 ? bare : said; // `just a second, when do I` is no second of a month
  const free = slot.type === 'text' || slot.type === 'name';
  const elsewhere = guesses[0];
  const enough = elsewhere?.meaning.kind === 'stock' ? NEARNESS.certain : NEARNESS.clearlyElse; // سعد is no thanks
  if (isPlace(slot) && isAboutRecord(draft, words, flow)) return false;
  const isName = slot.type === 'name' && isOnlyName(words); // بدر is no بدري
  if (free && !isName && elsewhere && elsewhere.score >= enough && !isOwnIntent(elsewhere, flow)) return false;
  const away = elsewhere !== undefined && isAnotherWish(draft, elsewhere, words, slot, flow);
  if (away) return false;
  if (words.length <= SHORT_CORRECTION && isCorrection(words) && slotNamed(words, heldSlots(draft, flow)))
    return corrected(draft, words, flow);
  if (elsewhere && wantsOther(draft, elsewhere, words, slot, flow)) return false;
  const held = draft.state.slots;
  const otherNamed = free && isCorrection(words.slice(0, 2)) && slotNamed(words, heldSlots(draft, flow)) !== undefined;
  const dictates = identifies(slot) && isDictated(words); // `seven three, no, seven four` corrects no time
  if (!dictates && isCorrection(words) && (!free || otherNamed) && corrected(draft, words, flow)) return true;
  const open =
    slot.type === 'text' ? [slot] : flow.slots.filter((one) => one.name === slot.name || held[one.name] === undefined);
  const { values: read, rest } = readSlots(words, open, draft.setting.today, slot.name);
  const values = { ...asBefore(draft, words, open), ...read };
  if (values[slot.name] === undefined) {
    if (answeredByName(draft, words, slot)) return true;
    if (spokenDigits(draft, slot, words) || notYet(draft, slot, words)) return true;
    return !dictates && isCorrection(words) && corrected(draft, words, flow);
  }
  if (isOfQuestion(draft.agent, slot, words, rest, elsewhere)) return false;
  const anew = slot.type === 'text' ? {} : identifiersAnew(draft, flow, slot, rest);
  putSlots(draft, { ...values, ...anew, ...otherwiseAdmitted(draft, slot, values, rest) });
  if (!free && questionToo(draft, rest, flow)) {
    const asked = draft.agent.guess(rest.map((word) => word.text));
    draft.wait({ kind: 'open' });
    digress(draft, asked, rest, rest.map((word) => word.raw).join(' '));
  }
  if (draft.state.flow === flow.name) advance(draft);
  return true;
}

/** `the new address?` `order 6104, send it again on saturday`: the number of the record said once more, and nothing like a place. */
function isAboutRecord({ setting, state }: TurnDraft, words: readonly Word[], flow: FlowDefinition): boolean {
  const given = flow.slots.filter((slot) => identifies(slot) && state.slots[slot.name] !== undefined);
  const { values } = readSlots(words, given, setting.today);
  const isSame = given.some(
    ({ name }) => values[name] !== undefined && values[name].value === state.slots[name]?.value,
  );
  return isSame && !words.some(({ text }) => ADDRESS_PARTS.has(text));
}

/** A number that was given before and is said once more, another one, in an answer: so long a number is meant as nothing else. */
function identifiersAnew(
  { setting, state }: TurnDraft,
  flow: FlowDefinition,
  asked: SlotDefinition,
  rest: readonly Word[],
): Values {
  const given = flow.slots.filter(
    (slot) => slot.name !== asked.name && identifies(slot) && state.slots[slot.name] !== undefined,
  );
  const read = Object.entries(readSlots(rest, given, setting.today).values);
  return Object.fromEntries(read.filter(([, { value }]) => value.length >= MIN_UNMISTAKABLE));
}
const MIN_UNMISTAKABLE = 7;

/** In one answer beyond the first value. */
const MAX_OTHER_VALUES = 2;

/** `that's a friday, okay the day after, saturday the fifth`: what the rules refuse was named beside what is meant. */
function otherwiseAdmitted(draft: TurnDraft, slot: SlotDefinition, values: Values, rest: readonly Word[]): Values {
  const { today } = draft.setting;
  let value = values[slot.name];
  let left = rest;
  for (let i = 0; value && i <= MAX_OTHER_VALUES; i += 1) {
    if (!validate(slot, value, { today, minuteOfDay: NO_MINUTE })) return { [slot.name]: value };
    const next = readSlots(left, [slot], today, slot.name);
    value = next.values[slot.name];
    left = next.rest;
  }
  return {};
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

const REPLACES = phraseTable(REPLACEMENTS);

const MIN_DICTATED = 3;
/** `I want to change the day`, while something else is asked for: no other wish. */
const SHORT_CORRECTION = 6;

/** Digits of a long number, in whatever pieces. */
function isDictated(words: readonly Word[]): boolean {
  const runs = digitRuns(words.map(({ text }) => text));
  return runs.reduce((sum, { digits }) => sum + digits.length, 0) >= MIN_DICTATED;
}

/** Of a number that is asked for: a single one may be a count. */
const MIN_PART = 2;

/** `first, where is order 6104`: the number is for another wish, clear and in words that the question does not hold. */
function wantsOther(
  draft: TurnDraft,
  guess: Guess,
  words: readonly Word[],
  slot: SlotDefinition,
  flow: FlowDefinition,
): boolean {
  if (!identifies(slot) || guess.meaning.kind !== 'intent' || isOwnIntent(guess, flow)) return false;
  if (guess.meaning.intent.flow === undefined || guess.score < NEARNESS.clearlyElse) return false;
  const runs = digitRuns(words.map(({ text }) => text));
  if (runs.length > 0 && firstPhrase(words, REPLACES)) return false; // the number is corrected
  const isWhole = readSlots(words, [slot], draft.setting.today, slot.name).values[slot.name] !== undefined;
  if (!isWhole && runs.some(({ digits }) => digits.length >= MIN_PART)) return false; // `seven seven, wait, where are my glasses`
  const asked = promptKeys(slot);
  return keysOf(words).some((key) => key.startsWith('=') && !asked.has(key) && !CARRIES_VALUE.has(key));
}

const TURNS_AWAY = phraseTable(`${REPLACEMENTS}|${LEAVINGS}|${YES_WORDS}|${NO_WORDS}|you know what|تدري وش`);
const MIN_WISH_WORDS = 2;

/** `no wait, I want to cancel an order`: clear, and as clear without the words of the value that it may hold. */
function isAnotherWish(
  draft: TurnDraft,
  guess: Guess,
  words: readonly Word[],
  slot: SlotDefinition,
  flow: FlowDefinition,
): boolean {
  if (slot.type === 'text' || slot.type === 'name' || guess.meaning.kind !== 'intent') return false;
  let rest = words;
  for (let i = 0; i <= MAX_OTHER_VALUES; i += 1) rest = readSlots(rest, [slot], draft.setting.today, slot.name).rest;
  if (identifies(slot) && digitRuns(words.map(({ text }) => text)).length > 0) return false;
  rest = withoutPhrases(rest, TURNS_AWAY);
  if (rest.filter(({ text }) => !isWeak(text) && !isFiller(text)).length < MIN_WISH_WORDS) return false;
  const [top] = draft.agent.guess(rest.map(({ text }) => text));
  if (top?.meaning.kind !== 'intent' || top.meaning.intent.flow === undefined || isOwnIntent(top, flow)) return false;
  return top.score >= NEARNESS.clearlyElse;
}

function promptKeys(slot: SlotDefinition | undefined): ReadonlySet<string> {
  return new Set([...(slot?.prompts.ar ?? []), ...(slot?.prompts.en ?? [])].flatMap((text) => keysOf(wordsOf(text))));
}

/** `tomorrow, and how much is it?`: the value is taken, the question answered, the flow goes on. */
function questionToo(draft: TurnDraft, rest: readonly Word[], flow: FlowDefinition): boolean {
  const content = rest.filter((word) => !isWeak(word.text) && !isFiller(word.text) && !isNumberWord(word.text));
  const asked = new Set([...promptKeys(draft.slot), ...CARRIES_VALUE]); // `it is for order number 4522` says only what was asked for
  if (rest.length < 2 || keysOf(content).every((key) => asked.has(key))) return false;
  const [first, ...others] = rest.map((word) => word.text);
  const plain = /^و\S{3}/.test(first!) ? [first!.slice(1), ...others] : [first!, ...others];
  const top = draft.agent.guess(plain)[0];
  if (!top || top.score < (rest.length < 3 ? NEARNESS.clearQuestion : NEARNESS.questionToo) || isOwnIntent(top, flow))
    return false;
  return top.meaning.kind === 'knowledge' || (top.meaning.kind === 'intent' && top.meaning.intent.flow === undefined);
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
    draft.set({ lastDone: undefined, askedBack: '' }); // what was asked back and named is meant
    perform(draft, certainly(id, meaning), [...utterance, ...words]);
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
  const only = pending.options.length === 1 && yesNo?.answer !== 'no' ? first : undefined;
  if (only && (givesValueOf(draft, only, words) || draft.state.attempts > 0)) return take(only);
  if (yesNo?.answer === 'no' && words.length <= 3) {
    draft.wait({ kind: 'open' });
    draft.stock('nothingToCancel');
    return true;
  }
  return false;
}

/** `did you mean a damaged package?` `6104`: who gives what it needs means it. */
function givesValueOf(draft: TurnDraft, id: string, words: readonly Word[]): boolean {
  const meaning = draft.agent.meaning(id);
  const flow = meaning?.kind === 'intent' ? draft.agent.flows.get(meaning.intent.flow ?? '') : undefined;
  const numbers = (flow?.slots ?? []).filter(identifies);
  return Object.keys(readSlots(words, numbers, draft.setting.today).values).length > 0;
}

function sharesWord(draft: TurnDraft, id: string, plain: readonly string[]): boolean {
  const meaning = draft.agent.meaning(id);
  if (!meaning) return false;
  const label = new Set(wordsOf(labelOf(meaning, draft.language)).map((word) => word.text));
  return plain.some((word) => label.has(word) && !isWeak(word));
}
