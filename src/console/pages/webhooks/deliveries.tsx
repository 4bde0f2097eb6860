import { Anchor, Button, Group, Select, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { WEBHOOK_EVENTS, type WebhookEventType } from '../../../core/webhook.ts';
import { type ItemOf, useChange, usePages } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { PagedTable } from '../../parts/data-table.tsx';
import { Noticed } from '../../parts/noticed.tsx';
import { Section } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { tellDone } from '../../parts/tell.ts';
import { Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';
import { Delivery } from './delivery.tsx';
import { DeliveryState } from './delivery-state.tsx';
import type { Webhook } from './webhook-state.tsx';

type Head = ItemOf<'listWebhookDeliveries'>;
const STATES = ['pending', 'delivered', 'failed'] as const;
/** As long as deliveries are kept. */
const KEPT_DAYS = 30;
const isOneOf = <T extends string>(values: readonly T[], value: string | null): value is T =>
  value !== null && values.includes(value as T);

/** What a webhook was told, and how it took it. */
export function Deliveries({ of: { id, enabled, failed } }: { of: Webhook }) {
  const { t } = useTranslation('webhooks');
  const format = useFormat();
  const [state, setState] = useState<string | null>(null);
  const [event, setEvent] = useState<string | null>(null);
  const [open, setOpen] = useState<string>();
  const query = {
    ...(isOneOf(STATES, state) && { state }),
    ...(isOneOf(WEBHOOK_EVENTS, event) && { event: event satisfies WebhookEventType }),
  };
  const pages = usePages('listWebhookDeliveries', query, { id }, { everyMs: 5_000 });
  const columns = [
    {
      name: t('event'),
      cell: (one: Head) => (
        <Anchor component="button" type="button" size="sm" onClick={() => setOpen(one.id)}>
          <Ltr>{one.type}</Ltr>
        </Anchor>
      ),
    },
    { name: t('state.name'), cell: (one: Head) => <DeliveryState of={one} /> },
    { name: t('when'), cell: (one: Head) => <Ago iso={one.created_at} /> },
    { ...{ name: t('answer'), isExtra: true }, cell: (one: Head) => <Answered of={one} /> },
    {
      ...{ name: t('next'), isExtra: true },
      cell: ({ next_at }: Head) => next_at !== null && <Ago iso={next_at} />,
    },
    { ...{ name: t('tries'), isFigure: true, isExtra: true }, cell: (one: Head) => format.number(one.tries) },
  ];
  return (
    <Section title={t('deliveries')} aside={enabled && failed > 0 && <ReplayFailed id={id} count={failed} />}>
      <Group gap="sm" mb="md">
        <Select
          aria-label={t('state.name')}
          placeholder={t('anyState')}
          clearable
          data={STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
          value={state}
          onChange={setState}
        />
        <Select
          aria-label={t('event')}
          placeholder={t('anyEvent')}
          clearable
          data={[...WEBHOOK_EVENTS]}
          value={event}
          onChange={setEvent}
        />
      </Group>
      <PagedTable
        label={t('deliveries')}
        columns={columns}
        pages={pages}
        keyOf={(one) => one.id}
        onPick={(one) => setOpen(one.id)}
        empty={
          <Empty title={t('noDeliveries')}>
            <Text size="sm" c="dimmed">
              {t('noDeliveriesText')}
            </Text>
          </Empty>
        }
      />
      {open !== undefined && <Delivery webhook={id} id={open} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function Answered({ of: { last_status, last_error, last_error_notice } }: { of: Head }) {
  return (
    <Text size="sm" c={last_error === null ? undefined : 'var(--bad)'}>
      {last_error === null ? (
        <Ltr>{last_status ?? ''}</Ltr>
      ) : (
        <Noticed notice={last_error_notice} english={last_error} />
      )}
    </Text>
  );
}

function ReplayFailed({ id, count }: { id: string; count: number }) {
  const { t } = useTranslation('webhooks');
  const replay = useChange('replayFailedWebhookDeliveries', ['listWebhookDeliveries', 'getWebhook']);
  const [isOpen, setOpen] = useState(false);
  const act = async () => {
    const since = new Date(Date.now() - KEPT_DAYS * 86_400_000).toISOString();
    const { replayed } = await replay.mutateAsync({ params: { id }, body: { since } });
    tellDone(t('replayed', { count: replayed }));
  };
  return (
    <>
      <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={() => setOpen(true)}>
        {t('replayFailed')}
      </Button>
      <Confirm
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('replayFailed')}
        text={t('replayFailedText', { count })}
        verb={t('replay')}
        isDangerous={false}
        act={act}
      />
    </>
  );
}
