import { Badge, Box, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../api/client.ts';
import { useAsk, useChange } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Noticed } from '../../parts/noticed.tsx';
import { Section } from '../../parts/page.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { tellFailed } from '../../parts/tell.ts';
import { Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';

type Engine = Answer<'getSystem'>['engines'][number];
const BADGES = { ok: 'nidaa', down: 'red', unused: 'gray' } as const;

/** Each engine by itself, and a check that asks it what callers ask. */
export function Engines() {
  const { t } = useTranslation('system');
  const asked = useAsk('getSystem', {}, { everyMs: 10_000 });
  const columns = [
    { name: t('engines.engine'), cell: (engine: Engine) => <Name of={engine} /> },
    {
      name: t('engines.state'),
      cell: ({ state }: Engine) => <Badge color={BADGES[state]}>{t(`engines.states.${state}`)}</Badge>,
    },
    { name: t('engines.checked'), isExtra: true, cell: (engine: Engine) => <Checked of={engine} /> },
    { name: t('engines.check'), isBare: true, isFigure: true, cell: (engine: Engine) => <Check of={engine} /> },
  ];
  return (
    <Section title={t('tabs.engines')}>
      <Text size="sm" c="dimmed" mb="md">
        {t('engines.lead')}
      </Text>
      <Shown of={asked}>
        {({ engines }) =>
          engines.length === 0 ? (
            <Empty title={t('engines.none')} />
          ) : (
            <DataTable label={t('tabs.engines')} columns={columns} rows={engines} keyOf={({ name }) => name} />
          )
        }
      </Shown>
    </Section>
  );
}

function Name({ of }: { of: Engine }) {
  const { capability, language, engine, place, order, detail } = of;
  const { t } = useTranslation('system');
  const what = t(`engines.capabilities.${capability}`);
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Text size="sm">
          {language === null ? what : t('engines.inLanguage', { what, language: t(`engines.languages.${language}`) })}
        </Text>
        {place === 'remote' && <Badge color="violet">{t('engines.remote')}</Badge>}
        {order !== 1 && (
          <Text size="xs" c="dimmed">
            {order === null ? t('engines.byName') : t('engines.after', { place: order })}
          </Text>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        <Ltr mono>{engine}</Ltr>
      </Text>
      {detail !== null && (
        <Text size="xs" c="var(--bad)" dir="auto">
          <Noticed notice={of.detail_notice} english={detail} />
        </Text>
      )}
      <Box hiddenFrom="sm">
        <Checked of={of} />
      </Box>
    </Stack>
  );
}

/** What the latest check came to: time to the first result is what a caller waits. */
function Checked({ of: { last_check: check } }: { of: Engine }) {
  const { t } = useTranslation('system');
  const format = useFormat();
  if (check === null) return <Ago iso={null} />;
  return (
    <Stack gap={2} maw={360}>
      <Text size="sm" c={check.ok ? undefined : 'var(--bad)'}>
        {check.ok ? t('engines.worked') : t('engines.failed')}
        {check.first_ms !== null && ` · ${t('engines.first', { time: format.span(check.first_ms) })}`}
        {` · ${t('engines.total', { time: format.span(check.total_ms) })}`}
      </Text>
      <Text size="xs" c="dimmed">
        <Ago iso={check.at} />{' '}
        {check.detail !== null ? (
          <Noticed notice={check.detail_notice} english={check.detail} />
        ) : (
          check.answer !== null && <bdi>{check.answer}</bdi>
        )}
      </Text>
    </Stack>
  );
}

function Check({ of: { name } }: { of: Engine }) {
  const { t } = useTranslation('system');
  const check = useChange('checkEngine', ['getSystem']);
  return (
    <Button
      variant="light"
      size="compact-sm"
      aria-label={t('engines.checkOne', { name })}
      loading={check.isPending}
      onClick={() => check.mutate({ params: { id: name } }, { onError: tellFailed })}
    >
      {t('engines.check')}
    </Button>
  );
}
