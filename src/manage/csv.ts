/** The largest table that is sent at once. */
export const CSV_ROWS_MAX = 50_000;
export const CSV_TYPE = 'text/csv; charset=utf-8';

/** What a cell may be. */
export type CsvCell = string | number | boolean | null | undefined;

/** A spreadsheet takes a text that begins so, blanks or not, for a formula, and runs it; a number is none, `+966501234567` neither. */
const FORMULA = /^\s*[=+\-@|%]|^[\t\r\n]/;
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** One line of a table (RFC 4180); texts that a spreadsheet would run are marked as texts. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value: CsvCell): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  const safe = FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Spreadsheets read UTF-8 where it is marked. */
export const CSV_START = '\uFEFF';

/**
 * A table, piece by piece: as much as fits into memory is one page.
 *
 * @param pageAfter - the rows that follow on the last one of the page before; none at the end.
 */
export async function* csvTable<R>(
  columns: readonly string[],
  pageAfter: (last: R | undefined) => Promise<readonly R[]>,
  lineOf: (row: R) => readonly CsvCell[],
): AsyncGenerator<string> {
  yield CSV_START + csvLine(columns);
  let last: R | undefined;
  for (let sent = 0; sent < CSV_ROWS_MAX; ) {
    const rows = (await pageAfter(last)).slice(0, CSV_ROWS_MAX - sent);
    if (rows.length === 0) return;
    yield rows.map((row) => csvLine(lineOf(row))).join('');
    sent += rows.length;
    last = rows.at(-1);
  }
}
