import { Button, Group, Modal, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';

/** Asks before another page, or another address, takes the place of dialogues that are not saved. */
export function Leaving({ isChanged }: { isChanged: boolean }) {
  const { t } = useTranslation('tests');
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isChanged && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!isChanged) return undefined;
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', stay);
    return () => window.removeEventListener('beforeunload', stay);
  }, [isChanged]);
  if (blocker.state !== 'blocked') return null;
  return (
    <Modal opened onClose={() => blocker.reset()} title={t('leaving.title')} withCloseButton={false}>
      <Text size="sm">{t('leaving.text')}</Text>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="subtle" color="red" onClick={() => blocker.proceed()}>
          {t('leaving.go')}
        </Button>
        <Button onClick={() => blocker.reset()} data-autofocus>
          {t('leaving.stay')}
        </Button>
      </Group>
    </Modal>
  );
}
