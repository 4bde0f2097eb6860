import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { type ItemOf, usePages } from '../../api/hooks.ts';
import { type Column, PagedTable } from '../../parts/data-table.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';
import { useWho } from '../../session/session.tsx';
import { AgentMenu } from './agent-menu.tsx';
import { StatusBadge } from './status-badge.tsx';

/** It reads YAML, which the list does not need. */
const NewAgent = lazy(async () => ({ default: (await import('./new-agent.tsx')).NewAgent }));
type Head = ItemOf<'listAgents'>;

/** Who answers: every agent of the account, the latest changed first. */
export default function AgentsPage() {
  const { t } = useTranslation('agents');
  const { may } = useWho();
  const navigate = useNavigate();
  const [isMaking, setMaking] = useState(false);
  const pages = usePages('listAgents', {});
  const canEdit = may('agents');
  const make = canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
      {t('new.verb')}
    </Button>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={make}>
      <Section>
        <PagedTable
          label={t('title')}
          columns={useColumns(canEdit)}
          pages={pages}
          keyOf={({ id }) => id}
          onPick={({ id }) => void navigate(`/agents/${id}`)}
          empty={
            <Empty title={t('none.title')}>
              <Text size="sm" c="dimmed">
                {t('none.text')}
              </Text>
              {make}
            </Empty>
          }
        />
      </Section>
      <Suspense fallback={null}>{isMaking && <NewAgent onClose={() => setMaking(false)} />}</Suspense>
    </Page>
  );
}

function useColumns(canEdit: boolean): readonly Column<Head>[] {
  const { t } = useTranslation('agents');
  const columns: Column<Head>[] = [
    {
      name: t('columns.name'),
      cell: ({ id, name }) => (
        <Anchor component={Link} to={`/agents/${id}`} size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{name}</bdi>
        </Anchor>
      ),
    },
    { name: t('columns.status'), cell: ({ status }) => <StatusBadge status={status} /> },
    { name: t('columns.numbers'), cell: ({ numbers }) => <Numbers numbers={numbers} /> },
    {
      name: t('columns.language'),
      isExtra: true,
      cell: ({ language, voice }) => (
        <Group gap={6} wrap="nowrap">
          <span>{t(`languages.${language.startsWith('ar') ? 'ar' : 'en'}`)}</span>
          <Text span size="sm" c="dimmed">
            <Ltr>{voice}</Ltr>
          </Text>
        </Group>
      ),
    },
    { name: t('columns.version'), isFigure: true, isExtra: true, cell: ({ version }) => version },
    { name: t('columns.changed'), isExtra: true, cell: ({ updated_at }) => <Ago iso={updated_at} /> },
  ];
  return canEdit
    ? [...columns, { name: t('columns.actions'), isBare: true, cell: (agent) => <AgentMenu agent={agent} /> }]
    : columns;
}

const NUMBERS_SHOWN = 3;

function Numbers({ numbers }: { numbers: readonly string[] }) {
  const { t } = useTranslation('agents');
  if (numbers.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('noNumber')}
      </Text>
    );
  }
  const more = numbers.length - NUMBERS_SHOWN;
  return (
    <Ltr>
      {numbers.slice(0, NUMBERS_SHOWN).join(', ')}
      {more > 0 && ` +${more}`}
    </Ltr>
  );
}
