import type { Localized } from './agent.ts';

/** A value with the words it rests on: of which turn, by its index in the call. */
export interface AnalysedField {
  readonly name: string;
  readonly label?: Localized;
  readonly value: string;
  readonly turn: number;
  readonly words: string;
}

/** What was made of a call that is over; personal data, and erased with it. */
export interface CallAnalysis {
  readonly outcome: string;
  readonly label?: Localized; // of the outcome
  readonly summary?: string;
  readonly fields: readonly AnalysedField[];
  /** `dialogue`: by what was done in it. Else the engine that has read it. */
  readonly by: string;
}

/** `pending`: somebody has still to look at it. */
export type AnalysisState = 'pending' | 'ready';
