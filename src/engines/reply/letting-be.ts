import { addDays, dateValue } from '../../language/calendar/calendar.ts';
import { isWeak, termsOf } from '../../language/lexicon/lexicon.ts';
import { KEPT, VALUE_OPENERS } from '../../language/phrases/cues.ts';
import { firstPhrase, phraseAt, phraseTable } from '../../language/phrases/phrases-in.ts';
import { NEGATES } from '../../language/phrases/scope.ts';
import { asksAt } from '../../language/values/side-talk.ts';
import { readSlots } from '../../language/values/slot-filling.ts';
import { isUnsure } from '../../language/values/yesno.ts';
import { type Word, wordsOf } from '../../language/words.ts';
import { actOf, type Heard } from './acts/act.ts';
import { askedFor, isImperative } from './acts/asked-for.ts';
import { declined, leavesFirst, leavesLast, leavesWithin, onlyLeaves, opensWish } from './acts/leaving.ts';
import { operationOf } from './acts/operation.ts';
import { shareOf } from './acts/said-acts.ts';
import type { Guess } from './compiled-agent.ts';
import { control, isControl } from './controls.ts';
import { isOwnIntent } from './corrections.ts';
import { fits } from './fitting.ts';
import { hangUp, looksUp } from './flow-runner.ts';
import { freeCorrection } from './free-correction.ts';
import { howLikely, says } from './said.ts';
import type { TurnDraft } from './turn-draft.ts';
import { decide, NEARNESS, openGuesses } from './understanding.ts';
import { newIn } from './values.ts';

const OFFERS = phraseTable(VALUE_OPENERS);

/** Words beside a no that are no wish where they are not clearly one. */
const MAX_BESIDE_NO = 2;

/** `anything else?` `no, I don't need another one, thank you`. */
export function wantsNoMore(draft: TurnDraft, heard: Heard): boolean {
  const { pending, served, flow } = draft.state;
  const isFree = flow === undefined && (pending.kind === 'open' || pending.kind === 'choose');
  if (!served || !isFree || actOf(heard, 'trouble')) return false;
  const goes = goesAway(draft, heard) && !onlyThanks(draft, heard);
  const rest = declined(heard.words) ?? (goes ? heard.words : undefined);
  if (!rest || says(draft, heard, 'more') || isToldToDo(draft, heard)) return false;
  const guesses = rest.length > 0 ? openGuesses(draft.agent.guess(rest.map(({ text }) => text))) : [];
  const decision = decide(guesses, draft.setting.trusted);
  const isWish = decision.kind === 'take' && decision.guess.meaning.kind !== 'stock';
  const goesPlainly = says(draft, heard, 'bye') || howLikely(heard.words, 'leave') >= PLAINLY;
  if (isWish || (decision.kind === 'ask' && rest.length > MAX_BESIDE_NO && !goesPlainly)) return false;
  hangUp(draft);
  return true;
}

/** `ما يناسبني، الغ لي موعدي`. */
function isToldToDo({ agent }: TurnDraft, { wanted, forbidden }: Heard): boolean {
  return wanted.some(({ text }) => isImperative(agent, text) && !forbidden.has(operationOf(agent, text) ?? ''));
}

/** Takes leave; or lets something be where nothing is being done, and names nothing else. */
function goesAway(draft: TurnDraft, heard: Heard): boolean {
  if (says(draft, heard, 'bye') || thanksAgain(draft, heard)) return true;
  const { words } = heard;
  if (words.length === 0 || shareOf(words, ['bye', 'leave']) < GOES || opensWish(words)) return false;
  return namedIn(draft, heard) === undefined;
}
const GOES = 0.6;

/** Anything else was asked because of thanks, and there is nothing but thanks. */
function thanksAgain({ state }: TurnDraft, { guesses: [top] }: Heard): boolean {
  return state.still > 0 && top?.id === 'stock:thanks';
}

/** Thanks alone may be followed by something else: that is asked once. */
function onlyThanks({ state }: TurnDraft, { guesses: [top], words }: Heard): boolean {
  return top?.id === 'stock:thanks' && words.length <= MAX_THANKS && state.still === 0;
}
const MAX_THANKS = 4;

