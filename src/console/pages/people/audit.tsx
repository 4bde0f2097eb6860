import { Anchor, Code, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconKey, IconLink, IconServer, IconTerminal2, IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type ItemOf, usePages } from '../../api/hooks.ts';
import { usePreferences } from '../../i18n/preferences-provider.tsx';
import { useFormat } from '../../i18n/use-format.ts';
import { PagedTable } from '../../parts/data-table.tsx';
import { Section } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { Copyable, Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';
import { type ChangeLine, changeLines } from './audit-changes.ts';
import { type AuditFilter, NO_FILTER, queryOf } from './audit-filter.ts';
import { AuditFilters } from './audit-filters.tsx';

type Entry = ItemOf<'listAudit'>;

const ICONS = { person: IconUser, key: IconKey, link: IconLink, shell: IconTerminal2, gateway: IconServer } as const;
/** Where what was changed can be seen. */
const PLACES: Readonly<Record<string, (id: string) => string>> = {
  agent: (id) => `/agents/${encodeURIComponent(id)}`,
  call: (id) => `/calls/${encodeURIComponent(id)}`,
  account: () => '/account',
  token: () => '/people?tab=tokens',
  key: () => '/people?tab=keys',
  person: () => '/people?tab=people',
  webhook: () => '/webhooks',
  trunk: () => '/numbers',
  number: () => '/numbers',
  phone: () => '/numbers',
};
const SHOWN_CHARS_MAX = 60;

/** Names of operations in words; those that have none keep their name. */
function useActionName(): (action: string) => string {
  const { t, i18n } = useTranslation('people');
  return (action) =>
    i18n.exists(`people:actions.${action}`) ? t(`actions.${action}` as 'actions.createAgent') : action;
}

/** What was changed, by whom. */
export function Audit() {
  const { t } = useTranslation('people');
  const [filter, setFilter] = useState<AuditFilter>(NO_FILTER);
  const [asked] = useDebouncedValue(filter, 300);
  const { preferences } = usePreferences();
  const [open, setOpen] = useState<Entry>();
  const pages = usePages('listAudit', queryOf(asked, preferences.timeZone));
  const columns = [
    { name: t('audit.when'), cell: ({ at }: Entry) => <Ago iso={at} /> },
    { name: t('audit.who'), isExtra: true, cell: (entry: Entry) => <Actor of={entry} /> },
    { name: t('audit.what'), cell: (entry: Entry) => <What of={entry} onOpen={() => setOpen(entry)} /> },
  ];
  return (
    <Section title={t('tabs.audit')}>
      <AuditFilters filter={filter} onChange={setFilter} />
      <PagedTable
        label={t('tabs.audit')}
        columns={columns}
        pages={pages}
        keyOf={({ seq }) => String(seq)}
        onPick={setOpen}
        empty={<Empty title={t('audit.empty')} />}
      />
      {open && <Details of={open} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function Actor({ of: { actor } }: { of: Entry }) {
  const { t } = useTranslation('people');
  const Icon = ICONS[actor.kind];
  return (
    <Group gap={6} wrap="nowrap">
      <Icon
        size={16}
        stroke={1.6}
        color="var(--quiet)"
        style={{ flex: 'none' }}
        aria-label={t(`audit.${actor.kind}`)}
      />
      <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {actor.kind === 'gateway' ? t('audit.gateway') : actor.name}
      </Text>
    </Group>
  );
}

/** What was done to what; where that is little, also how it was before. */
function What({ of, onOpen }: { of: Entry; onOpen: () => void }) {
  const { t } = useTranslation('people');
  const nameOf = useActionName();
  const lines = changeLines(of.before, of.after);
  const isEdit = of.before !== null && of.after !== null;
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Anchor component="button" type="button" size="sm" fw={600} onClick={onOpen}>
          {nameOf(of.action)}
        </Anchor>
        <Text size="xs" c="dimmed">
          <Ltr mono>{of.target.id}</Ltr>
        </Text>
      </Group>
      {isEdit && lines.slice(0, 2).map((line) => <Line key={line.path.join('/')} of={line} />)}
      {isEdit && lines.length > 2 && (
        <Text size="xs" c="dimmed">
          {t('audit.more', { count: lines.length - 2 })}
        </Text>
      )}
    </Stack>
  );
}

const short = (text: string): string =>
  text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX - 1)}…` : text;

function Line({ of: { path, before, after } }: { of: ChangeLine }) {
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      <Ltr>
        <Ltr mono>{path.join('.')}</Ltr>: {before !== undefined && <del dir="auto">{short(before)}</del>}
        {before !== undefined && after !== undefined && ' → '}
        {after !== undefined && (
          <ins dir="auto" style={{ textDecoration: 'none', color: 'var(--good)' }}>
            {short(after)}
          </ins>
        )}
      </Ltr>
    </Text>
  );
}

function Details({ of, onClose }: { of: Entry; onClose: () => void }) {
  const { t } = useTranslation('people');
  const { t: common } = useTranslation();
  const format = useFormat();
  const nameOf = useActionName();
  const lines = changeLines(of.before, of.after);
  const place = PLACES[of.target.kind];
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={nameOf(of.action)}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <Stack gap="sm">
        <Group gap="lg">
          <Text size="sm">{format.dateTime(of.at)}</Text>
          <Actor of={of} />
          <Group gap={4}>
            <Copyable value={of.target.id} />
            {place && (
              <Anchor component={Link} to={place(of.target.id)} size="sm">
                {t('audit.open')}
              </Anchor>
            )}
          </Group>
        </Group>
        {lines.length > 0 ? (
          <Changes of={lines} />
        ) : (
          <Text size="sm" c="dimmed">
            {t('audit.nothing')}
          </Text>
        )}
        {of.request_id !== '' && (
          <Text size="xs" c="dimmed">
            {t('audit.request')} <Ltr mono>{of.request_id}</Ltr>
          </Text>
        )}
      </Stack>
    </Modal>
  );
}

function Changes({ of }: { of: readonly ChangeLine[] }) {
  const { t } = useTranslation('people');
  const value = (text: string | undefined, colour: string) =>
    text === undefined ? null : (
      <Text size="sm" dir="auto" c={colour} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {text}
      </Text>
    );
  return (
    <Table.ScrollContainer minWidth={0} type="native" mah={420}>
      <Table aria-label={t('audit.changes')} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('audit.field')}</Table.Th>
            <Table.Th>{t('audit.before')}</Table.Th>
            <Table.Th>{t('audit.after')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {of.map(({ path, before, after }) => (
            <Table.Tr key={path.join('/')}>
              <Table.Td>
                <Code dir="ltr">{path.join('.') || '·'}</Code>
              </Table.Td>
              <Table.Td>{value(before, 'var(--bad)')}</Table.Td>
              <Table.Td>{value(after, 'var(--good)')}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
