import { expect } from 'vitest';

/** As much of what went wrong as one line of the list takes. */
const REASON_CHARS_MAX = 400;

/**
 * Judges every row of a labelled set within one test: a set of thousands is one line of a report, and each row that fails is
 * listed with its label and what it gave.
 */
export function expectEveryRow<Row>(
  rows: readonly Row[],
  labelOf: (row: Row) => string,
  judge: (row: Row) => void,
): void {
  expect(rows.length).toBeGreaterThan(0);
  const failures = rows.flatMap((row) => {
    try {
      judge(row);
      return [];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return [`${labelOf(row)}\n      ${reason.replace(/\s+/g, ' ').slice(0, REASON_CHARS_MAX)}`];
    }
  });
  if (failures.length > 0) expect.fail(`${failures.length} of ${rows.length} rows:\n  - ${failures.join('\n  - ')}`);
}

/** The rows by what they have in common, in the order of the set: a table for `it.each`. */
export function rowsBy<Row>(
  rows: readonly Row[],
  classOf: (row: Row) => string,
): readonly { readonly name: string; readonly rows: readonly Row[] }[] {
  const classes = new Map<string, Row[]>();
  for (const row of rows) {
    const own = classes.get(classOf(row));
    if (own) own.push(row);
    else classes.set(classOf(row), [row]);
  }
  return [...classes].map(([name, own]) => ({ name, rows: own }));
}
