import { Badge, Box, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { type FieldPath, isTree } from '../../../../config/agent-text/yaml-document.ts';
import { type Language, otherThan, useCanChange, useEditing, useField } from '../editor/draft-context.ts';
import { useTyped } from '../editor/use-typed.ts';
import { useWords } from '../editor/words.ts';
import classes from './form.module.css';
import { Frame } from './frame.tsx';
import { Listen } from './listen.tsx';
import { asText, type FieldProps, linesIn, listOf } from './simple.tsx';

/** The languages that a text has boxes for: that of the agent, and the other one where something is written in it, or is to be. */
function useLanguages(path: FieldPath) {
  const { language } = useEditing();
  const [value, set] = useField(path);
  const other = otherThan(language);
  const hasOther = isTree(value) && value[other] !== undefined;
  const hasOwn = isTree(value) && value[language] !== undefined;
  return { own: language, other, hasOther, hasOwn, set, value };
}

/** A sentence that the agent says, in one or both languages. */
export function Spoken({ field, path }: FieldProps<'spoken'>) {
  const words = useWords();
  const { own, other, hasOther, hasOwn } = useLanguages(path);
  return (
    <Frame path={path} label={words.label(field)} hint={words.hint(field)} aside={<AddOther path={path} start="" />}>
      <Stack gap="xs">
        <SpokenBox
          path={[...path, own]}
          language={own}
          isMarked={hasOther}
          name={words.label(field)}
          isHeard={field.isHeard}
        />
        {hasOther && (
          <SpokenBox
            path={[...path, other]}
            language={other}
            isMarked
            name={words.label(field)}
            isHeard={field.isHeard && hasOwn}
          />
        )}
      </Stack>
    </Frame>
  );
}

interface BoxProps {
  readonly path: FieldPath;
  readonly language: Language;
  /** With its language beside it. */
  readonly isMarked: boolean;
  readonly name: string;
  readonly isHeard?: boolean | undefined;
}

function SpokenBox({ path, language, isMarked, name, isHeard }: BoxProps) {
  const { t } = useTranslation('agents');
  const canChange = useCanChange();
  const [value, set] = useField(path);
  const typed = useTyped(asText(value), (text) => set(text === '' ? undefined : text));
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      {isMarked && <LanguageMark language={language} />}
      <Textarea
        className={classes['grow']}
        value={typed.value}
        onChange={(event) => typed.onChange(event.currentTarget.value)}
        onBlur={typed.onBlur}
        readOnly={!canChange}
        aria-label={`${name} (${t(`languages.${language}`)})`}
        autosize
        minRows={1}
        maxRows={8}
        dir="auto"
        lang={language}
        placeholder={t('nothingSaid')}
      />
      {isHeard && <Listen text={typed.value} language={language} />}
    </Group>
  );
}

/** Sentences, one a line: of callers, or of the agent from the first to the last resort. */
export function Phrases({ field, path }: FieldProps<'phrases'>) {
  const { t } = useTranslation('agents');
  const words = useWords();
  const { own, other, hasOther, value } = useLanguages(path);
  const count = (language: Language): number => {
    const list = isTree(value) ? value[language] : undefined;
    return Array.isArray(list) ? list.length : 0;
  };
  const aside = (
    <Group gap="xs" wrap="nowrap">
      <Text size="xs" c="dimmed" className="figures">
        {t('lines', { count: count(own) + count(other) })}
      </Text>
      <AddOther path={path} start={['']} />
    </Group>
  );
  return (
    <Frame path={path} label={words.label(field)} hint={words.hint(field)} aside={aside}>
      <Stack gap="xs">
        <PhrasesBox path={[...path, own]} language={own} isMarked={hasOther} name={words.label(field)} />
        {hasOther && <PhrasesBox path={[...path, other]} language={other} isMarked name={words.label(field)} />}
      </Stack>
    </Frame>
  );
}

export function PhrasesBox({ path, language, isMarked, name }: BoxProps) {
  const { t } = useTranslation('agents');
  const canChange = useCanChange();
  const [value, set] = useField(path);
  const typed = useTyped(linesIn(value), (text) => set(listOf(text)));
  const id = useId();
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      {isMarked && <LanguageMark language={language} />}
      <Textarea
        id={id}
        className={classes['grow']}
        classNames={{ input: classes['lines'] }}
        value={typed.value}
        onChange={(event) => typed.onChange(event.currentTarget.value)}
        onBlur={typed.onBlur}
        readOnly={!canChange}
        aria-label={`${name} (${t(`languages.${language}`)}, ${t('oneALine')})`}
        autosize
        minRows={2}
        maxRows={9}
        lang={language}
        dir={language === 'ar' ? 'rtl' : 'ltr'}
        placeholder={t('oneALine')}
      />
    </Group>
  );
}

function LanguageMark({ language }: { language: Language }) {
  const { t } = useTranslation('agents');
  return (
    <Box pt={6} miw={62}>
      <Badge color="gray" size="sm">
        {t(`languages.${language}`)}
      </Badge>
    </Box>
  );
}

/** Room for the other language. */
function AddOther({ path, start }: { path: FieldPath; start: unknown }) {
  const { t } = useTranslation('agents');
  const canChange = useCanChange();
  const { own, other, hasOther, hasOwn, value, set } = useLanguages(path);
  if (hasOther || !canChange || !hasOwn) return null;
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      color="gray"
      leftSection={<IconPlus size={12} />}
      onClick={() => set({ ...(isTree(value) ? value : { [own]: start }), [other]: start })}
    >
      {t(`languages.${other}`)}
    </Button>
  );
}
