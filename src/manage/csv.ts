/** What a cell may be. */
export type CsvCell = string | number | null;

/** A spreadsheet takes a text that begins so for a formula, and runs it. */
const FORMULA = /^[=+\-@\t\r]/;

/** One line of a table (RFC 4180); texts that a spreadsheet would run are marked as texts. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheets read UTF-8 where it is marked. */
export const CSV_START = '\uFEFF';
