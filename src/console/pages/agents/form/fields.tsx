import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FieldPath } from '../../../../config/agent-text/yaml-document.ts';
import { otherThan, useEditing, useField } from '../editor/draft-context.ts';
import type { Field } from '../model/fields.ts';
import { isShown } from '../model/starts.ts';
import { Action, ActionType, Subsection } from './action.tsx';
import type { FieldsProps } from './inner.tsx';
import { List } from './list.tsx';
import { Owners } from './owners.tsx';
import { NamesWithTexts } from './record.tsx';
import { Reference } from './reference.tsx';
import { Sentences } from './sentences.tsx';
import { Area, Choice, Days, Figure, Line, Lines, Toggle } from './simple.tsx';
import { Phrases, Spoken } from './spoken.tsx';
import { Tables } from './tables.tsx';
import { SpokenLanguage, VoiceChoice } from './voice.tsx';

/** The fields of a thing, those that it has beside what else it is. */
export function Fields({ fields, at }: FieldsProps) {
  const { language } = useEditing();
  const [thing] = useField(at);
  return (
    <Stack gap="lg">
      {fields
        .filter((field) => isShown(field, thing))
        .map((field) => {
          const steps = field.path.map((step) => (step === 'OTHER' ? otherThan(language) : step));
          return <OneField key={field.id} field={field} path={[...at, ...steps]} />;
        })}
    </Stack>
  );
}

function OneField({ field, path }: { field: Field; path: FieldPath }): ReactNode {
  switch (field.kind) {
    case 'line':
      return <Line {...{ field, path }} />;
    case 'area':
      return <Area {...{ field, path }} />;
    case 'choice':
      return field.id === 'action.type' ? <ActionType {...{ field, path }} /> : <Choice {...{ field, path }} />;
    case 'switch':
      return <Toggle {...{ field, path }} />;
    case 'number':
      return <Figure {...{ field, path }} />;
    case 'spoken':
      return <Spoken {...{ field, path }} />;
    case 'phrases':
      return <Phrases {...{ field, path }} />;
    case 'lines':
      return <Lines {...{ field, path }} />;
    case 'days':
      return <Days {...{ field, path }} />;
    case 'voice':
      return <VoiceChoice {...{ field, path }} />;
    case 'language':
      return <SpokenLanguage {...{ field, path }} />;
    case 'reference':
      return <Reference {...{ field, path }} />;
    case 'list':
      return <List {...{ field, path }} />;
    case 'group':
      return <Subsection field={field} path={path} />;
    case 'action':
      return <Action {...{ field, path }} />;
    case 'record':
      return <NamesWithTexts {...{ field, path }} />;
    case 'sentences':
      return <Sentences {...{ field, path }} />;
    case 'tables':
      return <Tables {...{ field, path }} />;
    case 'owners':
      return <Owners {...{ field, path }} />;
  }
}
