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
import { RevokeButton } from './revoke-button.tsx';

type Token = ItemOf<'listTokens'>;

/** What programs call the public API with. */
export function Tokens() {
  const { t } = useTranslation('people');
  const pages = usePages('listTokens', {});
  const revoke = useChange('revokeToken', ['listTokens']);
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [revoked, setRevoked] = useState<Token>();
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t('tokens.create')}
    </Button>
  );
  const columns = [
    { name: t('name'), cell: (token: Token) => <TokenName token={token} /> },
    { name: t('tokens.token'), isExtra: true, cell: ({ token }: Token) => <Ltr mono>{token}</Ltr> },
    { name: t('lastUsed'), cell: (token: Token) => <Ago iso={token.last_used_at} /> },
    { name: t('created'), isExtra: true, cell: (token: Token) => <Ago iso={token.created_at} /> },
    {
      name: t('revoke'),
      isBare: true,
      isFigure: true,
      cell: (token: Token) =>
        token.revoked_at === null && <RevokeButton name={token.name} onClick={() => setRevoked(token)} />,
    },
  ];
  return (
    <Section title={t('tabs.tokens')} aside={create}>
      <Text size="sm" c="dimmed" mb="md" maw={640}>
        {t('tokens.lead')} <Code dir="ltr">/v1</Code>
      </Text>
      <PagedTable
        label={t('tabs.tokens')}
        columns={columns}
        pages={pages}
        keyOf={({ id }) => id}
        empty={
          <Empty title={t('tokens.empty')}>
            <Text size="sm" c="dimmed">
              {t('tokens.emptyText')}
            </Text>
          </Empty>
        }
      />
      {isCreating && <CreateToken onClose={() => setCreating(false)} onMade={setSecret} />}
      <SecretOnce title={t('tokens.made')} secret={secret} onClose={() => setSecret(undefined)} />
      <Confirm
        opened={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        title={t('revokeTitle', { name: revoked?.name ?? '' })}
        text={t('tokens.revokeText')}
        verb={t('revoke')}
        act={() => revoke.mutateAsync({ params: { id: revoked!.id } })}
      />
    </Section>
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
      <TextInput
        label={t('name')}
        description={t('nameFor')}
        placeholder={t('tokens.example')}
        dir="auto"
        required
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
