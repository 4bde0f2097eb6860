import { Alert, Button, Center, Loader, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../api/client.ts';
import { faultText } from '../i18n/fault-text.ts';
import { Noticed } from './noticed.tsx';
import { Ltr } from './text.tsx';

/** A place that waits for what it shows. Keeps its height, so that nothing jumps. */
export function Loading({ height = 160 }: { height?: number }) {
  return (
    <Center mih={height} role="status" aria-busy>
      <Loader size="sm" />
    </Center>
  );
}

/** What the gateway said in place of an answer, in the language of the reader where it is known. */
export function Failed({ error, again }: { error: ApiError; again?: () => void }) {
  const { t } = useTranslation();
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} role="alert" title={t('failed')}>
      <ErrorText error={error} />
      {again && (
        <Button variant="light" color="red" size="xs" mt="sm" onClick={again}>
          {t('again')}
        </Button>
      )}
    </Alert>
  );
}

/** What went wrong and its details; those that have no code stay in the English of the gateway, for they name fields and values. */
export function ErrorText({ error }: { error: Pick<ApiError, 'code' | 'message' | 'requestId' | 'notice'> }) {
  useTranslation(['common', 'faults'], { useSuspense: false }); // drawn again when the texts are there
  const known = faultText(error.code);
  return (
    <Stack gap={4}>
      {known !== undefined && <Text size="sm">{known}</Text>}
      {error.message !== known && (
        <Text size="sm" dir="auto" c={known === undefined ? undefined : 'dimmed'}>
          <Noticed notice={error.notice} english={error.message} />
        </Text>
      )}
      {error.requestId && (
        <Text size="xs" c="dimmed">
          <Ltr>{error.requestId}</Ltr>
        </Text>
      )}
    </Stack>
  );
}

/** A list with nothing in it: what would be there, and what to do for it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Center mih={120} p="md">
      <Stack align="center" gap="xs" maw={460} ta="center">
        <Text fw={600}>{title}</Text>
        {children}
      </Stack>
    </Center>
  );
}

interface Asked<T> {
  readonly data: T | undefined;
  readonly error: ApiError | null;
  refetch(): unknown;
}

/** What was asked for, or that it is on its way, or why it is not there. */
export function Shown<T>({
  of,
  height,
  children,
}: {
  of: Asked<T>;
  height?: number;
  children: (value: T) => ReactNode;
}) {
  if (of.data !== undefined) return children(of.data);
  if (of.error) return <Failed error={of.error} again={() => void of.refetch()} />;
  return <Loading height={height} />;
}
