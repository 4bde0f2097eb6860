import { Select } from '@mantine/core';
import { useId } from 'react';
import { type FieldPath, isTree, valueAt } from '../../../../config/agent-text/yaml-document.ts';
import { useCanChange, useDraft, useEditing, useField } from '../editor/draft-context.ts';
import { useWords } from '../editor/words.ts';
import { Frame } from './frame.tsx';
import { asText, type FieldProps } from './simple.tsx';

/** The name of something that this agent has; one that it has not stays, and is said to be wrong beside it. */
export function Reference({ field, path }: FieldProps<'reference'>) {
  const { store } = useEditing();
  const words = useWords();
  const canChange = useCanChange();
  const definition = useDraft(store, (state) => state.value);
  const [value, set] = useField(path);
  const id = useId();
  const names = namesOf(definition, field.to, path);
  const own = asText(value);
  return (
    <Frame path={path} label={words.label(field)} hint={words.hint(field)} inputId={id}>
      <Select
        id={id}
        data={own === '' || names.includes(own) ? names : [...names, own]}
        value={own === '' ? null : own}
        onChange={(next) => set(next ?? undefined)}
        clearable={field.to === 'flows'}
        readOnly={!canChange}
        maw={360}
        comboboxProps={{ withinPortal: true }}
      />
    </Frame>
  );
}

function namesOf(definition: unknown, to: 'flows' | 'tables' | 'slots', path: FieldPath): string[] {
  if (to === 'tables') return Object.keys((valueAt(definition, ['tables']) as object | undefined) ?? {});
  const flows = valueAt(definition, ['flows']);
  const all: readonly unknown[] = Array.isArray(flows) ? flows : [];
  if (to === 'flows') return all.flatMap(nameOf);
  // Of the flow that the action ends; the action of a wish may use what any flow has asked for.
  const near = path[0] === 'flows' ? [all[Number(path[1])]] : all;
  return [
    ...new Set(
      near.flatMap((flow) => (valueAt(flow, ['slots']) as readonly unknown[] | undefined) ?? []).flatMap(nameOf),
    ),
  ];
}

const nameOf = (one: unknown): string[] => (isTree(one) && typeof one['name'] === 'string' ? [one['name']] : []);
