import { Badge, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ItemOf, useChange, usePages } from '../../api/hooks.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Ltr, Written } from '../../parts/text.tsx';
import type { Scope } from '../../session/session.tsx';
import { ScopeChoice } from './scope-choice.tsx';
import { SecretName, Secrets } from './secrets.tsx';

type Key = ItemOf<'listKeys'>;

/** What programs manage the account with. */
export function Keys() {
  const { t } = useTranslation('people');
  const pages = usePages('listKeys', {});
  const revoke = useChange('revokeKey', ['listKeys']);
  return (
    <Secrets
      kind="keys"
      address="/manage/v1"
      pages={pages}
      nameOf={(key) => <KeyName of={key} />}
      columns={[
        { name: t('keys.key'), isExtra: true, cell: ({ key }) => <Ltr mono>{key}</Ltr> },
        { name: t('keys.scopes'), isExtra: true, cell: ({ scopes }) => <Scopes of={scopes} /> },
      ]}
      revoke={(id) => revoke.mutateAsync({ params: { id } })}
      create={(props) => <CreateKey {...props} />}
    />
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
      <SecretName kind="keys" value={name} onChange={setName} />
      <ScopeChoice chosen={scopes} onChange={setScopes} />
    </FormDialog>
  );
}
