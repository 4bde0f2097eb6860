import { Anchor, Badge, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useAsk } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Section } from '../../parts/page.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Copyable } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';

type Logged = Answer<'listErrors'>['items'][number];

/** What went wrong of late; the id that somebody was told leads to it. It stands in the address, so that it can be sent on. */
export function Errors() {
  const { t } = useTranslation('system');
  const format = useFormat();
  const [query, setQuery] = useSearchParams();
  const wanted = query.get('request') ?? '';
  const [request] = useDebouncedValue(wanted.trim(), 300);
  const asked = useAsk('listErrors', { query: request === '' ? {} : { request_id: request } }, { everyMs: 10_000 });
  const columns = [
    { name: t('errors.when'), cell: ({ at }: Logged) => <Ago iso={at} /> },
    { name: t('errors.what'), cell: (error: Logged) => <What of={error} /> },
    {
      ...{ name: t('errors.times'), isFigure: true, isExtra: true },
      cell: ({ times }: Logged) => format.number(times),
    },
  ];
  return (
    <Section title={t('tabs.errors')}>
      <TextInput
        label={t('errors.request')}
        placeholder="req_…"
        leftSection={<IconSearch size={16} />}
        dir="ltr"
        maw={360}
        mb="md"
        maxLength={64}
        value={wanted}
        onChange={(event) => setQuery({ tab: 'errors', request: event.currentTarget.value }, { replace: true })}
      />
      <Shown of={asked}>
        {({ items, since }) => (
          <>
            {items.length === 0 ? (
              <Empty title={request === '' ? t('errors.none') : t('errors.unknown')} />
            ) : (
              <DataTable
                label={t('tabs.errors')}
                columns={columns}
                rows={items}
                keyOf={({ at, component, message, request_id }) => `${at} ${component} ${request_id} ${message}`}
              />
            )}
            <Text size="sm" c="dimmed" mt="sm">
              {t('errors.since', { time: format.dateTime(since) })}
            </Text>
          </>
        )}
      </Shown>
    </Section>
  );
}

function What({ of: { level, component, message, code, request_id, call_id } }: { of: Logged }) {
  const { t } = useTranslation('system');
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Badge color={level === 'fatal' ? 'red' : 'gray'}>{component}</Badge>
        {code !== null && <Badge color="orange">{code}</Badge>}
      </Group>
      <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {message}
      </Text>
      <Group gap="sm">
        {request_id !== null && <Copyable value={request_id} />}
        {call_id !== null && (
          <Anchor component={Link} to={`/calls/${encodeURIComponent(call_id)}`} size="sm">
            {t('errors.call')}
          </Anchor>
        )}
      </Group>
    </Stack>
  );
}
