import { Button, Group, Modal, Stack, Table, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../api/client.ts';
import { useAsk, useChange } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Noticed } from '../../parts/noticed.tsx';
import { Shown } from '../../parts/states.tsx';
import { tellFailed } from '../../parts/tell.ts';
import { Copyable, Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';
import { DeliveryState } from './delivery-state.tsx';

type Whole = Answer<'getWebhookDelivery'>;

/** What was sent, every try, and what came back. Followed while it is under way. */
export function Delivery({ webhook, id, onClose }: { webhook: string; id: string; onClose: () => void }) {
  const { t } = useTranslation('webhooks');
  const { t: common } = useTranslation();
  const params = { id: webhook, delivery: id };
  const asked = useAsk('getWebhookDelivery', { params }, { everyMs: 1_500 });
  const replay = useChange('replayWebhookDelivery', ['getWebhookDelivery', 'listWebhookDeliveries', 'getWebhook']);
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={asked.data ? <Ltr>{asked.data.type}</Ltr> : t('deliveries')}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <Shown of={asked}>
        {(delivery) => (
          <Stack gap="md">
            <Group justify="space-between" gap="sm">
              <Head of={delivery} />
              <Button
                variant="default"
                leftSection={<IconRefresh size={16} />}
                loading={replay.isPending}
                onClick={() => replay.mutate({ params }, { onError: tellFailed })}
              >
                {delivery.state === 'pending' ? t('replayNow') : t('replay')}
              </Button>
            </Group>
            <Tries of={delivery} />
            <div>
              <Title order={3} mb="xs">
                {t('body')}
              </Title>
              {delivery.body === null ? (
                <Text size="sm" c="dimmed">
                  {t('noBody')}
                </Text>
              ) : (
                <CodeBlock label={t('body')} text={JSON.stringify(delivery.body, null, 2)} height={320} />
              )}
            </div>
          </Stack>
        )}
      </Shown>
    </Modal>
  );
}

function Head({ of }: { of: Whole }) {
  const { t } = useTranslation('webhooks');
  return (
    <div role="status">
      <Group gap="sm">
        <DeliveryState of={of} />
        {of.next_at !== null && (
          <Text size="sm">
            {t('next')}: <Ago iso={of.next_at} />
          </Text>
        )}
        <Copyable value={of.event_id} />
      </Group>
    </div>
  );
}

function Tries({ of: { history } }: { of: Whole }) {
  const { t } = useTranslation('webhooks');
  const format = useFormat();
  if (history.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('noTries')}
      </Text>
    );
  }
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table aria-label={t('tries')} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('when')}</Table.Th>
            <Table.Th>{t('answer')}</Table.Th>
            <Table.Th ta="end">{t('took')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {history.toReversed().map(({ at, status, ms, error, error_notice, answer }) => (
            <Table.Tr key={at}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{format.dateTime(at)}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Text size="sm" c={error === null ? 'var(--good)' : 'var(--bad)'}>
                  {error === null ? <Ltr>{status}</Ltr> : <Noticed notice={error_notice} english={error} />}
                </Text>
                {answer !== null && answer !== '' && (
                  <Text size="xs" c="dimmed" dir="auto">
                    {answer}
                  </Text>
                )}
              </Table.Td>
              <Table.Td ta="end" style={{ whiteSpace: 'nowrap' }}>
                {format.span(ms)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
