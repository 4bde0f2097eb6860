import { Group, Stack, Switch, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isolated } from '../i18n/isolated.ts';
import { useFormat } from '../i18n/use-format.ts';
import { DataTable } from './data-table.tsx';
import classes from './stacked-days.module.css';
import { type DayStack, type DayValue, roundSteps, stackDays, totalsOf } from './stacked-days.ts';

export interface DayKind {
  readonly kind: string;
  readonly name: string;
  /** Of the style sheet; names beside it tell the kinds apart without it. */
  readonly colour: string;
}

interface Props {
  /** Of what, for screen readers and as the caption of the table. */
  readonly label: string;
  readonly values: readonly DayValue[];
  readonly days: readonly string[];
  /** From the ground of the stack up. */
  readonly kinds: readonly DayKind[];
  readonly show: (value: number) => string;
}

const HEIGHT = 220;
const INSET = { top: 12, end: 8, bottom: 24, start: 64 } as const;
const BAR_MAX = 40;

/** What each day came to, and of what. The same as a table, for who would rather read, or cannot see. */
export function StackedDays({ label, values, days, kinds, show }: Props) {
  const { t } = useTranslation();
  const [asTable, setAsTable] = useState(false);
  const [picked, setPicked] = useState<string>();
  const stacks = stackDays(
    values,
    days,
    kinds.map(({ kind }) => kind),
  );
  const total = stacks.reduce((sum, one) => sum + one.total, 0);
  const shown = stacks.find(({ day }) => day === picked);
  return (
    <Stack gap="sm">
      <Legend values={shown ? valuesOf(shown) : values} kinds={kinds} show={show} />
      <Group justify="space-between" gap="xs">
        <Heading day={shown?.day} total={show(shown?.total ?? total)} />
        <Switch
          size="xs"
          label={t('chart.table')}
          checked={asTable}
          onChange={(event) => setAsTable(event.currentTarget.checked)}
        />
      </Group>
      {asTable ? (
        <AsTable label={label} stacks={stacks} kinds={kinds} show={show} />
      ) : (
        <Chart {...{ label, stacks, kinds, show, picked }} onPick={setPicked} />
      )}
    </Stack>
  );
}

const valuesOf = ({ day, parts }: DayStack): readonly DayValue[] =>
  parts.map(({ kind, value }) => ({ day, kind, value }));

/** The day that is pointed at, or all of them. Its place stays, so that nothing moves below the pointer. */
function Heading({ day, total }: { day: string | undefined; total: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Text size="sm" className="figures">
      <Text span c="dimmed">
        {day === undefined ? t('chart.whole') : format.day(`${day}T11:00:00Z`)}
      </Text>{' '}
      <Text span fw={600}>
        {total}
      </Text>
    </Text>
  );
}

function Legend({ values, kinds, show }: Pick<Props, 'values' | 'kinds' | 'show'>) {
  const totals = new Map(totalsOf(values).map(({ kind, total }) => [kind, total]));
  return (
    <Group gap="md" component="ul" className={classes['legend']}>
      {kinds.map(({ kind, name, colour }) => (
        <Group key={kind} gap={6} wrap="nowrap" component="li">
          <span className={classes['key']} style={{ background: colour }} />
          <Text size="sm">{name}</Text>
          <Text size="sm" c="dimmed" className="figures">
            {show(totals.get(kind) ?? 0)}
          </Text>
        </Group>
      ))}
    </Group>
  );
}

interface ChartProps extends Pick<Props, 'label' | 'kinds' | 'show'> {
  readonly stacks: readonly DayStack[];
  readonly picked: string | undefined;
  readonly onPick: (day: string | undefined) => void;
}

/** Time runs from left to right in both languages. */
function Chart({ label, stacks, kinds, show, picked, onPick }: ChartProps) {
  const { ref, width } = useElementSize();
  const steps = roundSteps(Math.max(...stacks.map(({ total }) => total)), 4, 1);
  const top = steps.at(-1) || 1;
  const inner = { width: Math.max(0, width - INSET.start - INSET.end), height: HEIGHT - INSET.top - INSET.bottom };
  const slot = inner.width / Math.max(1, stacks.length);
  const bar = Math.min(BAR_MAX, Math.max(1, slot * 0.72));
  const y = (value: number): number => INSET.top + inner.height * (1 - value / top);
  const colours = new Map(kinds.map(({ kind, colour }) => [kind, colour]));
  return (
    <div ref={ref} dir="ltr" style={{ height: HEIGHT }} onPointerLeave={() => onPick(undefined)}>
      {width > 0 && (
        <svg width={width} height={HEIGHT} role="img" aria-label={label} className={classes['chart']}>
          {steps.map((step) => (
            <g key={step}>
              <line x1={INSET.start} x2={width - INSET.end} y1={y(step)} y2={y(step)} className={classes['rule']} />
              <text x={INSET.start - 8} y={y(step)} dy="0.32em" textAnchor="end">
                {show(step)}
              </text>
            </g>
          ))}
          {stacks.map((stack, index) => {
            const x = INSET.start + slot * index;
            return (
              <g key={stack.day} onPointerEnter={() => onPick(stack.day)} onPointerDown={() => onPick(stack.day)}>
                <rect
                  x={x}
                  y={0}
                  width={slot}
                  height={HEIGHT}
                  className={classes['slot']}
                  data-on={stack.day === picked}
                />
                {stack.parts.map(({ kind, value, from }) => (
                  <rect
                    key={kind}
                    x={x + (slot - bar) / 2}
                    y={y(from + value)}
                    width={bar}
                    height={Math.max(1, y(from) - y(from + value))}
                    fill={colours.get(kind)}
                  />
                ))}
              </g>
            );
          })}
          <Days stacks={stacks} slot={slot} width={width} />
        </svg>
      )}
    </div>
  );
}

const DAY_LABEL_PX = 56;

/** As many names of days as have room; the last one always, and whole. */
function Days({ stacks, slot, width }: { stacks: readonly DayStack[]; slot: number; width: number }) {
  const format = useFormat();
  const every = Math.max(1, Math.ceil(DAY_LABEL_PX / Math.max(1, slot)));
  return stacks.map(({ day }, index) => {
    const fromEnd = stacks.length - 1 - index;
    if (fromEnd % every !== 0) return null;
    const isTight = fromEnd === 0 && slot < DAY_LABEL_PX;
    return (
      <text
        key={day}
        x={isTight ? width : INSET.start + slot * (index + 0.5)}
        y={HEIGHT - 6}
        textAnchor={isTight ? 'end' : 'middle'}
      >
        {isolated(format.dayOfYear(`${day}T11:00:00Z`))}
      </text>
    );
  });
}

function AsTable({ label, stacks, kinds, show }: Omit<ChartProps, 'picked' | 'onPick'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const columns = [
    { name: t('chart.day'), cell: ({ day }: DayStack) => format.day(`${day}T11:00:00Z`) },
    ...kinds.map(({ kind, name }) => ({
      ...{ name, isFigure: true, isExtra: true },
      cell: ({ parts }: DayStack) => show(parts.find((part) => part.kind === kind)?.value ?? 0),
    })),
    { name: t('chart.total'), isFigure: true, cell: ({ total }: DayStack) => show(total) },
  ];
  const rows = stacks.filter(({ total }) => total > 0).toReversed();
  return <DataTable label={label} columns={columns} rows={rows} keyOf={({ day }) => day} />;
}
