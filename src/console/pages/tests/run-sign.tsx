import { IconAlertTriangle, IconCircleCheck, IconCircleMinus, IconCircleX, IconLoader2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ItemOf } from '../../api/hooks.ts';
import classes from './tests.module.css';

export type RunHead = ItemOf<'listAgentTestRuns'>;
type Sign = RunHead['state'] | 'skipped';
const SIGNS = {
  passed: { icon: IconCircleCheck, colour: 'var(--good)' },
  failed: { icon: IconCircleX, colour: 'var(--bad)' },
  broken: { icon: IconAlertTriangle, colour: 'var(--slow)' },
  skipped: { icon: IconCircleMinus, colour: 'var(--quiet)' },
  running: { icon: IconLoader2, colour: 'var(--quiet)' },
} as const;

/** How it went, as a sign that has a name. */
export function OutcomeSign({ of, size = 18 }: { of: Sign; size?: number }) {
  const { t } = useTranslation('tests');
  const { icon: Icon, colour } = SIGNS[of];
  return <Icon size={size} color={colour} role="img" aria-label={t(`states.${of}`)} style={{ flex: 'none' }} />;
}

/** How a run went: `12 passed · 1 failed`. */
export function RunCounts({ run }: { run: RunHead }) {
  const { t } = useTranslation('tests');
  const done = run.passed + run.failed + run.skipped;
  const parts = [
    ...(run.state === 'running' ? [t('counts.done', { done, total: run.total })] : []),
    t('counts.passed', { count: run.passed }),
    ...(run.failed > 0 ? [t('counts.failed', { count: run.failed })] : []),
    ...(run.skipped > 0 ? [t('counts.skipped', { count: run.skipped })] : []),
  ];
  return (
    <span className={classes['counts']}>
      <OutcomeSign of={run.state} /> {parts.join(' · ')}
    </span>
  );
}
