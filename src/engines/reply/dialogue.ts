import { dateValue } from '../../language/calendar/calendar.ts';
import { isFiller, isWeak } from '../../language/lexicon/lexicon.ts';
import { readSlots } from '../../language/values/slot-filling.ts';
import { isUnsure } from '../../language/values/yesno.ts';
import { asSaid, type Word, wordsOf } from '../../language/words.ts';
import { actOf, type Heard } from './acts/act.ts';
import { readActs, withoutHesitations } from './acts/read-acts.ts';
import { answerPending } from './answers.ts';
import { calledWrong } from './called-wrong.ts';
import type { CompiledAgent, Guess } from './compiled-agent.ts';
import { isControl } from './controls.ts';
import { corrected, isCorrection } from './corrections.ts';
import type { DialogueState } from './dialogue-state.ts';
import { namesRecord } from './fact-answers.ts';
import { fits } from './fitting.ts';
import { advance, looksUp } from './flow-runner.ts';
import { forbidden } from './forbidding.ts';
import { freeCorrection, withoutAround } from './free-correction.ts';
import { guessesFor } from './guessing.ts';
import { keptAsIs } from './kept-as-is.ts';
import { onKeys } from './key-turn.ts';
import { isKeys } from './keypad.ts';
import { agrees, changesValue, leaving, wantsNoMore } from './letting-be.ts';
import { noMatch, notUnderstood, onSilence } from './misunderstood.ts';
import { digress, nextWish, openQuestion } from './open-question.ts';
import { languageTaken, otherLanguage } from './other-language.ts';
import { perform } from './perform.ts';
import { withoutPreface } from './preface.ts';
import { measureProgress } from './progress.ts';
import { certainReading } from './proposal/certain.ts';
import { judged } from './proposal/judge.ts';
import type { Proposal } from './proposal/proposal.ts';
import { questionBeside } from './question-beside.ts';
import { offerMenu, questionOf } from './questions.ts';
import { says } from './said.ts';
import { withoutStanding } from './standing-values.ts';
import { tellsWhy } from './thinking-aloud.ts';
import { asksToday } from './today.ts';
import { complaint, emergency } from './trouble.ts';
import { TurnDraft, type TurnOutcome, type TurnSetting } from './turn-draft.ts';
import { decide as choosing, NEARNESS, openGuesses } from './understanding.ts';
import { clearSlot, newIn, putSlots, type Values } from './values.ts';
import { whyAsked } from './why-asked.ts';

/**
 * One turn of the caller: what is said next, what is done after it, and the state that then holds. Pure: the same
 * state, text, setting and proposal give the same outcome, which is how a dialogue is rebuilt from its history. Never throws.
 */
export function takeTurn(
  agent: CompiledAgent,
  state: DialogueState,
  text: string,
  setting: TurnSetting,
  proposal?: Proposal,
  heard: Heard | undefined = hear(agent, state, text, setting),
): TurnOutcome {
  const draft = draftOf(agent, state, text, setting);
  if (text.trim() === '') onSilence(draft);
  else {
    draft.set({ noInput: 0 });
    if (heard) consider(draft, heard, proposal);
    else onKeys(draft, text);
  }
  nextWish(draft);
  measureProgress(draft, state);
  offerMenu(draft);
  return draft.finish();
}

function draftOf(agent: CompiledAgent, state: DialogueState, text: string, setting: TurnSetting): TurnDraft {
  const language = languageTaken(agent, state, text);
  return new TurnDraft(
    agent,
    { ...state, language, turn: state.turn + 1, left: undefined, wished: undefined },
    setting,
  );
}

/** A sentence as it is understood in a state; undefined for silence and keys. */
export function hear(
  agent: CompiledAgent,
  state: DialogueState,
  text: string,
  setting: TurnSetting,
): Heard | undefined {
  if (text.trim() === '' || isKeys(text)) return undefined;
  const draft = draftOf(agent, state, text, setting);
  const isAsked = draft.state.flow !== undefined && draft.state.pending.kind !== 'choose';
  const words = isAsked ? withoutPreface(agent, wordsOf(text), draft.slot) : wordsOf(text);
  return readActs(agent, words, text, setting.today, (some) => guessesFor(draft, some));
}

/** Why a turn needs no model: it is certain without one; undefined where a model may be asked. */
export function certainWithout(
  agent: CompiledAgent,
  state: DialogueState,
  text: string,
  setting: TurnSetting,
  heard: Heard | undefined = hear(agent, state, text, setting),
): string | undefined {
  return heard ? certainReading(draftOf(agent, state, text, setting), heard) : 'silence or keys';
}

