import { ActionIcon, Menu } from '@mantine/core';
import { IconCopy, IconDots, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { type ApiError, ask } from '../../api/client.ts';
import { type ItemOf, useChange } from '../../api/hooks.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { tellDone, tellFailed } from '../../parts/tell.ts';

/** What can be done with an agent without opening it. */
export function AgentMenu({ agent: { id, name, status } }: { agent: ItemOf<'listAgents'> }) {
  const { t } = useTranslation('agents');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const publish = useChange('publishAgent', ['listAgents', 'getOverview']);
  const pause = useChange('pauseAgent', ['listAgents']);
  const create = useChange('createAgent', ['listAgents']);
  const remove = useChange('deleteAgent', ['listAgents', 'listNumbers']);
  const [isDeleting, setDeleting] = useState(false);
  const input = { params: { id } };
  const attempt = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      tellDone(done);
    } catch (error) {
      tellFailed(error as ApiError);
    }
  };
  const copy = async () => {
    const { definition, yaml } = await ask('getAgent', input);
    const named = { ...definition, name: t('copyOf', { name }).slice(0, 100) };
    const made = await create.mutateAsync({ body: { definition: named, ...(yaml !== null && { yaml }) } });
    void navigate(`/agents/${made.id}`);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: it only keeps clicks from the row behind it
    <div onClick={(event) => event.stopPropagation()}>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('item.more', { name })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {status === 'live' ? (
            <Menu.Item
              leftSection={<IconPlayerPause size={16} />}
              onClick={() => void attempt(() => pause.mutateAsync(input), t('paused', { name }))}
            >
              {t('pause')}
            </Menu.Item>
          ) : (
            <Menu.Item
              leftSection={<IconPlayerPlay size={16} />}
              onClick={() => void attempt(() => publish.mutateAsync(input), t('published', { name }))}
            >
              {t(status === 'paused' ? 'resume' : 'publish')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void attempt(copy, t('copied', { name }))}>
            {t('item.copy')}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={16} />} color="red" onClick={() => setDeleting(true)}>
            {common('delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        title={t('deletion.title', { name })}
        text={t('deletion.text')}
        verb={t('deletion.verb')}
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        act={() => remove.mutateAsync(input)}
      />
    </div>
  );
}
