import type { CalendarDay } from '../../../language/calendar/calendar.ts';
import { isFiller, isWeak } from '../../../language/lexicon/lexicon.ts';
import { type Span, without } from '../../../language/phrases/phrases-in.ts';
import { asksAt } from '../../../language/values/side-talk.ts';
import { readSlots } from '../../../language/values/slot-filling.ts';
import type { Word } from '../../../language/words.ts';
import type { CompiledAgent, Guess } from '../compiled-agent.ts';

/** How near to the undertaking the other words must be, and by how much nearer than to the next: what is offered speaks for it, too. */
const BESIDE_SCORE = 0.35;
const BESIDE_LEAD = 0.1;
const MEANT_SCORE = 0.8;

/**
 * `the lamp you sent is dead, I want my money back`: what a question of an undertaking offers is wished for, and the other words
 * mean that undertaking. The offer alone, or in a question, is about something else.
 *
 * @param refused - values that are refused.
 */
export function offeredIn(
  agent: CompiledAgent,
  words: readonly Word[],
  refused: readonly Span[],
  today: CalendarDay,
  guess: (words: readonly Word[]) => readonly Guess[],
): Guess | undefined {
  if (words.some((_, at) => asksAt(words, at))) return undefined;
  for (const flow of agent.flows.values()) {
    const slots = flow.slots.filter(({ type, choices }) => type === 'yesno' && choices !== undefined);
    const { values, rest } = readSlots(without(words, refused), slots, today);
    if (Object.keys(values).length === 0 || rest.every(({ text }) => isWeak(text) || isFiller(text))) continue;
    const [top, next] = guess(rest);
    if (top?.meaning.kind !== 'intent' || top.meaning.intent.flow !== flow.name) continue;
    if (top.score < BESIDE_SCORE || top.score - (next?.score ?? 0) < BESIDE_LEAD) continue;
    return { ...top, score: Math.max(top.score, MEANT_SCORE) };
  }
  return undefined;
}
