import { Select, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Written } from '../../parts/text.tsx';
import { TryCard } from './try-card.tsx';
import { TextToTry, TryForm } from './try-form.tsx';
import { readJson, useV1 } from './v1.ts';
import { bodyOf } from './v1-request.ts';

interface Normalised {
  readonly normalized: string;
  readonly replacements: readonly { readonly from: string; readonly to: string }[];
}
const SAMPLE = 'المبلغ 250.75 ر.س يوم 12/03/2025 الساعة 3:30 م';

/** Numbers, dates and signs as they are spoken. */
export function NormaliseTry() {
  const { t } = useTranslation('playground');
  const [text, setText] = useState(SAMPLE);
  const [language, setLanguage] = useState<string | null>(null);
  const use = useV1<Normalised>(readJson);
  const request = { path: '/v1/text/normalize', json: bodyOf({ text, language: language ?? undefined }) };
  const form = (
    <TryForm verb={t('normalise.go')} isBusy={use.isBusy} onRun={() => use.run(request)}>
      <TextToTry value={text} onChange={setText} />
      <Select
        label={t('language')}
        placeholder={t('detected')}
        clearable
        data={[
          { value: 'ar', label: t('languages.ar') },
          { value: 'en', label: t('languages.en') },
        ]}
        value={language}
        onChange={setLanguage}
      />
    </TryForm>
  );
  return (
    <TryCard
      {...{ form, request, isBusy: use.isBusy, error: use.error, again: () => use.run(request) }}
      costCents={use.answer && (use.answer.costCents ?? 0)}
      answer={use.answer && <Result value={use.answer.value} />}
      hint={t('normalise.hint')}
    />
  );
}

function Result({ value: { normalized, replacements } }: { value: Normalised }) {
  const { t } = useTranslation('playground');
  return (
    <Stack gap="md">
      <Written>{normalized}</Written>
      {replacements.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('normalise.nothing')}
        </Text>
      ) : (
        <Table aria-label={t('normalise.changes')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('normalise.written')}</Table.Th>
              <Table.Th>{t('normalise.said')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {replacements.map(({ from, to }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same may be replaced twice
              <Table.Tr key={index}>
                <Table.Td>
                  <bdi>{from}</bdi>
                </Table.Td>
                <Table.Td>
                  <bdi>{to}</bdi>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}
