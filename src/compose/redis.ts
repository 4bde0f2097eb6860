import type { Config } from '../config/load.ts';
import type { Logger } from '../core/logger.ts';
import { RedisServer, redisSettings } from '../store/redis-server.ts';

/** The server that jobs live in, where there is one. @throws OperatorError when it can never be used as it is. */
export async function openRedis({ jobs }: Config, logger: Logger): Promise<RedisServer | undefined> {
  const settings = redisSettings(jobs);
  return settings && RedisServer.open(settings, { logger });
}

/** For the start report. */
export function redisNotes(redis: RedisServer | undefined): string[] {
  if (!redis) return [];
  const { place, facts, fault } = redis;
  if (!facts)
    return [
      `JOBS WAIT: Redis at ${place} does not answer. Calls are taken; recordings, documents and analyses are worked on when it is back.`,
    ];
  return [`Jobs: in Redis ${facts.version} at ${place}.${fault === undefined ? '' : ` BEWARE: ${fault}.`}`];
}
