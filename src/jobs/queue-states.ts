import type { FailedJob, QueueDesk, QueueState } from '../core/job-queues.ts';
import type { JobQueue, KeptJob } from './job-backend.ts';

/** Shown, retried and discarded at once. */
const FAILED_SHOWN = 50;
const WHY_CHARS_MAX = 200;
/** As if it had never been tried: else the first failure would be its last again. */
const ANEW = { resetAttemptsMade: true, resetAttemptsStarted: true } as const;

/** Queues by their short names, and as the back end knows them: recordings lie on one node, so each has queues of its own for them. */
export const queueNames = (node: string) =>
  ({
    recordings: `recordings-${node}`,
    uploads: `uploads-${node}`,
    caretaker: 'caretaker',
    documents: 'documents',
    calls: 'calls',
  }) as const;
export type QueueName = keyof ReturnType<typeof queueNames>;

/** Queues as whoever looks after the gateway sees them, by their short names. */
export function queueDesk(queues: Readonly<Record<string, JobQueue>>): QueueDesk {
  const named = (name: string): JobQueue | undefined => (Object.hasOwn(queues, name) ? queues[name] : undefined);
  const each = async (name: string, jobId: string | undefined, work: (job: KeptJob) => Promise<boolean>) => {
    const queue = named(name);
    if (!queue) return undefined;
    const failed = jobId === undefined ? await queue.getFailed(0, FAILED_SHOWN - 1) : [await givenUp(queue, jobId)];
    const done = await Promise.all(failed.map((job) => job !== undefined && work(job)));
    return done.filter(Boolean).length;
  };
  return {
    states: () => Promise.all(Object.entries(queues).map(([name, queue]) => stateOf(name, queue))),
    failedJob: async (name, jobId) => {
      const queue = named(name);
      const job = queue && (await givenUp(queue, jobId));
      return job && shown(job);
    },
    retryFailed: (name, jobId) => each(name, jobId, retry),
    discardFailed: (name, jobId) => each(name, jobId, discard),
  };
}

async function givenUp(queue: JobQueue, jobId: string): Promise<KeptJob | undefined> {
  const job = await queue.getJob(jobId);
  return job && (await job.isFailed()) ? job : undefined;
}

/** Whether it begins again: somebody else may have been quicker. */
export async function retry(job: KeptJob): Promise<boolean> {
  try {
    await job.retry('failed', ANEW);
    return true;
  } catch (error) {
    if (await job.isFailed()) throw error;
    return false;
  }
}

/** Whether it is gone: somebody else may have begun it again. */
async function discard(job: KeptJob): Promise<boolean> {
  if (!(await job.isFailed())) return false;
  await job.remove();
  return true;
}

async function stateOf(name: string, queue: JobQueue): Promise<QueueState> {
  const [counts, jobs] = await Promise.all([
    queue.getJobCounts('waiting', 'delayed', 'active', 'failed'),
    queue.getFailed(0, FAILED_SHOWN - 1),
  ]);
  const of = (state: string): number => counts[state] ?? 0;
  return {
    ...{ name, waiting: of('waiting'), delayed: of('delayed'), active: of('active'), failed: of('failed') },
    failedJobs: jobs.map(shown),
  };
}

const shown = ({ id, name, attemptsMade, finishedOn, failedReason, data }: KeptJob): FailedJob => ({
  ...{ id: id ?? '', name, tries: attemptsMade },
  failedAt: finishedOn === undefined ? undefined : new Date(finishedOn),
  why: (failedReason ?? '').slice(0, WHY_CHARS_MAX),
  about: Object.fromEntries(
    Object.entries((data ?? {}) as object).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  ),
});
