import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const COLOURS = { live: 'nidaa', draft: 'gray', paused: 'orange' } as const;

export function StatusBadge({ status }: { status: 'draft' | 'live' | 'paused' }) {
  const { t } = useTranslation('agents');
  return (
    <Badge color={COLOURS[status]} style={{ flex: 'none' }}>
      {t(`status.${status}`)}
    </Badge>
  );
}
