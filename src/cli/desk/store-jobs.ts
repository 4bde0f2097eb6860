import { errorText, OperatorError } from '../../core/errors.ts';
import { presentJob, type QueueDesk } from '../../core/job-queues.ts';
import type { Store } from '../../store/store.ts';
import type { Settings } from '../settings.ts';
import type { JobsDesk } from './desk.ts';

/** The queues of this machine's gateway, whether it runs or not. */
export function jobsOfStore(store: Store, { config, logger }: Settings): JobsDesk {
  const withQueues = async <T>(work: (desk: QueueDesk) => Promise<T>): Promise<T> => {
    // The queue and its drivers: other commands start without them.
    const [{ openQueueDesk }, { RedisServer, redisSettings }] = await Promise.all([
      import('../../jobs/open-queue-desk.ts'),
      import('../../store/redis-server.ts'),
    ]);
    const settings = redisSettings(config.jobs);
    const redis = settings && (await RedisServer.open(settings, { logger }));
    const opened = await openQueueDesk(store, { redis, logger });
    try {
      return await work(opened.desk);
    } catch (error) {
      throw new OperatorError(`The queues of jobs cannot be used: ${errorText(error)}.`, { cause: error });
    } finally {
      await opened.close();
    }
  };
  return {
    list: () =>
      withQueues(async (desk) =>
        (await desk.states()).map(({ failedJobs, ...counts }) => ({
          ...counts,
          failed_jobs: failedJobs.map(presentJob),
        })),
      ),
    show: async (queue, job) => {
      const found = await withQueues((desk) => desk.failedJob(queue, job));
      return found && presentJob(found);
    },
    retry: (queue, job) => withQueues((desk) => desk.retryFailed(queue, job)),
    discard: (queue, job) => withQueues((desk) => desk.discardFailed(queue, job)),
  };
}
