import { Anchor, Button, Group, Stack, Text, Timeline } from '@mantine/core';
import { IconCheck, IconPhone, IconPhoneOff, IconPhoneRinging, IconSend, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Answer } from '../../../api/client.ts';
import { useAsk, useChange } from '../../../api/hooks.ts';
import { useLiveRefresh } from '../../../api/live.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { Noticed } from '../../../parts/noticed.tsx';
import { Failed, Shown } from '../../../parts/states.tsx';
import { Ltr } from '../../../parts/text.tsx';

type Order = Answer<'getOrder'>;

/** Asked again while it goes on, beside what the live events tell. */
const EVERY_MS = 2_000;

/** What becomes of an order, as it happens. */
export function OrderState({ orderId, onAnother }: { orderId: string; onAnother: () => void }) {
  const { t } = useTranslation('talk');
  const asked = useAsk('getOrder', { params: { id: orderId } }, { everyMs: EVERY_MS });
  useLiveRefresh(['getOrder'], ['order.changed']);
  const cancel = useChange('cancelOrder', ['getOrder']);
  return (
    <Shown of={asked}>
      {(order) => (
        <Stack gap="md">
          <Text fw={600} role="status">
            {t(`order.${order.state}`)} <Ltr>{order.to}</Ltr>
          </Text>
          <Steps order={order} />
          {order.state === 'queued' && order.attempts.length > 0 && <Again order={order} />}
          {cancel.error && <Failed error={cancel.error} />}
          <Group gap="sm">
            {order.state === 'ended' ? (
              <Button onClick={onAnother}>{t('callAnother')}</Button>
            ) : (
              <Button
                color="red"
                leftSection={<IconPhoneOff size={16} />}
                loading={cancel.isPending || order.cancel_wanted}
                onClick={() => cancel.mutate({ params: { id: orderId } })}
              >
                {t(order.state === 'answered' ? 'hangUp' : 'cancelCall')}
              </Button>
            )}
            {order.call_id && (
              <Anchor component={Link} to={`/calls/${order.call_id}`} size="sm">
                {t('openCall')}
              </Anchor>
            )}
          </Group>
        </Stack>
      )}
    </Shown>
  );
}

/** The steps that were taken, with their times; the next ones grey. */
function Steps({ order }: { order: Order }) {
  const { t } = useTranslation('talk');
  const { time } = useFormat();
  const steps: { name: 'queued' | 'dialling' | 'ringing' | 'answered'; at: string | null; icon: ReactNode }[] = [
    { name: 'queued', at: order.created_at, icon: <IconCheck size={12} /> },
    { name: 'dialling', at: order.sent_at, icon: <IconSend size={12} /> },
    { name: 'ringing', at: order.ringing_at, icon: <IconPhoneRinging size={12} /> },
    { name: 'answered', at: order.answered_at, icon: <IconPhone size={12} /> },
  ];
  const taken = steps.filter(({ at }) => at !== null);
  const shown = order.state === 'ended' ? taken : steps;
  return (
    <Timeline active={order.state === 'ended' ? taken.length : taken.length - 1} bulletSize={22} lineWidth={2}>
      {shown.map(({ name, at, icon }) => (
        <Timeline.Item key={name} bullet={icon} title={t(`stages.${name}`)}>
          <Text size="xs" c="dimmed" mih={18}>
            {at !== null && <Ltr>{time(at)}</Ltr>}
          </Text>
        </Timeline.Item>
      ))}
      {order.state === 'ended' && (
        <Timeline.Item bullet={<IconX size={12} />} title={t('stages.ended')}>
          <Text size="xs" c="dimmed">
            {order.ended_at && <Ltr>{time(order.ended_at)}</Ltr>}
          </Text>
          <EndReason end={order.end} />
        </Timeline.Item>
      )}
    </Timeline>
  );
}

/** Of an order that waits after a try that came to nothing. */
function Again({ order }: { order: Order }) {
  const { t } = useTranslation('talk');
  const { time } = useFormat();
  return (
    <div>
      <EndReason end={order.end} />
      {order.next_at !== null && (
        <Text size="sm">
          {t('nextTry')} <Ltr>{time(order.next_at)}</Ltr>
        </Text>
      )}
    </div>
  );
}

function EndReason({ end }: { end: Order['end'] }) {
  const { t, i18n } = useTranslation('talk');
  if (!end?.reason) return null;
  const key = `ends.${end.reason}`;
  return (
    <>
      <Text size="sm">{i18n.exists(key, { ns: 'talk' }) ? t(key as 'ends.busy') : <Ltr>{end.reason}</Ltr>}</Text>
      {end.detail && (
        <Text size="xs" c="dimmed" dir="auto">
          <Noticed notice={end.detail_notice} english={end.detail} />
        </Text>
      )}
    </>
  );
}
