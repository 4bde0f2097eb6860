import { Button, Group, Modal, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAsk } from '../../api/hooks.ts';
import { Empty, Shown } from '../../parts/states.tsx';
import { TryDrawer } from '../agents/try/try-drawer.tsx';

/** Chooses an agent, and opens the drawer in which it is tried as it is saved. */
export function AgentTry({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('playground');
  const { t: common } = useTranslation();
  const agents = useAsk('listAgents', { query: { limit: 100 } }, { enabled: isOpen });
  const [chosen, setChosen] = useState<string | null>(null);
  const [tried, setTried] = useState<string>();
  const close = () => {
    setTried(undefined);
    onClose();
  };
  return (
    <>
      <Modal
        opened={isOpen && tried === undefined}
        onClose={close}
        title={t('tryAgent')}
        closeButtonProps={{ 'aria-label': common('close') }}
      >
        <Shown of={agents}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={t('noAgents')} />
            ) : (
              <Stack gap="md">
                <Select
                  label={t('agent')}
                  data={items.map(({ id, name }) => ({ value: id, label: name }))}
                  value={chosen ?? items[0]!.id}
                  onChange={setChosen}
                  allowDeselect={false}
                />
                <Group justify="flex-end">
                  <Button onClick={() => setTried(chosen ?? items[0]!.id)}>{t('open')}</Button>
                </Group>
              </Stack>
            )
          }
        </Shown>
      </Modal>
      <TryDrawer agentId={tried ?? ''} definition={undefined} isOpen={tried !== undefined} onClose={close} />
    </>
  );
}
