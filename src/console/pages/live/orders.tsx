import { Badge, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ItemOf, useAsk, useChange, usePages } from '../../api/hooks.ts';
import { useLiveRefresh } from '../../api/live.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { type Column, PagedTable } from '../../parts/data-table.tsx';
import { Section } from '../../parts/page.tsx';
import { Ltr } from '../../parts/text.tsx';
import { useNow } from '../../parts/when.tsx';
import { useWho } from '../../session/session.tsx';

type Order = ItemOf<'listOrders'>;
const AT_ONCE = 50;
const COLOURS = { queued: 'gray', dialling: 'nidaa', ringing: 'nidaa', answered: 'nidaa', ended: 'gray' } as const;

/** Calls that agents are to make: those under way, then those that wait. Nothing is shown where there is none. */
export function Orders() {
  const { t } = useTranslation('live');
  const { may } = useWho();
  const ringing = useAsk('listOrders', { query: { state: 'ringing', limit: AT_ONCE } });
  const dialling = useAsk('listOrders', { query: { state: 'dialling', limit: AT_ONCE } });
  const waiting = usePages('listOrders', { state: 'queued', limit: AT_ONCE });
  useLiveRefresh(['listOrders'], ['order.changed']);
  const agents = usePages('listAgents', { limit: 200 });
  const names = new Map(agents.items?.map(({ id, name }) => [id, name]));
  const [asked, setAsked] = useState<Order>();
  const cancel = useChange('cancelOrder', ['listOrders']);
  const under = [...(ringing.data?.items ?? []), ...(dialling.data?.items ?? [])];
  const items = waiting.items && [...under, ...waiting.items];
  if (!waiting.error && (!items || items.length === 0)) return null;
  const columns: Column<Order>[] = [
    { name: t('orders.to'), cell: ({ to }) => <Ltr>{to}</Ltr> },
    { name: t('orders.agent'), isExtra: true, cell: ({ agent_id }) => <bdi>{names.get(agent_id) ?? agent_id}</bdi> },
    { name: t('orders.state'), cell: (order) => <State order={order} /> },
    ...(may('calls')
      ? [
          {
            ...{ name: t('orders.cancel'), isBare: true, isFigure: true },
            cell: (order: Order) => (
              <Button
                size="compact-sm"
                variant="light"
                color="red"
                disabled={order.cancel_wanted}
                onClick={() => setAsked(order)}
                aria-label={t('orders.cancelOne', { number: `\u2066${order.to}\u2069` })}
              >
                {t('orders.cancel')}
              </Button>
            ),
          },
        ]
      : []),
  ];
  return (
    <Section title={t('orders.title')}>
      <PagedTable
        label={t('orders.title')}
        pages={{ ...waiting, items }}
        columns={columns}
        keyOf={({ id }) => id}
        empty={null}
      />
      <Confirm
        {...{ opened: asked !== undefined, onClose: () => setAsked(undefined), verb: t('orders.cancel') }}
        title={t('orders.cancelTitle')}
        text={t('orders.cancelText', { number: `\u2066${asked?.to}\u2069` })}
        act={() => cancel.mutateAsync({ params: { id: asked!.id } })}
      />
    </Section>
  );
}

/** What it waits for: its turn, or its time. */
function State({ order: { state, attempt, next_at } }: { order: Order }) {
  const { t } = useTranslation('live');
  const format = useFormat();
  const now = useNow();
  const isLater = state === 'queued' && next_at !== null && Date.parse(next_at) > now;
  return (
    <>
      <Badge color={COLOURS[state]}>{t(`orders.states.${state}`)}</Badge>
      {(isLater || attempt > 1) && (
        <Text size="xs" c="dimmed" component="div">
          {[
            ...(isLater ? [t('orders.next', { time: format.dateTime(next_at) })] : []),
            ...(attempt > 1 ? [t('orders.attempt', { count: attempt })] : []),
          ].join(' · ')}
        </Text>
      )}
    </>
  );
}
