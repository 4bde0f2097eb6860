import { Badge, Group, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chosenAccount } from '../api/client.ts';
import { type ItemOf, usePages } from '../api/hooks.ts';
import { useFormat } from '../i18n/use-format.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Ltr, Written } from '../parts/text.tsx';
import { useWho } from '../session/session.tsx';
import classes from './account-choice.module.css';
import { switchAccount } from './switch-account.ts';

type Account = ItemOf<'listAccounts'>;

/** An operator picks the account to look at. */
export function AccountChoice({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { who } = useWho();
  const [wanted, setWanted] = useState('');
  const pages = usePages('listAccounts', { limit: 200 });
  const now = chosenAccount() ?? who.account_id;
  const word = wanted.trim().toLowerCase();
  const found = pages.items?.filter(({ id, name }) => name.toLowerCase().includes(word) || id.includes(word));
  const pick = (id: string) => switchAccount(id === who.account_id ? undefined : id);
  return (
    <Modal opened onClose={onClose} title={t('accounts.switch')} closeButtonProps={{ 'aria-label': t('close') }}>
      <TextInput
        aria-label={t('accounts.find')}
        placeholder={t('accounts.find')}
        leftSection={<IconSearch size={16} />}
        dir="auto"
        data-autofocus
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <Stack gap={2} mt="sm" mih={200}>
        {found?.map((account) => (
          <Choice key={account.id} of={account} isNow={account.id === now} onPick={() => pick(account.id)} />
        ))}
        {found?.length === 0 && <Empty title={t('accounts.none')} />}
        {!found && (pages.error ? <Failed error={pages.error} again={pages.again} /> : <Loading />)}
      </Stack>
    </Modal>
  );
}

function Choice({ of, isNow, onPick }: { of: Account; isNow: boolean; onPick: () => void }) {
  const { t } = useTranslation();
  const { who } = useWho();
  const format = useFormat();
  return (
    <UnstyledButton className={classes['choice']} onClick={onPick} aria-current={isNow || undefined}>
      <div style={{ minWidth: 0 }}>
        <Group gap="xs">
          <Written size="sm" fw={isNow ? 600 : undefined}>
            {of.name}
          </Written>
          {isNow && <Badge color="nidaa">{t('accounts.now')}</Badge>}
          {of.id === who.account_id && <Badge color="gray">{t('accounts.own')}</Badge>}
        </Group>
        <Text size="xs" c="dimmed">
          <Ltr mono>{of.id}</Ltr>
        </Text>
      </div>
      <Text size="sm" className="figures">
        {format.money(of.balance_cents)}
      </Text>
    </UnstyledButton>
  );
}
