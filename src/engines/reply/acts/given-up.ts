import { BUTS, INTENTIONS, LEAVINGS } from '../../../language/phrases/cues.ts';
import { firstPhrase, phraseAt, phraseTable, type Span } from '../../../language/phrases/phrases-in.ts';
import { asksAt } from '../../../language/values/side-talk.ts';
import type { Word } from '../../../language/words.ts';
import type { CompiledAgent, Guess } from '../compiled-agent.ts';
import type { Forbidden } from './forbidden.ts';
import { operationOf } from './operation.ts';

const INTENDED = phraseTable(INTENTIONS);
const BUT = phraseTable(BUTS);
const LEAVING = phraseTable(LEAVINGS);
/** `كنت بألغي`: behind it a verb that was about to be done, of the one who speaks. `كنت ابغى احجز` is only a polite wish. */
const WAS = 'كنت';
const ABOUT_TO =
  /^(?:ب[ا-ي]{3,}|ا(?!بي|بغي|بغا|ريد|تمن)[ا-ي]{3,}|ناوي|ناويه|رايح|رايحه|جاي|جايه|عايز|عايزه|عاوز|عاوزه|حاب|حابه)$/;
const NO = new Set(['no', 'nope', 'nah']);
/** An intention has something to intend, and what is said instead has words to say it. */
const LEAST_WORDS = 2;
/**
 * What is said behind the `but` must be near to another wish, name it by its verb, or ask; else it tells more of the same:
 * `but I could not find the link`.
 */
const OTHER_SCORE = 0.3;
const CLEAR_SCORE = 0.5;

/** `I was going to cancel but ...`, `كنت بألغيه بس ...`: where it is said, up to the `but`. */
function intendedIn(words: readonly Word[]): Span | undefined {
  const was = words.findIndex(({ text }, at) => text === WAS && ABOUT_TO.test(words[at + 1]?.text ?? ''));
  const opener = was < 0 ? firstPhrase(words, INTENDED) : { start: was, end: was + 1 };
  const turn = opener && firstPhrase(words, BUT, opener.end + LEAST_WORDS);
  if (!turn) return undefined;
  const left = phraseAt(words, turn.end, LEAVING)?.end ?? turn.end; // `but forget it`
  const no = words.findLastIndex(({ text }, at) => at >= left && at < words.length - LEAST_WORDS && NO.has(text));
  const end = Math.max(left, no + 1); // `but my wife says no just send it`
  return words.length - end >= LEAST_WORDS ? { start: opener.start, end } : undefined;
}

/**
 * What a caller had in mind and gave up for something else in the same breath: nobody wishes for it any more, though it was named in
 * so many words.
 *
 * @param guess - what words may mean in this state of the dialogue, best first.
 */
export function givenUpIn(
  agent: CompiledAgent,
  words: readonly Word[],
  guess: (words: readonly Word[]) => readonly Guess[],
): Forbidden[] {
  const span = intendedIn(words);
  if (!span) return [];
  const rest = words.slice(span.end);
  const wish = (from: readonly Word[]): Guess | undefined =>
    guess(from).find(({ meaning }) => meaning.kind !== 'stock');
  const [intended, instead] = [wish(words.slice(span.start, span.end)), wish(rest)];
  if (!intended || !instead || instead.id === intended.id || instead.score < OTHER_SCORE) return [];
  const isSaid = rest.some(({ text }, at) => operationOf(agent, text) === instead.id || asksAt(rest, at));
  return isSaid || instead.score >= CLEAR_SCORE ? [{ id: intended.id, sure: false, span }] : [];
}
