import { Autocomplete, Badge, Group, Select, Text } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../api/client.ts';
import { useAsk } from '../../../api/hooks.ts';
import { Failed } from '../../../parts/states.tsx';
import { useCanChange, useDraft, useEditing, useField } from '../editor/draft-context.ts';
import { useTyped } from '../editor/use-typed.ts';
import { useWords } from '../editor/words.ts';
import classes from './form.module.css';
import { Frame } from './frame.tsx';
import { PlayButton } from './listen.tsx';
import { asText, type FieldProps } from './simple.tsx';

type Voice = Answer<'listAgentVoices'>['items'][number];
/** Languages with a country that most agents speak; any other is typed. */
const LANGUAGES = ['ar-SA', 'ar-EG', 'ar-AE', 'ar-KW', 'en-US', 'en-GB', 'en-SA'];

/** A voice that speaks the language and the model of the agent, to be heard before it is taken. */
export function VoiceChoice({ field, path }: FieldProps<'voice'>) {
  const { t } = useTranslation('agents');
  const { store } = useEditing();
  const words = useWords();
  const canChange = useCanChange();
  const definition = useDraft(store, (state) => state.value);
  const [value, set] = useField(path);
  const asked = useAsk('listAgentVoices', {});
  const { language: own } = useEditing();
  const language = field.language === 'own' ? own : own === 'ar' ? 'en' : 'ar';
  const id = useId();
  const fits = (asked.data?.items ?? []).filter(
    (one) => one.language.startsWith(language) && one.models.includes(asText(definition['model'])),
  );
  const chosen = asText(value);
  const voice = asked.data?.items.find((one) => one.id === chosen);
  const items = voice === undefined || fits.includes(voice) ? fits : [voice, ...fits];
  const nameOf = ({ name, gender, dialect }: Voice): string =>
    [name, t(`gender.${gender}`), ...(dialect === '' || dialect === 'none' ? [] : [dialect])].join(' · ');
  const data = [
    ...items.map((one) => ({ value: one.id, label: nameOf(one) })),
    ...(chosen !== '' && voice === undefined ? [{ value: chosen, label: chosen }] : []),
  ];
  const { speed, pitch } = definition;
  const how = { ...(typeof speed === 'number' && { speed }), ...(typeof pitch === 'number' && { pitch }) };
  return (
    <Frame
      path={path}
      label={`${words.label(field)} (${t(`languages.${language}`)})`}
      hint={words.hint(field)}
      inputId={id}
    >
      {asked.error && <Failed error={asked.error} again={() => void asked.refetch()} />}
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Select
          id={id}
          className={classes['grow']}
          data={data}
          value={chosen === '' ? null : chosen}
          onChange={(next) => set(next ?? undefined)}
          allowDeselect={false}
          clearable={field.language === 'other'}
          readOnly={!canChange}
          maw={420}
          comboboxProps={{ withinPortal: true }}
        />
        {voice && <PlayButton heard={{ voice: voice.id, ...how }} label={t('listen.sample')} />}
      </Group>
      {voice && <About voice={voice} />}
    </Frame>
  );
}

function About({ voice }: { voice: Voice }) {
  const { t, i18n } = useTranslation('agents');
  return (
    <Group gap="xs">
      {voice.place && (
        <Badge size="sm" color={voice.place === 'remote' ? 'yellow' : 'gray'}>
          {t(`place.${voice.place}`, { engine: voice.engine ?? '' })}
        </Badge>
      )}
      <Text size="xs" c="dimmed" dir="auto">
        {(i18n.language === 'ar' && voice.description_ar) || voice.description}
      </Text>
    </Group>
  );
}

export function SpokenLanguage({ field, path }: FieldProps<'language'>) {
  const words = useWords();
  const canChange = useCanChange();
  const [value, set] = useField(path);
  const typed = useTyped(asText(value), (text) => set(text === '' ? undefined : text));
  const id = useId();
  return (
    <Frame path={path} label={words.label(field)} hint={words.hint(field)} inputId={id}>
      <Autocomplete
        id={id}
        data={LANGUAGES}
        value={typed.value}
        onChange={typed.onChange}
        onBlur={typed.onBlur}
        readOnly={!canChange}
        maw={220}
        dir="ltr"
        comboboxProps={{ withinPortal: true }}
      />
    </Frame>
  );
}