/** Rule: who wants nothing done any more is let go. */
export function leaving(draft: TurnDraft, heard: Heard): boolean {
  const { flow, pending } = draft.state;
  if (flow === undefined && pending.kind === 'open') return letsBe(draft, heard) && leave(draft);
  if (flow === undefined || pending.kind === 'open') return false;
  if (agrees(draft, heard) && says(draft, heard, 'yes') && isCancelling(draft) && !keeps(heard.words)) return false; // `yes, stop it please`
  if (fits(draft, heard)) return leavesInOtherWords(draft, heard) && leave(draft);
  const endsSo = leavesLast(heard.words) && !namesElse(draft, heard) && !changesValue(draft, heard);
  const leaves =
    endsSo ||
    leavesAnswer(draft, heard) ||
    onlyLeaves(heard.words) ||
    leavesWithReason(draft, heard) ||
    leavesOwn(draft, heard) ||
    leavesInOtherWords(draft, heard);
  return leaves && leave(draft);
}

/** An undertaking is named; `I don't want a new time` is no wish to have the order cancelled. */
function namesElse(draft: TurnDraft, heard: Heard): boolean {
  const named = namedIn(draft, heard);
  const isCancelled = heard.wanted.some(({ text }) => keyOf(text) === CANCELS);
  return named !== undefined && (isCancelled || named !== draft.agent.operations.get(CANCELS));
}

/** `yes, 4522, and I'm keeping it`: no cancellation is agreed to so, whatever yes stands before it. */
function keeps(words: readonly Word[]): boolean {
  return leavesLast(words) && phraseAt(words, words.length - 2, KEEPS) !== undefined;
}
const KEEPS = phraseTable(KEPT);

/** Of an answer in whatever words: taken back in the middle of it, and not for another undertaking. */
function leavesAnswer(draft: TurnDraft, heard: Heard): boolean {
  const isFree = draft.slot?.type === 'text' || draft.slot?.type === 'name';
  if (!isFree || !leavesWithin(heard.words)) return false;
  const named = namedIn(draft, heard);
  const meaning = named === undefined ? undefined : draft.agent.meaning(named);
  return meaning === undefined || (meaning.kind === 'intent' && meaning.intent.flow === draft.flow?.name);
}

/** Where nothing is being done, `never mind` is no wish to have something cancelled. */
function letsBe(draft: TurnDraft, heard: Heard): boolean {
  const [top] = openGuesses(heard.guesses);
  return onlyLeaves(heard.words) && namedIn(draft, heard) === undefined && !(top && top.score >= NEARNESS.clearlyElse);
}

function leave(draft: TurnDraft): true {
  control(draft, 'cancel');
  return true;
}

/** Words that leave, and are near another undertaking because of why: `no need any more`. */
const MAX_REASON = 9;
/** Whatever else the words look like. */
const PLAINLY = 0.85;

/** In words of its own, and no other undertaking, value or question is named beside it. */
function leavesInOtherWords(draft: TurnDraft, heard: Heard): boolean {
  const { words, guesses } = heard;
  if (!says(draft, heard, 'leave') || actOf(heard, 'hesitate') || draft.slot?.type === 'yesno') return false;
  if ((isUnsure(words) || agrees(draft, heard)) && howLikely(words, 'leave') < PLAINLY) return false;
  if (changesValue(draft, heard) || namedIn(draft, heard) !== undefined || givesValue(draft, heard)) return false;
  if (draft.state.pending.kind === 'slot' && firstPhrase(words, OFFERS)) return false; // `could they do today, after work`
  if (askedFor(draft.agent, words)) return false; // `لا خلاص ابغى احجز موعد احسن`: by its own verb
  const [top] = guesses;
  if (top && top.id !== 'stock:cancel' && isControl(top, draft, words)) return false;
  if (
    words.some((_, at) => asksAt(words, at)) ||
    (top?.meaning.kind === 'knowledge' && top.score >= NEARNESS.questionToo)
  )
    return false;
  const decision = decide(openGuesses(guesses), draft.setting.trusted);
  if (decision.kind !== 'take' || decision.guess.id === 'stock:cancel') return true;
  const { meaning } = decision.guess;
  if (meaning.kind !== 'intent' || meaning.intent.flow === undefined || opensWish(words)) return false;
  if (words.length > MAX_REASON && howLikely(words, 'leave') < PLAINLY) return false;
  return !cancels(draft, decision.guess);
}

/** `no need any more` is why somebody cancels: a cancellation that is being done is meant, and not left. */
export function cancels(draft: TurnDraft, guess: Guess | undefined): boolean {
  return isCancelling(draft) && guess !== undefined && isOwnIntent(guess, draft.flow!);
}

export function isCancelling({ agent, flow }: TurnDraft): boolean {
  const meaning = agent.meaning(agent.operations.get(CANCELS) ?? '');
  return flow !== undefined && meaning?.kind === 'intent' && meaning.intent.flow === flow.name;
}
/** The concept of the verb. */
export const CANCELS = '=cancel';

