import { ActionIcon, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconPlayerPlay } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Noticed } from '../../parts/noticed.tsx';
import { Conversation } from './conversation.tsx';
import type { Row } from './model/results.ts';
import { OutcomeSign } from './run-sign.tsx';
import classes from './tests.module.css';
import type { Result, Tests } from './use-tests.ts';

interface Props {
  readonly row: Row<Tests['dialogues'][number], Result>;
  readonly onRun?: () => void;
  readonly onLine: (line: number) => void;
}

/** A dialogue and what came of it; opened, the conversation as far as it was held. */
export function Dialogue({ row: { name, dialogue, result }, onRun, onLine }: Props) {
  const { t } = useTranslation('tests');
  const [opened, setOpened] = useState<boolean>();
  const id = useId();
  const isOpen = result !== undefined && (opened ?? result.outcome === 'failed');
  return (
    <li className={classes['dialogue']} data-outcome={result?.outcome}>
      <div className={classes['title']}>
        <UnstyledButton
          className={classes['open']}
          disabled={result === undefined}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpened(!isOpen)}
        >
          {result ? <OutcomeSign of={result.outcome} /> : <span className={classes['unheld']} aria-hidden />}
          <Text size="sm" component="span" style={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi>
            {!dialogue && (
              <Text span size="xs" c="dimmed">
                {' '}
                {t('results.gone')}
              </Text>
            )}
          </Text>
          {result && <IconChevronDown size={16} className={classes['chevron']} data-open={isOpen} aria-hidden />}
        </UnstyledButton>
        {onRun && (
          <Tooltip label={t('results.runOne')}>
            <ActionIcon variant="subtle" color="gray" onClick={onRun} aria-label={t('results.runNamed', { name })}>
              <IconPlayerPlay size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {isOpen && (
        <div id={id}>
          {result.why !== null && (
            <Text size="sm" c="dimmed" dir="auto" mb="xs">
              <Noticed notice={result.why_notice} english={result.why} />
            </Text>
          )}
          <Conversation turns={result.turns} onLine={onLine} />
        </div>
      )}
    </li>
  );
}
