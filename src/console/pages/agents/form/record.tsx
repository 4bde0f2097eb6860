import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { isTree } from '../../../../config/agent-text/yaml-document.ts';
import { useCanChange, useField } from '../editor/draft-context.ts';
import { useTyped } from '../editor/use-typed.ts';
import { useWords } from '../editor/words.ts';
import { freeName } from '../model/starts.ts';
import classes from './form.module.css';
import { Frame } from './frame.tsx';
import { asText, type FieldProps } from './simple.tsx';

/** Names, each with a text. */
export function NamesWithTexts({ field, path }: FieldProps<'record'>) {
  const { t } = useTranslation('agents');
  const words = useWords();
  const canChange = useCanChange();
  const [value, set] = useField(path);
  const entries = Object.entries(isTree(value) ? value : {});
  const change = (next: readonly (readonly [string, unknown])[]) =>
    set(next.length > 0 ? Object.fromEntries(next) : undefined);
  const names = entries.map(([name]) => name);
  return (
    <Frame path={path} label={words.label(field)} hint={words.hint(field)}>
      <Stack gap="xs" mt={4}>
        {entries.map(([name, text], index) => (
          <Entry
            // biome-ignore lint/suspicious/noArrayIndexKey: the name itself is edited
            key={index}
            name={name}
            text={asText(text)}
            canChange={canChange}
            onChange={(newName, newText) => {
              const isTaken = newName === '' || (newName !== name && names.includes(newName));
              change(entries.map((one, at) => (at === index ? [isTaken ? name : newName, newText] : one)));
            }}
            onRemove={() => change(entries.filter((_one, at) => at !== index))}
          />
        ))}
        {canChange && (
          <Group>
            <Button
              variant="light"
              size="xs"
              leftSection={<IconPlus size={14} />}
              onClick={() => change([...entries, [freeName('name', names).replace('-', '_'), '']])}
            >
              {t('add.record')}
            </Button>
          </Group>
        )}
      </Stack>
    </Frame>
  );
}

interface EntryProps {
  readonly name: string;
  readonly text: string;
  readonly canChange: boolean;
  onChange(name: string, text: string): void;
  onRemove(): void;
}

function Entry({ name, text, canChange, onChange, onRemove }: EntryProps) {
  const { t } = useTranslation('agents');
  const typedName = useTyped(name, (next) => onChange(next, text));
  const typedText = useTyped(text, (next) => onChange(name, next));
  return (
    <Group gap="xs" wrap="nowrap">
      <TextInput
        value={typedName.value}
        onChange={(event) => typedName.onChange(event.currentTarget.value)}
        onBlur={typedName.onBlur}
        readOnly={!canChange}
        aria-label={t('record.name')}
        dir="ltr"
        w={180}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <TextInput
        className={classes['grow']}
        value={typedText.value}
        onChange={(event) => typedText.onChange(event.currentTarget.value)}
        onBlur={typedText.onBlur}
        readOnly={!canChange}
        aria-label={t('record.text', { name })}
        dir="auto"
      />
      {canChange && (
        <ActionIcon variant="subtle" color="gray" onClick={onRemove} aria-label={t('record.remove', { name })}>
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </Group>
  );
}
