import { ActionIcon, Badge, Button, Group, Menu, Text, TextInput } from '@mantine/core';
import { IconDots, IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mayGive, PASSWORD_LINK_HOURS, passwordLink, ROLE_SCOPES, type Role } from '../../../core/management.ts';
import { type ItemOf, useAskTagged, useChange, usePages } from '../../api/hooks.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { PagedTable } from '../../parts/data-table.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Section } from '../../parts/page.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { Empty, Loading } from '../../parts/states.tsx';
import { tellDone } from '../../parts/tell.ts';
import { Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';
import { useWho } from '../../session/session.tsx';
import { RoleChoice } from './role-choice.tsx';

type Person = ItemOf<'listPeople'>;
type Ask = { readonly what: 'role' | 'link' | 'remove'; readonly of: Person };

/** Who may sign in. */
export function Persons() {
  const { t } = useTranslation('people');
  const pages = usePages('listPeople', {});
  const remove = useChange('removePerson', ['listPeople']);
  const renew = useChange('createPersonLink', ['listPeople']);
  const [isInviting, setInviting] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [ask, setAsk] = useState<Ask>();
  const done = () => setAsk(undefined);
  const columns = [
    { name: t('people.email'), cell: (person: Person) => <Email of={person} /> },
    { name: t('people.role'), cell: (person: Person) => <RoleBadge role={person.role} /> },
    { name: t('people.signedIn'), isExtra: true, cell: (person: Person) => <Ago iso={person.signed_in_at} /> },
    {
      name: t('people.actions'),
      isBare: true,
      isFigure: true,
      cell: (one: Person) => <Actions of={one} on={setAsk} />,
    },
  ];
  const invite = (
    <Button leftSection={<IconUserPlus size={16} />} onClick={() => setInviting(true)}>
      {t('people.invite')}
    </Button>
  );
  const email = ask?.of.email ?? '';
  return (
    <Section title={t('tabs.people')} aside={invite}>
      <PagedTable
        label={t('tabs.people')}
        columns={columns}
        pages={pages}
        keyOf={({ id }) => id}
        empty={<Empty title={t('people.empty')} />}
      />
      {isInviting && <Invite onClose={() => setInviting(false)} onMade={setSecret} />}
      {ask?.what === 'role' && <ChangeRole of={ask.of} onClose={done} />}
      <SecretOnce
        title={t('people.linkTitle', { hours: PASSWORD_LINK_HOURS })}
        secret={secret && passwordLink(location.origin, secret)}
        onClose={() => setSecret(undefined)}
      />
      <Confirm
        opened={ask?.what === 'link'}
        onClose={done}
        title={t('people.renewTitle', { email })}
        text={t('people.renewText')}
        verb={t('people.renew')}
        isDangerous={false}
        act={async () => setSecret((await renew.mutateAsync({ params: { id: ask!.of.id } })).link_secret)}
      />
      <Confirm
        opened={ask?.what === 'remove'}
        onClose={done}
        title={t('people.removeTitle', { email })}
        text={t('people.removeText')}
        verb={t('people.remove')}
        act={() => remove.mutateAsync({ params: { id: ask!.of.id } })}
      />
    </Section>
  );
}

function Email({ of: { id, email, state } }: { of: Person }) {
  const { t } = useTranslation('people');
  const { who } = useWho();
  return (
    <Group gap="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <Ltr>{email}</Ltr>
      </Text>
      {id === who.id && <Badge color="nidaa">{t('people.you')}</Badge>}
      {state === 'invited' && <Badge color="orange">{t('people.invited')}</Badge>}
    </Group>
  );
}

function RoleBadge({ role }: { role: Role }) {
  const { t } = useTranslation();
  return <Badge color={role === 'operator' ? 'orange' : 'gray'}>{t(`roles.${role}`)}</Badge>;
}

function Actions({ of, on }: { of: Person; on: (ask: Ask) => void }) {
  const { t } = useTranslation('people');
  const { who } = useWho();
  if (!mayGive(who.scopes, ROLE_SCOPES[of.role])) return null;
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('people.actionsOf', { email: of.email })}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => on({ what: 'role', of })}>{t('people.changeRole')}</Menu.Item>
        <Menu.Item onClick={() => on({ what: 'link', of })}>{t('people.renew')}</Menu.Item>
        <Menu.Item color="red" onClick={() => on({ what: 'remove', of })}>
          {t('people.remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Invite({ onClose, onMade }: { onClose: () => void; onMade: (secret: string) => void }) {
  const { t } = useTranslation('people');
  const invite = useChange('invitePerson', ['listPeople']);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const submit = () =>
    invite.mutate(
      { body: { email, role } },
      {
        onSuccess: ({ link_secret }) => {
          onClose();
          onMade(link_secret);
        },
      },
    );
  return (
    <FormDialog
      title={t('people.invite')}
      verb={t('people.invite')}
      isBusy={invite.isPending}
      error={invite.error}
      isReady={email.includes('@')}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('people.email')}
        type="email"
        dir="ltr"
        required
        maxLength={254}
        autoComplete="off"
        data-autofocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <RoleChoice chosen={role} onChange={setRole} />
      <Text size="sm" c="dimmed">
        {t('people.inviteText', { hours: PASSWORD_LINK_HOURS })}
      </Text>
    </FormDialog>
  );
}

function ChangeRole({ of, onClose }: { of: Person; onClose: () => void }) {
  const { t } = useTranslation('people');
  const current = useAskTagged('getPerson', { params: { id: of.id } });
  const change = useChange('changePerson', ['listPeople', 'getSession']);
  const [picked, setPicked] = useState<Role>();
  const before = current.data?.value.role;
  const role = picked ?? before;
  const submit = () =>
    change.mutate(
      { params: { id: of.id }, body: { role: role! }, options: { ifMatch: current.data?.tag } },
      {
        onSuccess: () => {
          tellDone(t('people.changed'));
          onClose();
        },
        onError: ({ code }) => {
          if (code === 'edited_meanwhile') void current.refetch();
        },
      },
    );
  return (
    <FormDialog
      title={t('people.roleOf', { email: of.email })}
      verb={t('people.changeRole')}
      isBusy={change.isPending}
      error={change.error ?? current.error}
      isReady={role !== undefined && role !== before}
      onClose={onClose}
      onSubmit={submit}
    >
      {role ? <RoleChoice chosen={role} onChange={setPicked} /> : !current.error && <Loading />}
    </FormDialog>
  );
}
