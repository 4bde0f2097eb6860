import { Stack, Text, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/use-format.ts';
import { Ltr } from '../../parts/text.tsx';
import { foundInText } from './found-in-text.ts';
import classes from './marked.module.css';
import { TryCard } from './try-card.tsx';
import { TextToTry, TryForm } from './try-form.tsx';
import { readJson, useV1 } from './v1.ts';

interface Flag {
  readonly token: string;
  readonly reason: string;
  readonly hint: string;
}
interface Coverage {
  readonly token_count: number;
  readonly coverage: number;
  readonly flagged: readonly Flag[];
}
const SAMPLE = 'موعدك مع Dr. Smith يوم 12/3 في غرفة MRI-204';

/** Which words a voice may say wrong, and how to write them. */
export function CoverageTry() {
  const { t } = useTranslation('playground');
  const [text, setText] = useState(SAMPLE);
  const use = useV1<Coverage>(readJson);
  const request = { path: '/v1/text/coverage', json: { text } };
  const asked = (use.sent?.json as { readonly text: string } | undefined)?.text ?? '';
  const form = (
    <TryForm verb={t('coverage.go')} isBusy={use.isBusy} onRun={() => use.run(request)}>
      <TextToTry value={text} onChange={setText} />
    </TryForm>
  );
  return (
    <TryCard
      {...{ form, request, isBusy: use.isBusy, error: use.error, again: () => use.run(request) }}
      costCents={use.answer && (use.answer.costCents ?? 0)}
      answer={use.answer && <Result text={asked} value={use.answer.value} />}
      hint={t('coverage.hint')}
    />
  );
}

function Result({ text, value: { coverage, flagged, token_count: count } }: { text: string; value: Coverage }) {
  const { t, i18n } = useTranslation('playground');
  const { percent } = useFormat();
  const reasonOf = (reason: string): string =>
    i18n.exists(`coverage.reasons.${reason}`, { ns: 'playground' })
      ? t(`coverage.reasons.${reason}` as 'coverage.reasons.digits')
      : reason;
  return (
    <Stack gap="md">
      <Text size="sm">
        <b className="figures">
          <Ltr>{percent(coverage)}</Ltr>
        </b>{' '}
        {t('coverage.share', { count })}
      </Text>
      <Text dir="auto" component="p" m={0} className={classes['text']}>
        {foundInText(text, flagged, ({ token }) => token).map(({ text: piece, found }, index) =>
          found ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text stay where they are
            <Tooltip key={index} label={<bdi>{found.hint}</bdi>} multiline maw={320}>
              {/* Its hint can be had by keyboard. */}
              <button type="button" className={classes['flag']} data-reason={found.reason}>
                {piece}
              </button>
            </Tooltip>
          ) : (
            piece
          ),
        )}
      </Text>
      {flagged.length > 0 && (
        <dl className={classes['list']}>
          {flagged.map(({ token, reason, hint }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same word may be flagged twice
            <div key={index}>
              <dt>
                <bdi>{token}</bdi> <small>{reasonOf(reason)}</small>
              </dt>
              <dd dir="auto">{hint}</dd>
            </div>
          ))}
        </dl>
      )}
    </Stack>
  );
}
