import { Kbd, Text } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { addressOf } from '../../api/client.ts';
import { usePages } from '../../api/hooks.ts';
import { usePreferences } from '../../i18n/preferences-provider.tsx';
import { PagedTable } from '../../parts/data-table.tsx';
import { Download } from '../../parts/download.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import classes from './calls.module.css';
import { columnsOf, useCallColumns } from './columns.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type CallQuery, dayOf, type Filters, filtersOf, queryOf, withFilter } from './filters.ts';
import { Outcomes } from './outcomes.tsx';
import { useFreshCalls } from './use-fresh-calls.ts';
import { useListKeys } from './use-list-keys.ts';

/** Every call, newest first; those that go on above them. */
export default function CallsPage() {
  const { t } = useTranslation('calls');
  const { preferences } = usePreferences();
  const [address, setAddress] = useSearchParams();
  const [openedAt] = useState(Date.now);
  const filters = useMemo(() => filtersOf(address), [address]);
  const query = useMemo(
    () => queryOf(filters, openedAt, preferences.timeZone),
    [filters, openedAt, preferences.timeZone],
  );
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useListKeys(list, search);
  const change = (changes: Filters) => setAddress((before) => withFilter(before, changes), { replace: true });
  const isSearch = query.q !== undefined;
  return (
    <Page title={t('title')} lead={t('lead')} actions={<Export query={query} timeZone={preferences.timeZone} />}>
      <Section>
        <FilterBar {...{ filters, search, change }} clear={() => setAddress({}, { replace: true })} />
      </Section>
      <div ref={list} className={classes['lists']}>
        {query.state !== 'ended' && !isSearch && <LiveCalls query={query} isAlone={query.state === 'live'} />}
        {query.state !== 'live' && <EndedCalls query={query} isFiltered={Object.keys(filters).length > 0} />}
      </div>
      {Object.keys(filters).length === 0 && <Outcomes />}
      <Text size="xs" c="dimmed" component="div" visibleFrom="sm">
        <Kbd size="xs">/</Kbd> {t('keys.search')} · <Kbd size="xs">J</Kbd> <Kbd size="xs">K</Kbd> {t('keys.move')} ·{' '}
        <Kbd size="xs">Enter</Kbd> {t('keys.open')}
      </Text>
    </Page>
  );
}

function LiveCalls({ query, isAlone }: { query: CallQuery; isAlone: boolean }) {
  const { t } = useTranslation('calls');
  const pages = usePages('listCalls', { ...query, state: 'live', limit: 50 });
  useFreshCalls();
  const navigate = useNavigate();
  const columns = columnsOf(useCallColumns(query.q), ['who', 'agent', 'began', 'said', 'lasted']);
  if (!isAlone && !pages.items?.length) return null;
  return (
    <Section
      title={t('live')}
      aside={
        <Text size="sm" c="dimmed" component={Link} to="/live">
          {t('toLive')}
        </Text>
      }
    >
      <PagedTable
        label={t('live')}
        pages={pages}
        columns={columns}
        keyOf={({ id }) => id}
        onPick={({ id }) => void navigate(`/calls/${id}`)}
        empty={<Empty title={t('noLive')} />}
      />
    </Section>
  );
}

function EndedCalls({ query, isFiltered }: { query: CallQuery; isFiltered: boolean }) {
  const { t } = useTranslation('calls');
  const pages = usePages('listCalls', { ...query, state: 'ended', limit: 50 });
  const navigate = useNavigate();
  const columns = columnsOf(useCallColumns(query.q), [
    ...(['who', 'agent', 'began', 'end', 'outcome', 'lasted', 'cost', 'sound'] as const),
  ]);
  return (
    <Section>
      <PagedTable
        label={t('title')}
        pages={pages}
        columns={columns}
        keyOf={({ id }) => id}
        onPick={({ id }) => void navigate(`/calls/${id}`)}
        empty={
          <Empty title={t(isFiltered ? 'noneFound' : 'none')}>
            <Text size="sm" c="dimmed">
              {t(isFiltered ? 'noneFoundText' : 'noneText')}
            </Text>
          </Empty>
        }
      />
    </Section>
  );
}

function Export({ query, timeZone }: { query: CallQuery; timeZone: string }) {
  const { t } = useTranslation('calls');
  return (
    <Download address={addressOf('exportCalls', { query })} fileName={`calls-${dayOf(Date.now(), timeZone)}.csv`}>
      {t('csv')}
    </Download>
  );
}
