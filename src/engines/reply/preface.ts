import type { SlotDefinition } from '../../core/agent.ts';
import { PREFACES } from './acts/cues.ts';
import { firstPhrase, phraseTable, type Span, without } from './acts/phrases-in.ts';
import type { CompiledAgent } from './compiled-agent.ts';
import type { Word } from './fold.ts';
import { namedUntil } from './slot-names.ts';
import { NEARNESS } from './understanding.ts';

const PREFACE = phraseTable(PREFACES);
/** Words before it: `okay wait, before ...`. */
const MAX_BEFORE = 3;
/** Words up to the name of what is asked for: `before I give you the number`. */
const MAX_REACH = 5;

/** `before I tell you the day, is there parking`: the question without what it is put before, which is no answer either. */
export function withoutPreface(agent: CompiledAgent, words: readonly Word[], slot: SlotDefinition): readonly Word[] {
  const preface = prefaceIn(words, slot);
  const after = words.slice(preface?.end).map(({ text }) => text);
  const [top] = preface && after.length > 1 ? agent.guess(after) : [];
  const asks = top?.meaning.kind === 'knowledge' && top.score >= NEARNESS.questionToo;
  return preface && asks ? without(words, [preface]) : words;
}

function prefaceIn(words: readonly Word[], slot: SlotDefinition): Span | undefined {
  const begins = firstPhrase(words, PREFACE);
  if (!begins || begins.start > MAX_BEFORE) return undefined;
  for (let at = begins.end; at <= begins.end + MAX_REACH; at += 1) {
    const end = namedUntil(words, at, slot);
    if (end !== undefined) return { start: begins.start, end };
  }
  return undefined;
}
