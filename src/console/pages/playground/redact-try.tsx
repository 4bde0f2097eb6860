import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { foundInText } from './found-in-text.ts';
import classes from './marked.module.css';
import { TryCard } from './try-card.tsx';
import { TextToTry, TryForm } from './try-form.tsx';
import { readJson, useV1 } from './v1.ts';

interface Finding {
  readonly kind: string;
  readonly value: string;
  readonly action: string;
  readonly why: string;
}
interface Report {
  readonly redacted: string;
  readonly findings: readonly Finding[];
  readonly verdict: string;
}
const SAMPLE = 'اسمي نورة، رقم هويتي 1010101010 وجوالي 0551234567 وبريدي noura@example.com';
const VERDICTS: Readonly<Record<string, string>> = {
  allow: 'var(--good)',
  redact: 'var(--slow)',
  block: 'var(--bad)',
};
/** A colour for each kind, in the order in which they are found; the word stands beside it. */
const COLOURS = ['var(--caller)', 'var(--person)', 'var(--agent)', 'var(--slow)', 'var(--bad)'] as const;

/** What stands in the place of something: `[National ID]`, `****4567`. */
const PLACEHOLDER = /\[[^\][\n]{1,60}\]|\*{2,}\w*/g;

/** What of a text is personal, and what would leave the machine in its place. */
export function RedactTry() {
  const { t } = useTranslation('playground');
  const [text, setText] = useState(SAMPLE);
  const use = useV1<Report>(readJson);
  const request = { path: '/v1/privacy/redact', json: { text } };
  const asked = (use.sent?.json as { readonly text: string } | undefined)?.text ?? '';
  const form = (
    <TryForm verb={t('redact.go')} isBusy={use.isBusy} onRun={() => use.run(request)}>
      <TextToTry value={text} onChange={setText} />
    </TryForm>
  );
  return (
    <TryCard
      {...{ form, request, isBusy: use.isBusy, error: use.error, again: () => use.run(request) }}
      costCents={use.answer?.costCents}
      answer={use.answer && <Result text={asked} value={use.answer.value} />}
      hint={t('redact.hint')}
    />
  );
}

function Result({ text, value: { findings, redacted, verdict } }: { text: string; value: Report }) {
  const { t, i18n } = useTranslation('playground');
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  const colourOf = (kind: string): string => COLOURS[kinds.indexOf(kind) % COLOURS.length]!;
  const worded = (group: 'kinds' | 'actions' | 'verdicts', value: string): string => {
    const key = `redact.${group}.${value}`;
    return i18n.exists(key, { ns: 'playground' }) ? t(key as 'redact.verdicts.allow') : value;
  };
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Text size="sm">{t('redact.verdict')}</Text>
        <Text size="sm" fw={600} c={VERDICTS[verdict]}>
          {worded('verdicts', verdict)}
        </Text>
      </Group>
      <Text dir="auto" component="p" m={0} className={classes['text']}>
        {foundInText(text, findings, ({ value }) => value).map(({ text: piece, found }, index) =>
          found ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text stay where they are
            <bdi key={index} className={classes['found']} style={{ '--mark': colourOf(found.kind) } as never}>
              {piece}
            </bdi>
          ) : (
            piece
          ),
        )}
      </Text>
      <div>
        <Text size="sm" c="dimmed">
          {t('redact.leaves')}
        </Text>
        <Redacted text={redacted} />
      </div>
      {findings.length > 0 && (
        <dl className={classes['list']}>
          {findings.map(({ kind, value, action, why }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same may be found twice
            <div key={index}>
              <dt>
                <span style={{ color: colourOf(kind) }}>{worded('kinds', kind)}</span> <bdi>{value}</bdi>{' '}
                <small>{worded('actions', action)}</small>
              </dt>
              <dd dir="auto">{why}</dd>
            </div>
          ))}
        </dl>
      )}
    </Stack>
  );
}

/** Each placeholder in one piece, whatever is written around it. */
function Redacted({ text }: { text: string }) {
  const holes = text.match(PLACEHOLDER) ?? [];
  return (
    <Text dir="auto" className={classes['text']}>
      {foundInText(text, holes, (word) => word).map(({ text: piece, found }, index) =>
        found ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text stay where they are
          <bdi key={index} className={classes['hole']}>
            {piece}
          </bdi>
        ) : (
          piece
        ),
      )}
    </Text>
  );
}
