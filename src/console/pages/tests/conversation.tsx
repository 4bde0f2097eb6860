import { Anchor, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { isolated } from '../../i18n/isolated.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Noticed } from '../../parts/noticed.tsx';
import { Ltr } from '../../parts/text.tsx';
import classes from './tests.module.css';
import type { Result } from './use-tests.ts';

type Turn = Result['turns'][number];

/** What was done and answered, turn by turn; the one that differs says what was expected and what came. */
export function Conversation({ turns, onLine }: { turns: readonly Turn[]; onLine: (line: number) => void }) {
  const { t } = useTranslation('tests');
  return (
    <ol className={classes['turns']}>
      {turns.map((turn) => (
        <li key={turn.step} data-differs={turn.faults.length > 0}>
          {turn.caller !== '' && (
            <p className={classes['said']} data-role="caller" dir="auto">
              {turn.caller}
            </p>
          )}
          {turn.heard !== null && turn.heard !== turn.caller && (
            <Text size="xs" c="dimmed" component="p" className={classes['heard']}>
              {turn.heard === '' ? t('turn.heardNothing') : t('turn.heard', { words: isolated(turn.heard) })}
            </Text>
          )}
          {turn.reply !== '' && (
            <p className={classes['said']} data-role="agent" dir="auto">
              {turn.reply}
            </p>
          )}
          <Facts turn={turn} />
          {turn.faults.map((fault) => (
            <dl key={`${fault.kind} ${fault.expected}`} className={classes['fault']}>
              <dt>{t('turn.expected')}</dt>
              <dd dir="auto">
                <Noticed notice={fault.expected_notice} english={fault.expected} />
              </dd>
              <dt>{t('turn.got')}</dt>
              <dd dir="auto">
                <Noticed notice={fault.got_notice} english={fault.got} />
              </dd>
            </dl>
          ))}
          {turn.faults.length > 0 && (
            <Anchor component="button" type="button" size="xs" onClick={() => onLine(turn.line)}>
              {t('turn.toLine', { line: turn.line })}
            </Anchor>
          )}
        </li>
      ))}
    </ol>
  );
}

function Facts({ turn }: { turn: Turn }) {
  const { t } = useTranslation('tests');
  const format = useFormat();
  const slots = Object.entries(turn.slots).filter(([, value]) => value !== '');
  const isHeld = turn.expected !== null && turn.faults.length === 0;
  const parts = [
    ...(turn.intent.length > 0 ? [{ name: t('turn.intent'), value: turn.intent.join(', ') }] : []),
    ...slots.map(([name, value]) => ({ name, value })),
    ...(turn.action !== 'none' ? [{ name: t('turn.action'), value: t(`turn.actions.${turn.action}`) }] : []),
  ];
  return (
    <Text size="xs" c="dimmed" component="div" className={classes['meta']}>
      {isHeld && <IconCheck size={14} color="var(--good)" role="img" aria-label={t('turn.asExpected')} />}
      {turn.ms !== null && <span>{format.span(turn.ms)}</span>}
      {parts.map(({ name, value }) => (
        <span key={name}>
          <bdi>{name}</bdi> <Ltr mono>{value}</Ltr>
        </span>
      ))}
    </Text>
  );
}
