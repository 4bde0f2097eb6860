import type { SlotDefinition } from '../../core/agent.ts';
import { isWeak } from '../../language/lexicon/lexicon.ts';
import { digitRuns } from '../../language/number-words.ts';
import { markedWhen, readSlots } from '../../language/values/slot-filling.ts';
import type { Word } from '../../language/words.ts';
import { askedFor } from './acts/asked-for.ts';
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
  const less = isLess ? agent.guess(markedWhen(words, rest), without) : whole;
  const guesses = withValues(agent, less, types);
  const left = types.length > 0 ? guesses.filter(({ id }) => !NEEDS_NO_VALUE.has(id)) : guesses; // "and what about 4522?"
  return without === undefined ? left : withAskedFor(agent, left, words);
}

/** What is asked for by its own verb is meant, whatever other undertaking the rest of the sentence is like; not of a thing that is for no agent. */
function withAskedFor(agent: CompiledAgent, guesses: Guess[], words: readonly Word[]): Guess[] {
  const asked = askedFor(agent, words);
  const [top] = guesses;
  const own = guesses.find(({ id }) => id === asked?.id);
  const isQuestion = top?.meaning.kind === 'knowledge' && top.score >= NEARNESS.clearQuestion;
  if (!asked || !own || own.score < NEARNESS.least || isQuestion) return guesses;
  if (own.other >= FOR_NOBODY && isForNobody(agent, words.slice(asked.at))) return guesses;
  const others = guesses.filter(({ meaning }) => meaning.kind !== 'intent' || meaning.intent.flow === undefined);
  return [certainly(own.id, own.meaning), ...others];
}

/** `احجز فندق في مكة`: read from the verb on, whatever was said to somebody in the room before it. */
function isForNobody(agent: CompiledAgent, clause: readonly Word[]): boolean {
  return (agent.guess(clause.map(({ text }) => text))[0]?.other ?? 1) >= FOR_NOBODY;
}
const FOR_NOBODY = 0.9;
