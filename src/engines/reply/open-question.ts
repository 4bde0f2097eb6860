import type { FlowDefinition } from '../../core/agent.ts';
import { contentWords } from '../../language/lexicon/content-words.ts';
import { isWeak, termsOf } from '../../language/lexicon/lexicon.ts';
import { personWishIn } from '../../language/phrases/person-wish.ts';
import { readSlots, slotNamed } from '../../language/values/slot-filling.ts';
import { asSaid, type Word, wordsOf } from '../../language/words.ts';
import { actOf, type Heard } from './acts/act.ts';
import { leavesFor, opensWish, wantsNothing } from './acts/leaving.ts';
import { asksOfNumber, identifiersOf, withoutIdentifiers } from './asked-of-number.ts';
import { certainly, type Guess, labelOf } from './compiled-agent.ts';
import type { LaterWish } from './dialogue-state.ts';
import { hangUp, leaveFlow, runActions, startFlow } from './flow-runner.ts';
import { contentOf } from './guessing.ts';
import { noMatch } from './misunderstood.ts';
import { perform } from './perform.ts';
import { questionOf } from './questions.ts';
import { asksByForm, type HalfClear, halfClear, twoWishes, type Wish } from './sequences.ts';
import { isPleasantry } from './sureness.ts';
import type { TurnDraft } from './turn-draft.ts';
import { decide, NEARNESS, openGuesses } from './understanding.ts';
import { keysOf, saysOnlyWhich } from './value-words.ts';
import { identifies } from './values.ts';

/** How likely a knowledge entry must answer, 0..1, before it is said: a caller hears the line and sees no quote. */
const KNOWLEDGE_SCORE = 0.66;
/** `nothing else, thank you so much`: the concept of having all one wants. */
const DONE = '=done';
/** Of wishes said in one breath, besides the first. */
const MAX_LATER = 2;
/** `and what about 4522?`; whoever tells a story around a number wants something done. */
const SHORT_WORDS = 4;

/** Nothing is pending: find the wish. */
export function openQuestion(draft: TurnDraft, heard: Heard): void {
  const { wanted: words, text } = heard;
  if (heard.doubts) return choose(draft, heard.doubts, asSaid(words));
  const nod = actOf(heard, 'affirm') ?? actOf(heard, 'deny');
  // "great, bye", "طيب وين موقعكم": what follows the nod may be clearer without it.
  const after = nod?.span.start === 0 && heard.forbidden.size === 0 ? contentOf(draft, words.slice(nod.span.end)) : [];
  const rest = after.length > 0 ? openGuesses(draft.agent.guess(after)) : [];
  const whole = openGuesses(heard.guesses);
  const guesses = (rest[0]?.score ?? 0) > (whole[0]?.score ?? 0) ? rest : whole;
  if (nod && onlyNods(draft, nod, guesses, words)) return;
  if (draft.state.served && (takesLeave(guesses, words) || wantsNothing(heard.words))) return hangUp(draft);
  if (guesses[0]?.meaning.kind === 'knowledge' && asksOfNumber(draft, words) && followUp(draft, words, lookUp(draft)))
    return;
  if (draft.setting.trusted && inSequence(draft, heard)) return;
  if (saysOnlyWhich(withoutIdentifiers(draft, words)) && followUp(draft, words)) return;
  const chosen = draft.state.lastDone && aboutChosen(draft, guesses, words);
  if (chosen) return perform(draft, chosen, words);
  const decision = decide(guesses, draft.setting.trusted);
  const { person } = draft.agent;
  // `I want to talk to the doctor herself`: no question about her.
  const isToPerson = decision.kind === 'take' && decision.guess.meaning.kind === 'knowledge' && !asksByForm(words);
  if (decision.kind === 'take' && !(isToPerson && person && personWishIn(plainOf(words)) === 'plain'))
    return perform(draft, decision.guess, words);
  if (person && personWishIn(plainOf(words)) === 'plain') return perform(draft, person, words);
  const near = decision.kind === 'ask' && decision.options[0]!.score >= NEARNESS.accept;
  if (!near && contentWords(plainOf(words)).length <= SHORT_WORDS && followUp(draft, words)) return;
  if (decision.kind === 'nothing' && fromKnowledge(draft, guesses, words, text)) return;
  if (decision.kind === 'ask') return choose(draft, decision.options, asSaid(words));
  noMatch(draft);
}

/** `nothing else, thank you`. */
function takesLeave([wish]: readonly Guess[], words: readonly Word[]): boolean {
  return wish !== undefined && isPleasantry(wish) && keysOf(words).includes(DONE);
}

function plainOf(words: readonly Word[]): string[] {
  return words.map(({ text }) => text);
}

