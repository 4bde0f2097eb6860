import { type FlowDefinition, localizeList, type SlotDefinition } from '../../core/agent.ts';
import { answerPending } from './answers.ts';
import type { CompiledAgent, Guess } from './compiled-agent.ts';
import { control, isControl } from './controls.ts';
import type { DialogueState } from './dialogue-state.ts';
import { advance, hangUp, putSlots, startFlow, transfer } from './flow-runner.ts';
import { languageOfText, type Word, wordsOf } from './fold.ts';
import { isKeys, type KeyMeaning, readKeys } from './keypad.ts';
import { isWeak } from './lexicon.ts';
import { digitRuns } from './number-words.ts';
import { perform } from './perform.ts';
import { examplesText, offerMenu, questionOf } from './questions.ts';
import { markedWhen, readSlots } from './slot-filling.ts';
import { readYesNo } from './slots/yesno.ts';
import { STOCK } from './stock-phrases.ts';
import { TurnDraft, type TurnOutcome, type TurnSetting } from './turn-draft.ts';
import { decide, isPleasantry, NEARNESS, openGuesses, twoWishes, withValues } from './understanding.ts';

/** How likely a knowledge entry must answer, 0..1, before it is said: a caller hears the line and sees no quote. */
const KNOWLEDGE_SCORE = 0.66;

/**
 * One turn of the caller: what is said next, what is done after it, and the state that then holds. Pure: the same
 * state, text and setting give the same outcome, which is how a dialogue is rebuilt from its history. Never throws.
 */
export function takeTurn(agent: CompiledAgent, state: DialogueState, text: string, setting: TurnSetting): TurnOutcome {
  const draft = new TurnDraft(agent, { ...state, turn: state.turn + 1 }, setting);
  const said = languageOfText(text);
  if (said && agent.languages.includes(said)) draft.set({ language: said });
  if (text.trim() === '') onSilence(draft);
  else {
    draft.set({ noInput: 0 });
    if (isKeys(text)) onKeys(draft, text);
    else onWords(draft, wordsOf(text), text);
  }
  offerMenu(draft);
  return draft.finish();
}

function onSilence(draft: TurnDraft): void {
  const ladder = draft.agent.definition.noInput ?? STOCK.noInput;
  const step = draft.state.noInput;
  draft.set({ noInput: step + 1 });
  if (step >= localizeList(ladder, draft.language).length) return hangUp(draft);
  draft.askOf(ladder, step);
  questionOf(draft);
}

function onWords(draft: TurnDraft, words: readonly Word[], text: string): void {
  if (words.length === 0) return draft.state.pending.kind === 'open' ? noMatch(draft) : notUnderstood(draft);
  const guesses = guessesFor(draft, words);
  const top = leavesFlow(draft, guesses) ?? guesses[0];
  if (top && isControl(top, draft, words)) return perform(draft, top, words);
  if (draft.state.pending.kind !== 'open') {
    if (answerPending(draft, words, guesses, digress)) return;
    const asks = guesses[0]?.meaning.kind === 'knowledge' && guesses[0].score >= NEARNESS.clearQuestion;
    if (!asks && otherSlots(draft, words)) return;
    if (digress(draft, guesses, words, text)) return;
    return notUnderstood(draft);
  }
  openQuestion(draft, guesses, words, text);
}

/** `I changed my mind` while cancelling something: the dialogue is meant where it is as near as what is being done. */
function leavesFlow(draft: TurnDraft, guesses: readonly Guess[]): Guess | undefined {
  const [top] = guesses;
  const isOwn = top?.meaning.kind === 'intent' && top.meaning.intent.flow === draft.state.flow;
  const leave = guesses.find(({ id }) => id === 'stock:cancel');
  return isOwn && leave && top.score - leave.score < NEARNESS.tie ? leave : undefined;
}

const VALUES: readonly SlotDefinition[] = (['date', 'time', 'phone', 'name'] as const).map((type) => ({
  name: type,
  type,
  prompts: {},
}));

