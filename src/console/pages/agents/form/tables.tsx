import { ActionIcon, Button, Group, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { IconColumnInsertRight, IconPlus, IconRowInsertBottom, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type FieldPath, isTree } from '../../../../config/agent-text/yaml-document.ts';
import { useCanChange, useField } from '../editor/draft-context.ts';
import { useTyped } from '../editor/use-typed.ts';
import { useWords } from '../editor/words.ts';
import { freeName } from '../model/starts.ts';
import { addColumn, addRow, columnsOf, type Rows, renameColumn, rowsOf, setCell } from '../model/table-rows.ts';
import classes from './form.module.css';
import { Frame } from './frame.tsx';
import { asText, type FieldProps } from './simple.tsx';

/** Rows that actions look up, as grids. */
export function Tables({ field, path }: FieldProps<'tables'>) {
  const { t } = useTranslation('agents');
  const words = useWords();
  const canChange = useCanChange();
  const [value, set] = useField(path);
  const tables = isTree(value) ? value : {};
  const names = Object.keys(tables);
  const rename = (from: string, to: string) => {
    if (to === '' || names.includes(to)) return;
    set(Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name === from ? to : name, rows])));
  };
  const add = () => set({ ...tables, [freeName('rows', names).replace('-', '_')]: [{ key: '', text: '' }] });
  return (
    <Frame path={path} label={words.label(field)} hint={words.hint(field)} isNamed>
      <Stack gap="lg" mt={4}>
        {names.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the name itself is edited
          <Table key={index} path={[...path, name]} name={name} onRename={(to) => rename(name, to)} />
        ))}
        {names.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('empty.tables')}
          </Text>
        )}
        {canChange && (
          <Group>
            <Button variant="light" size="xs" leftSection={<IconPlus size={14} />} onClick={add}>
              {t('add.table')}
            </Button>
          </Group>
        )}
      </Stack>
    </Frame>
  );
}

function Table({ path, name, onRename }: { path: FieldPath; name: string; onRename: (to: string) => void }) {
  const { t } = useTranslation('agents');
  const canChange = useCanChange();
  const [value, set] = useField(path);
  const rows = rowsOf(value);
  const columns = columnsOf(rows);
  const typedName = useTyped(name, onRename);
  const change = (next: Rows) => set(next);
  return (
    <Frame path={path} label={t('table.title', { name })} isNamed>
      <Stack gap="xs">
        <Group gap="xs">
          <TextInput
            size="xs"
            value={typedName.value}
            onChange={(event) => typedName.onChange(event.currentTarget.value)}
            onBlur={typedName.onBlur}
            readOnly={!canChange}
            aria-label={t('table.name')}
            dir="ltr"
            w={200}
          />
          {canChange && (
            <>
              <Button
                variant="default"
                size="xs"
                leftSection={<IconRowInsertBottom size={14} />}
                onClick={() => change(addRow(rows))}
              >
                {t('table.addRow')}
              </Button>
              <Button
                variant="default"
                size="xs"
                leftSection={<IconColumnInsertRight size={14} />}
                onClick={() => change(addColumn(rows))}
              >
                {t('table.addColumn')}
              </Button>
              <Button variant="subtle" color="gray" size="xs" onClick={() => set(undefined)}>
                {t('table.remove')}
              </Button>
            </>
          )}
        </Group>
        <ScrollArea type="auto" offsetScrollbars="x">
          <table className={classes['grid']} aria-label={name}>
            <thead>
              <tr>
                {columns.map((column, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the name itself is edited
                  <th key={index} scope="col">
                    <Cell
                      value={column}
                      name={t('table.column', { name: column })}
                      isCode
                      onChange={(to) => change(renameColumn(rows, column, to))}
                    />
                  </th>
                ))}
                {canChange && <td aria-hidden />}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
                <tr key={index}>
                  {columns.map((column) => (
                    <td key={column}>
                      <Cell
                        value={asText(row[column])}
                        name={t('table.cell', { row: index + 1, column })}
                        onChange={(text) => change(setCell(rows, index, column, text))}
                      />
                    </td>
                  ))}
                  {canChange && (
                    <td>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        onClick={() => change(rows.filter((_row, at) => at !== index))}
                        aria-label={t('table.removeRow', { row: index + 1 })}
                        disabled={rows.length === 1}
                      >
                        <IconTrash size={14} />
                      </ActionIcon>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      </Stack>
    </Frame>
  );
}

interface CellProps {
  readonly value: string;
  readonly name: string;
  readonly isCode?: true;
  onChange(text: string): void;
}

function Cell({ value, name, isCode, onChange }: CellProps) {
  const canChange = useCanChange();
  const typed = useTyped(value, onChange);
  return (
    <input
      value={typed.value}
      onChange={(event) => typed.onChange(event.currentTarget.value)}
      onBlur={typed.onBlur}
      readOnly={!canChange}
      aria-label={name}
      dir={isCode ? 'ltr' : 'auto'}
    />
  );
}
