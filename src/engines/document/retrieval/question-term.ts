import type { WordForms } from './word-forms.ts';

/** A word of the question, and what it weighs. */
export interface QuestionTerm {
  readonly forms: WordForms;
  readonly raw: string;
  /** How much it matters before rarity is known: 1, less for words that stand in any question, more for names. */
  readonly prior: number;
  /** A name, number or foreign word: an answer about something else is no answer. */
  readonly required: boolean;
}
