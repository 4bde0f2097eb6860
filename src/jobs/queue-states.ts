import type { FailedJob, QueueDesk, QueueState } from '../core/job-queues.ts';
import type { JobQueue, KeptJob } from './job-backend.ts';

/** Shown and retried at once. */
const FAILED_SHOWN = 50;
const WHY_CHARS_MAX = 200;
/** As if it had never been tried: else the first failure would be its last again. */
const ANEW = { resetAttemptsMade: true, resetAttemptsStarted: true } as const;

/** Queues as whoever looks after the gateway sees them, by their short names. */
export function queueDesk(queues: Readonly<Record<string, JobQueue>>): QueueDesk {
  return {
    states: () => Promise.all(Object.entries(queues).map(([name, queue]) => stateOf(name, queue))),
    retryFailed: async (name, jobId) => {
      const queue = Object.hasOwn(queues, name) ? queues[name] : undefined;
      if (!queue) return undefined;
      const failed = (await queue.getFailed(0, FAILED_SHOWN - 1)).filter(
        ({ id }) => jobId === undefined || id === jobId,
      );
      const begun = await Promise.all(failed.map(retry));
      return begun.filter(Boolean).length;
    },
  };
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

const shown = ({ id, name, attemptsMade, finishedOn, failedReason }: KeptJob): FailedJob => ({
  ...{ id: id ?? '', name, tries: attemptsMade },
  failedAt: finishedOn === undefined ? undefined : new Date(finishedOn),
  why: (failedReason ?? '').slice(0, WHY_CHARS_MAX),
});
