import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePages } from '../../api/hooks.ts';
import type { AuditFilter } from './audit-filter.ts';

interface Props {
  readonly filter: AuditFilter;
  readonly onChange: (filter: AuditFilter) => void;
}

/** Who did what to what, and when. */
export function AuditFilters({ filter, onChange }: Props) {
  const { t } = useTranslation('people');
  const set = (part: Partial<AuditFilter>) => onChange({ ...filter, ...part });
  const choices = (texts: object) => Object.entries(texts).map(([value, label]) => ({ value, label: String(label) }));
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} mb="md">
      <ActorFilter chosen={filter.actor} onChange={(actor) => set({ actor })} />
      <Select
        label={t('audit.what')}
        placeholder={t('audit.anything')}
        searchable
        clearable
        data={choices(t('actions', { returnObjects: true }))}
        value={filter.action || null}
        onChange={(action) => set({ action: action ?? '' })}
      />
      <Select
        label={t('audit.kind')}
        placeholder={t('audit.anyKind')}
        clearable
        data={choices(t('kinds', { returnObjects: true }))}
        value={filter.kind || null}
        onChange={(kind) => set({ kind: kind ?? '' })}
      />
      <TextInput
        label={t('audit.target')}
        placeholder="agt_…"
        dir="ltr"
        maxLength={300}
        value={filter.target}
        onChange={(event) => set({ target: event.currentTarget.value })}
      />
      <TextInput
        label={t('audit.from')}
        type="date"
        value={filter.from}
        onChange={(event) => set({ from: event.currentTarget.value })}
      />
      <TextInput
        label={t('audit.to')}
        type="date"
        value={filter.to}
        onChange={(event) => set({ to: event.currentTarget.value })}
      />
    </SimpleGrid>
  );
}

function ActorFilter({ chosen, onChange }: { chosen: string; onChange: (id: string) => void }) {
  const { t } = useTranslation('people');
  const people = usePages('listPeople', { limit: 200 });
  const keys = usePages('listKeys', { limit: 200 });
  const groups = [
    { group: t('tabs.people'), items: (people.items ?? []).map(({ id, email }) => ({ value: id, label: email })) },
    { group: t('tabs.keys'), items: (keys.items ?? []).map(({ id, name }) => ({ value: id, label: name })) },
  ];
  return (
    <Select
      label={t('audit.who')}
      placeholder={t('audit.anybody')}
      searchable
      clearable
      data={groups.filter(({ items }) => items.length > 0)}
      value={chosen || null}
      onChange={(id) => onChange(id ?? '')}
    />
  );
}
