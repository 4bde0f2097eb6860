import type { Quantity } from './token.ts';

/** What was read after (or before) a number, and where it ends. */
export interface Suffix {
  readonly of: Quantity;
  readonly end: number;
}
