import type { FailedJobView, JobsDesk, QueueView } from '../desk/desk.ts';
import { ifKnown, type ManageClient, part } from './manage-client.ts';

/** Queues over the management API. */
export function farJobs(client: ManageClient): JobsDesk {
  const change = async <K extends string>(queue: string, what: string, count: K, job: string | undefined) => {
    const body = job === undefined ? {} : { job_id: job };
    const path = `/system/queues/${part(queue)}/${what}`;
    return (await ifKnown(client.ask<Readonly<Record<K, number>>>({ method: 'POST', path, body })))?.[count];
  };
  return {
    list: async () => (await client.ask<{ items: readonly QueueView[] }>({ path: '/system/queues' })).items,
    show: (queue, job) =>
      ifKnown(client.ask<FailedJobView>({ path: `/system/queues/${part(queue)}/jobs/${part(job)}` })),
    retry: (queue, job) => change(queue, 'retry', 'retried', job),
    discard: (queue, job) => change(queue, 'discard', 'discarded', job),
  };
}
