/** How commands speak: aligned for people, one JSON value for programs. Standard output carries the result only. */

export interface Output {
  readonly json: boolean;
  readonly color: boolean;
  write(text: string): void;
}

export function standardOutput(json: boolean): Output {
  return { json, color: !json && process.stdout.isTTY === true, write: (text) => void process.stdout.write(text) };
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;
export type Color = keyof typeof CODES;

export function paint(out: Output, color: Color, text: string): string {
  return out.color ? `\u001b[${CODES[color]}m${text}\u001b[0m` : text;
}

/** Visible columns of a text: wide and combining characters are rare enough in tables to count code points. */
const width = (text: string): number => [...text.replace(/\u001b\[\d+m/g, '')].length;

/** Our own colours stay; any other control character of a text could move the cursor, or say things in our name. */
const CONTROLS = /\u001b(?!\[(?:0|1|2|31|32|33)m)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g;
/** What others wrote, as it may be shown on a terminal: names, headers and the like come from whoever calls. */
export const harmless = (text: string): string => text.replace(CONTROLS, '\ufffd');

/** Rows under bold headings, columns aligned with two spaces between. An empty table says so. */
export function table(out: Output, headings: readonly string[], given: readonly (readonly string[])[]): void {
  const rows = given.map((row) => row.map(harmless));
  if (rows.length === 0) return out.write(`${paint(out, 'dim', 'nothing to show')}\n`);
  const widths = headings.map((heading, column) =>
    Math.max(width(heading), ...rows.map((row) => width(row[column] ?? ''))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === cells.length - 1 ? cell : cell + ' '.repeat(widths[column]! - width(cell))))
      .join('  ')
      .trimEnd();
  out.write(`${paint(out, 'bold', line(headings))}\n`);
  for (const row of rows) out.write(`${line(row)}\n`);
}

/** Named facts, one a line. */
export function facts(out: Output, entries: readonly (readonly [string, string])[]): void {
  const longest = Math.max(...entries.map(([name]) => width(name)));
  for (const [name, value] of entries) out.write(`${paint(out, 'bold', name.padEnd(longest))}  ${harmless(value)}\n`);
}

/** The whole answer as JSON where that was asked for, else `human` writes it. */
export function emit(out: Output, value: unknown, human: () => void): void {
  // JSON leaves these as they are, and some terminals obey them.
  const escaped = (letter: string): string => `\\u00${letter.charCodeAt(0).toString(16)}`;
  if (out.json) out.write(`${JSON.stringify(value).replace(/[\u007f-\u009f]/g, escaped)}\n`);
  else human();
}

/** As prices and credit are set: whole cents of whatever currency the operator sells in. */
export const money = (cents: number): string => `${cents} ${cents === 1 ? 'cent' : 'cents'}`;
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
