import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconLogout, IconSwitchHorizontal, IconUserCircle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ask, chooseAccount } from '../api/client.ts';
import { Ltr } from '../parts/text.tsx';
import { useWho } from '../session/session.tsx';
import { AccountChoice } from './account-choice.tsx';

/** Who has signed in, whose account they look at, and the way out. */
export function PersonMenu() {
  const { t } = useTranslation();
  const { who, may } = useWho();
  const client = useQueryClient();
  const [isChoosing, setChoosing] = useState(false);
  const leave = async () => {
    await ask('signOut', {}).catch(() => undefined);
    chooseAccount(undefined);
    client.clear();
    location.assign('/console/');
  };
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('person')}>
            <IconUserCircle size={22} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Ltr>{who.name}</Ltr>
            {who.role && (
              <Text span size="xs" c="dimmed" display="block">
                {t(`roles.${who.role}`)}
              </Text>
            )}
          </Menu.Label>
          <Menu.Item component={Link} to="/people?tab=me">
            {t('ownSessions')}
          </Menu.Item>
          {may('operator') && (
            <Menu.Item leftSection={<IconSwitchHorizontal size={16} />} onClick={() => setChoosing(true)}>
              {t('accounts.switch')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void leave()}>
            {t('signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isChoosing && <AccountChoice onClose={() => setChoosing(false)} />}
    </>
  );
}
