import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { type ItemOf, useAsk, usePages } from '../../api/hooks.ts';
import { PagedTable } from '../../parts/data-table.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ago } from '../../parts/when.tsx';
import { StatusBadge } from '../agents/status-badge.tsx';
import { RunCounts } from './run-sign.tsx';

type Agent = ItemOf<'listAgents'>;
/** Each row asks for its tests and its last run. */
const ROWS = 20;

/** Every agent, and whether it held its dialogues when it was last asked to. */
export default function TestsPage() {
  const { t } = useTranslation('tests');
  const navigate = useNavigate();
  const pages = usePages('listAgents', { limit: ROWS });
  const columns = [
    {
      name: t('agent'),
      cell: ({ id, name }: Agent) => (
        <Anchor component={Link} to={`/tests/${id}`} size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{name}</bdi>
        </Anchor>
      ),
    },
    { name: t('state'), isExtra: true, cell: ({ status }: Agent) => <StatusBadge status={status} /> },
    { name: t('dialogues'), isFigure: true, cell: ({ id }: Agent) => <DialogueCount id={id} /> },
    { name: t('lastRun'), cell: ({ id }: Agent) => <LastRun id={id} /> },
  ];
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Section>
        <PagedTable
          label={t('title')}
          columns={columns}
          pages={pages}
          keyOf={({ id }) => id}
          onPick={({ id }) => void navigate(`/tests/${id}`)}
          empty={
            <Empty title={t('noAgents')}>
              <Anchor component={Link} to="/agents" size="sm">
                {t('toAgents')}
              </Anchor>
            </Empty>
          }
        />
      </Section>
    </Page>
  );
}

function DialogueCount({ id }: { id: string }) {
  const { t } = useTranslation('tests');
  const { data, error } = useAsk('getAgentTests', { params: { id } });
  if (!data) return error ? '?' : '…';
  return (
    <>
      {data.dialogues.length}
      {data.required && (
        <Text size="xs" c="dimmed">
          {t('required.short')}
        </Text>
      )}
    </>
  );
}

function LastRun({ id }: { id: string }) {
  const { t } = useTranslation('tests');
  const { data, error } = useAsk('listAgentTestRuns', { params: { id }, query: { limit: 1 } });
  if (!data) return error ? '?' : '…';
  const [run] = data.items;
  if (!run) {
    return (
      <Text size="sm" c="dimmed">
        {t('neverRun')}
      </Text>
    );
  }
  return (
    <>
      <RunCounts run={run} />
      <Text size="xs" c="dimmed" component="div">
        <Ago iso={run.started_at} />
      </Text>
    </>
  );
}
