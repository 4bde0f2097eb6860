import { Text, UnstyledButton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Answer, ApiError } from '../../api/client.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Section } from '../../parts/page.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Ago } from '../../parts/when.tsx';
import { RunCounts } from './run-sign.tsx';
import classes from './tests.module.css';

interface Props {
  readonly runs: UseQueryResult<Answer<'listAgentTestRuns'>, ApiError>;
  readonly shownId: string | undefined;
  readonly onPick: (id: string) => void;
}

/** Every run that is kept; the one that is picked is shown above. */
export function Runs({ runs, shownId, onPick }: Props) {
  const { t } = useTranslation('tests');
  const format = useFormat();
  return (
    <Section title={t('runs.title')}>
      <Shown of={runs} height={80}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('neverRun')} />
          ) : (
            <ul className={classes['runs']}>
              {items.map((run) => (
                <li key={run.id}>
                  <UnstyledButton
                    className={classes['run']}
                    aria-pressed={run.id === shownId}
                    onClick={() => onPick(run.id)}
                  >
                    <RunCounts run={run} />
                    <Text size="xs" c="dimmed" component="span">
                      <Ago iso={run.started_at} /> · {t(`modes.${run.mode}`)}
                      {run.duration_ms !== null && ` · ${format.span(run.duration_ms)}`}
                      {` · ${run.agent_version === null ? t('runs.unsaved') : t('runs.version', { version: run.agent_version })}`}
                      {run.trigger === 'publish' && ` · ${t('runs.publish')}`}
                    </Text>
                  </UnstyledButton>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Section>
  );
}
