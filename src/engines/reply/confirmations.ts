import type { FlowDefinition, SlotDefinition } from '../../core/agent.ts';
import { isFiller, isWeak, termsOf } from '../../language/lexicon/lexicon.ts';
import { CONDITIONS, SEQUENCES } from '../../language/phrases/cues.ts';
import { firstPhrase, phraseTable, withoutPhrases } from '../../language/phrases/phrases-in.ts';
import { asksAt } from '../../language/values/side-talk.ts';
import { readSlots, slotNamed } from '../../language/values/slot-filling.ts';
import { isText, mendedText } from '../../language/values/text.ts';
import { readYesNo } from '../../language/values/yesno.ts';
import { type Word, wordsOf } from '../../language/words.ts';
import { actOf, type Heard } from './acts/act.ts';
import { certainly, type Guess } from './compiled-agent.ts';
import {
  corrected,
  heldSlots,
  isOwnIntent,
  numberCorrected,
  partCorrected,
  sayChanged,
  withoutLeadingYesNo,
} from './corrections.ts';
import { advance, completeFlow, leaveFlow, looksUp } from './flow-runner.ts';
import { freeCorrection, withoutAround } from './free-correction.ts';
import { insteadOf, OFFERED } from './instead-of.ts';
import { CANCELS, cancels, isCancelling } from './letting-be.ts';
import { NOW, perform } from './perform.ts';
import { onlyAsks } from './question-values.ts';
import { questionOf } from './questions.ts';
import { says } from './said.ts';
import { namedUntil } from './slot-names.ts';
import type { TurnDraft } from './turn-draft.ts';
import { NEARNESS } from './understanding.ts';
import { clearSlot, newIn, putSlots, type Values } from './values.ts';

