import { Button, Group, Modal, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../api/client.ts';
import { Failed } from './states.tsx';

interface Props {
  readonly title: string;
  /** What the button does. */
  readonly verb: string;
  readonly isBusy: boolean;
  readonly error: ApiError | null;
  readonly isReady?: boolean;
  /** It cannot be taken back. */
  readonly isDangerous?: boolean;
  readonly size?: string;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A window with a few fields, sent by its button or the return key. Shown as long as it is there. */
export function FormDialog(props: Props) {
  const {
    title,
    verb,
    isBusy,
    error,
    isReady = true,
    isDangerous = false,
    size = 'md',
    onClose,
    onSubmit,
    children,
  } = props;
  const { t } = useTranslation();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !isBusy) onSubmit();
  };
  return (
    <Modal opened onClose={onClose} title={title} size={size} closeButtonProps={{ 'aria-label': t('close') }}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {children}
          {error && <Failed error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" color={isDangerous ? 'red' : undefined} loading={isBusy} disabled={!isReady}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
