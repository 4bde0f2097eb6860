import { Button, Center, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Pages } from '../api/hooks.ts';
import classes from './data-table.module.css';
import { Failed, Loading } from './states.tsx';

export interface Column<T> {
  readonly name: string;
  readonly cell: (row: T) => ReactNode;
  /** Figures: at the end of their column. */
  readonly isFigure?: boolean;
  /** Left out where the page is narrow. */
  readonly isExtra?: boolean;
  /** Its head is for screen readers only: buttons of a row. */
  readonly isBare?: boolean;
}

interface Props<T> {
  /** Of what, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly onPick?: (row: T) => void;
}

/** Rows below each other. A row that can be opened has a link or button in its first cell as well: `onPick` is for mice. */
export function DataTable<T>({ label, columns, rows, keyOf, onPick }: Props<T>) {
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table aria-label={label} className={classes['table']}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ name, isFigure, isExtra, isBare }) => (
              <Table.Th key={name} data-figure={isFigure} className={isExtra ? classes['extra'] : undefined}>
                <span className={isBare ? classes['bare'] : undefined}>{name}</span>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr
              key={keyOf(row)}
              onClick={onPick && (() => onPick(row))}
              data-picks={onPick !== undefined || undefined}
            >
              {columns.map(({ name, cell, isFigure, isExtra }) => (
                <Table.Td key={name} data-figure={isFigure} className={isExtra ? classes['extra'] : undefined}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface PagedProps<T> extends Omit<Props<T>, 'rows'> {
  readonly pages: Pages<T>;
  readonly empty: ReactNode;
}

/** A list that comes page by page: while it comes, when it is empty, when it cannot be had. */
export function PagedTable<T>({ pages, empty, ...table }: PagedProps<T>) {
  const { t } = useTranslation();
  if (pages.items === undefined) return pages.error ? <Failed error={pages.error} again={pages.again} /> : <Loading />;
  if (pages.items.length === 0) return empty;
  return (
    <>
      <DataTable {...table} rows={pages.items} />
      {pages.hasMore && (
        <Center mt="sm">
          <Button variant="subtle" loading={pages.isLoadingMore} onClick={pages.more}>
            {t('more')}
          </Button>
        </Center>
      )}
    </>
  );
}
