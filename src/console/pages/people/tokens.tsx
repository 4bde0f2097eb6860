import { Badge, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ItemOf, useChange, usePages } from '../../api/hooks.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Ltr, Written } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';
import { SecretName, Secrets } from './secrets.tsx';

type Token = ItemOf<'listTokens'>;

/** What programs call the public API with. */
export function Tokens() {
  const { t } = useTranslation('people');
  const pages = usePages('listTokens', {});
  const revoke = useChange('revokeToken', ['listTokens']);
  return (
    <Secrets
      kind="tokens"
      address="/v1"
      pages={pages}
      nameOf={(token) => <TokenName token={token} />}
      columns={[{ name: t('tokens.token'), isExtra: true, cell: ({ token }) => <Ltr mono>{token}</Ltr> }]}
      revoke={(id) => revoke.mutateAsync({ params: { id } })}
      create={(props) => <CreateToken {...props} />}
    />
  );
}

function TokenName({ token }: { token: Token }) {
  const { t } = useTranslation('people');
  return (
    <Group gap="xs">
      <Written size="sm" c={token.revoked_at === null ? undefined : 'dimmed'}>
        {token.name}
      </Written>
      {token.kind === 'playground' && <Badge color="violet">{t('tokens.playground')}</Badge>}
      {token.revoked_at !== null && <Badge color="gray">{t('revoked')}</Badge>}
      {token.revoked_at === null && token.expires_at !== null && (
        <Text size="xs" c="dimmed">
          {t('ends')} <Ago iso={token.expires_at} />
        </Text>
      )}
    </Group>
  );
}

function CreateToken({ onClose, onMade }: { onClose: () => void; onMade: (secret: string) => void }) {
  const { t } = useTranslation('people');
  const create = useChange('createToken', ['listTokens']);
  const [name, setName] = useState('');
  const submit = () =>
    create.mutate(
      { body: { name: name.trim() } },
      {
        onSuccess: ({ secret }) => {
          onClose();
          onMade(secret);
        },
      },
    );
  return (
    <FormDialog
      title={t('tokens.create')}
      verb={t('tokens.create')}
      isBusy={create.isPending}
      error={create.error}
      isReady={name.trim() !== ''}
      onClose={onClose}
      onSubmit={submit}
    >
      <SecretName kind="tokens" value={name} onChange={setName} />
    </FormDialog>
  );
}