/** A yes or no without a wish: `anything else?` `no, you have been great` ends the call. */
function onlyNods(
  draft: TurnDraft,
  nod: NonNullable<ReturnType<typeof actOf<'affirm' | 'deny'>>>,
  guesses: readonly Guess[],
  words: readonly Word[],
): boolean {
  const [top] = guesses;
  const wish = top && top.score >= (isPleasantry(top) ? NEARNESS.clearQuestion : NEARNESS.accept);
  const others = words.length - (nod.span.end - nod.span.start);
  if (nod.type === 'deny' && draft.state.served && nod.span.start === 0) {
    const wants = guesses.some(({ meaning, score }) => meaning.kind !== 'stock' && score >= NEARNESS.digression);
    if (!wants) {
      hangUp(draft);
      return true;
    }
  }
  if (others > 0 && (others > 2 || wish)) return false;
  if (nod.type === 'affirm') draft.stock('goOn');
  else if (draft.state.served) hangUp(draft);
  else return false;
  return true;
}

/** Two wishes said in one breath: both are served, also where one of them is not clear yet. */
function inSequence(draft: TurnDraft, { wanted: words, forbidden }: Heard): boolean {
  const content = (half: readonly Word[]): readonly string[] => contentOf(draft, half);
  const both = twoWishes(draft.agent, words, content);
  if (both) {
    if (both.some(({ guess }) => forbidden.has(guess.id))) return false;
    const one = both.find((wish) => both.every((other) => other === wish || answers(draft, wish, other)));
    if (one) perform(draft, one.guess, words);
    else takeBoth(draft, both);
    return true;
  }
  const half = halfClear(draft.agent, words, content);
  if (!half || forbidden.has(half.clear.guess.id)) return false;
  takeHalf(draft, half, words);
  return true;
}

/** `it came broken and I just want my money back`: no question, but what the undertaking will ask. */
function answers(draft: TurnDraft, { guess }: Wish, other: Wish): boolean {
  const flow = flowOf(draft, guess);
  if (!flow || other.guess.meaning.kind !== 'knowledge' || isAsked(other)) return false;
  const chosen = flow.slots.filter(({ choices }) => choices !== undefined);
  return Object.keys(readSlots(other.words, chosen, draft.setting.today).values).length > 0;
}

/** The clear wish is served and the other one asked about afterwards; at once where it was said first and is nearly understood. */
function takeHalf(draft: TurnDraft, { clear, unclear, askFirst }: HalfClear, words: readonly Word[]): void {
  const { values } = readSlots(words, identifiersOf(draft), draft.setting.today);
  draft.set({ memory: { ...draft.state.memory, ...values } });
  if (isPerson(clear)) return perform(draft, clear.guess, clear.words);
  if (askFirst) {
    draft.set({ later: [laterWish(clear)] });
    return choose(draft, unclear.options.slice(0, 1), asSaid(unclear.words));
  }
  const ids = unclear.options.map(({ id }) => id);
  draft.set({ later: [{ ids, utterance: asSaid(unclear.words), sure: false }] });
  if (rankOf(clear) > 0) draft.stock('firstThenOther', { a: labelOf(clear.guess.meaning, draft.language) });
  perform(draft, clear.guess, clear.words);
}

function isPerson({ guess: { meaning } }: Wish): boolean {
  return meaning.kind === 'intent' && meaning.intent.action?.type === 'transfer';
}

/** A question is answered before the other wish begins; two undertakings are done in turn, and said so. */
function takeBoth(draft: TurnDraft, both: readonly [Wish, Wish]): void {
  const person = both.find(isPerson);
  const other = both.find((wish) => wish !== person);
  if (person && other && isAsked(other)) {
    perform(draft, other.guess, other.words);
    draft.dropLastQuestion(); // nobody answers it any more
  }
  if (person) return perform(draft, person.guess, person.words);
  const [first, ...later] = [...both].sort((a, b) => rankOf(a) - rankOf(b));
  if (rankOf(first!) === 0) {
    perform(draft, aboutChoice(draft, first!, later[0]!), first!.words);
    return perform(draft, later[0]!.guess, withAskedChoice(draft, later[0]!, first!));
  }
  const label = ({ guess }: Wish): string => labelOf(guess.meaning, draft.language);
  draft.stock('firstThen', { a: label(first!), b: label(later[0]!) });
  draft.set({ later: later.map(laterWish).slice(0, MAX_LATER) });
  perform(draft, first!.guess, first!.words);
}

/** `what does a cleaning cost, and book me one`: what the undertaking offers first is named by the question already. */
function withAskedChoice(draft: TurnDraft, { guess, words }: Wish, asked: Wish): readonly Word[] {
  const opening = flowOf(draft, guess)?.slots[0];
  if (opening?.choices === undefined) return words;
  const { today } = draft.setting;
  if (readSlots(words, [opening], today).values[opening.name] !== undefined) return words;
  const { rest } = readSlots(asked.words, [opening], today);
  return [...asked.words.filter((word) => !rest.includes(word)), ...words];
}

