import type { FlowDefinition } from '../../core/agent.ts';
import { actOf, type Heard } from './acts/act.ts';
import { certainly, type Guess, labelOf } from './compiled-agent.ts';
import { hangUp, runActions, startFlow } from './flow-runner.ts';
import { type Word, wordsOf } from './fold.ts';
import { contentOf } from './guessing.ts';
import { contentWords } from './intent-matcher.ts';
import { isWeak } from './lexicon.ts';
import { noMatch } from './misunderstood.ts';
import { perform } from './perform.ts';
import { questionOf } from './questions.ts';
import { readSlots } from './slot-filling.ts';
import type { TurnDraft } from './turn-draft.ts';
import { decide, isPleasantry, NEARNESS, openGuesses, twoWishes, type Wish } from './understanding.ts';
import { keysOf, saysOnlyWhich } from './value-words.ts';

/** How likely a knowledge entry must answer, 0..1, before it is said: a caller hears the line and sees no quote. */
const KNOWLEDGE_SCORE = 0.66;
/** `nothing else, thank you so much`: the concept of having all one wants. */
const DONE = '=done';
/** Of wishes said in one breath, besides the first. */
const MAX_LATER = 2;
const MAX_UTTERANCE_CHARS = 400;
/** `and what about 4522?`; whoever tells a story around a number wants something done. */
const SHORT_WORDS = 4;

/** Nothing is pending: find the wish. */
export function openQuestion(draft: TurnDraft, heard: Heard): void {
  const { wanted: words, text } = heard;
  if (heard.doubts) return choose(draft, heard.doubts, text);
  const nod = actOf(heard, 'affirm') ?? actOf(heard, 'deny');
  // "great, bye", "طيب وين موقعكم": what follows the nod may be clearer without it.
  const after = nod?.span.start === 0 && heard.forbidden.size === 0 ? contentOf(draft, words.slice(nod.span.end)) : [];
  const rest = after.length > 0 ? openGuesses(draft.agent.guess(after)) : [];
  const whole = openGuesses(heard.guesses);
  const guesses = (rest[0]?.score ?? 0) > (whole[0]?.score ?? 0) ? rest : whole;
  if (nod && onlyNods(draft, nod, guesses, words)) return;
  if (draft.state.served && takesLeave(heard.guesses, guesses, words)) return hangUp(draft);
  const both = draft.setting.trusted ? twoWishes(draft.agent, words, (half) => contentOf(draft, half)) : undefined;
  if (both?.every(({ guess }) => !heard.forbidden.has(guess.id))) return takeBoth(draft, both);
  if (saysOnlyWhich(withoutIdentifiers(draft, words)) && followUp(draft, words)) return;
  const decision = decide(guesses, draft.setting.trusted);
  if (decision.kind === 'take') return perform(draft, decision.guess, words);
  const near = decision.kind === 'ask' && decision.options[0]!.score >= NEARNESS.accept;
  if (!near && contentWords(plainOf(words)).length <= SHORT_WORDS && followUp(draft, words)) return;
  if (decision.kind === 'nothing' && fromKnowledge(draft, guesses, words, text)) return;
  if (decision.kind === 'ask') return choose(draft, decision.options, text);
  noMatch(draft);
}

/** `nothing else, thank you`; and after `anything else?` a farewell need not be as clear as elsewhere where nothing is wished for. */
function takesLeave([top]: readonly Guess[], [wish]: readonly Guess[], words: readonly Word[]): boolean {
  if (wish && isPleasantry(wish)) return keysOf(words).includes(DONE);
  return top?.id === 'stock:goodbye' && top.score >= NEARNESS.smallTalk && (wish?.score ?? 0) < NEARNESS.accept;
}

function plainOf(words: readonly Word[]): string[] {
  return words.map(({ text }) => text);
}

