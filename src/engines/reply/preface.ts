import type { SlotDefinition } from '../../core/agent.ts';
import { PREFACES, QUESTION_OPENERS } from './acts/cues.ts';
import { firstPhrase, phraseAt, phraseTable, type Span, without } from './acts/phrases-in.ts';
import type { CompiledAgent } from './compiled-agent.ts';
import type { Word } from './fold.ts';
import { termsOf } from './lexicon.ts';
import { namedUntil } from './slot-names.ts';
import { asksAt } from './slots/side-talk.ts';
import { NEARNESS } from './understanding.ts';

const PREFACE = phraseTable(PREFACES);
const QUESTION = phraseTable(QUESTION_OPENERS);
/** Words before it: `okay wait, before ...`. */
const MAX_BEFORE = 3;
/** Words up to the name of what is asked for, or to be done: `before I give you the number`. */
const MAX_REACH = 5;

/** `before I tell you the day, is there parking`: the question without what it is put before, which is no answer either. */
export function withoutPreface(
  agent: CompiledAgent,
  words: readonly Word[],
  slot: SlotDefinition | undefined,
): readonly Word[] {
  const preface = prefaceIn(agent, words, slot);
  const after = words.slice(preface?.end).map(({ text }) => text);
  const [top] = preface && after.length > 1 ? agent.guess(after) : [];
  const asks = top?.meaning.kind === 'knowledge' && top.score >= NEARNESS.questionToo;
  return preface && asks ? without(words, [preface]) : words;
}

function prefaceIn(agent: CompiledAgent, words: readonly Word[], slot: SlotDefinition | undefined): Span | undefined {
  const begins = firstPhrase(words, PREFACE);
  if (!begins || begins.start > (slot ? MAX_BEFORE : 0)) return undefined; // a yes stays one with a condition
  for (let at = begins.end; at <= begins.end + MAX_REACH && at < words.length; at += 1) {
    const isDoing = termsOf([words[at]!.text]).some(({ key }) => agent.operations.has(key)); // before you cancel it
    const named = isDoing ? at + 1 : slot && namedUntil(words, at, slot);
    const end = phraseAt(words, at, QUESTION) || (at > begins.end && asksAt(words, at)) ? at : named;
    if (end !== undefined) return { start: begins.start, end };
  }
  return undefined;
}
