import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/client.ts';

const isUnreached = (error: unknown): boolean => error instanceof ApiError && error.status === 0;

/** Says that the gateway does not answer, while it does not, and asks for everything again when it does. */
export function Connection() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isLost, setLost] = useState(false);
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        const { action } = event;
        if (action.type === 'success' && !action.manual) setLost(false);
        else if (action.type === 'failed' || action.type === 'error')
          setLost((was) => was || isUnreached(action.error));
      }),
    [client],
  );
  useEffect(() => {
    if (!isLost) return undefined;
    const timer = setInterval(() => void client.invalidateQueries({ queryKey: ['getSession'] }), 3_000);
    return () => {
      clearInterval(timer);
      void client.invalidateQueries();
    };
  }, [isLost, client]);
  if (!isLost) return null;
  return (
    <Alert color="orange" icon={<IconPlugConnectedX size={18} />} mb="md" role="status" title={t('lost.title')}>
      {t('lost.text')}
    </Alert>
  );
}
