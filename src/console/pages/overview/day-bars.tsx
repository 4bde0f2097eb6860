import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/use-format.ts';
import classes from './day-bars.module.css';

interface Day {
  readonly day: string; // 2026-01-31
  readonly calls: number;
  readonly answered: number;
}

/** Calls of the last days, answered ones filled. Time runs from left to right in both languages. */
export function DayBars({ days }: { days: readonly Day[] }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const most = Math.max(1, ...days.map(({ calls }) => calls));
  const share = (count: number): string => `${(100 * count) / most}%`;
  return (
    <ol className={classes['days']} dir="ltr" aria-label={t('calls.days')}>
      {days.map(({ day, calls, answered }, index) => {
        const isToday = index === days.length - 1;
        const noon = `${day}T12:00:00Z`;
        return (
          <li key={day} data-today={isToday || undefined}>
            <span className={classes['count']}>{format.number(calls)}</span>
            <span className={classes['bar']} aria-hidden title={t('calls.answered', { count: answered })}>
              <span className={classes['all']} style={{ blockSize: share(calls) }}>
                <span
                  className={classes['answered']}
                  style={{ blockSize: `${(100 * answered) / Math.max(1, calls)}%` }}
                />
              </span>
            </span>
            <span className={classes['day']}>{isToday ? t('calls.today') : format.weekday(noon)}</span>
          </li>
        );
      })}
    </ol>
  );
}
