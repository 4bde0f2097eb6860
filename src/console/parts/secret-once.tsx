import { Alert, Button, Code, CopyButton, Group, Modal, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconKey } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  readonly title: string;
  readonly secret: string | undefined;
  readonly onClose: () => void;
  /** What belongs to it, above it. */
  readonly children?: ReactNode;
}

/** A secret that is shown this once: the window closes by its button only. */
export function SecretOnce({ title, secret, onClose, children }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Alert color="orange" icon={<IconKey size={18} />} mb="md">
        <Text size="sm">{t('secretOnce')}</Text>
      </Alert>
      {children}
      <Code block dir="ltr" data-secret style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-all' }}>
        {secret}
      </Code>
      <Group justify="flex-end" mt="lg" gap="xs">
        <CopyButton value={secret ?? ''}>
          {({ copied, copy }) => (
            <Button
              variant="light"
              onClick={copy}
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            >
              {copied ? t('copied') : t('copy')}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose}>{t('secretKept')}</Button>
      </Group>
    </Modal>
  );
}