/** `a cleaning please, but first what does it cost`: a question that does not say of what is about what is wished for. */
function aboutChoice(draft: TurnDraft, asked: Wish, { guess, words }: Wish): Guess {
  const { today } = draft.setting;
  const choices = flowOf(draft, guess)?.slots.filter((slot) => slot.choices !== undefined) ?? [];
  const { rest } = readSlots(words, choices, today);
  const chosen = words.filter((word) => !rest.includes(word));
  if (chosen.length === 0 || readSlots(asked.words, choices, today).rest.length < asked.words.length)
    return asked.guess;
  const [top] = draft.agent.guess([...plainOf(asked.words), ...plainOf(chosen)]);
  return top?.meaning.kind === 'knowledge' && top.score >= NEARNESS.clearQuestion ? top : asked.guess;
}

function flowOf({ agent }: TurnDraft, { meaning }: Guess): FlowDefinition | undefined {
  return meaning.kind === 'intent' ? agent.flows.get(meaning.intent.flow ?? '') : undefined;
}

/** A question that is one by its form. */
function isAsked({ guess, words }: Wish): boolean {
  return guess.meaning.kind === 'knowledge' && (guess.asks || asksByForm(words));
}

function rankOf({ guess }: Wish): number {
  return guess.meaning.kind === 'knowledge' ? 0 : 1;
}

function laterWish({ guess, words }: Wish): LaterWish {
  return { ids: [guess.id], utterance: asSaid(words), sure: true };
}

function isServed({ state }: TurnDraft, wish: Guess | undefined): boolean {
  return (
    wish?.meaning.kind === 'intent' && state.lastDone?.flow === wish.meaning.intent.flow && state.lastDone !== undefined
  );
}

/** The next of the wishes that were said in one breath, once nothing is pending. */
export function nextWish(draft: TurnDraft): void {
  const [next, ...later] = draft.state.later;
  if (!next || draft.action || draft.tool || draft.state.pending.kind !== 'open' || draft.state.flow !== undefined)
    return;
  draft.set({ later });
  const options = next.ids.flatMap((id) => {
    const meaning = draft.agent.meaning(id);
    return meaning ? [certainly(id, meaning)] : [];
  });
  const [first] = options;
  if (next.sure && isServed(draft, first)) return nextWish(draft); // it was done meanwhile
  draft.dropLastQuestion(); // "anything else?" is known already
  if (!first) return draft.stock('whatOther');
  if (!next.sure) {
    draft.stock('backToOther');
    return choose(draft, options, next.utterance);
  }
  draft.stock('nowTo', { a: labelOf(first.meaning, draft.language) });
  perform(draft, first, wordsOf(next.utterance));
}

/** A flow that needs one identifier and changes nothing: a bare number is enough to begin it. */
function onlyLooksUp(draft: TurnDraft, flow: FlowDefinition): boolean {
  const [slot, ...others] = flow.slots.filter((one) => !draft.agent.owned.has(one));
  return (
    slot !== undefined &&
    identifies(slot) &&
    others.length === 0 &&
    flow.confirm === undefined &&
    flow.actions.every(({ type }) => type === 'lookup')
  );
}

function lookUp(draft: TurnDraft): FlowDefinition | undefined {
  return [...draft.agent.flows.values()].find((one) => onlyLooksUp(draft, one));
}

