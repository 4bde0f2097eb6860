import { FileInput, Stack, Text, Textarea } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Written } from '../../parts/text.tsx';
import classes from './marked.module.css';
import { TryCard } from './try-card.tsx';
import { TryForm } from './try-form.tsx';
import { readJson, useV1 } from './v1.ts';
import type { V1Request } from './v1-request.ts';

interface DocumentAnswer {
  readonly answer: string;
  readonly quotes: readonly string[];
  readonly answered: boolean;
}
const TYPES = '.pdf,.docx,.txt,.md,.csv,.html,.json';
const QUESTION_CHARS_MAX = 2_000;

/** A question that a document answers, with the lines the answer rests on. */
export function DocumentsTry() {
  const { t } = useTranslation('playground');
  const [file, setFile] = useState<File | null>(null);
  const [question, setQuestion] = useState('');
  const use = useV1<DocumentAnswer>(readJson);
  const given = { name: file?.name ?? 'policy.pdf', bytes: file ?? new Blob() };
  const request: V1Request = { path: '/v1/documents/ask', form: { file: given, fields: { question } } };
  const form = (
    <TryForm
      verb={t('documents.go')}
      isBusy={use.isBusy}
      onRun={() => use.run(request)}
      isReady={file !== null && question.trim() !== ''}
    >
      <FileInput
        label={t('documents.file')}
        description={t('documents.types')}
        placeholder={t('chooseFile')}
        accept={TYPES}
        leftSection={<IconFile size={16} />}
        clearable
        clearButtonProps={{ 'aria-label': t('takeAway') }}
        value={file}
        onChange={setFile}
      />
      <Textarea
        label={t('documents.question')}
        dir="auto"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={QUESTION_CHARS_MAX}
        value={question}
        onChange={({ currentTarget }) => setQuestion(currentTarget.value)}
      />
    </TryForm>
  );
  return (
    <TryCard
      {...{ form, request, isBusy: use.isBusy, error: use.error, again: () => use.run(request) }}
      costCents={use.answer?.costCents}
      answer={use.answer && <Result value={use.answer.value} />}
      hint={t('documents.hint')}
    />
  );
}

function Result({ value: { answer, quotes, answered } }: { value: DocumentAnswer }) {
  const { t } = useTranslation('playground');
  return (
    <Stack gap="md">
      {!answered && (
        <Text size="sm" fw={600} c="var(--slow)">
          {t('documents.notThere')}
        </Text>
      )}
      <Written>{answer}</Written>
      {quotes.length > 0 && (
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            {t('documents.restsOn')}
          </Text>
          {quotes.map((quote, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same line may be quoted twice
            <blockquote key={index} className={classes['quote']} dir="auto">
              {quote}
            </blockquote>
          ))}
        </Stack>
      )}
    </Stack>
  );
}
