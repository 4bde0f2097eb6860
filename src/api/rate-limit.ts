import type { FastifyInstance } from 'fastify';
import type { Clock } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import type { ApiSettings } from './deps.ts';
import { TokenBuckets } from './token-bucket.ts';

export interface RateLimitOptions {
  readonly clock: Clock;
  readonly settings: Pick<ApiSettings, 'requestsPerMinute' | 'requestBurst' | 'requestsInFlightPerAccount'>;
}

/**
 * Limits what a token may ask a minute and how much of an account may be under way at once. The headers describe the
 * token's bucket: how many requests it takes at once, how many are left, and when it is full again. Needs `useBearerAuth`.
 */
export function useRateLimit(scope: FastifyInstance, { clock, settings }: RateLimitOptions): void {
  const buckets = new TokenBuckets({ perMinute: settings.requestsPerMinute, burst: settings.requestBurst });
  const inFlight = new Map<string, number>(); // by account; gone when nothing is under way
  const leave = (accountId: string): void => {
    const left = (inFlight.get(accountId) ?? 1) - 1;
    if (left > 0) inFlight.set(accountId, left);
    else inFlight.delete(accountId);
  };
  scope.addHook('onRequest', (request, reply, done) => {
    const { tokenId, accountId } = request.caller;
    const allowance = buckets.take(tokenId, clock.nowMs());
    reply.header('ratelimit-limit', settings.requestBurst);
    reply.header('ratelimit-remaining', allowance.remaining);
    reply.header('ratelimit-reset', allowance.resetSeconds);
    const running = inFlight.get(accountId) ?? 0;
    if (!allowance.allowed || running >= settings.requestsInFlightPerAccount) {
      reply.header('retry-after', Math.max(1, allowance.retrySeconds));
      return done(new ServiceError('rate_limited'));
    }
    inFlight.set(accountId, running + 1);
    // Comes once, whether the answer was sent or the client left.
    reply.raw.once('close', () => leave(accountId));
    done();
  });
}
