import { Anchor, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconExclamationCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../i18n/use-format.ts';
import type { Concern } from './concerns.ts';
import classes from './state-line.module.css';

const WHERE: Readonly<Record<Concern['kind'], string>> = {
  ...{ 'trunk-down': '/numbers', 'no-credit': '/account', 'low-credit': '/account', 'failed-calls': '#problems' },
  ...{
    'slow-answers': '/calls?range=today',
    'poor-sound': '/calls?range=today',
    'not-understood': '/calls?range=week',
  },
};

/** Whether all is well, and if not, what is wrong and where to look. */
export function StateLine({ concerns }: { concerns: readonly Concern[] }) {
  const { t } = useTranslation('overview');
  if (concerns.length === 0) {
    return (
      <div className={classes['line']} data-grade="good" role="status">
        <IconCircleCheck size={20} className={classes['sign']} aria-hidden />
        <Text fw={600}>{t('state.well')}</Text>
      </div>
    );
  }
  return (
    <div role="status">
      <ul className={classes['lines']} aria-label={t('state.title')}>
        {concerns.map((one) => (
          <li key={`${one.kind}${'name' in one ? one.name : ''}`} className={classes['line']} data-grade={one.grade}>
            {one.grade === 'bad' ? (
              <IconExclamationCircle size={20} className={classes['sign']} aria-hidden />
            ) : (
              <IconAlertTriangle size={20} className={classes['sign']} aria-hidden />
            )}
            <Text component="span" className={classes['text']}>
              <Said of={one} />
            </Text>
            <Where kind={one.kind} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Where({ kind }: { kind: Concern['kind'] }) {
  const { t } = useTranslation('overview');
  const to = WHERE[kind];
  const text = t(`state.go.${kind}`);
  return to.startsWith('#') ? (
    <Anchor href={to} size="sm">
      {text}
    </Anchor>
  ) : (
    <Anchor component={Link} to={to} size="sm">
      {text}
    </Anchor>
  );
}

function Said({ of }: { of: Concern }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  switch (of.kind) {
    case 'trunk-down':
      return t('state.trunk-down', { name: `\u2068${of.name}\u2069` });
    case 'no-credit':
      return t('state.no-credit');
    case 'low-credit':
      return t('state.low-credit', { money: format.money(of.cents) });
    case 'failed-calls':
      return t('state.failed-calls', { count: of.count });
    case 'slow-answers':
      return t('state.slow-answers', { time: format.span(of.ms) });
    case 'poor-sound':
      return t('state.poor-sound', { mos: format.number(of.mos, { maximumFractionDigits: 1 }) });
    case 'not-understood':
      return t('state.not-understood', { share: format.percent(of.percent / 100) });
  }
}
