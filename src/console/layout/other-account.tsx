import { Button, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { chosenAccount } from '../api/client.ts';
import { useAsk } from '../api/hooks.ts';
import { Written } from '../parts/text.tsx';
import { useWho } from '../session/session.tsx';
import classes from './frame.module.css';
import { switchAccount } from './switch-account.ts';

/** Says, on every page, that what is seen and changed is another account's. */
export function OtherAccount() {
  const { who } = useWho();
  const chosen = chosenAccount();
  return chosen !== undefined && chosen !== who.account_id ? <Banner id={chosen} /> : null;
}

function Banner({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data } = useAsk('getAccount', {});
  return (
    <div className={classes['other']} role="status">
      <IconEye size={18} stroke={1.6} style={{ flex: 'none' }} />
      <Text size="sm">{t('accounts.looking')}</Text>
      <Written size="sm" fw={600}>
        {data?.name ?? id}
      </Written>
      <Button size="compact-sm" variant="white" ms="auto" onClick={() => switchAccount(undefined)}>
        {t('accounts.back')}
      </Button>
    </div>
  );
}
