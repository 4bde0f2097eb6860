import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isTree, valueAt } from '../../../../config/agent-text/yaml-document.ts';
import { useCanChange, useDraft, useEditing, useField } from '../editor/draft-context.ts';
import { useWords } from '../editor/words.ts';
import { OWNER_FIELDS } from '../model/fields.ts';
import { columnsOf, rowsOf } from '../model/table-rows.ts';
import classes from './form.module.css';
import { Frame } from './frame.tsx';
import { Inner } from './inner.tsx';
import type { FieldProps } from './simple.tsx';

/** By table: what a caller must know, beside the key, of a row that is read out or changed. */
export function Owners({ field, path }: FieldProps<'owners'>) {
  const { t } = useTranslation('agents');
  const { store, language } = useEditing();
  const words = useWords();
  const canChange = useCanChange();
  const [value, set] = useField(path);
  const tables = useDraft(store, (state) => state.value['tables']);
  const owners = isTree(value) ? value : {};
  const free = Object.keys(isTree(tables) ? tables : {}).filter((name) => !Object.hasOwn(owners, name));
  const start = (table: string) => {
    const columns = columnsOf(rowsOf(valueAt(tables, [table])));
    const column = columns.find((name) => /name|patient|customer/.test(name)) ?? columns.at(-1) ?? 'name';
    return { column, type: 'name', prompts: { [language]: [''] } };
  };
  return (
    <Frame path={path} label={words.label(field)} hint={words.hint(field)}>
      <Stack gap="md" mt={4}>
        {Object.keys(owners).map((table) => (
          <Stack key={table} gap="sm" className={classes['boxed']} role="group" aria-label={table}>
            <Group justify="space-between">
              <Text fw={600} size="sm" dir="ltr">
                {table}
              </Text>
              {canChange && (
                <Button
                  variant="subtle"
                  color="gray"
                  size="xs"
                  onClick={() => {
                    const { [table]: _gone, ...rest } = owners;
                    set(Object.keys(rest).length > 0 ? rest : undefined);
                  }}
                >
                  {t('owners.remove')}
                </Button>
              )}
            </Group>
            <Inner fields={OWNER_FIELDS} at={[...path, table]} />
          </Stack>
        ))}
        {canChange && free.length > 0 && (
          <Group gap="xs">
            {free.map((table) => (
              <Button key={table} variant="light" size="xs" onClick={() => set({ ...owners, [table]: start(table) })}>
                {t('owners.add', { table })}
              </Button>
            ))}
          </Group>
        )}
        {Object.keys(owners).length + free.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('empty.owners')}
          </Text>
        )}
      </Stack>
    </Frame>
  );
}
