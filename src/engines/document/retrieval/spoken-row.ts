import { cellsOf } from '../extract/csv.ts';

/** Of Markdown, sheets, and of the readers of HTML and Word. */
const SEPARATORS = ['|', '\t', '  ', ';', ','] as const;

/**
 * A row of a table as it is said, each cell after the name of its column: `Shop: Parcels a month 100, Price a month 1,700 riyals`.
 * Of two columns the second stands by itself where it has words: `Cleaning: 300 riyals`.
 *
 * @param header - the row that names the columns; without it, or with another number of cells, they follow each other.
 */
export function spokenRow(row: string, header: string | undefined): string {
  const cells = cellsIn(row, header);
  const [name = '', ...values] = cells;
  if (values.length === 0) return name;
  const names = header === undefined ? [] : cellsIn(header, row);
  const isNamed = names.length === cells.length;
  const needsName = cells.length > 2 || !/\p{L}/u.test(values[0]!);
  const said = values.flatMap((value, at) => {
    if (value === '') return [];
    return isNamed && needsName ? `${names[at + 1]!} ${value}`.trim() : value;
  });
  return name === '' ? said.join(', ') : `${name}: ${said.join(', ')}`;
}

/** Cells by the separator that parts the row and, where there is one, the other row in the same way. */
function cellsIn(row: string, other: string | undefined): readonly string[] {
  const ways = SEPARATORS.map((separator) => ({
    own: cells(row, separator),
    others: other === undefined ? undefined : cells(other, separator),
  })).filter(({ own }) => own.length > 1);
  const alike = ways.find(({ own, others }) => own.length === others?.length);
  return (alike ?? ways[0])?.own ?? [row.trim()];
}

function cells(row: string, separator: string): readonly string[] {
  const plain = row.trim();
  const inner = separator === '|' ? plain.replace(/^\||\|$/g, '') : plain;
  const parts = separator === '  ' ? inner.split(/ {2,}/) : cellsOf(inner, separator);
  return parts.map((cell) => cell.replace(/\s+/g, ' ').trim());
}
