import { Anchor, Text } from '@mantine/core';
import { IconBolt, IconHandStop } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { Noticed } from '../../parts/noticed.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';
import classes from './problems.module.css';

type Problem = Answer<'getOverview'>['problems'][number];

/** Calls that were refused or broke off, with what would let them in. */
export function Problems({ problems }: { problems: readonly Problem[] }) {
  const { t } = useTranslation('overview');
  if (problems.length === 0) {
    return (
      <Empty title={t('problems.none')}>
        <Text size="sm" c="dimmed">
          {t('problems.noneText')}
        </Text>
      </Empty>
    );
  }
  return (
    <ul className={classes['list']}>
      {problems.map((one) => (
        <ProblemRow key={`${one.at}${one.call_id}${one.from}${one.to}`} problem={one} />
      ))}
    </ul>
  );
}

function ProblemRow({ problem }: { problem: Problem }) {
  const { t } = useTranslation('overview');
  const { t: ofCall } = useTranslation('call');
  const { kind, at, call_id, from, to, reason, detail, detail_notice, remedy, remedy_notice } = problem;
  const Icon = kind === 'failed' ? IconBolt : IconHandStop;
  return (
    <li className={classes['row']} data-kind={kind}>
      <Icon size={18} className={classes['sign']} role="img" aria-label={t(`problems.${kind}`)} />
      <div className={classes['body']}>
        <div className={classes['head']}>
          <Text component="span" fw={600}>
            {ofCall(`ends.${reason as 'busy'}`, { defaultValue: reason })}
          </Text>
          {(from || to) && (
            <Text component="span" size="sm" c="dimmed" className={classes['numbers']}>
              <Ltr>
                {from || t('problems.unknown')} → {to || t('problems.unknown')}
              </Ltr>
            </Text>
          )}
          <Text component="span" size="sm" c="dimmed" className={classes['when']}>
            <Ago iso={at} />
          </Text>
        </div>
        {detail && (
          <Text size="sm" c="dimmed" dir="auto" className={classes['text']}>
            <Noticed notice={detail_notice} english={detail} />
          </Text>
        )}
        {remedy && (
          <Text size="sm" component="div" className={classes['text']}>
            {t('problems.remedy')} <Noticed notice={remedy_notice} english={remedy} />
          </Text>
        )}
        {call_id && (
          <Anchor component={Link} to={`/calls/${call_id}`} size="sm">
            {t('problems.call')}
          </Anchor>
        )}
      </div>
    </li>
  );
}
