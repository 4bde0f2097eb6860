import { Chip, Group, NumberInput, Radio, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldPath } from '../../../../config/agent-text/yaml-document.ts';
import { useCanChange, useField } from '../editor/draft-context.ts';
import { useTyped } from '../editor/use-typed.ts';
import { useWords } from '../editor/words.ts';
import type { Field } from '../model/fields.ts';
import { Frame } from './frame.tsx';

export interface FieldProps<K extends Field['kind']> {
  readonly field: Extract<Field, { kind: K }>;
  readonly path: FieldPath;
}
/** As agent files name them. */
const WEEK_DAYS = ['sat', 'sun', 'mon', 'tue', 'wed', 'thu', 'fri'] as const;
const MONO = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };
export const asText = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
/** Text is a string; nothing of it is the end of the field. */
const orGone = (text: string): string | undefined => (text === '' ? undefined : text);

export function Line({ field, path }: FieldProps<'line'>) {
  const words = useWords();
  const canChange = useCanChange();
  const [value, set] = useField(path);
  const typed = useTyped(asText(value), (text) => set(orGone(text)));
  const id = useId();
  return (
    <Frame path={path} label={words.label(field)} hint={words.hint(field)} inputId={id}>
      <TextInput
        id={id}
        value={typed.value}
        onChange={(event) => typed.onChange(event.currentTarget.value)}
        onBlur={typed.onBlur}
        placeholder={field.example}
        readOnly={!canChange}
        dir={field.isCode ? 'ltr' : 'auto'}
        spellCheck={!field.isCode}
        styles={field.isCode ? MONO : undefined}
      />
    </Frame>
  );
}

export function Area({ field, path }: FieldProps<'area'>) {
  const words = useWords();
  const canChange = useCanChange();
  const [value, set] = useField(path);
  const typed = useTyped(asText(value), (text) => set(orGone(text)));
  const id = useId();
  return (
    <Frame path={path} label={words.label(field)} hint={words.hint(field)} inputId={id}>
      <Textarea
        id={id}
        value={typed.value}
        onChange={(event) => typed.onChange(event.currentTarget.value)}
        onBlur={typed.onBlur}
        readOnly={!canChange}
        autosize
        minRows={2}
        maxRows={10}
        dir="auto"
      />
    </Frame>
  );
}

/** Few words as radio buttons that say what each means, many as a list. */
export function Choice({ field, path, onPick }: FieldProps<'choice'> & { onPick?: (value: string) => void }) {
  const { t } = useTranslation('agents');
  const words = useWords();
  const canChange = useCanChange();
  const [value, set] = useField(path);
  const id = useId();
  const chosen = asText(value) || field.standard || '';
  const pick = (next: string) => (onPick ? onPick(next) : set(orGone(next)));
  const isNeeded =
    field.standard === undefined && ['slot.type', 'action.type', 'action.method', 'model'].includes(field.id);
  const values = isNeeded || field.standard !== undefined ? field.values : ['', ...field.values];
  const label = (one: string): string => (one === '' ? t('asConfigured') : words.value(field, one));
  if (values.length <= 4) {
    return (
      <Frame path={path} label={words.label(field)} hint={words.hint(field)}>
        <Radio.Group value={chosen} onChange={pick} aria-label={words.label(field)}>
          <Stack gap={6} mt={2}>
            {values.map((one) => (
              <Radio key={one} value={one} label={label(one)} size="sm" disabled={!canChange} />
            ))}
          </Stack>
        </Radio.Group>
      </Frame>
    );
  }
  return (
    <Frame path={path} label={words.label(field)} hint={words.hint(field)} inputId={id}>
      <Select
        id={id}
        data={values.map((one) => ({ value: one, label: label(one) }))}
        value={chosen}
        onChange={(next) => next !== null && pick(next)}
        allowDeselect={false}
        readOnly={!canChange}
        comboboxProps={{ withinPortal: true }}
      />
    </Frame>
  );
}

export function Toggle({ field, path }: FieldProps<'switch'>) {
  const words = useWords();
  const canChange = useCanChange();
  const [value, set] = useField(path);
  return (
    <Frame path={path} label={words.label(field)}>
      <Switch
        checked={value === true}
        onChange={(event) => set(event.currentTarget.checked || undefined)}
        disabled={!canChange}
        label={words.hint(field)}
        size="sm"
      />
    </Frame>
  );
}

export function Figure({ field, path }: FieldProps<'number'>) {
  const { t } = useTranslation('agents');
  const words = useWords();
  const canChange = useCanChange();
  const [value, set] = useField(path);
  const typed = useTyped(asText(value), (text) =>
    set(text === '' || Number.isNaN(Number(text)) ? undefined : Number(text)),
  );
  const id = useId();
  return (
    <Frame path={path} label={words.label(field)} hint={words.hint(field)} inputId={id}>
      <NumberInput
        id={id}
        value={typed.value}
        onChange={(next) => typed.onChange(String(next))}
        onBlur={typed.onBlur}
        min={field.min}
        max={field.max}
        step={field.step ?? 1}
        clampBehavior="none"
        allowDecimal={field.step !== undefined && field.step < 1}
        readOnly={!canChange}
        maw={220}
        suffix={field.unit && ` ${t(`units.${field.unit}`)}`}
      />
    </Frame>
  );
}

/** One text a line. */
export function Lines({ field, path }: FieldProps<'lines'>) {
  const words = useWords();
  const canChange = useCanChange();
  const [value, set] = useField(path);
  const typed = useTyped(linesIn(value), (text) => set(listOf(text)));
  const id = useId();
  return (
    <Frame path={path} label={words.label(field)} hint={words.hint(field)} inputId={id}>
      <Textarea
        id={id}
        value={typed.value}
        onChange={(event) => typed.onChange(event.currentTarget.value)}
        onBlur={typed.onBlur}
        placeholder={field.example}
        readOnly={!canChange}
        autosize
        minRows={2}
        maxRows={8}
        dir={field.isCode ? 'ltr' : 'auto'}
        styles={field.isCode ? MONO : undefined}
      />
    </Frame>
  );
}

export const linesIn = (value: unknown): string => (Array.isArray(value) ? value.map(asText).join('\n') : '');
export function listOf(text: string): readonly string[] | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length > 0 ? lines : undefined;
}

export function Days({ field, path }: FieldProps<'days'>) {
  const words = useWords();
  const canChange = useCanChange();
  const [value, set] = useField(path);
  const chosen = Array.isArray(value) ? value.map(asText) : [];
  return (
    <Frame path={path} label={words.label(field)} hint={words.hint(field)}>
      <Chip.Group
        multiple
        value={chosen}
        onChange={(next) => set(next.length > 0 ? WEEK_DAYS.filter((day) => next.includes(day)) : undefined)}
      >
        <Group gap={6}>
          {WEEK_DAYS.map((day) => (
            <Chip key={day} value={day} size="xs" disabled={!canChange}>
              {words.value(field, day)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Frame>
  );
}
