import { Button, Group, Modal, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';

/** Asks before another page takes the place of unsaved changes. */
export function Leaving({ isChanged, onDiscard }: { isChanged: boolean; onDiscard: () => void }) {
  const { t } = useTranslation('agents');
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isChanged && currentLocation.pathname !== nextLocation.pathname,
  );
  if (blocker.state !== 'blocked') return null;
  return (
    <Modal opened onClose={() => blocker.reset()} title={t('leaving.title')} withCloseButton={false}>
      <Text size="sm">{t('leaving.text')}</Text>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button
          variant="subtle"
          color="red"
          onClick={() => {
            onDiscard();
            blocker.proceed();
          }}
        >
          {t('leaving.discard')}
        </Button>
        <Button variant="default" onClick={() => blocker.proceed()}>
          {t('leaving.keep')}
        </Button>
        <Button onClick={() => blocker.reset()} data-autofocus>
          {t('leaving.stay')}
        </Button>
      </Group>
    </Modal>
  );
}