/** Decides, with what a model proposes where the words are not certain without it. */
function consider(draft: TurnDraft, heard: Heard, proposal: Proposal | undefined): void {
  if (!proposal) return decide(draft, heard);
  const certain = certainReading(draft, heard);
  if (certain !== undefined) return decide(draft, heard, [`not needed: ${certain}`]);
  const { heard: agreed, notes } = judged(draft, heard, proposal);
  draft.words = proposal.say;
  decide(draft, agreed, notes);
}

/** One reason to do something with a turn. The first whose `take` returns true has decided. */
interface Rule {
  readonly name: string;
  readonly why: string;
  readonly take: (draft: TurnDraft, heard: Heard) => boolean;
}

/** What decides, from the first to the last; a turn that no rule takes was not understood. */
const RULES: readonly Rule[] = [
  { name: 'nothing-said', why: 'sounds without words are asked about', take: nothingSaid },
  { name: 'emergency', why: 'danger to somebody goes before everything', take: emergency },
  { name: 'language', why: 'who asks for a language is answered in it', take: otherLanguage },
  { name: 'declined', why: 'who wants nothing more is let go', take: wantsNoMore },
  { name: 'kept', why: 'who keeps what is asked for anew means something else', take: keptAsIs },
  { name: 'forbidden', why: 'what is not to be done is not done, and what is being done is left', take: forbidden },
  { name: 'leaving', why: 'who wants nothing done any more is let go', take: leaving },
  { name: 'why-asked', why: 'who asks what a value is for, or will not say it, is told', take: whyAsked },
  { name: 'called-wrong', why: 'what is called wrong, or is to be changed, is asked again', take: calledWrong },
  { name: 'thinking', why: 'who looks for words is given time', take: thinking },
  { name: 'steering', why: 'a person, once more, leave it, goodbye: at any point of a call', take: steering },
  { name: 'not-known', why: 'who does not know it is told more of what is asked', take: notKnown },
  { name: 'complaint', why: 'who is in trouble does not fill in a form', take: complaint },
  { name: 'today', why: 'who asks what day it is has not named one', take: today },
  { name: 'aside', why: 'a question is no answer to the one that was asked', take: aside },
  { name: 'wrong-value', why: 'what is called wrong is asked again', take: wrongValue },
  { name: 'answer', why: 'what fits the question is its answer', take: answer },
  { name: 'other-values', why: 'values of other questions are kept', take: otherValues },
  { name: 'digression', why: 'another wish or question in the middle of one', take: digression },
  { name: 'said-anew', why: 'none of what was asked back, but something else', take: saidAnew },
  { name: 'wish', why: 'nothing is pending: what is wished for', take: wish },
];

/** Takes what was heard by the first rule that can; the rule goes into the trace. */
function decide(draft: TurnDraft, heard: Heard, proposed?: readonly string[]): void {
  const rule = RULES.find(({ take }) => take(draft, heard));
  if (!rule) notUnderstood(draft);
  const acts = heard.acts.map((act) =>
    'id' in act ? `${act.type}(${act.id})` : 'guess' in act ? `${act.type}(${act.guess.id})` : act.type,
  );
  const { name, why } = rule ?? { name: 'misunderstood', why: 'asked again, more helpfully' };
  draft.trace.push({ rule: name, why, acts, ...(proposed && { proposed }) });
}

function nothingSaid(draft: TurnDraft, { words }: Heard): boolean {
  if (words.length > 0) return false;
  if (draft.state.pending.kind === 'open') noMatch(draft);
  else notUnderstood(draft);
  return true;
}

function thinking(draft: TurnDraft, heard: Heard): boolean {
  if (draft.state.pending.kind === 'choose') return false;
  const mends = draft.flow !== undefined && freeCorrection(draft, heard.words, draft.flow) !== undefined;
  const waits = draft.state.pending.kind !== 'open' && says(draft, heard, 'wait') && !mends;
  if (!actOf(heard, 'hesitate') && !tellsWhy(draft, heard) && !waits) return false;
  const [top] = heard.guesses;
  const means = top !== undefined && top.id !== 'stock:wait' && top.score >= NEARNESS.clearlyElse;
  const words = withoutHesitations(heard.words);
  if (means || fits(draft, { words }) || namesRecord(draft, words) || asksBeside(draft, words)) return false;
  draft.set({ noMatch: 0 });
  draft.stock('wait');
  return true;
}

