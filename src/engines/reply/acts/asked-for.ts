import { LEAVINGS } from '../../../language/phrases/cues.ts';
import { phraseTable, type Span, withoutPhrases } from '../../../language/phrases/phrases-in.ts';
import { negationsIn } from '../../../language/phrases/scope.ts';
import type { Word } from '../../../language/words.ts';
import type { CompiledAgent } from '../compiled-agent.ts';
import { rootOf } from '../operations.ts';
import { operationOf } from './operation.ts';
import { wishBefore } from './wish-before.ts';

/** Turn away from something, and name no undertaking by themselves. */
const TURNS = phraseTable(`${LEAVINGS}|غيرت رايي|غيرنا رايينا`);
/** Before a verb: it is not wished for, or not yet: `كنت ابغى احجز`, `قبل لا تحجزين`. */
const NOT_MEANT = new Set(['كنت', 'كنا', 'قبل', 'ولا', 'لا', 'لو', 'اذا', 'فكرت', 'ليش', 'كيف', 'ناوي', 'ناويه']);
/** Who asks first wishes for nothing yet. */
const ASKS = /^[وف]?[ابن]س[اأ]ل/;
const MAX_BEFORE = 3;

/** An Arabic imperative, to whoever answers: `احجزي`, `الغوا`, `احجزولي`; and the first person, which is one behind `ابغى` only. */
export const IMPERATIVE = /^[وف]?ا(?!ل[^غق]|ن[^ق]).*(?:ي|وا|و|لي|لنا|[^اوي])(?:ه|ها|هم)?$/;
/**
 * The undertaking that a sentence asks for by its own verb, said to whoever answers: `احجزي لي`, `ابغى الغي`; the label of the wish
 * names it (`حجز موعد`). Where it is said last. Undefined where none is, more than one is, or the verb is denied or taken back.
 */
export function askedFor(
  agent: CompiledAgent,
  words: readonly Word[],
): { readonly id: string; readonly at: number } | undefined {
  const negations = negationsIn(words);
  const rest = withoutPhrases(words, TURNS);
  const found = words.flatMap(({ text }, at) => {
    const id = agent.nouns.get(rootOf(text));
    return id !== undefined && isAsked(words, at, negations) ? [{ id, at }] : [];
  });
  const last = found.at(-1);
  const isOther = (id: string | undefined): boolean => id !== undefined && id !== last?.id;
  if (found.some(({ id }) => isOther(id)) || rest.some(({ text }) => isOther(operationOf(agent, text))))
    return undefined;
  return last;
}

/** An undertaking, told to do by its own verb: `الغي`, `احجزوا`. */
export function isImperative(agent: CompiledAgent, word: string): boolean {
  const isNamed = agent.nouns.has(rootOf(word)) || operationOf(agent, word) !== undefined;
  return isNamed && IMPERATIVE.test(word) && !TOLD.test(word);
}
const TOLD = /(?:ت|توا|تو|تم|نا)(?:ه|ها)?$/;

function isAsked(words: readonly Word[], at: number, negations: readonly Span[]): boolean {
  const { text } = words[at]!;
  const opened = wishBefore(words, at, MAX_BEFORE)?.end === at;
  if (!/[؀-ۿ]/.test(text) || !(opened ? /^[وف]?[اتن]/ : IMPERATIVE).test(text)) return false;
  if (words.slice(Math.max(0, at - MAX_BEFORE), at).some((word) => NOT_MEANT.has(word.text))) return false;
  if (words.slice(at + 1).some((word) => ASKS.test(word.text))) return false; // ابي احجز لا لا خليني اسال اول
  const root = rootOf(text);
  return !negations.some(
    (one) =>
      (one.start < at && one.end > at) || words.slice(one.start, one.end).some((word) => rootOf(word.text) === root),
  );
}
