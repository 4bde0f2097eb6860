import { isTree } from '../../../../config/agent-text/yaml-document.ts';
import { freeName } from './starts.ts';

/** Rows of a table of an agent: cells by the name of their column. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** What of a value is rows. Pure, like all of these. */
export const rowsOf = (value: unknown): Rows => (Array.isArray(value) ? value.filter(isTree) : []);

/** Every column that a row has, in the order in which they come. */
export const columnsOf = (rows: Rows): readonly string[] => [...new Set(rows.flatMap((row) => Object.keys(row)))];

export const addRow = (rows: Rows): Rows => [
  ...rows,
  Object.fromEntries(columnsOf(rows).map((column) => [column, ''])),
];

export function addColumn(rows: Rows): Rows {
  const name = freeName('column', columnsOf(rows)).replace('-', '_');
  return rows.map((row) => ({ ...row, [name]: '' }));
}

/** A column without a name is gone; a name that another one has is not taken. */
export function renameColumn(rows: Rows, from: string, to: string): Rows {
  const name = to.trim();
  if (columnsOf(rows).includes(name)) return rows;
  if (name === '' && columnsOf(rows).length === 1) return rows;
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([column, cell]) =>
        column !== from ? [[column, cell]] : name === '' ? [] : [[name, cell]],
      ),
    ),
  );
}

export const setCell = (rows: Rows, index: number, column: string, text: string): Rows =>
  rows.map((row, at) => (at === index ? { ...row, [column]: text } : row));
