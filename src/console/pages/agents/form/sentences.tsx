import { Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isTree, valueAt } from '../../../../config/agent-text/yaml-document.ts';
import { useDraft, useEditing, useField } from '../editor/draft-context.ts';
import { useWords } from '../editor/words.ts';
import { Frame } from './frame.tsx';
import type { FieldProps } from './simple.tsx';
import { PhrasesBox } from './spoken.tsx';

/** More sentences of callers by what they mean: one meaning at a time, for there may be thousands. */
export function Sentences({ field, path }: FieldProps<'sentences'>) {
  const { t } = useTranslation('agents');
  const { store, language } = useEditing();
  const words = useWords();
  const definition = useDraft(store, (state) => state.value);
  const [value] = useField(path);
  const known = isTree(value) ? value : {};
  const meanings = [...new Set([...meaningsOf(definition), ...Object.keys(known)])];
  const [chosen, setChosen] = useState<string>();
  const meaning = chosen !== undefined && meanings.includes(chosen) ? chosen : meanings[0];
  const count = (one: string): number => (Array.isArray(known[one]) ? (known[one] as unknown[]).length : 0);
  const all = Object.keys(known).reduce((sum, one) => sum + count(one), 0);
  return (
    <Frame
      path={path}
      label={words.label(field)}
      hint={words.hint(field)}
      aside={
        <Text size="xs" c="dimmed" className="figures">
          {t('lines', { count: all })}
        </Text>
      }
    >
      {meaning !== undefined && (
        <Stack gap="xs" mt={4}>
          <Select
            aria-label={t('meaning')}
            data={meanings.map((one) => ({ value: one, label: `${one} (${count(one)})` }))}
            value={meaning}
            onChange={(next) => setChosen(next ?? undefined)}
            allowDeselect={false}
            searchable
            maw={420}
            comboboxProps={{ withinPortal: true }}
          />
          <PhrasesBox
            key={meaning}
            path={[...path, meaning]}
            language={language}
            isMarked={false}
            name={`${words.label(field)}: ${meaning}`}
          />
        </Stack>
      )}
    </Frame>
  );
}

/** What a sentence may mean: a wish, a question by its first wording, a complaint, or nothing of this line. */
function meaningsOf(definition: unknown): string[] {
  const list = (name: string): readonly unknown[] => {
    const found = valueAt(definition, [name]);
    return Array.isArray(found) ? found : [];
  };
  const texts = [
    ...list('intents').map((one) => valueAt(one, ['name'])),
    ...list('knowledge').map((one) => valueAt(one, ['question', 'en', 0]) ?? valueAt(one, ['question', 'ar', 0])),
  ];
  return [...texts.filter((one): one is string => typeof one === 'string' && one !== ''), 'complaint', 'other'];
}
