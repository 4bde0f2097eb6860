import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../api/client.ts';
import { useAsk, useChange } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Figure, Section } from '../../parts/page.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { tellDone, tellFailed } from '../../parts/tell.ts';
import { Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';

type Queue = Answer<'listQueues'>['items'][number];
type Job = Queue['failed_jobs'][number];
const NAMES = ['recordings', 'uploads', 'caretaker', 'documents', 'calls'] as const;
const isKnown = (name: string): name is (typeof NAMES)[number] => (NAMES as readonly string[]).includes(name);
const COUNTS = ['waiting', 'active', 'delayed', 'failed'] as const;

/** Work behind the calls: what waits, what is done now, and what was given up. */
export function Queues() {
  const { t } = useTranslation('system');
  const asked = useAsk('listQueues', {}, { everyMs: 5_000 });
  return (
    <Shown of={asked}>
      {({ items }) => (
        <Stack gap="lg">
          {items.length === 0 && <Empty title={t('queues.none')} />}
          {items.map((queue) => (
            <OneQueue key={queue.name} of={queue} />
          ))}
        </Stack>
      )}
    </Shown>
  );
}

function OneQueue({ of }: { of: Queue }) {
  const { t } = useTranslation('system');
  const format = useFormat();
  const retry = useChange('retryFailedJobs', ['listQueues']);
  const again = (jobId?: string) =>
    retry.mutate(
      { params: { id: of.name }, body: jobId === undefined ? {} : { job_id: jobId } },
      { onSuccess: ({ retried }) => tellDone(t('queues.retried', { count: retried })), onError: tellFailed },
    );
  const columns = [
    { name: t('queues.job'), cell: ({ name }: Job) => <Ltr mono>{name}</Ltr> },
    {
      name: t('queues.why'),
      cell: ({ why }: Job) => (
        <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {why}
        </Text>
      ),
    },
    { name: t('queues.when'), isExtra: true, cell: (job: Job) => <Ago iso={job.failed_at} /> },
    { ...{ name: t('queues.tries'), isFigure: true, isExtra: true }, cell: ({ tries }: Job) => format.number(tries) },
    {
      ...{ name: t('queues.retry'), isBare: true, isFigure: true },
      cell: ({ id, name }: Job) => (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`${t('queues.retry')}: ${name}`}
          onClick={() => again(id)}
        >
          {t('queues.retry')}
        </Button>
      ),
    },
  ];
  const all = of.failed > 0 && (
    <Button variant="default" loading={retry.isPending} onClick={() => again()}>
      {t('queues.retryAll')}
    </Button>
  );
  return (
    <Section title={isKnown(of.name) ? t(`queues.names.${of.name}`) : of.name} aside={all}>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {COUNTS.map((count) => (
          <Figure key={count} name={t(`queues.${count}`)}>
            <Text inherit span c={count === 'failed' && of.failed > 0 ? 'var(--bad)' : undefined}>
              {format.number(of[count])}
            </Text>
          </Figure>
        ))}
      </SimpleGrid>
      {of.failed_jobs.length > 0 && (
        <DataTable label={t('queues.failed')} columns={columns} rows={of.failed_jobs} keyOf={({ id }) => id} />
      )}
    </Section>
  );
}
