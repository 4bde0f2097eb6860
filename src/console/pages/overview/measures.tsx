import { Anchor, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { GOOD_MS, SLOW_MS } from '../call/answer-times.ts';
import { gradesOf, UNDERSTOOD_PERCENT } from './concerns.ts';
import { Gauge } from './gauge.tsx';
import classes from './measures.module.css';

type Overview = Answer<'getOverview'>;
const ANSWER_MS_MAX = 2_500;
const ANSWER_ZONES = [
  { grade: 'good', until: GOOD_MS },
  { grade: 'slow', until: SLOW_MS },
  { grade: 'bad', until: ANSWER_MS_MAX },
] as const;
const SHARE_ZONES = [
  { grade: 'bad', until: UNDERSTOOD_PERCENT.slow },
  { grade: 'slow', until: UNDERSTOOD_PERCENT.good },
  { grade: 'good', until: 100 },
] as const;
/** From 1 to what G.711 can reach at best (ITU-T G.107). */
const [MOS_MIN, MOS_MAX] = [1, 4.41];
const MOS_ZONES = [
  { grade: 'bad', until: 3.6 },
  { grade: 'slow', until: 4.03 },
  { grade: 'good', until: MOS_MAX },
] as const;

/** How fast, how well understood and how clear calls were. */
export function Measures({ overview }: { overview: Overview }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const { answers, mos } = overview.last_day;
  const understood = overview.understood_percent;
  const grades = gradesOf(overview);
  const tenth = (value: number) => format.number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return (
    <Stack gap="md">
      <Measure
        name={t('measures.answers')}
        grade={grades.answers}
        value={answers.p50_ms === null ? undefined : format.span(answers.p50_ms)}
        note={answers.p95_ms !== null && t('measures.p95', { time: format.span(answers.p95_ms) })}
      >
        <Gauge from={0} to={ANSWER_MS_MAX} zones={ANSWER_ZONES} value={answers.p50_ms} worst={answers.p95_ms} />
      </Measure>
      <Measure
        name={t('measures.understood')}
        grade={grades.understood}
        value={understood === null ? undefined : format.percent(understood / 100)}
        note={t('measures.week')}
      >
        <Gauge from={0} to={100} zones={SHARE_ZONES} value={understood} />
      </Measure>
      <Measure
        name={t('measures.mos')}
        grade={grades.sound}
        value={mos.median === null ? undefined : tenth(mos.median)}
        note={
          mos.worst !== null &&
          mos.worst_call_id !== null && (
            <Anchor component={Link} to={`/calls/${mos.worst_call_id}`} size="xs">
              {t('measures.worst', { mos: tenth(mos.worst) })}
            </Anchor>
          )
        }
      >
        <Gauge from={MOS_MIN} to={MOS_MAX} zones={MOS_ZONES} value={mos.median} worst={mos.worst} />
      </Measure>
    </Stack>
  );
}

interface MeasureProps {
  readonly name: string;
  readonly grade: 'good' | 'slow' | 'bad' | 'few' | undefined;
  readonly value: string | undefined;
  readonly note: ReactNode;
  readonly children: ReactNode;
}

function Measure({ name, grade, value, note, children }: MeasureProps) {
  const { t } = useTranslation('overview');
  return (
    <div>
      <div className={classes['head']}>
        <Text size="sm" c="dimmed">
          {name}
        </Text>
        <Text fw={600} size="lg" className="figures" component="span">
          {value ?? '—'}
        </Text>
      </div>
      {children}
      <div className={classes['foot']}>
        <Text size="xs" component="span" className={classes['word']} data-grade={grade}>
          {grade ? t(`measures.grades.${grade}`) : t('measures.nothing')}
        </Text>
        {value !== undefined && note && (
          <Text size="xs" c="dimmed" component="span">
            {note}
          </Text>
        )}
      </div>
    </div>
  );
}