function contentWithout(words: readonly Word[], rest: readonly Word[]): string[] {
  return rest.some(({ text }) => !isWeak(text)) ? markedWhen(words, rest) : words.map((word) => word.text);
}

/** The words that tell what is wanted: those of dates, times and names say only when or who. */
function contentOf(draft: TurnDraft, words: readonly Word[]): string[] {
  return contentWithout(words, readSlots(words, VALUES, draft.setting.today).rest);
}

/** What nobody says along with a value. */
const NEEDS_NO_VALUE = new Set(['stock:repeat', 'stock:wait']);

/**
 * What may be meant: by the words without values, or by all of them where they are an example (`good afternoon`).
 * Where nothing is pending there is nothing to leave.
 */
export function guessesFor(draft: TurnDraft, words: readonly Word[]): Guess[] {
  const { agent, setting, state } = draft;
  const without = state.pending.kind === 'open' && state.flow === undefined ? 'stock:cancel' : undefined;
  const { rest, values } = readSlots(words, VALUES, setting.today);
  const all = words.map((word) => word.text);
  const types = [
    ...Object.keys(values),
    ...(digitRuns(all).some(({ digits }) => digits.length >= 3) ? ['digits'] : []),
  ];
  const whole = agent.guess(all, without);
  if ((whole[0]?.score ?? 0) >= NEARNESS.clearQuestion && whole[0]?.meaning.kind === 'stock') return whole;
  const isLess = rest.length < words.length && rest.some(({ text }) => !isWeak(text));
  const guesses = withValues(agent, isLess ? agent.guess(markedWhen(words, rest), without) : whole, types);
  return types.length > 0 ? guesses.filter(({ id }) => !NEEDS_NO_VALUE.has(id)) : guesses; // "and what about 4522?"
}

/** Nothing is pending: find the wish. */
function openQuestion(draft: TurnDraft, all: readonly Guess[], words: readonly Word[], text: string): void {
  const yesNo = readYesNo(words);
  // "great, bye", "طيب وين موقعكم": what follows the nod may be clearer without it.
  const rest = yesNo?.start === 0 ? openGuesses(draft.agent.guess(contentOf(draft, words.slice(yesNo.end)))) : [];
  const onlyYesNo = yesNo !== undefined && yesNo.end - yesNo.start === words.length;
  const whole = openGuesses(all);
  const guesses = (rest[0]?.score ?? 0) > (whole[0]?.score ?? 0) ? rest : whole;
  const [top] = guesses;
  const wish = top && top.score >= (isPleasantry(top) ? NEARNESS.clearQuestion : NEARNESS.accept);
  if (yesNo && (onlyYesNo || (words.length - (yesNo.end - yesNo.start) <= 2 && !wish))) {
    if (yesNo.answer === 'yes') return draft.stock('goOn');
    if (draft.state.served) return hangUp(draft); // "anything else?" "no"
  }
  const both = draft.setting.trusted ? twoWishes(draft.agent, words, (half) => contentOf(draft, half)) : undefined;
  if (both) return takeBoth(draft, both, words, text);
  const decision = decide(guesses, draft.setting.trusted);
  if (decision.kind === 'take') return perform(draft, decision.guess, words);
  const wanted = decision.kind === 'ask' && decision.options[0]!.score >= NEARNESS.accept;
  if (!wanted && followUp(draft, words)) return;
  if (decision.kind === 'nothing' && fromKnowledge(draft, guesses, words, text)) return;
  if (decision.kind === 'ask') return choose(draft, decision.options, text);
  noMatch(draft);
}

/** A question is answered before the other wish begins; of two undertakings one must come first. */
function takeBoth(draft: TurnDraft, both: readonly [Guess, Guess], words: readonly Word[], text: string): void {
  const questions = both.filter(({ meaning }) => meaning.kind === 'knowledge');
  const person = both.find(({ meaning }) => meaning.kind === 'intent' && meaning.intent.action?.type === 'transfer');
  if (person) return perform(draft, person, words);
  if (questions.length === 0) return choose(draft, both, text);
  const others = both.filter(({ meaning }) => meaning.kind !== 'knowledge');
  for (const wish of [...questions, ...others]) perform(draft, wish, words);
}