/** Of today and tomorrow anybody speaks who leaves (`I am driving now, I call you tomorrow`), of other values nobody. */
function givesValue(draft: TurnDraft, { words }: Heard): boolean {
  const { today } = draft.setting;
  const slots = draft.flow?.slots.filter(({ type }) => type !== 'text' && type !== 'name') ?? [];
  const { values, rest } = readSlots(words, slots, today, draft.slot?.name);
  const near = [today, addDays(today, 1)].map((day) => dateValue(day, today).value);
  const isPassing = rest.length >= MIN_AROUND_DAY && howLikely(words, 'leave') >= PLAINLY;
  return Object.values(newIn(values, draft.state.slots)).some(({ value }) => !isPassing || !near.includes(value));
}
const MIN_AROUND_DAY = 3;

/** `yes, cancel it` at the read-back of a cancellation is a yes. */
export function agrees(draft: TurnDraft, heard: Heard): boolean {
  const { kind } = draft.state.pending;
  const yes = kind === 'confirm-flow' || kind === 'confirm-slot' ? actOf(heard, 'affirm') : undefined;
  return yes !== undefined && yes.span.start <= 1;
}

const MY = /^(?:my|our)$/;
const WITH_PRONOUN = /[؀-ۿ].*(?:ي|نا)$/;

/**
 * `I don't want the appointment, I will walk in`, `الغ الحجز`: while one is being made that is what is left, not another one. It is
 * called by its name, and nobody's: `cancel my appointment` is about one that there is.
 */
function leavesOwn(draft: TurnDraft, heard: Heard): boolean {
  const { agent, flow } = draft;
  const [top] = heard.guesses;
  if (!flow || looksUp(flow)) return false;
  if (!top || top.id !== agent.operations.get(CANCELS) || top.score < NEARNESS.accept) return false;
  if (!firstPhrase(heard.words, NEGATES) && !heard.words.some(({ text }) => keyOf(text) === CANCELS)) return false;
  const intent = agent.definition.intents?.find((one) => one.flow === flow.name);
  const names = new Set(wordsOf(Object.values(intent?.label ?? {}).join(' ')).flatMap(({ text }) => keyOf(text) ?? []));
  const at = heard.words.findIndex(({ text }) => names.has(keyOf(text) ?? ''));
  const name = heard.words[at];
  if (!name || WITH_PRONOUN.test(name.text) || MY.test(heard.words[at - 1]?.text ?? '')) return false;
  return Object.keys(readSlots(heard.words, flow.slots, draft.setting.today).values).length === 0;
}

function keyOf(word: string): string | undefined {
  return isWeak(word) ? undefined : termsOf([word])[0]?.key;
}

const CLAUSE_WORDS = new Set(['just', 'and', 'then', 'please', 'but', 'بس', 'ثم', 'بعدين']);

/** `actually leave it, my husband will be at home`: at a read-back, and no other undertaking follows. */
function leavesWithReason(draft: TurnDraft, heard: Heard): boolean {
  const { kind } = draft.state.pending;
  const isTold = kind === 'confirm-flow' || kind === 'change' || draft.slot?.type === 'text';
  const reason = isTold ? leavesFirst(heard.words) : undefined;
  if (reason === undefined || changesValue(draft, heard)) return false;
  return !heard.words.some(({ text }, at) => {
    const begins = at >= reason && (at <= reason + 1 || CLAUSE_WORDS.has(heard.words[at - 1]?.text ?? ''));
    return begins && termsOf([text]).some(({ key }) => draft.agent.operations.has(key));
  });
}

/** The undertaking whose own verb stands beside what is not to be done: `don't cancel it, only postpone it until I am well`. */
export function namedIn(draft: TurnDraft, { wanted, forbidden }: Heard): string | undefined {
  const ids = termsOf(wanted.map(({ text }) => text)).map(({ key }) => draft.agent.operations.get(key));
  return ids.find((id) => id !== undefined && !forbidden.has(id));
}

/** `I changed my mind, Tuesday`: of a value, where all were read back. */
export function changesValue(draft: TurnDraft, { wanted, words }: Heard): boolean {
  const { pending, slots } = draft.state;
  const flow = pending.kind === 'confirm-flow' || pending.kind === 'change' ? draft.flow : undefined;
  const { values } = readSlots(wanted, flow?.slots ?? [], draft.setting.today, undefined, slots);
  return (
    Object.keys(newIn(values, slots)).length > 0 ||
    (flow !== undefined && freeCorrection(draft, words, flow) !== undefined)
  );
}
