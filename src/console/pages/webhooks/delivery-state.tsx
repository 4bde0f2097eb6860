import { Badge } from '@mantine/core';
import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

const LOOKS = {
  pending: { color: 'orange', Icon: IconClock },
  delivered: { color: 'nidaa', Icon: IconCheck },
  failed: { color: 'red', Icon: IconX },
} as const;

export function DeliveryState({ of: { state } }: { of: { readonly state: keyof typeof LOOKS } }) {
  const { t } = useTranslation('webhooks');
  const { color, Icon } = LOOKS[state];
  return (
    <Badge color={color} leftSection={<Icon size={12} />}>
      {t(`states.${state}`)}
    </Badge>
  );
}
