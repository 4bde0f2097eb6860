import { Badge, Button, Grid, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PASSWORD_CHARS } from '../../../core/management.ts';
import type { Answer } from '../../api/client.ts';
import { useAsk, useChange } from '../../api/hooks.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Section } from '../../parts/page.tsx';
import { Failed, Shown } from '../../parts/states.tsx';
import { tellDone } from '../../parts/tell.ts';
import { Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';
import { useWho } from '../../session/session.tsx';
import { deviceOf } from './device.ts';
import { RevokeButton } from './revoke-button.tsx';

type Session = Answer<'listSessions'>['items'][number];

/** The own password, and where one has signed in. */
export function Me() {
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Sessions />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Password />
      </Grid.Col>
    </Grid>
  );
}

function Sessions() {
  const { t } = useTranslation('people');
  const asked = useAsk('listSessions', {});
  const revoke = useChange('revokeSession', ['listSessions']);
  const [ended, setEnded] = useState<Session>();
  const columns = [
    { name: t('me.device'), cell: (session: Session) => <Device of={session} /> },
    { name: t('lastUsed'), cell: (session: Session) => <Ago iso={session.last_used_at} /> },
    { name: t('me.since'), isExtra: true, cell: (session: Session) => <Ago iso={session.created_at} /> },
    {
      name: t('me.end'),
      isBare: true,
      isFigure: true,
      cell: (session: Session) =>
        !session.current && <RevokeButton name={session.address} onClick={() => setEnded(session)} />,
    },
  ];
  return (
    <Section title={t('me.sessions')}>
      <Shown of={asked}>
        {({ items }) => <DataTable label={t('me.sessions')} columns={columns} rows={items} keyOf={({ id }) => id} />}
      </Shown>
      <Text size="sm" c="dimmed" mt="sm">
        {t('me.sessionsText')}
      </Text>
      <Confirm
        opened={ended !== undefined}
        onClose={() => setEnded(undefined)}
        title={t('me.endTitle')}
        text={t('me.endText')}
        verb={t('revoke')}
        act={() => revoke.mutateAsync({ params: { id: ended!.id } })}
      />
    </Section>
  );
}

function Device({ of: { user_agent, address, current } }: { of: Session }) {
  const { t } = useTranslation('people');
  const { browser, system } = deviceOf(user_agent);
  const Icon = system === 'Android' || system === 'iOS' ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <Group gap="sm" wrap="nowrap" title={user_agent}>
      <Icon size={20} stroke={1.6} color="var(--quiet)" style={{ flex: 'none' }} />
      <div>
        <Group gap="xs">
          <Text size="sm">
            <Ltr>{[browser ?? t('me.unknown'), system].filter(Boolean).join(' · ')}</Ltr>
          </Text>
          {current && <Badge color="nidaa">{t('me.this')}</Badge>}
        </Group>
        <Text size="xs" c="dimmed">
          <Ltr>{address}</Ltr>
        </Text>
      </div>
    </Group>
  );
}

function Password() {
  const { t } = useTranslation('people');
  const { t: common } = useTranslation();
  const { who } = useWho();
  const change = useChange('changePassword', ['listSessions']);
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const toggle = { 'aria-label': common('signIn.show') };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(
      { body: { current, password } },
      {
        onSuccess: () => {
          setCurrent('');
          setPassword('');
          tellDone(t('me.passwordChanged'));
        },
      },
    );
  };
  return (
    <Section title={t('me.password')}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <input type="hidden" autoComplete="username" value={who.name} readOnly />
          <PasswordInput
            label={t('me.current')}
            required
            autoComplete="current-password"
            visibilityToggleButtonProps={toggle}
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('me.new')}
            description={common('welcome.password', { count: PASSWORD_CHARS.min })}
            required
            minLength={PASSWORD_CHARS.min}
            autoComplete="new-password"
            visibilityToggleButtonProps={toggle}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {change.error && <Failed error={change.error} />}
          <Text size="sm" c="dimmed">
            {t('me.passwordText')}
          </Text>
          <Button type="submit" loading={change.isPending} disabled={current === '' || password === ''}>
            {t('me.change')}
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
