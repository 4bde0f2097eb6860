import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconPlayerPause } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ItemOf } from '../../api/hooks.ts';

export type Webhook = ItemOf<'listWebhooks'>;

/** How it goes with a webhook, in a word. */
export function WebhookState({ of: { enabled, disabled_reason, failing_since } }: { of: Webhook }) {
  const { t } = useTranslation('webhooks');
  if (!enabled) {
    return (
      <Badge color={disabled_reason === null ? 'gray' : 'red'} leftSection={<IconPlayerPause size={12} />}>
        {t(`state.${disabled_reason ?? 'disabled'}`)}
      </Badge>
    );
  }
  return failing_since === null ? (
    <Badge color="nidaa" leftSection={<IconCheck size={12} />}>
      {t('state.enabled')}
    </Badge>
  ) : (
    <Badge color="orange" leftSection={<IconAlertTriangle size={12} />}>
      {t('state.troubled')}
    </Badge>
  );
}
