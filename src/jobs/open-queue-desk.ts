import type { QueueDesk } from '../core/job-queues.ts';
import type { Logger } from '../core/logger.ts';
import type { RedisServer } from '../store/redis-server.ts';
import type { Store } from '../store/store.ts';
import { openPostgresBackend, openRedisBackend } from './job-backend.ts';
import { queueDesk, queueNames } from './queue-states.ts';

export interface OpenedDesk {
  readonly desk: QueueDesk;
  close(): Promise<void>;
}

/** The queues of a node, to be looked at beside its gateway: nothing is worked on. */
export async function openQueueDesk(
  store: Pick<Store, 'connection' | 'gateways'>,
  { redis, logger }: { readonly redis: RedisServer | undefined; readonly logger: Logger },
): Promise<OpenedDesk> {
  const backend = redis ? openRedisBackend(redis) : await openPostgresBackend(store.connection, logger);
  const names = Object.entries(queueNames(store.gateways.node));
  const queues = Object.fromEntries(names.map(([name, full]) => [name, backend.queue(full)]));
  for (const queue of Object.values(queues)) {
    queue.on('error', (error) => logger.debug({ error: error.message }, 'job queue is in trouble'));
    if (backend.isUp) await queue.waitUntilReady();
  }
  return {
    desk: queueDesk(queues),
    close: async () => {
      await Promise.allSettled(Object.values(queues).map((queue) => queue.close()));
      await backend.close();
    },
  };
}