export function answerConfirmSlot(draft: TurnDraft, heard: Heard): boolean {
  const { words } = heard;
  const flow = draft.flow;
  const slot = draft.slot;
  if (!flow || !slot) return false;
  const yes = actOf(heard, 'affirm');
  if (yes && !hasNewValue(draft, words, slot)) {
    draft.set({ confirmed: [...draft.state.confirmed, slot.name], noMatch: 0 });
    const others = flow.slots.filter((one) => draft.state.slots[one.name] === undefined);
    putSlots(draft, readSlots(words.slice(yes.span.end), others, draft.setting.today).values);
    advance(draft);
    return true;
  }
  if (corrected(draft, words, flow, readableAlone(slot) ? slot.name : undefined)) return true;
  if (!actOf(heard, 'deny')) return false;
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

/** The read-back: only a yes without a but lets the flow act, and only one that was heard well. */
export function answerConfirmFlow(draft: TurnDraft, heard: Heard): boolean {
  const flow = draft.flow;
  if (!flow) return false;
  const { words } = heard;
  const yes = actOf(heard, 'affirm');
  const named = otherNamed(draft, heard);
  if (named && !firstPhrase(words, SEQUENCE)) {
    leaveFlow(draft);
    perform(draft, named, heard.wanted);
    return true;
  }
  if (yes && cancelledInstead(draft, heard, flow)) return true;
  if (partCorrected(draft, words, flow)) return true;
  const { trusted } = draft.setting;
  if (yes) return trusted && !takenBack(draft, heard) && agreed(draft, flow, heard, yes);
  const denies = actOf(heard, 'deny') !== undefined || actOf(heard, 'leave') !== undefined;
  if (onlyCorrects(draft, heard, flow)) return corrected(draft, heard.wanted, flow);
  const other = elsewhere(heard, flow);
  if (other && (denies || words.length > SHORT_ANSWER) && other.score >= NEARNESS.clearlyElse) {
    leaveFlow(draft);
    perform(draft, other, heard.wanted);
    return true;
  }
  if (insteadOf(draft, heard, flow, OFFERED)) return true;
  if (asksSomething(draft, heard, flow)) return false; // answered, and asked again
  if (numberCorrected(draft, heard.words, heldSlots(draft, flow).slots)) return true;
  if (insteadOf(draft, heard, flow) || corrected(draft, heard.wanted, flow)) return true;
  const said = freeCorrection(draft, heard.words, flow);
  if (said) return replaced(draft, said);
  const isOther = other !== undefined && other.score >= NEARNESS.accept; // `I want to book a checkup, God keep you`
  if (trusted && !denies && !isOther && says(draft, heard, 'yes') && isPlainYes(heard)) {
    completeFlow(draft, flow);
    return true;
  }
  if (!denies && !says(draft, heard, 'no') && !says(draft, heard, 'correct')) return false;
  if (anew(draft, heard, flow)) return true;
  if (actOf(heard, 'leave')) {
    leaveFlow(draft);
    draft.stock('flowCancelled');
    return true;
  }
  return askChange(draft);
}

function askChange(draft: TurnDraft): true {
  draft.wait({ kind: 'change' });
  questionOf(draft);
  return true;
}

/** `yeah, nah, leave it for now`: a yes word is no yes where the whole sentence is none; then it is asked again. */
function takenBack(draft: TurnDraft, heard: Heard): boolean {
  const leaves = says(draft, heard, 'leave') && !cancels(draft, heard.guesses[0]);
  return leaves || says(draft, heard, 'no');
}

/** Agreed in words of its own: nothing is taken back, forbidden or asked beside it. */
function isPlainYes({ acts, forbidden }: Heard): boolean {
  return (
    forbidden.size === 0 && !acts.some(({ type }) => type === 'correct' || type === 'hesitate' || type === 'trouble')
  );
}

const SHORT_ANSWER = 5;

const SEQUENCE = phraseTable(`${SEQUENCES}|and|plus|و`);

/** Another undertaking that is named by its own verb: `go on and cancel the lamp`, where a new time was read back. */
function otherNamed(draft: TurnDraft, heard: Heard): Guess | undefined {
  const { wanted, words } = heard;
  const { flow, agent } = draft;
  const yes = actOf(heard, 'affirm')?.span;
  // `correct`, اكد: a yes, whatever else it may mean.
  const beside = wanted.filter(
    (word) => !yes || (!words.slice(yes.start, yes.end).includes(word) && !readYesNo([word])),
  );
  // One word may be another word of agreement: عدل is `right`, too.
  const isSaid = beside.length > 1;
  const named = new Set(termsOf(beside.map(({ text }) => text)).map(({ key }) => agent.operations.get(key)));
  if (![...named].some((id) => id !== undefined)) return undefined;
  const top = likelier(heard.guesses, isSaid ? agent.guess(beside.map(({ text }) => text)) : []);
  if (!flow || top?.meaning.kind !== 'intent' || top.meaning.intent.flow === undefined || isOwnIntent(top, flow))
    return undefined;
  if (top.score < (isSaid ? NEARNESS.least : NEARNESS.accept)) return undefined; // it is known by its verb, see below
  const held = draft.state.slots;
  const { values } = readSlots(wanted, flow.slots, draft.setting.today, undefined, held);
  if (Object.keys(newIn(values, held)).length > 0) return undefined; // `make it five instead`: what was read back is changed
  return named.has(top.id) ? top : undefined;
}

function likelier([whole]: readonly Guess[], [part]: readonly Guess[]): Guess | undefined {
  return (part?.score ?? 0) > (whole?.score ?? 0) ? part : whole;
}

/** `yes, cancel it`, where anything but a cancellation was read back: the record there is goes, of a new one nothing is made. */
function cancelledInstead(draft: TurnDraft, { guesses, wanted, words }: Heard, flow: FlowDefinition): boolean {
  if (isCancelling(draft) || guesses[0]?.id !== 'stock:cancel' || firstPhrase(words, SEQUENCE)) return false;
  if (!termsOf(wanted.map(({ text }) => text)).some(({ key }) => key === CANCELS)) return false;
  const cancellation = draft.agent.meaning(draft.agent.operations.get(CANCELS) ?? '');
  leaveFlow(draft);
  if (cancellation && looksUp(flow))
    perform(draft, certainly(draft.agent.operations.get(CANCELS)!, cancellation), wanted);
  else draft.stock('flowCancelled');
  return true;
}

/** A new value, and nothing beside it that means something else. */
function onlyCorrects(draft: TurnDraft, { wanted, guesses }: Heard, flow: FlowDefinition): boolean {
  const held = draft.state.slots;
  const { values, rest } = readSlots(wanted, flow.slots, draft.setting.today, undefined, held);
  const changed = newIn(values, held);
  if (Object.keys(changed).length === 0) return false;
  const slots = flow.slots.filter(({ name }) => changed[name] !== undefined);
  if (onlyAsks(draft.agent, slots, wanted, rest, guesses[0])) return false;
  const beside = withoutAround(rest);
  const [top] = beside.length > 0 ? draft.agent.guess(beside.map(({ text }) => text)) : [];
  return !top || top.meaning.kind === 'stock' || isOwnIntent(top, flow) || top.score < NEARNESS.clearQuestion;
}

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
  if (yes.conditional && asksFirst(draft, after)) return false; // `yes but how much is the cleaning` names no service
  const { values } = readSlots(after, flow.slots, draft.setting.today, undefined, held);
  if (Object.keys(newIn(values, held)).length > 0) return corrected(draft, after, flow);
  const said =
    yes.conditional || slotNamed(after, heldSlots(draft, flow)) ? freeCorrection(draft, heard.words, flow) : undefined;
  if (said) return replaced(draft, said);
  const [top] = guesses;
  const repeats = onlyRepeats(draft, after, flow);
  if (repeats && !yes.conditional) {
    completeFlow(draft, flow);
    return true;
  }
  if (words.length > SHORT_ANSWER && says(draft, heard, 'correct')) return askChange(draft); // `yes, no, wait, not twelve but two`
  const enough = words.length > SHORT_ANSWER ? NEARNESS.questionToo : NEARNESS.clearlyElse;
  const asks = top?.meaning.kind === 'knowledge' && top.score >= enough;
  if (!yes.conditional && !asks) {
    completeFlow(draft, flow);
    return true;
  }
  if (top && top.meaning.kind !== 'stock' && !isOwnIntent(top, flow) && top.score >= NEARNESS.accept) return false; // answered first
  if (repeats) {
    questionOf(draft); // `yes but it is for five`, which it is
    return true;
  }
  if (draft.state.attempts > 0) return false; // the same once more: yes or no is asked for
  draft.set({ attempts: 1 });
  draft.stock('beforeThat');
  return true;
}

