import { ActionIcon, Alert, Anchor, Badge, Button, Group, Menu, SimpleGrid, Text } from '@mantine/core';
import { IconArrowLeft, IconDots, IconPlayerPause, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useAsk, useChange } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Figure, Page, Section } from '../../parts/page.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { Shown } from '../../parts/states.tsx';
import { tellFailed } from '../../parts/tell.ts';
import { Ltr } from '../../parts/text.tsx';
import { Ago, useNow } from '../../parts/when.tsx';
import { Deliveries } from './deliveries.tsx';
import { Delivery } from './delivery.tsx';
import { EditWebhook } from './webhook-form.tsx';
import { type Webhook, WebhookState } from './webhook-state.tsx';

/** One webhook: how it goes with it, what it was told, and what can be done about it. */
export function WebhookView({ id }: { id: string }) {
  const { t } = useTranslation('webhooks');
  const asked = useAsk('getWebhook', { params: { id } }, { everyMs: 10_000 });
  const back = (
    <Anchor component={Link} to="/webhooks" size="sm">
      <Group gap={4}>
        <IconArrowLeft size={16} className="mirrored" />
        {t('title')}
      </Group>
    </Anchor>
  );
  return (
    <Page title={asked.data?.url ?? t('title')} lead={back} actions={asked.data && <Actions of={asked.data} />}>
      <Shown of={asked}>
        {(webhook) => (
          <>
            <Disabled of={webhook} />
            <Facts of={webhook} />
            <Deliveries of={webhook} />
          </>
        )}
      </Shown>
    </Page>
  );
}

function Disabled({ of: { id, enabled, disabled_reason } }: { of: Webhook }) {
  const { t } = useTranslation('webhooks');
  const change = useChange('changeWebhook', ['listWebhooks', 'getWebhook']);
  if (enabled) return null;
  return (
    <Alert color={disabled_reason === null ? 'gray' : 'red'} icon={<IconPlayerPause size={18} />}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{t(`why.${disabled_reason ?? 'disabled'}`)}</Text>
        <Button
          size="xs"
          loading={change.isPending}
          onClick={() => change.mutate({ params: { id }, body: { enabled: true } }, { onError: tellFailed })}
        >
          {t('enable')}
        </Button>
      </Group>
    </Alert>
  );
}

function Facts({ of }: { of: Webhook }) {
  const { t } = useTranslation('webhooks');
  const format = useFormat();
  const now = useNow();
  const { secret_before_until: until } = of;
  return (
    <Section>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="lg">
        <Figure name={t('state.name')}>
          <WebhookState of={of} />
        </Figure>
        <Figure name={t('lastDelivered')}>
          <Text inherit size="md">
            <Ago iso={of.last_delivered_at} />
          </Text>
        </Figure>
        <Figure name={t('waiting')}>{format.number(of.pending)}</Figure>
        <Figure name={t('failed')} note={t('failedText')}>
          <Text inherit span c={of.failed > 0 ? 'var(--bad)' : undefined}>
            {format.number(of.failed)}
          </Text>
        </Figure>
      </SimpleGrid>
      {of.description !== '' && (
        <Text size="sm" mt="md">
          <bdi>{of.description}</bdi>
        </Text>
      )}
      <Group gap={6} mt="md">
        {of.events.map((event) => (
          <Badge key={event} color="gray">
            <Ltr>{event}</Ltr>
          </Badge>
        ))}
      </Group>
      {until !== null && Date.parse(until) > now && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('secretBefore', { time: format.dateTime(until) })}
        </Text>
      )}
    </Section>
  );
}

function Actions({ of: { id, url, enabled } }: { of: Webhook }) {
  const { t } = useTranslation('webhooks');
  const { t: common } = useTranslation();
  const go = useNavigate();
  const test = useChange('testWebhook', ['listWebhookDeliveries']);
  const change = useChange('changeWebhook', ['listWebhooks', 'getWebhook']);
  const rotate = useChange('rotateWebhookSecret', ['getWebhook']);
  const remove = useChange('deleteWebhook', ['listWebhooks']);
  const [open, setOpen] = useState<'edit' | 'rotate' | 'remove'>();
  const [secret, setSecret] = useState<string>();
  const [tested, setTested] = useState<string>();
  const params = { id };
  const close = () => setOpen(undefined);
  return (
    <>
      <Button
        leftSection={<IconSend size={16} className="mirrored" />}
        loading={test.isPending}
        onClick={() => test.mutate({ params }, { onSuccess: (sent) => setTested(sent.id), onError: tellFailed })}
      >
        {t('test')}
      </Button>
      <Button variant="default" onClick={() => setOpen('edit')}>
        {common('edit')}
      </Button>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('more')}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('rotate')}>{t('rotate')}</Menu.Item>
          {enabled && (
            <Menu.Item onClick={() => change.mutate({ params, body: { enabled: false } }, { onError: tellFailed })}>
              {t('disable')}
            </Menu.Item>
          )}
          <Menu.Item color="red" onClick={() => setOpen('remove')}>
            {common('delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'edit' && <EditWebhook id={id} onClose={close} />}
      {tested !== undefined && <Delivery webhook={id} id={tested} onClose={() => setTested(undefined)} />}
      <SecretOnce title={t('secretTitle')} secret={secret} onClose={() => setSecret(undefined)} />
      <Confirm
        opened={open === 'rotate'}
        onClose={close}
        title={t('rotateTitle')}
        text={t('rotateText')}
        verb={t('rotate')}
        isDangerous={false}
        act={async () => setSecret((await rotate.mutateAsync({ params })).secret)}
      />
      <Confirm
        opened={open === 'remove'}
        onClose={close}
        title={t('removeTitle')}
        text={t('removeText', { url })}
        verb={common('delete')}
        act={async () => {
          await remove.mutateAsync({ params });
          void go('/webhooks');
        }}
      />
    </>
  );
}
