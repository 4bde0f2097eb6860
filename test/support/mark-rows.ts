import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What is measured for a row, and between which bounds it must lie, both included. */
export interface MarkFigure {
  readonly what: string; // with its unit
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** One threat (T) or fault (F), and what a gateway must keep to under it. */
export interface MarkRow {
  readonly row: string;
  readonly about: string;
  readonly requires: string;
  readonly tests: readonly string[]; // below `test`, without their ending
  readonly figures: Readonly<Record<string, MarkFigure>>;
}

/** What a run of `npm run test:hostile` has found, one JSON object a line. */
export const MEASURED_FILE = fileURLToPath(new URL('../../.cache/marks.jsonl', import.meta.url));

export interface Measured {
  readonly row: string;
  readonly figure: string;
  readonly value: number | null; // null: no number at all
  readonly of?: string; // the case, where there are several
  readonly load: number; // of the machine, as it was
}

/** Every row, in the order in which they are told. */
export const MARK_ROWS = JSON.parse(
  readFileSync(new URL('../hostile/marks.json', import.meta.url), 'utf8'),
) as readonly MarkRow[];

/** The test files that prove them. */
export const MARK_FILES: readonly string[] = [...new Set(MARK_ROWS.flatMap(({ tests }) => tests))].map(
  (name) => `test/${name}.test.ts`,
);

/** The row that a test is for: its name, or that of what it is in, starts with it. */
export const rowOfTest = (fullName: string): string | undefined => /(?:^|> )([TF]\d+): /.exec(fullName)?.[1];

export function keepsTo({ atLeast = -Infinity, atMost = Infinity }: MarkFigure, value: number): boolean {
  return value >= atLeast && value <= atMost;
}
