import type { FastifyReply } from 'fastify';
import type { Allowance } from '../api/token-bucket.ts';
import { ServiceError } from '../core/errors.ts';

/** @throws ServiceError `rate_limited`, with the time after which it is worth trying again. */
export function requireAllowance({ allowed, retrySeconds }: Allowance, reply: FastifyReply): void {
  if (allowed) return;
  reply.header('retry-after', retrySeconds);
  throw new ServiceError('rate_limited');
}
