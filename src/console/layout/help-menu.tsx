import { ActionIcon, Menu } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

const GUIDES = ['agents', 'trunks', 'costs', 'sockets'] as const;

/** The guides and the reference of the APIs, which the gateway serves beside the console. */
export function HelpMenu() {
  const { t, i18n } = useTranslation();
  const query = `?lang=${i18n.language}`;
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('help.title')}>
          <IconHelp size={20} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {GUIDES.map((guide) => (
          <Menu.Item key={guide} component="a" href={`/docs/guides/${guide}${query}`}>
            {t(`help.${guide}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component="a" href={`/docs${query}`}>
          {t('reference')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
