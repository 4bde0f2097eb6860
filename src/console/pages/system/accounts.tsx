import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chosenAccount } from '../../api/client.ts';
import { type ItemOf, useChange, usePages } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { switchAccount } from '../../layout/switch-account.ts';
import { PagedTable } from '../../parts/data-table.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Section } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { tellDone } from '../../parts/tell.ts';
import { Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';
import { useWho } from '../../session/session.tsx';

type Account = ItemOf<'listAccounts'>;

/** All accounts of the gateway, and the way into each. */
export function Accounts() {
  const { t } = useTranslation('system');
  const format = useFormat();
  const pages = usePages('listAccounts', {});
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t('accounts.create')}
    </Button>
  );
  const columns = [
    { name: t('accounts.name'), cell: (account: Account) => <Name of={account} /> },
    { name: t('accounts.created'), isExtra: true, cell: (account: Account) => <Ago iso={account.created_at} /> },
    {
      ...{ name: t('accounts.balance'), isFigure: true },
      cell: ({ balance_cents }: Account) => (
        <Text size="sm" c={balance_cents <= 0 ? 'var(--bad)' : undefined}>
          {format.money(balance_cents)}
        </Text>
      ),
    },
    { name: t('accounts.look'), isBare: true, isFigure: true, cell: (account: Account) => <Look at={account} /> },
  ];
  return (
    <Section title={t('tabs.accounts')} aside={create}>
      <PagedTable
        label={t('tabs.accounts')}
        columns={columns}
        pages={pages}
        keyOf={({ id }) => id}
        empty={<Empty title={t('accounts.none')} />}
      />
      {isCreating && <CreateAccount onClose={() => setCreating(false)} />}
    </Section>
  );
}

function Name({ of: { id, name } }: { of: Account }) {
  const { t } = useTranslation();
  const { who } = useWho();
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Text size="sm">
          <bdi>{name}</bdi>
        </Text>
        {id === who.account_id && <Badge color="gray">{t('accounts.own')}</Badge>}
      </Group>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        <Ltr mono>{id}</Ltr>
      </Text>
    </Stack>
  );
}

function Look({ at: { id, name } }: { at: Account }) {
  const { t } = useTranslation('system');
  const { t: common } = useTranslation();
  const { who } = useWho();
  if (id === (chosenAccount() ?? who.account_id)) return <Badge color="nidaa">{common('accounts.now')}</Badge>;
  return (
    <Button
      variant="light"
      size="compact-sm"
      aria-label={t('accounts.lookAt', { name })}
      onClick={() => switchAccount(id === who.account_id ? undefined : id)}
    >
      {t('accounts.look')}
    </Button>
  );
}

function CreateAccount({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('system');
  const create = useChange('createAccount', ['listAccounts']);
  const [name, setName] = useState('');
  const submit = () =>
    create.mutate(
      { body: { name: name.trim() } },
      {
        onSuccess: () => {
          tellDone(t('accounts.made'));
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={t('accounts.create')}
      verb={t('accounts.create')}
      isBusy={create.isPending}
      error={create.error}
      isReady={name.trim() !== ''}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('accounts.name')}
        description={t('accounts.createText')}
        required
        dir="auto"
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
