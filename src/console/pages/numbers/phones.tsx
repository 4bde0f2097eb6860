import { ActionIcon, Button, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAsk, useChange } from '../../api/hooks.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { PagedTable } from '../../parts/data-table.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Section } from '../../parts/page.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { Empty } from '../../parts/states.tsx';
import { Copyable, Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';
import { useWho } from '../../session/session.tsx';
import { LightSign } from './light.tsx';
import { type Phone, usePhones } from './routing.ts';
import classes from './trunks.module.css';

interface Made {
  readonly user: string;
  readonly password: string;
  readonly realm: string;
}
const PHONE_NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** Desk and soft phones, and exchanges that register. */
export function Phones() {
  const { t } = useTranslation('numbers');
  const { may } = useWho();
  const phones = usePhones();
  const remove = useChange('deletePhone', ['listPhones']);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<Made>();
  const [removed, setRemoved] = useState<Phone>();
  const canEdit = may('account');
  const make = canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
      {t('phone.create')}
    </Button>
  );
  const columns = [
    {
      name: t('phone.name'),
      cell: ({ name }: Phone) => (
        <Text size="sm" fw={600}>
          <Ltr>{name}</Ltr>
        </Text>
      ),
    },
    { name: t('phone.user'), isExtra: true, cell: ({ user }: Phone) => <Ltr mono>{user}</Ltr> },
    { name: t('phone.state'), cell: (phone: Phone) => <Contacts of={phone} /> },
    { name: t('phone.calledBy'), isExtra: true, cell: ({ name }: Phone) => <Copyable value={`phone:${name}`} /> },
    ...(canEdit
      ? [
          {
            ...{ name: t('number.actions'), isBare: true, isFigure: true },
            cell: (phone: Phone) => (
              <Tooltip label={t('phone.remove')}>
                <ActionIcon
                  variant="subtle"
                  color="red"
                  aria-label={t('phone.removeOne', { name: phone.name })}
                  onClick={() => setRemoved(phone)}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Tooltip>
            ),
          },
        ]
      : []),
  ];
  return (
    <Section title={t('tabs.phones')} aside={make}>
      <Text size="sm" c="dimmed" mb="md" maw={640}>
        {t('phone.lead')}
      </Text>
      <PagedTable
        label={t('tabs.phones')}
        columns={columns}
        pages={phones}
        keyOf={({ id }) => id}
        empty={
          <Empty title={t('phone.none')}>
            <Text size="sm" c="dimmed">
              {t('phone.noneText')}
            </Text>
          </Empty>
        }
      />
      {isMaking && <MakePhone onClose={() => setMaking(false)} onMade={setMade} />}
      <MadePhone made={made} onClose={() => setMade(undefined)} />
      <Confirm
        title={t('phone.removeTitle', { name: removed?.name ?? '' })}
        text={t('phone.removeText')}
        verb={t('phone.remove')}
        opened={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        act={() => remove.mutateAsync({ params: { id: removed!.id } })}
      />
    </Section>
  );
}

function Contacts({ of: { contacts } }: { of: Phone }) {
  const { t } = useTranslation('numbers');
  if (contacts.length === 0) {
    return (
      <Text span size="sm" c="dimmed">
        <LightSign light="unknown" word={t('phone.notThere')} />
      </Text>
    );
  }
  return (
    <Stack gap={2}>
      {contacts.map(({ uri, user_agent, expires_at }) => (
        <Text key={uri} size="sm" component="div">
          <LightSign light="up" /> · {t('phone.until')} <Ago iso={expires_at} />
          <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
            <Ltr>{user_agent || uri}</Ltr>
          </Text>
        </Text>
      ))}
    </Stack>
  );
}

function MakePhone({ onClose, onMade }: { onClose: () => void; onMade: (made: Made) => void }) {
  const { t } = useTranslation('numbers');
  const create = useChange('createPhone', ['listPhones']);
  const [name, setName] = useState('');
  const [user, setUser] = useState('');
  const isOk = (text: string): boolean => PHONE_NAME.test(text);
  const submit = () =>
    create.mutate(
      { body: { name, ...(user !== '' && { user }) } },
      {
        onSuccess: ({ phone, password, realm }) => {
          onClose();
          onMade({ user: phone.user, password, realm });
        },
      },
    );
  return (
    <FormDialog
      title={t('phone.create')}
      verb={t('phone.create')}
      isBusy={create.isPending}
      error={create.error}
      isReady={isOk(name) && (user === '' || isOk(user))}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('phone.name')}
        description={t('phone.nameHint')}
        error={name !== '' && !isOk(name) && t('phone.nameWrong')}
        placeholder="reception"
        dir="ltr"
        required
        maxLength={64}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t('phone.user')}
        description={t('phone.userHint')}
        error={user !== '' && !isOk(user) && t('phone.nameWrong')}
        placeholder={name}
        dir="ltr"
        maxLength={64}
        value={user}
        onChange={(event) => setUser(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

/** What is entered in the phone: its password this once. */
function MadePhone({ made, onClose }: { made: Made | undefined; onClose: () => void }) {
  const { t } = useTranslation('numbers');
  const recipes = useAsk('listTrunkRecipes', {}, { enabled: made !== undefined });
  const gateway = recipes.data?.gateway;
  return (
    <SecretOnce title={t('phone.made')} secret={made?.password} onClose={onClose}>
      <dl className={classes['facts']} style={{ marginBlockEnd: '1rem' }}>
        <dt>{t('phone.server')}</dt>
        <dd>{gateway ? <Copyable value={`${gateway.address}:${gateway.port}`} /> : '…'}</dd>
        <dt>{t('phone.user')}</dt>
        <dd>
          <Copyable value={made?.user ?? ''} />
        </dd>
        <dt>{t('phone.realm')}</dt>
        <dd>
          <Copyable value={made?.realm ?? ''} />
        </dd>
        <dt>{t('phone.password')}</dt>
      </dl>
    </SecretOnce>
  );
}
