import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowsExchange, IconDots, IconPower, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChange } from '../../api/hooks.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { tellFailed } from '../../parts/tell.ts';
import { Ltr } from '../../parts/text.tsx';
import { useWho } from '../../session/session.tsx';
import { GiveNumber } from './number-dialogs.tsx';
import type { Agent, NumberEntry } from './routing.ts';

/** What can be done with a number. */
export function NumberMenu({ entry, agent }: { entry: NumberEntry; agent: Agent | undefined }) {
  const { t } = useTranslation('numbers');
  const { may } = useWho();
  const remove = useChange('removeNumber', ['listNumbers', 'listAgents']);
  const [open, setOpen] = useState<'move' | 'remove' | 'off'>();
  const turn = useChange('switchNumber', ['listNumbers']);
  const turnTo = (enabled: boolean) => turn.mutateAsync({ params: { number: entry.number }, body: { enabled } });
  if (!may('agents')) return null;
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('number.more', { number: entry.number })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconArrowsExchange size={16} />} onClick={() => setOpen('move')}>
            {t('number.move')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPower size={16} />}
            onClick={() => (entry.enabled ? setOpen('off') : void turnTo(true).catch(tellFailed))}
          >
            {t(entry.enabled ? 'off.turnOff' : 'off.turnOn')}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setOpen('remove')}>
            {t('number.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'move' && <GiveNumber number={entry.number} agentId={agent?.id ?? entry.agent_id} onClose={close} />}
      <Confirm
        title={t('number.removeTitle', { number: `\u2066${entry.number}\u2069` })}
        text={
          <>
            <Ltr>{entry.number}</Ltr> · <bdi>{entry.agent_name}</bdi>
            <br />
            {t('number.removeText')}
          </>
        }
        verb={t('number.remove')}
        opened={open === 'remove'}
        onClose={close}
        act={() => remove.mutateAsync({ params: { number: entry.number } })}
      />
      <Confirm
        title={t('off.numberTitle', { number: `\u2066${entry.number}\u2069` })}
        text={t('off.numberText')}
        verb={t('off.turnOff')}
        opened={open === 'off'}
        onClose={close}
        act={() => turnTo(false)}
      />
    </>
  );
}
