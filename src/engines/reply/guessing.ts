import type { SlotDefinition } from '../../core/agent.ts';
import { isFiller, isWeak } from '../../language/lexicon/lexicon.ts';
import { digitRuns } from '../../language/number-words.ts';
import { without } from '../../language/phrases/phrases-in.ts';
import { markedWhen, readSlots } from '../../language/values/slot-filling.ts';
import type { Word } from '../../language/words.ts';
import { askedFor } from './acts/asked-for.ts';
import { otherTimeIn } from './acts/other-time.ts';
import { refusedIn } from './acts/refused.ts';
import { type CompiledAgent, certainly, type Guess } from './compiled-agent.ts';
import type { TurnDraft } from './turn-draft.ts';
import { NEARNESS, withValues } from './understanding.ts';

const VALUES: readonly SlotDefinition[] = (['date', 'time', 'phone', 'name'] as const).map((type) => ({
  name: type,
  type,
  prompts: {},
}));

function contentWithout(words: readonly Word[], rest: readonly Word[]): string[] {
  return rest.some(({ text }) => !isWeak(text)) ? markedWhen(words, rest) : words.map((word) => word.text);
}

/** The words that tell what is wanted: those of dates, times and names say only when or who. */
export function contentOf(draft: TurnDraft, words: readonly Word[]): string[] {
  return contentWithout(words, readSlots(words, VALUES, draft.setting.today).rest);
}

/** What nobody says along with a value. */
const NEEDS_NO_VALUE = new Set(['stock:repeat', 'stock:wait']);

/**
 * What may be meant: by the words without values, or by all of them where they are an example (`good afternoon`).
 * Where nothing is pending there is nothing to leave.
 */
export function guessesFor(draft: TurnDraft, words: readonly Word[]): Guess[] {
  const isOpen = draft.state.pending.kind === 'open' && draft.state.flow === undefined;
  const rest = isOpen ? withoutDeclined(draft, words) : words;
  const beside = rest.length < words.length ? guessesOf(draft, rest, isOpen) : [];
  return beside[0]?.meaning.kind === 'intent' ? beside : guessesOf(draft, words, isOpen);
}

/** `I don't want my money back, I want a lamp that lights up`: of two that are offered, the one that is refused says nothing of what is wished for. */
function withoutDeclined({ agent, setting }: TurnDraft, words: readonly Word[]): readonly Word[] {
  const offers = agent.slots.filter(({ type, choices }) => type === 'yesno' && choices !== undefined);
  const rest = offers.length > 0 ? without(words, refusedIn(offers, words, setting.today)) : words;
  return rest.some(({ text }) => !isWeak(text) && !isFiller(text)) ? rest : words;
}

function guessesOf({ agent, setting }: TurnDraft, words: readonly Word[], isOpen: boolean): Guess[] {
  const absent = isOpen ? 'stock:cancel' : undefined;
  const { rest, values } = readSlots(words, VALUES, setting.today);
  const all = words.map((word) => word.text);
  const types = [
    ...Object.keys(values),
    ...(digitRuns(all).some(({ digits }) => digits.length >= 3) ? ['digits'] : []),
  ];
  const whole = agent.guess(all, absent);
  if ((whole[0]?.score ?? 0) >= NEARNESS.clearQuestion && whole[0]?.meaning.kind === 'stock') return whole;
  const isLess = rest.length < words.length && rest.some(({ text }) => !isWeak(text));
  const less = isLess ? agent.guess(markedWhen(words, rest), absent) : whole;
  const guesses = withValues(agent, less, types);
  const left = types.length > 0 ? guesses.filter(({ id }) => !NEEDS_NO_VALUE.has(id)) : guesses; // "and what about 4522?"
  return absent === undefined ? left : withAskedFor(agent, left, words);
}

/** What is asked for by its own verb is meant, whatever other undertaking the rest of the sentence is like; not of a thing that is for no agent. */
function withAskedFor(agent: CompiledAgent, guesses: Guess[], words: readonly Word[]): Guess[] {
  const verb = askedFor(agent, words);
  const id = verb?.id ?? otherTimeIn(agent, words);
  const [top] = guesses;
  const own = guesses.find((guess) => guess.id === id);
  const isQuestion = top?.meaning.kind === 'knowledge' && top.score >= NEARNESS.clearQuestion;
  if (!own || own.score < NEARNESS.least || isQuestion) return guesses;
  if (own.other >= FOR_NOBODY && isForNobody(agent, words.slice(verb?.at ?? 0))) return guesses;
  const others = guesses.filter(({ meaning }) => meaning.kind !== 'intent' || meaning.intent.flow === undefined);
  const meant = certainly(own.id, own.meaning);
  return [verb ? meant : { ...meant, score: TIMED }, ...others];
}

/** `احجز فندق في مكة`: read from the verb on, whatever was said to somebody in the room before it. */
function isForNobody(agent: CompiledAgent, clause: readonly Word[]): boolean {
  return (agent.guess(clause.map(({ text }) => text))[0]?.other ?? 1) >= FOR_NOBODY;
}
const FOR_NOBODY = 0.9;
/** Near enough to be done. */
const TIMED = 0.85;
