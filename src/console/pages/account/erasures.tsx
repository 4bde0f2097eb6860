import { Alert, Badge, Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { IconCheck, IconHourglass, IconUserX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ItemOf, useChange, usePages } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { PagedTable } from '../../parts/data-table.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Section } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { tellDone } from '../../parts/tell.ts';
import { Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';
import { useWho } from '../../session/session.tsx';

type Erasure = ItemOf<'listErasures'>;
const FOUND = ['calls', 'turns', 'recordings', 'orders', 'refused_calls', 'named_elsewhere', 'do_not_call'] as const;
/** Some of it would go, or may: the list of numbers that are not called stays. */
const hasAny = ({ found, search }: Pick<Erasure, 'found' | 'search'>): boolean =>
  search !== null || FOUND.some((kind) => kind !== 'do_not_call' && found[kind] > 0);
const LOOK_EVERY_MS = 10_000; // nodes do their part once a minute

/** Who was erased, without who it was: how far each is, and a way to have one more. */
export function Erasures() {
  const { t } = useTranslation('account');
  const { may } = useWho();
  const [isOpen, setOpen] = useState(false);
  const pages = usePages('listErasures', {}, undefined, { everyMs: LOOK_EVERY_MS });
  const columns = [
    { name: t('erasures.asked'), cell: (one: Erasure) => <Asked of={one} /> },
    { name: t('erasures.state'), cell: (one: Erasure) => <State of={one} /> },
    { name: t('erasures.found'), isExtra: true, cell: (one: Erasure) => <Found of={one} /> },
  ];
  const start = may('account') && (
    <Button color="red" leftSection={<IconUserX size={16} />} onClick={() => setOpen(true)}>
      {t('erasures.start')}
    </Button>
  );
  return (
    <Section title={t('tabs.erasures')} aside={start}>
      <Text size="sm" c="dimmed" mb="md">
        {t('erasures.lead')}
      </Text>
      <PagedTable
        label={t('tabs.erasures')}
        columns={columns}
        pages={pages}
        keyOf={({ id }) => id}
        empty={<Empty title={t('erasures.empty')} />}
      />
      {isOpen && <ErasePerson onClose={() => setOpen(false)} />}
    </Section>
  );
}

function Asked({ of: { id, asked_at } }: { of: Erasure }) {
  return (
    <Stack gap={2}>
      <Ago iso={asked_at} />
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        <Ltr mono>{id}</Ltr>
      </Text>
    </Stack>
  );
}

/** What is waited for is named: a node that is down is for somebody to start. */
function State({ of: { state, search, done_at, waits_for } }: { of: Erasure }) {
  const { t } = useTranslation('account');
  const format = useFormat();
  const { calls, in_storage, nodes } = waits_for;
  if (state === 'done')
    return (
      <Group gap="xs">
        <Badge color="nidaa" leftSection={<IconCheck size={12} />}>
          {t('erasures.done')}
        </Badge>
        <Text size="sm">
          <Ago iso={done_at!} />
        </Text>
      </Group>
    );
  return (
    <Stack gap={4}>
      <Badge color="yellow" leftSection={<IconHourglass size={12} />}>
        {t(search ? 'erasures.searching' : 'erasures.waiting')}
      </Badge>
      {search && <Text size="sm">{t('erasures.searched', { shown: format.number(search.calls) })}</Text>}
      {search?.back_to && (
        <Text size="sm">
          {t('erasures.backTo')} <Ago iso={search.back_to} />
        </Text>
      )}
      {calls > 0 && <Text size="sm">{t('erasures.calls', { shown: format.number(calls) })}</Text>}
      {in_storage > 0 && <Text size="sm">{t('erasures.inStorage', { shown: format.number(in_storage) })}</Text>}
      {nodes.map((node) => (
        <Text size="sm" key={node} style={{ overflowWrap: 'anywhere' }}>
          {t('erasures.node')} <Ltr mono>{node}</Ltr>
        </Text>
      ))}
    </Stack>
  );
}

/** What there was, but for what was not there. */
function Found({ of: { found } }: { of: Pick<Erasure, 'found'> }) {
  const { t } = useTranslation('account');
  const format = useFormat();
  const there = FOUND.filter((kind) => found[kind] > 0);
  if (there.length === 0) return <Text size="sm">{t('erasures.nothing')}</Text>;
  return (
    <List size="sm" listStyleType="none">
      {there.map((kind) => (
        <List.Item key={kind}>{t(`erasures.kinds.${kind}`, { shown: format.number(found[kind]) })}</List.Item>
      ))}
    </List>
  );
}

/** First what there is, and then that it goes. */
function ErasePerson({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const format = useFormat();
  const look = useChange('erasePerson');
  const erase = useChange('erasePerson', ['listErasures', 'listCalls', 'listOrders', 'listRefusedCalls']);
  const [written, setWritten] = useState('');
  const number = written.trim();
  const tried = look.data;
  const submit = () => {
    if (!tried) return look.mutate({ body: { number, dry_run: true } });
    erase.mutate(
      { body: { number } },
      {
        onSuccess: ({ state }) => {
          tellDone(t(state === 'done' ? 'erasures.erased' : 'erasures.begun'));
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={t('erasures.start')}
      verb={t(tried ? 'erasures.verb' : 'erasures.look')}
      isDangerous={tried !== undefined}
      isBusy={look.isPending || erase.isPending}
      error={look.error ?? erase.error}
      isReady={number.length > 1 && (!tried || hasAny(tried))}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('erasures.number')}
        description={t('erasures.numberText')}
        type="tel"
        dir="ltr"
        required
        maxLength={128}
        placeholder="+966500000000"
        data-autofocus
        value={written}
        onChange={(event) => {
          setWritten(event.currentTarget.value);
          look.reset(); // what was found was of another
          erase.reset();
        }}
      />
      {tried && (
        <div role="status">
          <Text size="sm" fw={600} mb={4}>
            {t('erasures.there')}
          </Text>
          <Found of={tried} />
          {tried.search && (
            <Text size="sm" mt={4}>
              {t('erasures.soFar', { shown: format.number(tried.search.calls) })}
            </Text>
          )}
          {hasAny(tried) && (
            <Alert color="red" mt="md" title={t('erasures.forGood')}>
              {t('erasures.stays')}
            </Alert>
          )}
        </div>
      )}
    </FormDialog>
  );
}
