import { Button, Group, Modal, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../api/client.ts';
import { Failed } from './states.tsx';

interface Props {
  readonly title: string;
  readonly text: ReactNode;
  /** What happens, as a verb: the button says it. */
  readonly verb: string;
  readonly isDangerous?: boolean;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Closes where it resolves; what it throws is shown. */
  readonly act: () => Promise<unknown>;
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, text, verb, isDangerous = true, opened, onClose, act }: Props) {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const close = () => {
    setError(undefined);
    onClose();
  };
  const go = async () => {
    setBusy(true);
    try {
      await act();
      close();
    } catch (thrown) {
      setError(thrown as ApiError);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      <Text size="sm" component="div">
        {text}
      </Text>
      {error && (
        <div style={{ marginBlockStart: '1rem' }}>
          <Failed error={error} />
        </div>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={close}>
          {t('cancel')}
        </Button>
        <Button color={isDangerous ? 'red' : undefined} loading={isBusy} onClick={() => void go()}>
          {verb}
        </Button>
      </Group>
    </Modal>
  );
}
