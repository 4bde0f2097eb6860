import { LEAVINGS, WISH_OPENERS } from '../../../language/phrases/cues.ts';
import { phraseAt, phraseTable, type Span, withoutPhrases } from '../../../language/phrases/phrases-in.ts';
import { MAX_NEGATIONS, NEGATES, scopeOf } from '../../../language/phrases/scope.ts';
import { type Word, wordsOf } from '../../../language/words.ts';
import type { CompiledAgent } from '../compiled-agent.ts';
import { operationOf } from './operation.ts';

const OPENS = phraseTable(WISH_OPENERS);
/** Turn away from something, and name no undertaking by themselves. */
const TURNS = phraseTable(`${LEAVINGS}|غيرت رايي|غيرنا رايينا`);
/** Before a verb: it is not wished for, or not yet: `كنت ابغى احجز`, `قبل لا تحجزين`. */
const NOT_MEANT = new Set(['كنت', 'كنا', 'قبل', 'ولا', 'لا', 'لو', 'اذا', 'فكرت', 'ليش', 'كيف', 'ناوي', 'ناويه']);
/** Who asks first wishes for nothing yet. */
const ASKS = /^[وف]?[ابن]س[اأ]ل/;
const MAX_BEFORE = 3;
const MIN_ROOT = 2;

/** An Arabic imperative, to whoever answers: `احجزي`, `الغوا`, `احجزولي`; and the first person, which is one behind `ابغى` only. */
const IMPERATIVE = /^[وف]?ا(?!ل[^غق]|ن[^ق]).*(?:ي|وا|و|لي|لنا|[^اوي])(?:ه|ها|هم)?$/;
const WEAK = /[اويىءأإآؤئ]/g;
const AFFIXES = /^[وف]|^ال(?=...)|(?:لي|لنا|وا|ون|ين|ه|ها|هم)$/g;

/** The letters that a verb and its noun share: `حجز` of `احجزي`, `لغ` of `الغاء` and `الغوه`. */
function rootOf(word: string): string {
  return word
    .replace(AFFIXES, '')
    .replace(WEAK, '')
    .replace(/^[تنب](?=..)/, '');
}

/**
 * The undertaking that a sentence asks for by its own verb, said to whoever answers: `احجزي لي`, `ابغى الغي`; the label of the wish
 * names it (`حجز موعد`). Undefined where none is, more than one is, or the verb is denied or taken back.
 */
export function askedFor(agent: CompiledAgent, words: readonly Word[]): string | undefined {
  const names = namesOf(agent);
  const negations = negationsIn(words);
  const rest = withoutPhrases(words, TURNS);
  const found = new Set(
    words.flatMap(({ text }, at) => {
      const id = names.get(rootOf(text));
      return id !== undefined && isAsked(words, at, negations) ? [id] : [];
    }),
  );
  const [id] = found;
  const isOther = rest.some(({ text }) => (operationOf(agent, text) ?? id) !== id);
  return found.size === 1 && !isOther ? id : undefined;
}

/** Of the labels' first words those that tell no undertaking wherever they stand: `حجز` is also what is moved and cancelled. */
function namesOf(agent: CompiledAgent): ReadonlyMap<string, string> {
  const named = (agent.definition.intents ?? []).flatMap(({ name, flow, label }) => {
    const word = wordsOf(label?.ar ?? '')[0]?.text ?? '';
    const root = rootOf(word);
    const isPlain = operationOf(agent, word) !== undefined;
    return flow !== undefined && !isPlain && root.length >= MIN_ROOT ? [[root, `intent:${name}`] as const] : [];
  });
  return new Map(named);
}

function isAsked(words: readonly Word[], at: number, negations: readonly Span[]): boolean {
  const { text } = words[at]!;
  const opened = [1, 2, MAX_BEFORE].some((count) => phraseAt(words, at - count, OPENS)?.end === at);
  if (!/[؀-ۿ]/.test(text) || !(opened ? /^[وف]?[اتن]/ : IMPERATIVE).test(text)) return false;
  if (words.slice(Math.max(0, at - MAX_BEFORE), at).some((word) => NOT_MEANT.has(word.text))) return false;
  if (words.slice(at + 1).some((word) => ASKS.test(word.text))) return false; // ابي احجز لا لا خليني اسال اول
  const root = rootOf(text);
  return !negations.some(
    (one) =>
      (one.start < at && one.end > at) || words.slice(one.start, one.end).some((word) => rootOf(word.text) === root),
  );
}

function negationsIn(words: readonly Word[]): Span[] {
  const found: Span[] = [];
  for (let at = 0; at < words.length && found.length < MAX_NEGATIONS; at += 1) {
    const negation = phraseAt(words, at, NEGATES);
    if (negation) found.push(scopeOf(words, negation));
  }
  return found;
}
