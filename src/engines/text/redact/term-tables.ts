import { everyListOf } from '../../../language/lists.ts';
import { KIND_NAMES, type Kind } from './kinds.ts';

/**
 * Words of sensitive data. `always`: say so wherever they stand; `person`: only in a sentence about somebody;
 * `never`: words that look like the others. `after`: a statement that the next words complete (من قبيلة …), how many is the number.
 */
export interface TermRow {
  readonly kind: Kind;
  readonly when: (typeof WHEN)[number];
  readonly phrases: readonly string[];
  /** Words after the phrase that belong to it. */
  readonly after?: number;
}

const WHEN = ['always', 'person', 'never'] as const;

/** The list `kind/when` or `kind/when/after`. */
function rowOf([name, phrases]: readonly [name: string, phrases: readonly string[]]): TermRow {
  const [kind, when, after] = name.split('/');
  const known = KIND_NAMES.find((one) => one === kind);
  const told = WHEN.find((one) => one === when);
  if (!known || !told) throw new Error(`no kind of sensitive data: ${name}`);
  return { kind: known, when: told, phrases, ...(after && { after: Number(after) }) };
}

export const TERM_ROWS: readonly TermRow[] = everyListOf('engines/text/redact/data/term-tables.tsv').map(rowOf);