/** `one moment, is there parking`: a question is beside the hesitation. */
function asksBeside(draft: TurnDraft, words: readonly Word[]): boolean {
  const [top] = words.length > 0 ? draft.agent.guess(words.map(({ text }) => text)) : [];
  return top?.meaning.kind === 'knowledge' && top.score >= NEARNESS.questionToo;
}

/** What a value of the question is not sacrificed for: `sorry, four five two one`. */
const BEATEN_BY_VALUES = new Set(['repeat', 'wait', 'help', 'hello', 'thanks', 'how-are-you', 'goodbye']);

function steering(draft: TurnDraft, heard: Heard): boolean {
  const { words, guesses } = heard;
  const top = leavesFlow(draft, guesses) ?? guesses[0];
  if (!top || !isControl(top, draft, words) || (top.id === 'stock:cancel' && agrees(draft, heard))) return false;
  if (top.id === 'stock:cancel' && fits(draft, heard) && !says(draft, heard, 'leave')) return false; // `7788, kids, stop it, 7788`
  if (top.id === 'stock:cancel' && (settles(draft, heard) || changesValue(draft, heard))) return false;
  if (top.meaning.kind === 'intent' && fits(draft, heard) && !meansBeside(draft, words, top)) return false;
  if (top.meaning.kind === 'stock' && BEATEN_BY_VALUES.has(top.meaning.name) && fits(draft, heard)) return false;
  perform(draft, top, words);
  return true;
}

/** The wish is still meant without the value that the words hold. */
function meansBeside(draft: TurnDraft, words: readonly Word[], { id, score }: Guess): boolean {
  const slot = draft.slot;
  const { rest } = readSlots(words, slot ? [slot] : [], draft.setting.today, slot?.name);
  const beside = withoutNumberName(words, rest);
  const [top] = beside.length > 0 ? draft.agent.guess(beside.map(({ text }) => text)) : [];
  return top?.id === id && top.score >= Math.min(score, NEARNESS.clearlyElse);
}

const NUMBERS = new Set(['رقم', 'رقمه', 'رقمها', 'جوال', 'جواله', 'جوالها', 'number', 'phone', 'mobile']);
const MAX_NUMBER_NAME = 3;

/** `the manager's number is 0551234567`: whose number it is asks for nobody. */
function withoutNumberName(words: readonly Word[], rest: readonly Word[]): readonly Word[] {
  const value = words.findIndex((word) => !rest.includes(word));
  const from = words.findIndex(({ text }, at) => NUMBERS.has(text) && at < value && value - at <= MAX_NUMBER_NAME);
  return from < 0 ? rest : rest.filter((word) => words.indexOf(word) < from || words.indexOf(word) > value);
}

/** `خلاص تسع ونص`: nothing is said beside the value and the word that settles it. */
function settles(draft: TurnDraft, heard: Heard): boolean {
  const slot = draft.slot;
  const leave = actOf(heard, 'leave');
  if (!slot || !leave || !fits(draft, heard)) return false;
  const { rest } = readSlots(heard.words, [slot], draft.setting.today, slot.name);
  const said = heard.words.slice(leave.span.start, leave.span.end);
  const beside = rest.filter((word) => !said.includes(word) && !isWeak(word.text) && !isFiller(word.text));
  return beside.length <= 1; // طب خلاص سبعه بالليل
}

/** `I changed my mind` while cancelling something: the dialogue is meant where it is as near as what is being done. */
function leavesFlow(draft: TurnDraft, guesses: readonly Guess[]): Guess | undefined {
  const [top] = guesses;
  const isOwn = top?.meaning.kind === 'intent' && top.meaning.intent.flow === draft.state.flow;
  const leave = guesses.find(({ id }) => id === 'stock:cancel');
  return isOwn && leave && top.score - leave.score < NEARNESS.tie ? leave : undefined;
}

function notKnown(draft: TurnDraft, heard: Heard): boolean {
  const { slot } = draft;
  if (draft.state.pending.kind !== 'slot' || !slot || draft.agent.owned.has(slot)) return false;
  const isPlain = heard.words.length <= MAX_NOT_KNOWN_WORDS && isUnsure(heard.words);
  const isSaid = slot.type !== 'yesno' && says(draft, heard, 'unknown'); // `sure I don't` is a no
  if ((!isPlain && !isSaid) || fits(draft, heard)) return false;
  const [top] = heard.guesses;
  if (top?.meaning.kind === 'knowledge' && top.score >= NEARNESS.clearQuestion) return false;
  notUnderstood(draft);
  draft.understood = true; // and told more
  return true;
}
const MAX_NOT_KNOWN_WORDS = 6;