function withoutIdentifiers(draft: TurnDraft, words: readonly Word[]): readonly Word[] {
  const slots = draft.agent.slots.filter(({ type }) => type === 'digits' || type === 'phone');
  return readSlots(words, slots, draft.setting.today).rest;
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

/** A question is answered before the other wish begins; two undertakings are done in turn, and said so. */
function takeBoth(draft: TurnDraft, both: readonly [Wish, Wish]): void {
  const person = both.find(
    ({ guess: { meaning } }) => meaning.kind === 'intent' && meaning.intent.action?.type === 'transfer',
  );
  if (person) return perform(draft, person.guess, person.words);
  const [first, ...later] = [...both].sort((a, b) => rankOf(a) - rankOf(b));
  if (rankOf(first!) === 0) {
    perform(draft, first!.guess, first!.words);
    return perform(draft, later[0]!.guess, later[0]!.words);
  }
  const label = ({ guess }: Wish): string => labelOf(guess.meaning, draft.language);
  draft.stock('firstThen', { a: label(first!), b: label(later[0]!) });
  draft.set({ later: later.map(laterWish).slice(0, MAX_LATER) });
  perform(draft, first!.guess, first!.words);
}

function rankOf({ guess }: Wish): number {
  return guess.meaning.kind === 'knowledge' ? 0 : 1;
}

function laterWish({ guess, words }: Wish): { id: string; utterance: string } {
  const utterance = words
    .map(({ raw }) => raw)
    .join(' ')
    .slice(0, MAX_UTTERANCE_CHARS);
  return { id: guess.id, utterance };
}

/** The next of the wishes that were said in one breath, once nothing is pending. */
export function nextWish(draft: TurnDraft): void {
  const [next, ...later] = draft.state.later;
  if (!next || draft.action || draft.tool || draft.state.pending.kind !== 'open' || draft.state.flow !== undefined)
    return;
  draft.set({ later });
  const meaning = draft.agent.meaning(next.id);
  if (!meaning) return;
  draft.dropLastQuestion(); // "anything else?" is known already
  draft.stock('nowTo', { a: labelOf(meaning, draft.language) });
  perform(draft, certainly(next.id, meaning), wordsOf(next.utterance));
}

/** A flow that needs one identifier and changes nothing: a bare number is enough to begin it. */
function onlyLooksUp(draft: TurnDraft, flow: FlowDefinition): boolean {
  const [slot, ...others] = flow.slots.filter((one) => !draft.agent.owned.has(one));
  const identifies = slot?.type === 'digits' || slot?.type === 'phone';
  return (
    identifies &&
    others.length === 0 &&
    flow.confirm === undefined &&
    flow.actions.every(({ type }) => type === 'lookup')
  );
}

/** `and 4522?` after an order was tracked: the last flow again with the new value. */
export function followUp(draft: TurnDraft, words: readonly Word[]): boolean {
  const flow =
    draft.agent.flows.get(draft.state.lastFlow ?? '') ??
    [...draft.agent.flows.values()].find((one) => onlyLooksUp(draft, one));
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

/** Something else in the middle of a question. */
export function digress(draft: TurnDraft, guesses: readonly Guess[], words: readonly Word[], text: string): boolean {
  const needed = ({ meaning }: Guess): number => {
    if (words.length > 2) return NEARNESS.digression;
    return meaning.kind === 'intent' ? NEARNESS.surelyElse : NEARNESS.clearlyElse; // a short answer is an answer
  };
  const top = guesses.find((guess) => guess.score >= needed(guess));
  const isOwn = top?.meaning.kind === 'intent' && top.meaning.intent.flow === draft.state.flow;
  // Something like the wish that is being served is no news: ask again, more helpfully.
  if (isOwn && draft.state.flow !== undefined && top.score < NEARNESS.again) return false;
  if (top && lookedUp(draft, top)) return true;
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

export function choose(draft: TurnDraft, options: readonly Guess[], utterance: string): void {
  const ids = options.map((option) => option.id);
  draft.wait({ kind: 'choose', options: ids, utterance: utterance.slice(0, MAX_UTTERANCE_CHARS) });
  questionOf(draft);
}
