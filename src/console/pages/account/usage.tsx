import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addressOf } from '../../api/client.ts';
import { useAsk } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Download } from '../../parts/download.tsx';
import { Section } from '../../parts/page.tsx';
import { dayAfter, dayIn, daysUntil, startOfDay } from '../../parts/stacked-days.ts';
import { StackedDays } from '../../parts/stacked-days.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { CHARGE_COLOURS, type ChargeKind, isChargeKind, OTHER } from './charge-kinds.ts';
import { TopAgents } from './top-agents.tsx';

const LENGTHS = [7, 30, 90] as const;

/** What the account paid for, day by day, in the days of its own time zone. */
export function Usage({ timeZone }: { timeZone: string }) {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation();
  const format = useFormat();
  const [length, setLength] = useState<number>(30);
  const today = dayIn(timeZone, Date.now());
  const days = useMemo(() => daysUntil(today, length), [today, length]);
  // With its end, so that a clock of this browser that goes wrong asks for other days, and not for none.
  const to = startOfDay(dayAfter(today), timeZone).toISOString();
  const query = { from: startOfDay(days[0]!, timeZone).toISOString(), to, time_zone: timeZone };
  const asked = useAsk('getUsage', { query }, { everyMs: 60_000 });
  const aside = (
    <Group gap="xs">
      <SegmentedControl
        size="xs"
        aria-label={t('usage.period')}
        value={String(length)}
        onChange={(value) => setLength(Number(value))}
        data={LENGTHS.map((one) => ({ value: String(one), label: t('usage.days', { count: one }) }))}
      />
      <Download address={addressOf('exportUsage', { query })} fileName={`usage-${days[0]}-${today}.csv`}>
        {common('csv')}
      </Download>
    </Group>
  );
  return (
    <Stack gap="lg">
      <Section title={t('usage.title')} aside={aside}>
        <Shown of={asked} height={300}>
          {({ lines }) =>
            lines.length === 0 ? (
              <Empty title={t('usage.empty')}>
                <Text size="sm" c="dimmed">
                  {t('usage.emptyText')}
                </Text>
              </Empty>
            ) : (
              <Days lines={lines} days={days} show={format.money} />
            )
          }
        </Shown>
      </Section>
      <Section
        title={t('agents.title')}
        aside={
          <Text size="sm" c="dimmed">
            {t('usage.days', { count: length })}
          </Text>
        }
      >
        <Shown of={asked}>{({ lines }) => <TopAgents lines={lines} />}</Shown>
      </Section>
    </Stack>
  );
}

interface Line {
  readonly day: string;
  readonly kind: string;
  readonly cents: number;
}

function Days({
  lines,
  days,
  show,
}: {
  lines: readonly Line[];
  days: readonly string[];
  show: (cents: number) => string;
}) {
  const { t } = useTranslation('account');
  const values = lines.map(({ day, kind, cents }) => ({
    ...{ day, value: cents, kind: isChargeKind(kind) ? kind : OTHER.kind },
  }));
  const there = new Set<string>(values.map(({ kind }) => kind));
  const kinds = [
    ...Object.entries(CHARGE_COLOURS).map(([kind, colour]) => ({
      ...{ kind, colour, name: t(`kinds.${kind as ChargeKind}`) },
    })),
    { ...OTHER, name: t('kinds.other') },
  ].filter(({ kind }) => there.has(kind));
  return <StackedDays label={t('usage.title')} values={values} days={days} kinds={kinds} show={show} />;
}
