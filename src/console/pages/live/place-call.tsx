import { Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePages } from '../../api/hooks.ts';
import { Failed, Loading } from '../../parts/states.tsx';
import { CallTab } from '../agents/try/call-tab.tsx';

const AGENTS_MAX = 200;

/** An agent calls somebody, and what becomes of it. */
export function PlaceCall({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('live');
  const { t: common } = useTranslation();
  return (
    <Modal opened onClose={onClose} title={t('placeTitle')} closeButtonProps={{ 'aria-label': common('close') }}>
      <Form />
    </Modal>
  );
}

function Form() {
  const { t } = useTranslation('live');
  const agents = usePages('listAgents', { limit: AGENTS_MAX });
  const [picked, setPicked] = useState<string | null>(null);
  const live = agents.items?.filter(({ status }) => status === 'live');
  if (!live) return agents.error ? <Failed error={agents.error} again={agents.again} /> : <Loading height={240} />;
  if (live.length === 0) return <Text size="sm">{t('noAgent')}</Text>;
  const agentId = picked ?? live[0]!.id;
  return (
    <Stack gap="md">
      <Select
        label={t('agent')}
        data={live.map(({ id, name }) => ({ value: id, label: name }))}
        value={agentId}
        onChange={setPicked}
        allowDeselect={false}
        searchable={live.length > 8}
      />
      <CallTab key={agentId} agentId={agentId} />
    </Stack>
  );
}