/** `and 4522?` after an order was tracked: the last flow again with the new value. */
export function followUp(
  draft: TurnDraft,
  words: readonly Word[],
  flow: FlowDefinition | undefined = draft.agent.flows.get(draft.state.lastFlow ?? '') ?? lookUp(draft),
): boolean {
  if (!flow) return false;
  const identifiers = flow.slots.filter(identifies);
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

/** `when does it arrive?` in the middle of something else about the same order: answered, and the question asked again. */
function lookedUp(draft: TurnDraft, { id, meaning }: Guess): boolean {
  const flow = meaning.kind === 'intent' ? draft.agent.flows.get(meaning.intent.flow ?? '') : undefined;
  const own = draft.flow;
  if (!flow || !own || flow === own || !onlyLooksUp(draft, flow)) return false;
  const known = flow.slots.every(({ name, type }) => {
    const same = own.slots.find((slot) => slot.name === name && slot.type === type);
    return same !== undefined && draft.state.slots[name] !== undefined;
  });
  if (!known) return false;
  draft.meant.push(id);
  const { failures } = draft.state;
  runActions(draft, flow.actions, 0);
  draft.set({ failures, served: true });
  draft.done.push({ flow: flow.name, slots: draft.state.slots });
  draft.dropLastQuestion();
  questionOf(draft);
  return true;
}

/** `you need the phone, you have that already`: who names what is asked for, and no undertaking, wishes for nothing else. */
function isAboutAsked({ agent, slot, state }: TurnDraft, { id, meaning }: Guess, words: readonly Word[]): boolean {
  if (state.pending.kind !== 'slot' || !slot || meaning.kind !== 'intent') return false;
  if (leavesFor(words) || opensWish(words)) return false;
  const acts = agent.flows.get(meaning.intent.flow ?? '')?.confirm !== undefined;
  const isNamed = termsOf(plainOf(words)).some(({ key }) => agent.operations.get(key) === id);
  return acts && !isNamed && slotNamed(words, { slots: [slot] }) !== undefined;
}

/** Something else in the middle of a question. */
export function digress(draft: TurnDraft, guesses: readonly Guess[], words: readonly Word[], text: string): boolean {
  const needed = ({ meaning }: Guess): number => {
    if (words.length > 2) return NEARNESS.digression;
    return meaning.kind === 'intent' ? NEARNESS.certain : NEARNESS.clearlyElse; // a short answer is an answer
  };
  const top = guesses.find((guess) => guess.score >= needed(guess)) ?? aboutChosen(draft, guesses, words);
  const isOwn = top?.meaning.kind === 'intent' && top.meaning.intent.flow === draft.state.flow;
  // Something like the wish that is being served is no news: ask again, more helpfully.
  if (isOwn && draft.state.flow !== undefined && top.score < NEARNESS.again) return false;
  if (top && !isOwn && isAboutAsked(draft, top, words)) return false;
  if (top && !leavesFor(words) && lookedUp(draft, top)) return true;
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
  // No answer to what was asked, and as sure as it would be where nothing is: better served than asked again.
  const decision = decide(openGuesses(guesses), draft.setting.trusted);
  // `I just wanna know where the shoes are`: of the same record, and nothing is done by telling it.
  if (decision.kind === 'ask' && asksByForm(words) && lookedUp(draft, decision.options[0]!)) return true;
  // `forget that, can you send it to my office`: what is done is left, and it is asked what for.
  const others =
    decision.kind === 'ask' ? decision.options.filter(({ id }) => draft.agent.meaning(id)?.kind === 'intent') : [];
  if (others.length > 0 && leavesFor(words) && !others.some((guess) => isOfFlow(guess, draft))) {
    leaveFlow(draft);
    choose(draft, others, text);
    return true;
  }
  if (words.length < MIN_OTHER_WORDS || decision.kind !== 'take' || decision.guess.meaning.kind === 'stock')
    return false;
  const { meaning } = decision.guess;
  if (meaning.kind === 'intent' && meaning.intent.flow === draft.state.flow) return false;
  if (!leavesFor(words) && lookedUp(draft, decision.guess)) return true;
  perform(draft, decision.guess, words);
  return true;
}
const MIN_OTHER_WORDS = 4;

const isOfFlow = ({ meaning }: Guess, { state }: TurnDraft): boolean =>
  meaning.kind === 'intent' && meaning.intent.flow === state.flow;

/** `and what does it cost`, where a checkup is being booked or was: a question that does not say of what is about what was chosen. */
function aboutChosen(draft: TurnDraft, [nearest]: readonly Guess[], words: readonly Word[]): Guess | undefined {
  const { agent, flow, language, state } = draft;
  if (nearest?.meaning.kind !== 'knowledge' || nearest.score < NEARNESS.least) return undefined;
  const { lastDone } = state;
  const about = flow ?? agent.flows.get(lastDone?.flow ?? '');
  const held = flow ? state.slots : (lastDone?.slots ?? {});
  const choices = about?.slots.filter(({ type }) => type === 'choice') ?? [];
  if (Object.keys(readSlots(words, choices, draft.setting.today).values).length > 0) return undefined;
  const chosen = choices.flatMap(({ name }) => plainOf(wordsOf(held[name]?.say[language] ?? '')));
  const [top] =
    chosen.length > 0 && words.length <= MAX_ABOUT_CHOSEN ? agent.guess([...plainOf(words), ...chosen]) : [];
  return top?.meaning.kind === 'knowledge' && top.score >= NEARNESS.clearQuestion ? top : undefined;
}
const MAX_ABOUT_CHOSEN = 6;

export function choose(draft: TurnDraft, options: readonly Guess[], utterance: string): void {
  const ids = options.map((option) => option.id);
  const askedBack = [...ids, utterance].join(' ');
  if (draft.state.askedBack === askedBack) return noMatch(draft); // said again in the same words: what can be done, and a person
  draft.set({ askedBack });
  draft.wait({ kind: 'choose', options: ids, utterance });
  questionOf(draft);
}
