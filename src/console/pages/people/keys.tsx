import { Badge, Button, Code, Group, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ItemOf, useChange, usePages } from '../../api/hooks.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { PagedTable } from '../../parts/data-table.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Section } from '../../parts/page.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ltr, Written } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';
import type { Scope } from '../../session/session.tsx';
import { RevokeButton } from './revoke-button.tsx';
import { ScopeChoice } from './scope-choice.tsx';

type Key = ItemOf<'listKeys'>;

/** What programs manage the account with. */
export function Keys() {
  const { t } = useTranslation('people');
  const pages = usePages('listKeys', {});
  const revoke = useChange('revokeKey', ['listKeys']);
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [revoked, setRevoked] = useState<Key>();
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t('keys.create')}
    </Button>
  );
  const columns = [
    { name: t('name'), cell: (key: Key) => <KeyName of={key} /> },
    { name: t('keys.key'), isExtra: true, cell: ({ key }: Key) => <Ltr mono>{key}</Ltr> },
    { name: t('keys.scopes'), isExtra: true, cell: ({ scopes }: Key) => <Scopes of={scopes} /> },
    { name: t('lastUsed'), cell: (key: Key) => <Ago iso={key.last_used_at} /> },
    { name: t('created'), isExtra: true, cell: (key: Key) => <Ago iso={key.created_at} /> },
    {
      name: t('revoke'),
      isBare: true,
      isFigure: true,
      cell: (key: Key) => key.revoked_at === null && <RevokeButton name={key.name} onClick={() => setRevoked(key)} />,
    },
  ];
  return (
    <Section title={t('tabs.keys')} aside={create}>
      <Text size="sm" c="dimmed" mb="md" maw={640}>
        {t('keys.lead')} <Code dir="ltr">/manage/v1</Code>
      </Text>
      <PagedTable
        label={t('tabs.keys')}
        columns={columns}
        pages={pages}
        keyOf={({ id }) => id}
        empty={
          <Empty title={t('keys.empty')}>
            <Text size="sm" c="dimmed">
              {t('keys.emptyText')}
            </Text>
          </Empty>
        }
      />
      {isCreating && <CreateKey onClose={() => setCreating(false)} onMade={setSecret} />}
      <SecretOnce title={t('keys.made')} secret={secret} onClose={() => setSecret(undefined)} />
      <Confirm
        opened={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        title={t('revokeTitle', { name: revoked?.name ?? '' })}
        text={t('keys.revokeText')}
        verb={t('revoke')}
        act={() => revoke.mutateAsync({ params: { id: revoked!.id } })}
      />
    </Section>
  );
}

function KeyName({ of }: { of: Key }) {
  const { t } = useTranslation('people');
  return (
    <Group gap="xs">
      <Written size="sm" c={of.revoked_at === null ? undefined : 'dimmed'}>
        {of.name}
      </Written>
      {of.revoked_at !== null && <Badge color="gray">{t('revoked')}</Badge>}
    </Group>
  );
}

function Scopes({ of }: { of: readonly Scope[] }) {
  const { t } = useTranslation('people');
  return (
    <Group gap={4}>
      {of.map((scope) => (
        <Badge key={scope} color={scope === 'operator' ? 'orange' : 'gray'}>
          {t(`scopes.${scope}.name`)}
        </Badge>
      ))}
    </Group>
  );
}

function CreateKey({ onClose, onMade }: { onClose: () => void; onMade: (secret: string) => void }) {
  const { t } = useTranslation('people');
  const create = useChange('createKey', ['listKeys']);
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['read']);
  const submit = () =>
    create.mutate(
      { body: { name: name.trim(), scopes: [...scopes] as [Scope, ...Scope[]] } },
      {
        onSuccess: ({ secret }) => {
          onClose();
          onMade(secret);
        },
      },
    );
  return (
    <FormDialog
      title={t('keys.create')}
      verb={t('keys.create')}
      isBusy={create.isPending}
      error={create.error}
      isReady={name.trim() !== '' && scopes.length > 0}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('name')}
        description={t('nameFor')}
        placeholder={t('keys.example')}
        dir="auto"
        required
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <ScopeChoice chosen={scopes} onChange={setScopes} />
    </FormDialog>
  );
}
