import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import { type Allowance, TokenBuckets } from './token-bucket.ts';

/** What each token may ask for: one bucket for its requests and its sockets together. */
export class RequestRates {
  readonly #buckets: TokenBuckets;
  constructor(
    private readonly clock: Clock,
    readonly settings: { readonly requestsPerMinute: number; readonly requestBurst: number }, // of one token
  ) {
    this.#buckets = new TokenBuckets({ perMinute: settings.requestsPerMinute, burst: settings.requestBurst });
  }

  /** Counts one request of `tokenId`. */
  take(tokenId: string): Allowance {
    return this.#buckets.take(tokenId, this.clock.nowMs());
  }

  /**
   * Counts one request and describes the bucket in the headers of its answer: how many requests it takes at once, how many
   * are left, and when it is full again.
   *
   * @returns why it is refused, or undefined: it may go on.
   */
  admit(tokenId: string, reply: FastifyReply): ServiceError | undefined {
    const allowance = this.take(tokenId);
    reply.header('ratelimit-limit', this.settings.requestBurst);
    reply.header('ratelimit-remaining', allowance.remaining);
    reply.header('ratelimit-reset', allowance.resetSeconds);
    return allowance.allowed ? undefined : rateLimited(reply, allowance.retrySeconds);
  }
}

function rateLimited(reply: FastifyReply, retrySeconds: number): ServiceError {
  reply.header('retry-after', retrySeconds);
  return new ServiceError('rate_limited');
}

export interface RateLimitOptions {
  readonly rates: RequestRates;
  readonly inFlightPerAccount: number;
}

/** Limits what a token may ask a minute and how much of an account may be under way at once. Needs `useBearerAuth`. */
export function useRateLimit(scope: FastifyInstance, { rates, inFlightPerAccount }: RateLimitOptions): void {
  const inFlight = new Map<string, number>(); // by account; gone when nothing is under way
  const leave = (accountId: string): void => {
    const left = (inFlight.get(accountId) ?? 1) - 1;
    if (left > 0) inFlight.set(accountId, left);
    else inFlight.delete(accountId);
  };
  scope.addHook('onRequest', (request, reply, done) => {
    const { tokenId, accountId } = request.caller;
    const running = inFlight.get(accountId) ?? 0;
    const refusal = rates.admit(tokenId, reply) ?? (running >= inFlightPerAccount ? rateLimited(reply, 1) : undefined);
    if (refusal) return done(refusal);
    inFlight.set(accountId, running + 1);
    // Comes once, whether the answer was sent or the client left.
    reply.raw.once('close', () => leave(accountId));
    done();
  });
}
