import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/use-format.ts';
import { GOOD_MS, SLOW_MS } from './answer-times.ts';
import type { Mark } from './marks.ts';
import classes from './timeline-legend.module.css';

const KINDS: readonly Mark['kind'][] = ['answer', 'interruption', 'key', 'tool', 'transfer', 'hangup'];

/** What the colours and marks of the lanes stand for; marks only where the call has them. */
export function TimelineLegend({ marks, hasAnswers }: { marks: readonly Mark[]; hasAnswers: boolean }) {
  const { t } = useTranslation('call');
  const format = useFormat();
  return (
    <ul className={classes['legend']}>
      {hasAnswers && (
        <>
          <li data-kind="good">{t('legend.under', { time: format.span(GOOD_MS) })}</li>
          <li data-kind="slow">{t('legend.under', { time: format.span(SLOW_MS) })}</li>
          <li data-kind="bad">{t('legend.over')}</li>
        </>
      )}
      {KINDS.filter((kind) => marks.some((mark) => mark.kind === kind)).map((kind) => (
        <li key={kind} data-kind={kind}>
          {t(`marks.${kind}`)}
        </li>
      ))}
    </ul>
  );
}
