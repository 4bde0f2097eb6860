import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** At the end of the row of what it revokes. */
export function RevokeButton({ name, onClick }: { name: string; onClick: () => void }) {
  const { t } = useTranslation('people');
  return (
    <Button variant="subtle" color="red" size="compact-sm" onClick={onClick} aria-label={t('revokeTitle', { name })}>
      {t('revoke')}
    </Button>
  );
}