/** A flow that needs one identifier and changes nothing: a bare number is enough to begin it. */
function onlyLooksUp(flow: FlowDefinition): boolean {
  const [slot, ...others] = flow.slots;
  const identifies = slot?.type === 'digits' || slot?.type === 'phone';
  return (
    identifies &&
    others.length === 0 &&
    flow.confirm === undefined &&
    flow.actions.every(({ type }) => type === 'lookup')
  );
}

/** `and 4522?` after an order was tracked: the last flow again with the new value. */
function followUp(draft: TurnDraft, words: readonly Word[]): boolean {
  const flow = draft.agent.flows.get(draft.state.lastFlow ?? '') ?? [...draft.agent.flows.values()].find(onlyLooksUp);
  if (!flow) return false;
  const identifiers = flow.slots.filter((slot) => slot.type === 'digits' || slot.type === 'phone');
  const intent = draft.agent.definition.intents?.find((one) => one.flow === flow.name);
  if (Object.keys(readSlots(words, identifiers, draft.setting.today).values).length === 0) return false;
  if (intent) draft.meant.push(`intent:${intent.name}`);
  startFlow(draft, flow, words);
  return true;
}

function fromKnowledge(draft: TurnDraft, guesses: readonly Guess[], words: readonly Word[], text: string): boolean {
  if (guesses[0]?.meaning.kind !== 'knowledge') return false;
  const content = words.filter((word) => !isWeak(word.text));
  if (content.length < (draft.state.pending.kind === 'open' ? 1 : 2)) return false;
  const hit = draft.agent.knowledge.search(text, 1)[0];
  const item = hit && hit.score >= KNOWLEDGE_SCORE ? draft.agent.knowledgeItem(hit.id) : undefined;
  if (!hit || !item || guesses[0].id !== `knowledge:${hit.id}`) return false;
  draft.meant.push(`knowledge:${hit.id}`);
  draft.answer(item.answer);
  draft.set({ served: true, noMatch: 0 });
  return true;
}

/** Something else in the middle of a question. */
function digress(draft: TurnDraft, guesses: readonly Guess[], words: readonly Word[], text: string): boolean {
  const needed = ({ meaning }: Guess): number => {
    if (words.length > 2) return NEARNESS.digression;
    return meaning.kind === 'intent' ? NEARNESS.surelyElse : NEARNESS.clearlyElse; // a short answer is an answer
  };
  const top = guesses.find((guess) => guess.score >= needed(guess));
  const isOwn = top?.meaning.kind === 'intent' && top.meaning.intent.flow === draft.state.flow;
  // Something like the wish that is being served is no news: ask again, more helpfully.
  if (isOwn && draft.state.flow !== undefined && top.score < NEARNESS.again) return false;
  if (top) {
    const pendingChoice = draft.state.pending.kind === 'choose';
    if (pendingChoice) draft.wait({ kind: 'open' });
    perform(draft, top, words);
    return true;
  }
  if (fromKnowledge(draft, guesses, words, text)) {
    questionOf(draft);
    return true;
  }
  return false;
}

/** Values of the flow's other slots, given out of turn: kept, and the pending question is asked again. */
function otherSlots(draft: TurnDraft, words: readonly Word[]): boolean {
  const flow = draft.agent.flows.get(draft.state.flow ?? '');
  if (!flow || draft.state.pending.kind === 'choose') return false;
  const { pending } = draft.state;
  const others = flow.slots.filter((slot) => pending.kind !== 'slot' || slot.name !== pending.slot);
  const { values } = readSlots(words, others, draft.setting.today, undefined, draft.state.slots);
  if (Object.keys(values).length === 0) return false;
  putSlots(draft, values);
  advance(draft);
  return true;
}

