import type { SlotDefinition } from '../../core/agent.ts';
import { termsOf } from '../../language/lexicon/lexicon.ts';
import { PREFACES, QUESTION_OPENERS } from '../../language/phrases/cues.ts';
import { firstPhrase, phraseAt, phraseTable, type Span, without } from '../../language/phrases/phrases-in.ts';
import { asksAt } from '../../language/values/side-talk.ts';
import type { Word } from '../../language/words.ts';
import type { CompiledAgent } from './compiled-agent.ts';
import { namedUntil } from './slot-names.ts';
import { NEARNESS } from './understanding.ts';

const PREFACE = phraseTable(PREFACES);
const QUESTION = phraseTable(QUESTION_OPENERS);
/** Words before it: `okay wait, before ...`. */
const MAX_BEFORE = 3;
/** Words up to the name of what is asked for, or to be done: `before I give you the number`. */
const MAX_REACH = 5;

/** `قبل لا تحجز`, `قبل ما تحجز`: the small word denies nothing, and what it would deny goes with it. */
const WRITTEN_BEFORE = new Set(['لا', 'ما']);

/** `before I tell you the day, is there parking`: the question without what it is put before, which is no answer either. */
export function withoutPreface(
  agent: CompiledAgent,
  words: readonly Word[],
  slot: SlotDefinition | undefined,
): readonly Word[] {
  const begins = firstPhrase(words, PREFACE);
  if (!begins || begins.start > (slot ? MAX_BEFORE : 0)) return words; // a yes stays one with a condition
  const asks = (end: number): boolean => {
    const after = words.slice(end).map(({ text }) => text);
    const [top] = after.length > 1 ? agent.guess(after) : [];
    return top?.meaning.kind === 'knowledge' && top.score >= NEARNESS.questionToo;
  };
  const named = endOf(agent, words, begins, slot);
  // What is asked about may stand before the word that asks: `before you book | braces, how much are they`.
  const first = begins.end + (WRITTEN_BEFORE.has(words[begins.end]?.text ?? '') ? 2 : 0);
  const last = Math.min(named ?? words.length, begins.end + MAX_REACH);
  const others = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
  const end = [...(named === undefined ? [] : [named]), ...others].find(asks);
  return end === undefined ? words : without(words, [{ start: begins.start, end }]);
}

/** Where what it is put before ends: with the name of what is asked for or done, or where a question begins. */
function endOf(
  agent: CompiledAgent,
  words: readonly Word[],
  begins: Span,
  slot: SlotDefinition | undefined,
): number | undefined {
  for (let at = begins.end; at <= begins.end + MAX_REACH && at < words.length; at += 1) {
    const isDoing = termsOf([words[at]!.text]).some(({ key }) => agent.operations.has(key)); // before you cancel it
    const named = isDoing ? at + 1 : slot && namedUntil(words, at, slot);
    const end = phraseAt(words, at, QUESTION) || (at > begins.end && asksAt(words, at)) ? at : named;
    if (end !== undefined) return end;
  }
  return undefined;
}
