import { fold } from '../../../language/fold.ts';
import { listsOf } from '../../../language/lists.ts';
import { BUTS, INTENTIONS, LEAVINGS } from '../../../language/phrases/cues.ts';
import { firstPhrase, phraseAt, phraseTable, type Span } from '../../../language/phrases/phrases-in.ts';
import { asksAt } from '../../../language/values/side-talk.ts';
import { BARE_NO } from '../../../language/values/yesno.ts';
import type { Word } from '../../../language/words.ts';
import type { CompiledAgent, Guess } from '../compiled-agent.ts';
import type { Forbidden } from './forbidden.ts';
import { operationOf } from './operation.ts';

const list = listsOf('engines/reply/acts/data/given-up.tsv');

const INTENDED = phraseTable(INTENTIONS);
const BUT = phraseTable(BUTS);
const LEAVING = phraseTable(LEAVINGS);
/** `كنت بألغي`: behind it a verb that was about to be done, of the one who speaks. `كنت ابغى احجز` is only a polite wish. */
const WAS = 'كنت';
const ABOUT_TO =
  /^(?:ب[ا-ي]{3,}|ا(?!بي|بغي|بغا|ريد|تمن)[ا-ي]{3,}|ناوي|ناويه|رايح|رايحه|جاي|جايه|عايز|عايزه|عاوز|عاوزه|حاب|حابه)$/;
/** `بس لا تلغي حوله`: the verb that is denied is not what is said instead. */
const DENIED_VERB = /^[تين].{2}/;
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
  const dropped = droppedIn(words);
  if (dropped) return dropped;
  const was = words.findIndex(({ text }, at) => text === WAS && ABOUT_TO.test(words[at + 1]?.text ?? ''));
  const opener = was < 0 ? firstPhrase(words, INTENDED) : { start: was, end: was + 1 };
  const turn = opener && firstPhrase(words, BUT, opener.end + (was < 0 ? LEAST_WORDS : 1)); // كنت بالغي is one word
  if (!turn) return undefined;
  const left = phraseAt(words, turn.end, LEAVING)?.end ?? turn.end; // `but forget it`
  const no = words.findLastIndex(({ text }, at) => at >= left && at < words.length - LEAST_WORDS && BARE_NO.has(text));
  const dont = words.findIndex((_, at) => at >= left && deniesAlone(words, at));
  const denied = words[no]?.text === 'لا' && DENIED_VERB.test(words[no + 1]?.text ?? '') ? no + 2 : no + 1;
  const end = Math.max(left, denied, dont + 1); // `but my wife says no just send it`
  return words.length - end >= LEAST_WORDS ? { start: opener.start, end } : undefined;
}

/** `but actually don't, just send it there`: what was intended is denied, and what is to be done begins behind it. */
function deniesAlone(words: readonly Word[], at: number): boolean {
  return DONT.has(words[at]!.text) && BEGINS.has(words[at + 1]?.text ?? '');
}
const DONT = new Set(['dont', 'not']);
const BEGINS = new Set(list('begins'));

/** `forget the new time, just send it to my office`: a thing that is dropped, up to the clause that tells what is wanted. */
function droppedIn(words: readonly Word[]): Span | undefined {
  const drop = firstPhrase(words, DROPS);
  if (!drop || drop.start > MAX_BEFORE_DROP) return undefined;
  const from = drop.end + LEAST_DROPPED;
  const turn = words.findIndex(({ text }, at) => at >= from && TURNS.has(text));
  return turn > 0 && words.length - turn > LEAST_WORDS ? { start: drop.start, end: turn } : undefined;
}
const DROPS = phraseTable(list('drops').join('|'));
const TURNS = new Set(list('turns').map((word) => fold(word)));
const MAX_BEFORE_DROP = 3;
const LEAST_DROPPED = 1;

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
  const said = words.slice(span.start, span.end);
  const named = said.map(({ text }) => operationOf(agent, text)).find((id) => id !== undefined);
  const intended = guess(said).find(({ id }) => id === named) ?? wish(said); // its verb, whatever the reason is like
  const instead = wish(rest);
  if (!intended || !instead || instead.id === intended.id || instead.score < OTHER_SCORE) return [];
  const isSaid = rest.some(({ text }, at) => operationOf(agent, text) === instead.id || asksAt(rest, at));
  return isSaid || instead.score >= CLEAR_SCORE ? [{ id: intended.id, sure: false, span }] : [];
}