function choose(draft: TurnDraft, options: readonly Guess[], utterance: string): void {
  draft.wait({ kind: 'choose', options: options.map((option) => option.id), utterance: utterance.slice(0, 400) });
  questionOf(draft);
}

/** The pending question was answered with nothing usable: ask again, more helpfully, then give up. */
function notUnderstood(draft: TurnDraft): void {
  const { pending, attempts } = draft.state;
  const prompts = pending.kind === 'slot' ? localizeList(draft.slot?.prompts, draft.language).length : 1;
  const next = attempts + 1;
  if (next >= Math.max(3, prompts)) return giveUp(draft);
  draft.set({ attempts: next });
  if (pending.kind === 'confirm-slot' || pending.kind === 'confirm-flow') draft.stock('sayYesOrNo', {}, 0);
  else if (next >= prompts || pending.kind !== 'slot') draft.stock('slotAgain', {}, next - 1);
  questionOf(draft);
}

/** Nothing the agent knows: the ladder of the agent, then its way out. */
function noMatch(draft: TurnDraft): void {
  const ladder = draft.agent.definition.noMatch ?? STOCK.noMatch;
  const step = draft.state.noMatch;
  draft.set({ noMatch: step + 1 });
  if (step >= localizeList(ladder, draft.language).length) return giveUp(draft);
  draft.askOf(ladder, step, { examples: examplesText(draft) });
}

function giveUp(draft: TurnDraft): void {
  const { onGiveUp, transferTarget } = draft.agent.definition;
  draft.stock('giveUp');
  if (transferTarget && onGiveUp !== 'hangup') return transfer(draft, undefined);
  hangUp(draft);
}

function onKeys(draft: TurnDraft, text: string): void {
  const meaning = readKeys(draft, text);
  switch (meaning.kind) {
    case 'human':
      return control(draft, 'human');
    case 'repeat':
      return control(draft, 'repeat');
    case 'yes':
    case 'no':
      answerPending(draft, wordsOf(meaning.kind), [], digress);
      return;
    case 'value': {
      const { pending } = draft.state;
      if (pending.kind === 'slot') putSlots(draft, { [pending.slot]: meaning.value });
      return advance(draft);
    }
    case 'option':
      return onOption(draft, meaning, text);
    case 'wrong':
      return wrongKey(draft, text);
  }
}

function onOption(draft: TurnDraft, meaning: Extract<KeyMeaning, { kind: 'option' }>, text: string): void {
  const { pending } = draft.state;
  if (pending.kind === 'change') {
    const slot = draft.agent.flows.get(draft.state.flow ?? '')?.slots[meaning.index];
    if (!slot) return wrongKey(draft, text);
    const { [slot.name]: _, ...slots } = draft.state.slots;
    draft.set({ slots });
    return advance(draft);
  }
  const id = pending.kind === 'choose' ? pending.options[meaning.index] : undefined;
  const intent = draft.agent.menu[meaning.index];
  const chosen =
    pending.kind === 'choose'
      ? (id && draft.agent.meaning(id)) || undefined
      : intent && ({ kind: 'intent', intent } as const);
  if (!chosen) return wrongKey(draft, text);
  draft.wait({ kind: 'open' });
  perform(draft, { id: id ?? `intent:${intent?.name}`, meaning: chosen, score: 1, known: 1, other: 0 }, []);
}

/** Keys that mean nothing here; a spoken number (`4521`) may still continue the last flow. */
function wrongKey(draft: TurnDraft, text: string): void {
  if (draft.state.pending.kind === 'open' && followUp(draft, wordsOf(text))) return;
  if (draft.state.pending.kind !== 'open') return notUnderstood(draft);
  if (draft.setting.mode === 'voice') return noMatch(draft);
  const step = draft.state.noMatch;
  draft.set({ noMatch: step + 1 });
  if (step >= 2) return giveUp(draft);
  draft.stock('wrongKey');
}
