import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePages } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { PagedTable } from '../../parts/data-table.tsx';
import { Section } from '../../parts/page.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';
import { NewWebhook } from './webhook-form.tsx';
import { type Webhook, WebhookState } from './webhook-state.tsx';

export function WebhookList() {
  const { t } = useTranslation('webhooks');
  const format = useFormat();
  const pages = usePages('listWebhooks', {}, undefined, { everyMs: 15_000 });
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t('create')}
    </Button>
  );
  const columns = [
    { name: t('url'), cell: (webhook: Webhook) => <Where of={webhook} /> },
    { name: t('state.name'), cell: (webhook: Webhook) => <WebhookState of={webhook} /> },
    {
      ...{ name: t('lastDelivered'), isExtra: true },
      cell: (webhook: Webhook) => <Ago iso={webhook.last_delivered_at} />,
    },
    {
      ...{ name: t('events.name'), isFigure: true, isExtra: true },
      cell: ({ events }: Webhook) => format.number(events.length),
    },
    {
      ...{ name: t('waiting'), isFigure: true, isExtra: true },
      cell: ({ pending }: Webhook) => format.number(pending),
    },
    {
      ...{ name: t('failed'), isFigure: true, isExtra: true },
      cell: ({ failed }: Webhook) => (
        <Text size="sm" c={failed > 0 ? 'var(--bad)' : undefined}>
          {format.number(failed)}
        </Text>
      ),
    },
  ];
  return (
    <Section title={t('tabs.list')} aside={create}>
      <PagedTable
        label={t('tabs.list')}
        columns={columns}
        pages={pages}
        keyOf={({ id }) => id}
        empty={
          <Empty title={t('empty')}>
            <Text size="sm" c="dimmed">
              {t('emptyText')}
            </Text>
            <Group gap="md">
              <Anchor component={Link} to="/webhooks?tab=events" size="sm">
                {t('tabs.events')}
              </Anchor>
              <Anchor component={Link} to="/webhooks?tab=signature" size="sm">
                {t('tabs.signature')}
              </Anchor>
            </Group>
          </Empty>
        }
      />
      {isCreating && <NewWebhook onClose={() => setCreating(false)} onMade={setSecret} />}
      <SecretOnce title={t('secretTitle')} secret={secret} onClose={() => setSecret(undefined)} />
    </Section>
  );
}

function Where({ of: { id, url, description } }: { of: Webhook }) {
  return (
    <Stack gap={2} maw={420}>
      <Anchor component={Link} to={`/webhooks?webhook=${id}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
        <Ltr>{url}</Ltr>
      </Anchor>
      {description !== '' && (
        <Text size="xs" c="dimmed">
          <bdi>{description}</bdi>
        </Text>
      )}
    </Stack>
  );
}
