import type { CompiledAgent, Guess } from './compiled-agent.ts';
import { isPleasantry, surenessOf } from './sureness.ts';

/**
 * How near a meaning must be for what, on the scale of `IntentMatcher` (1: an example itself). Chosen on
 * `test/engines/reply/fixtures`.
 */
export const NEARNESS = {
  /** What is farther off is nothing, however far the next one is. */
  least: 0.25,
  /** Near enough that a runner-up as near must be asked about. */
  accept: 0.46,
  /** Greetings, thanks and the like. */
  smallTalk: 0.48,
  /** In the middle of a question something else must be clearer to be heard as something else. */
  digression: 0.5,
  /** An answer with a date in it is still a question when its other words say so. */
  questionToo: 0.5,
  /** A free answer is one unless it is clearly another wish. */
  clearlyElse: 0.66,
  /** `any day` is no question when one's appointment is. */
  surelyElse: 0.8,
  /** Danger to somebody is left to an answer of the author's only where it is about just that. */
  justThat: 0.83,
  /** A question this clear is answered before values in it are looked for. */
  clearQuestion: 0.62,
  /** Each of two wishes in one sentence. */
  eachOfTwo: 0.5,
  /** Each of two undertakings that nothing else tells apart but that both are wished for. */
  apart: 0.6,
  /** Nearer to each other than this is as near. */
  tie: 0.05,
  /** The wish that is being served, said once more. */
  again: 0.74,
  /** Nothing ends a call by mistake. */
  goodbye: 0.64,
  /** Beyond this the runner-up does not matter. */
  certain: 0.9,
} as const;
/**
 * Sure enough to act, and to ask back, of `surenessOf`. At `SURE` of the sentences of a set that was left out of the fit three
 * in a hundred were wrong; below `MAYBE` most are for nobody.
 */
export const SURE = 0.78;
const MAYBE = 0.4;
/** Two meanings nearer than this to each other are asked back. */
const MARGIN = 0.04;
/** Where a window of a sentence means one thing and the whole of it another by so much, the whole counts too. */
const WHOLE_LEAD = 0.3;
/** What is farther off than this from the nearest is not asked about. */
const MAYBE_MARGIN = 0.25;

/** What to do with what was heard: one thing, ask which of one or two, or nothing was understood. */
export type Decision =
  | { readonly kind: 'take'; readonly guess: Guess }
  | { readonly kind: 'ask'; readonly options: readonly Guess[] }
  | { readonly kind: 'nothing' };

/**
 * What may be meant where nothing is pending: there is nothing to leave, small talk must be clear, and a greeting
 * before a wish is only a greeting.
 */
export function openGuesses(guesses: readonly Guess[]): Guess[] {
  const left = guesses.filter(({ id, score, meaning }) => {
    if (id === 'stock:goodbye') return score >= NEARNESS.goodbye;
    return id !== 'stock:cancel' && (meaning.kind !== 'stock' || score >= NEARNESS.smallTalk);
  });
  const wish = left.find(({ meaning, score }) => meaning.kind !== 'stock' && score >= NEARNESS.accept);
  if (wish) return left.filter((guess) => !isPleasantry(guess) || isAllOfIt(guess, wish));
  // `hello, how are you` is asked something.
  const asked = left[0]?.id === 'stock:hello' ? left.find(({ id }) => id === 'stock:how-are-you') : undefined;
  return asked ? [asked, ...left.filter((guess) => guess !== asked)] : left;
}

/** `thank you` alone is like the end of many wishes, and thanks; a greeting before a wish does not read like a greeting. */
function isAllOfIt(pleasantry: Guess, wish: Guess): boolean {
  return pleasantry.score >= NEARNESS.certain && pleasantry.whole - wish.whole >= WHOLE_LEAD;
}

/** What a value said along with a wish adds to the wishes that need one. */
const VALUE_BONUS = 0.06;
const MATCHED = new Set<string>(['date', 'time']);

/** A wish said with a number is likelier one that needs a number: those flows come nearer. A date is matched as a word. */
export function withValues(agent: CompiledAgent, guesses: readonly Guess[], types: readonly string[]): Guess[] {
  const bonus = ({ meaning }: Guess): number => {
    const flow = meaning.kind === 'intent' ? agent.flows.get(meaning.intent.flow ?? '') : undefined;
    return VALUE_BONUS * (flow?.slots.filter(({ type }) => !MATCHED.has(type) && types.includes(type)).length ?? 0);
  };
  return guesses
    .map((guess) => ({ ...guess, score: Math.min(1, guess.score + bonus(guess)) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** @param guesses - by falling score. @param trusted - whether the recogniser was sure of the words. */
export function decide(guesses: readonly Guess[], trusted: boolean): Decision {
  const [top, second] = guesses;
  const sureness = surenessOf(guesses);
  if (!top || top.score < NEARNESS.least || sureness < MAYBE) return { kind: 'nothing' };
  const isSmall = top.meaning.kind === 'stock';
  const isNear = second && second.meaning.kind !== 'stock' && top.score - second.score < MARGIN;
  const isDouble = !isSmall && isNear && second.score >= NEARNESS.accept && top.score < NEARNESS.certain;
  const other = guesses.find((guess) => guess.meaning.kind === 'intent' && guess.whole - top.whole >= WHOLE_LEAD);
  if (sureness >= SURE && other && top.meaning.kind === 'intent' && top.score < NEARNESS.certain)
    return ask([top, other]);
  if (sureness >= SURE && !isDouble) return trusted || isSmall ? { kind: 'take', guess: top } : ask([top]);
  const maybe = guesses.filter(({ meaning, score }) => meaning.kind !== 'stock' && score >= NEARNESS.least);
  const near = maybe.filter(({ score, meaning }) => {
    return maybe[0]!.score - score < MAYBE_MARGIN && meaning.kind === maybe[0]!.meaning.kind;
  });
  return ask(near.slice(0, 2)); // two wishes or two questions: one of each cannot be said in one sentence
}

function ask(options: readonly Guess[]): Decision {
  return options.length > 0 ? { kind: 'ask', options } : { kind: 'nothing' };
}
