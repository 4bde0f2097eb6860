import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/use-format.ts';
import { gradeOf, STAGES, type Stage, stageParts } from './answer-times.ts';
import classes from './latency-bar.module.css';
import colours from './stage-colours.module.css';

interface Props {
  readonly latencyMs: number;
  readonly stages: Readonly<Record<Stage, number>> | undefined;
  readonly scaleMs: number;
}

/** What an answer waited for, stretch by stretch, and its figure. */
export function LatencyBar({ latencyMs, stages, scaleMs }: Props) {
  const { t } = useTranslation('call');
  const format = useFormat();
  const parts = stages ? stageParts(stages, scaleMs) : [];
  const told = parts.map(({ stage, ms }) => `${t(`stages.${stage}`)} ${format.span(ms)}`);
  return (
    <Tooltip
      label={
        <div dir="auto">
          {told.map((one) => (
            <div key={one}>{one}</div>
          ))}
        </div>
      }
      disabled={told.length === 0}
      multiline
    >
      <div className={classes['latency']}>
        <div className={classes['bar']} dir="ltr" role="img" aria-label={told.join(', ') || t('answer')}>
          {parts.map(({ stage, from, share }) => (
            <span
              key={stage}
              className={colours[stage]}
              style={{ insetInlineStart: `${from * 100}%`, width: `${share * 100}%` }}
            />
          ))}
        </div>
        <span className={`figures ${classes['figure']}`} data-grade={gradeOf(latencyMs)}>
          {format.span(latencyMs)}
        </span>
      </div>
    </Tooltip>
  );
}

/** What the colours of the bars stand for. */
export function StageLegend() {
  const { t } = useTranslation('call');
  return (
    <ul className={classes['legend']}>
      {STAGES.map((stage) => (
        <li key={stage}>
          <span className={colours[stage]} aria-hidden />
          {t(`stages.${stage}`)}
        </li>
      ))}
    </ul>
  );
}
