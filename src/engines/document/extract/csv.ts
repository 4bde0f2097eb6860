import { LINE, type LinesBuilder } from '../document-lines.ts';
import { isQuestionLine } from './line-shapes.ts';

const SEPARATORS = [',', ';', '\t', '|'] as const;
const SAMPLED_LINES = 20;
const MAX_RECORD_CHARS = 16_384; // a quote that never ends must not swallow the file

/**
 * Comma, semicolon or tab separated values. Each record is a line as it stands in the file; the first one names the
 * columns when none of its cells is a number. A record with a question in it (FAQ sheet) is known by that question.
 */
export function readCsv(text: string, out: LinesBuilder): void {
  const separator = separatorOf(text);
  let first = true;
  for (const record of recordsOf(text)) {
    if (record.trim() === '') continue;
    if (first) {
      first = false;
      if (record.length <= MAX_RECORD_CHARS && isHeader(record, separator)) {
        out.add(oneLine(record), { flags: LINE.header });
        continue;
      }
    }
    out.add(oneLine(record), { flags: LINE.row });
  }
}

function oneLine(record: string): string {
  return record.replace(/\s*\n\s*/g, ' ');
}

/** Records; a line break inside quotes does not end one. */
function* recordsOf(text: string): Generator<string> {
  let start = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 0x22) quoted = !quoted;
    else if (code === 0x0a && (!quoted || i - start > MAX_RECORD_CHARS)) {
      yield text.slice(start, i);
      start = i + 1;
      quoted = false;
    }
  }
  yield text.slice(start);
}

export function separatorOf(text: string): string {
  const lines = text
    .split('\n', SAMPLED_LINES)
    .filter((line) => line.trim() !== '')
    .map((line) => line.slice(0, MAX_RECORD_CHARS));
  let best: string = ',';
  let most = 0;
  for (const separator of SEPARATORS) {
    const counts = lines.map((line) => cellsOf(line, separator).length);
    const columns = counts[0] ?? 1;
    // Lines that are cut by a line break inside quotes have fewer cells: most of them need to agree, not all.
    const alike = columns > 1 ? counts.filter((count) => count === columns).length : 0;
    if (alike * columns > most) {
      most = alike * columns;
      best = separator;
    }
  }
  return best;
}

/** The cells of one record, unquoted. */
export function cellsOf(record: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < record.length; i += 1) {
    const char = record[i]!;
    if (quoted) {
      if (char !== '"') cell += char;
      else if (record[i + 1] === '"') {
        cell += '"';
        i += 1;
      } else quoted = false;
    } else if (char === '"' && cell.trim() === '') {
      quoted = true;
      cell = '';
    } else if (char === separator) {
      cells.push(cell.trim());
      cell = '';
    } else cell += char;
  }
  cells.push(cell.trim());
  return cells;
}

function isHeader(record: string, separator: string): boolean {
  const cells = cellsOf(record, separator);
  return (
    cells.length > 1 &&
    cells.every((cell) => cell.length <= 60 && !/^[\d٠-٩.,%/-]+$/.test(cell) && !isQuestionLine(cell))
  );
}