const BUT = phraseTable(CONDITIONS);

/** `yes ma'am correct, money back`: a value that was read back, said once more, asks for nothing; one word more may be a title. */
function onlyRepeats(draft: TurnDraft, after: readonly Word[], flow: FlowDefinition): boolean {
  const { slots } = draft.state;
  const { rest } = readSlots(after, flow.slots, draft.setting.today, undefined, slots);
  const read = flow.slots.flatMap(({ name }) => wordsOf(slots[name]?.say[draft.language] ?? ''));
  const held = new Set(read.map(({ text }) => text));
  const named = rest.filter((_, at) => !flow.slots.some((slot) => namedUntil(rest, at, slot) !== undefined));
  const beside = withoutPhrases(named, BUT).filter(
    ({ text }) => !isWeak(text) && !isFiller(text) && !held.has(text) && !readYesNo([{ text, raw: text }]),
  );
  const asks = after.some((_, at) => asksAt(after, at));
  return rest.length < after.length && beside.length <= (asks ? 0 : 1);
}

function asksFirst(draft: TurnDraft, after: readonly Word[]): boolean {
  const words = withoutAround(after);
  const [top] = words.length > 1 ? draft.agent.guess(words.map(({ text }) => text)) : [];
  return top?.meaning.kind === 'knowledge' && top.score >= NEARNESS.surelyElse;
}

function replaced(draft: TurnDraft, said: Values): boolean {
  putSlots(draft, said);
  sayChanged(draft);
  advance(draft);
  return true;
}

/** `how long does it take?` names no value that is wrong. */
function asksSomething(draft: TurnDraft, { guesses, wanted }: Heard, flow: FlowDefinition): boolean {
  const [top] = guesses;
  if (top?.meaning.kind !== 'knowledge' || top.score < NEARNESS.questionToo) return false;
  const held = draft.state.slots;
  const { values, rest } = readSlots(wanted, flow.slots, draft.setting.today, undefined, held);
  const changed = newIn(values, held);
  const slots = flow.slots.filter(({ name }) => changed[name] !== undefined);
  return slots.length === 0 || onlyAsks(draft.agent, slots, wanted, rest, top);
}

/** Another undertaking that is clearly meant. */
function elsewhere({ guesses }: Heard, flow: FlowDefinition): Guess | undefined {
  const [top] = guesses;
  return top?.meaning.kind === 'intent' && !isOwnIntent(top, flow) ? top : undefined;
}

/** `no, olaya street 20`: what follows the no is the text that was read back. */
function anew(draft: TurnDraft, { words }: Heard, flow: FlowDefinition): boolean {
  const rest = withoutLeadingYesNo(words);
  const said = rest.filter(({ text }) => !isWeak(text) && !isFiller(text));
  if (rest.length === words.length || said.length < 2) return false;
  const texts = flow.slots.filter(({ name, type }) => type === 'text' && draft.state.slots[name]);
  const [slot] = texts;
  if (!slot || texts.length > 1 || !isText(slot, rest)) return false;
  const { values } = readSlots(rest, [slot], draft.setting.today, slot.name);
  const value = values[slot.name];
  if (value === undefined) return false;
  putSlots(draft, { [slot.name]: mendedText(draft.state.slots[slot.name]!, value) });
  sayChanged(draft);
  advance(draft);
  return true;
}

/** Asked what to change: a name, or a text like the one that is held, and nothing else. */
function freeAlone(draft: TurnDraft, words: readonly Word[], flow: FlowDefinition): Values | undefined {
  return freeCorrection(draft, [...wordsOf('no'), ...words], flow);
}

const NOTHING = /^(?:no )?(?:nothing|none|ولا شي|لا شي|ما فيه شي|ولا شيء)/;

export function answerChange(draft: TurnDraft, heard: Heard): boolean {
  const flow = draft.flow;
  if (!flow) return false;
  const { wanted: words } = heard;
  if (partCorrected(draft, heard.words, flow)) return true;
  if (onlyCorrects(draft, heard, flow)) return corrected(draft, words, flow);
  const said = freeCorrection(draft, heard.words, flow) ?? freeAlone(draft, heard.words, flow);
  if (said) return replaced(draft, said);
  const other = elsewhere(heard, flow);
  if (other && other.score >= NEARNESS.clearlyElse) {
    leaveFlow(draft);
    perform(draft, other, heard.wanted);
    return true;
  }
  if (numberCorrected(draft, heard.words, heldSlots(draft, flow).slots)) return true;
  if (corrected(draft, words, flow)) return true;
  const agrees = actOf(heard, 'affirm') !== undefined && words.length <= SHORT_ANSWER;
  if (agrees || NOTHING.test(words.map((word) => word.text).join(' '))) {
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