function aside(draft: TurnDraft, { aside: isAside }: Heard): boolean {
  const { slot } = draft;
  if (!isAside || draft.state.pending.kind !== 'slot' || (slot?.type !== 'text' && slot?.type !== 'name')) return false;
  notUnderstood(draft);
  return true;
}

function wrongValue(draft: TurnDraft, { wrong, wanted }: Heard): boolean {
  const { flow } = draft;
  if (!flow || wrong === undefined) return false;
  if (corrected(draft, wanted, flow)) return true;
  clearSlot(draft, wrong);
  advance(draft);
  return true;
}

function answer(draft: TurnDraft, heard: Heard): boolean {
  const { pending, flow } = draft.state;
  if (pending.kind === 'open') return false;
  const both = questionBeside(draft, heard.words);
  if (!both) return answerPending(draft, heard, digress);
  draft.wait({ kind: 'open' });
  digress(draft, both.guesses, both.asked, asSaid(both.asked));
  if (draft.action || draft.state.flow !== flow || draft.state.pending.kind !== 'open') return true; // the question leads elsewhere
  draft.wait(pending);
  const { agent, setting } = draft;
  const own = readActs(agent, both.answer, asSaid(both.answer), setting.today, (some) => guessesFor(draft, some));
  if (!answerPending(draft, own, digress)) questionOf(draft);
  return true;
}

/** Values of the flow's other slots, given out of turn: kept, and the pending question is asked again. */
function otherValues(draft: TurnDraft, heard: Heard): boolean {
  const { wanted, guesses } = heard;
  const { pending } = draft.state;
  const asks = guesses[0]?.meaning.kind === 'knowledge' && guesses[0].score >= NEARNESS.clearQuestion;
  const flow = draft.flow;
  if (!flow || asks || pending.kind === 'open' || pending.kind === 'choose') return false;
  const others = flow.slots.filter((slot) => pending.kind !== 'slot' || slot.name !== pending.slot);
  const held = draft.state.slots;
  const words = looksUp(flow) ? withoutStanding(wanted, flow.slots, draft.setting.today) : wanted; // `موعدي بكرة الساعة عشر`
  const read = readSlots(words, others, draft.setting.today, undefined, held);
  const values = changesNothing(words, read.rest) ? without(read.values, Object.keys(held)) : read.values;
  const anew = pending.kind === 'slot' ? freeCorrection(draft, heard.words, flow) : undefined;
  if (anew) putSlots(draft, anew);
  else if (words === wanted && Object.keys(newIn(values, held)).length === 0) return false;
  putSlots(draft, values);
  advance(draft);
  return true;
}

/** `it is so cold in Riyadh tonight`: small talk, in which a day is named, changes none that was given. */
function changesNothing(words: readonly Word[], rest: readonly Word[]): boolean {
  const beside = withoutAround(rest).filter(({ text }) => !isWeak(text) && !isFiller(text));
  return beside.length > MAX_BESIDE_CHANGE && !isCorrection(words);
}
const MAX_BESIDE_CHANGE = 3;

function without(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

function today(draft: TurnDraft, { words, guesses: [top] }: Heard): boolean {
  if (!asksToday(words)) return false;
  if (top?.meaning.kind === 'knowledge' && top.score >= NEARNESS.questionToo) return false; // قبل اليوم كم سعر التبييض
  const day = dateValue(draft.setting.today, draft.setting.today).say[draft.language];
  draft.stock('todayIs', { day });
  if (draft.state.pending.kind === 'open') draft.stock('anythingElse');
  else questionOf(draft);
  return true;
}

/** `did you mean booking?` `I mean the one I have, when is it`: heard as if nothing had been asked back. */
function saidAnew(draft: TurnDraft, heard: Heard): boolean {
  const { pending } = draft.state;
  if (pending.kind !== 'choose') return false;
  const decision = choosing(openGuesses(heard.guesses), draft.setting.trusted);
  if (decision.kind === 'nothing') return false;
  if (decision.kind === 'ask' && decision.options.every(({ id }) => pending.options.includes(id))) return false;
  draft.wait({ kind: 'open' });
  openQuestion(draft, heard);
  return true;
}

const MAX_BARE_DOUBT = 4;

function digression(draft: TurnDraft, { guesses, wanted, text }: Heard): boolean {
  if (wanted.length <= MAX_BARE_DOUBT && isUnsure(wanted)) return false; // `I don't know` asks for nothing else
  return draft.state.pending.kind !== 'open' && digress(draft, guesses, wanted, text);
}

function wish(draft: TurnDraft, heard: Heard): boolean {
  if (draft.state.pending.kind !== 'open') return false;
  openQuestion(draft, heard);
  return true;
}
