import type { Language, SlotDefinition } from '../../core/agent.ts';
import type { CalendarDay } from '../calendar/calendar.ts';
import type { Word } from '../words.ts';

/** What a slot holds: the canonical value (for tools and tables) and how it is said in each language. */
export interface SlotValue {
  /** ISO date, `HH:MM`, digits, `yes`/`no`, the choice's value, or the text. */
  readonly value: string;
  readonly say: { readonly [L in Language]: string };
}

export interface SlotContext {
  readonly today: CalendarDay;
  readonly definition: SlotDefinition;
  /** The slot was just asked for: a bare `four` may be a time. Otherwise only what is unmistakable is taken. */
  readonly asked: boolean;
  /** What the slot holds now, where it holds something. */
  readonly held?: SlotValue;
  /** What was read from the same sentence before, and may be what the next one is told from. */
  readonly passed?: SlotValue;
}

/** A value and the words it was read from: `start` inclusive, `end` exclusive. */
export interface Found {
  readonly value: SlotValue;
  readonly start: number;
  readonly end: number;
  /** By words that are only like its own. */
  readonly isLike?: boolean;
}

/** Reads one type of slot from the words of an utterance; undefined when it is not there. Pure, never throws. */
export type SlotParser = (words: readonly Word[], context: SlotContext) => Found | undefined;

export function same(text: string): SlotValue['say'] {
  return { ar: text, en: text };
}
