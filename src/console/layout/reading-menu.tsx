import { ActionIcon, Menu } from '@mantine/core';
import { IconCheck, IconLanguage } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Preferences } from '../i18n/preferences.ts';
import { usePreferences } from '../i18n/preferences-provider.tsx';

type Choice = {
  [K in keyof Preferences]: { readonly of: K; readonly values: readonly Preferences[K][] };
}[keyof Preferences];
const CHOICES: readonly Choice[] = [
  { of: 'language', values: ['ar', 'en'] },
  { of: 'theme', values: ['auto', 'light', 'dark'] },
  { of: 'digits', values: ['latn', 'arab'] },
  { of: 'calendar', values: ['gregory', 'islamic-umalqura'] },
];

/** Language, colours, digits and calendar. */
export function ReadingMenu() {
  const { t } = useTranslation();
  const { preferences, change } = usePreferences();
  return (
    <Menu position="bottom-end" closeOnItemClick={false} width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('reading.title')}>
          <IconLanguage size={20} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {CHOICES.filter(({ of }) => of !== 'digits' || preferences.language === 'ar').map(({ of, values }) => (
          <div key={of}>
            <Menu.Label>{t(`reading.${of as 'language'}`)}</Menu.Label>
            {values.map((value) => (
              <Menu.Item
                key={value}
                role="menuitemradio"
                aria-checked={preferences[of] === value}
                onClick={() => change({ [of]: value })}
                rightSection={preferences[of] === value ? <IconCheck size={16} /> : <span style={{ width: 16 }} />}
              >
                {t(`reading.values.${value as 'ar'}`)}
              </Menu.Item>
            ))}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
