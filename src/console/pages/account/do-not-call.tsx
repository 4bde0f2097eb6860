import { Badge, Button, Group, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFileImport, IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ItemOf, useChange, usePages } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { PagedTable } from '../../parts/data-table.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Section } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { tellDone } from '../../parts/tell.ts';
import { Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';
import { useWho } from '../../session/session.tsx';
import { ImportNumbers } from './import-numbers.tsx';

type Entry = ItemOf<'listDoNotCall'>;

/** Whom no agent of the account calls. */
export function DoNotCall() {
  const { t } = useTranslation('account');
  const { may } = useWho();
  const format = useFormat();
  const [wanted, setWanted] = useState('');
  const [number] = useDebouncedValue(wanted.trim(), 300);
  const [open, setOpen] = useState<'add' | 'import'>();
  const [removed, setRemoved] = useState<Entry>();
  const pages = usePages('listDoNotCall', number === '' ? {} : { number });
  const remove = useChange('removeDoNotCall', ['listDoNotCall']);
  const close = () => setOpen(undefined);
  const columns = [
    { name: t('doNotCall.number'), cell: (entry: Entry) => <Ltr mono>{entry.number}</Ltr> },
    { name: t('doNotCall.reason'), isExtra: true, cell: (entry: Entry) => <Reason of={entry} /> },
    {
      name: t('doNotCall.until'),
      cell: ({ until }: Entry) => (until === null ? t('doNotCall.forEver') : format.day(until)),
    },
    { name: t('doNotCall.since'), isExtra: true, cell: (entry: Entry) => <Ago iso={entry.created_at} /> },
    {
      ...{ name: t('doNotCall.remove'), isBare: true, isFigure: true },
      cell: (entry: Entry) =>
        may('calls') &&
        entry.owner === 'account' && (
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            aria-label={t('doNotCall.removeOne', { number: entry.number })}
            onClick={() => setRemoved(entry)}
          >
            {t('doNotCall.remove')}
          </Button>
        ),
    },
  ];
  const actions = may('calls') && (
    <Group gap="xs">
      <Button variant="default" leftSection={<IconFileImport size={16} />} onClick={() => setOpen('import')}>
        {t('doNotCall.import')}
      </Button>
      <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('add')}>
        {t('doNotCall.add')}
      </Button>
    </Group>
  );
  return (
    <Section title={t('tabs.doNotCall')} aside={actions}>
      <Text size="sm" c="dimmed" mb="md">
        {t('doNotCall.lead')}
      </Text>
      <TextInput
        aria-label={t('doNotCall.find')}
        placeholder={t('doNotCall.find')}
        leftSection={<IconSearch size={16} />}
        dir="auto"
        maw={320}
        mb="md"
        maxLength={64}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <PagedTable
        label={t('tabs.doNotCall')}
        columns={columns}
        pages={pages}
        keyOf={({ id }) => id}
        empty={<Empty title={number === '' ? t('doNotCall.empty') : t('doNotCall.notFound')} />}
      />
      {open === 'add' && <AddNumber onClose={close} />}
      {open === 'import' && <ImportNumbers onClose={close} />}
      <Confirm
        opened={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={t('doNotCall.removeOne', { number: removed?.number ?? '' })}
        text={t('doNotCall.removeText')}
        verb={t('doNotCall.remove')}
        act={async () => {
          await remove.mutateAsync({ params: { id: removed!.id } });
          tellDone(t('doNotCall.removed'));
        }}
      />
    </Section>
  );
}

function Reason({ of: { reason, owner } }: { of: Entry }) {
  const { t } = useTranslation('account');
  return (
    <Group gap="xs">
      <Text size="sm">
        <bdi>{reason}</bdi>
      </Text>
      {owner === 'operator' && <Badge color="gray">{t('doNotCall.operator')}</Badge>}
    </Group>
  );
}

function AddNumber({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const add = useChange('addDoNotCall', ['listDoNotCall']);
  const [number, setNumber] = useState('');
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  const submit = () =>
    add.mutate(
      {
        body: {
          ...{ number: number.trim(), reason: reason.trim() },
          ...(until !== '' && { until: new Date(`${until}T23:59:59`).toISOString() }),
        },
      },
      {
        onSuccess: (entry) => {
          tellDone(t('doNotCall.added', { number: entry.number }));
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={t('doNotCall.add')}
      verb={t('doNotCall.add')}
      isBusy={add.isPending}
      error={add.error}
      isReady={number.trim() !== ''}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('doNotCall.number')}
        type="tel"
        dir="ltr"
        required
        maxLength={64}
        placeholder="+966500000000"
        data-autofocus
        value={number}
        onChange={(event) => setNumber(event.currentTarget.value)}
      />
      <Textarea
        label={t('doNotCall.reason')}
        placeholder={t('doNotCall.example')}
        dir="auto"
        maxLength={500}
        autosize
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <TextInput
        label={t('doNotCall.until')}
        description={t('doNotCall.untilText')}
        type="date"
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
