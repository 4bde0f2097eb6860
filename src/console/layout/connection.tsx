import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/client.ts';

/** Says that the gateway does not answer, while it does not, and asks for everything again when it does. */
export function Connection() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isLost, setLost] = useState(false);
  useIsFetching(); // looks again whenever something was asked
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ query }) => {
        const { error, fetchFailureReason, status, fetchStatus } = query.state;
        const reason: unknown = fetchFailureReason ?? error;
        const isUnreached = reason instanceof ApiError && reason.status === 0;
        if (isUnreached) setLost(true);
        else if (status === 'success' && fetchStatus === 'idle') setLost(false);
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
