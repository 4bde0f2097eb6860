import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { FieldPath } from '../../../../config/agent-text/yaml-document.ts';
import { useCanChange, useEditing, useField } from '../editor/draft-context.ts';
import { useWords } from '../editor/words.ts';
import { SHAPES } from '../model/fields.ts';
import { asType, newItem } from '../model/starts.ts';
import classes from './form.module.css';
import { Frame } from './frame.tsx';
import { Inner } from './inner.tsx';
import { Choice, type FieldProps } from './simple.tsx';

/** Something that is done, or nothing. */
export function Action({ field, path }: FieldProps<'action'>) {
  const { t } = useTranslation('agents');
  const { language } = useEditing();
  const words = useWords();
  const canChange = useCanChange();
  const [value, set] = useField(path);
  const hasAction = value !== undefined && value !== null;
  return (
    <Frame path={path} label={words.label(field)} hint={words.hint(field)}>
      {hasAction && (
        <div className={classes['boxed']}>
          <Inner fields={SHAPES[field.shape].fields} at={path} />
        </div>
      )}
      {canChange && (
        <Group mt={4}>
          <Button
            variant={hasAction ? 'subtle' : 'light'}
            color={hasAction ? 'gray' : undefined}
            size="xs"
            leftSection={hasAction ? undefined : <IconPlus size={14} />}
            onClick={() => set(hasAction ? undefined : newItem(SHAPES[field.shape], language, []))}
          >
            {hasAction ? t('action.remove') : t('add.action')}
          </Button>
        </Group>
      )}
    </Frame>
  );
}

/** The type of an action: the fields of another type take the place of its own. */
export function ActionType({ field, path }: FieldProps<'choice'>) {
  const { language } = useEditing();
  const [action, set] = useField(path.slice(0, -1) as FieldPath);
  return <Choice field={field} path={path} onPick={(type) => set(asType(action, type, language))} />;
}

/** Fields under a heading. */
export function Subsection({ field }: FieldProps<'group'>) {
  const words = useWords();
  return (
    <Stack gap="md" className={classes['boxed']} role="group" aria-label={words.label(field)}>
      <div>
        <Text fw={600}>{words.label(field)}</Text>
        <Text size="xs" c="dimmed">
          {words.hint(field)}
        </Text>
      </div>
      <Inner fields={field.fields} at={[]} />
    </Stack>
  );
}
