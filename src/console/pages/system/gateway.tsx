import { Grid, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../api/client.ts';
import { useAsk } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Meter } from '../../parts/meter.tsx';
import { Section } from '../../parts/page.tsx';
import { Shown } from '../../parts/states.tsx';
import { Ltr } from '../../parts/text.tsx';
import { Facts } from './facts.tsx';
import { Nodes } from './nodes.tsx';
import { Parts } from './parts.tsx';

type System = Answer<'getSystem'>;
/** More than this and audio begins to come late: no new calls are taken. */
const LATENESS_MS = { warn: 1.5, bad: 3 } as const;
const CPU_PERCENT = { warn: 50, bad: 70 } as const;

/** How this gateway is: what works, what it carries, what room is left. */
export function Gateway() {
  const asked = useAsk('getSystem', {}, { everyMs: 5_000 });
  return (
    <Shown of={asked} height={400}>
      {(system) => (
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Parts of={system.parts} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Stack gap="lg">
              <Load of={system.load} />
              <Storage of={system.storage} />
              <Versions of={system.versions} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={12}>
            <Nodes />
          </Grid.Col>
        </Grid>
      )}
    </Shown>
  );
}

function Load({ of }: { of: System['load'] }) {
  const { t } = useTranslation('system');
  const format = useFormat();
  const calls = t('load.of', { calls: format.number(of.calls), capacity: format.number(of.capacity) });
  const lateness = of.lateness_p99_ms;
  return (
    <Section title={t('load.title')}>
      <Facts
        facts={[
          {
            name: t('load.calls'),
            value: calls,
            below: <Meter share={of.capacity > 0 ? of.calls / of.capacity : 1} label={t('load.calls')} />,
          },
          {
            name: t('load.cpu'),
            value: format.percent(of.cpu_percent / 100),
            below: (
              <Meter
                share={of.cpu_percent / 100}
                warnAt={CPU_PERCENT.warn / 100}
                badAt={CPU_PERCENT.bad / 100}
                label={t('load.cpu')}
              />
            ),
          },
          {
            name: t('load.lateness'),
            value: (
              <Text inherit span c={lateness >= LATENESS_MS.bad ? 'var(--bad)' : undefined}>
                {format.span(lateness)}
              </Text>
            ),
            below: (
              <Meter
                share={lateness / LATENESS_MS.bad}
                warnAt={LATENESS_MS.warn / LATENESS_MS.bad}
                badAt={1}
                label={t('load.lateness')}
              />
            ),
          },
          { name: t('load.threads'), value: format.number(of.media_threads) },
          { name: t('load.memory'), value: format.bytes(of.memory_bytes) },
          { name: t('load.uptime'), value: <Uptime seconds={of.uptime_seconds} /> },
        ]}
      />
    </Section>
  );
}

function Uptime({ seconds }: { seconds: number }) {
  const { t } = useTranslation('system');
  const format = useFormat();
  const days = Math.floor(seconds / 86_400);
  const clock = <Ltr>{format.clock((seconds % 86_400) * 1_000)}</Ltr>;
  return (
    <>
      {days > 0 && `${t('load.days', { count: days })} `}
      {clock}
    </>
  );
}

function Storage({ of }: { of: System['storage'] }) {
  const { t } = useTranslation('system');
  const format = useFormat();
  const used = of.data_total_bytes - of.data_free_bytes;
  return (
    <Section title={t('storage.title')}>
      <Facts
        facts={[
          {
            name: t('storage.disk'),
            value: t('storage.free', {
              free: format.bytes(of.data_free_bytes),
              total: format.bytes(of.data_total_bytes),
            }),
            below: <Meter share={of.data_total_bytes > 0 ? used / of.data_total_bytes : 0} label={t('storage.disk')} />,
          },
          { name: t('storage.database'), value: format.bytes(of.database_bytes) },
        ]}
      />
    </Section>
  );
}

function Versions({ of }: { of: System['versions'] }) {
  const { t } = useTranslation('system');
  return (
    <Section title={t('versions')}>
      <Facts
        facts={[
          { name: 'Nidaa', value: <Ltr>{of.nidaa}</Ltr> },
          { name: 'Node.js', value: <Ltr>{of.node.replace(/^v/, '')}</Ltr> },
          { name: 'PostgreSQL', value: <Ltr>{of.postgresql}</Ltr> },
        ]}
      />
    </Section>
  );
}
