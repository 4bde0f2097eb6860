import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import { AccountCounts, type SharedUse } from '../core/shared-use.ts';
import { type Allowance, TokenBuckets } from './token-bucket.ts';

/** What each token may ask for: one bucket for its requests and its sockets together. */
export class RequestRates {
  readonly #buckets: TokenBuckets;
  constructor(
    private readonly clock: Clock,
    readonly settings: { readonly requestsPerMinute: number; readonly requestBurst: number }, // of one token
    /** With what other gateways let in; without it this one counts by itself. */
    private readonly shared?: Pick<SharedUse, 'took' | 'onTakenElsewhere'>,
  ) {
    this.#buckets = new TokenBuckets({ perMinute: settings.requestsPerMinute, burst: settings.requestBurst });
    shared?.onTakenElsewhere((tokenId, requests) => this.#buckets.drain(tokenId, requests, clock.nowMs()));
  }

  /** Counts one request of `tokenId`. */
  take(tokenId: string): Allowance {
    const allowance = this.#buckets.take(tokenId, this.clock.nowMs());
    if (allowance.allowed) this.shared?.took(tokenId);
    return allowance;
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
  /** Requests under way, with those at other gateways where they are told. */
  readonly inFlight?: AccountCounts;
}

/** Limits what a token may ask a minute and how much of an account may be under way at once. Needs `useBearerAuth`. */
export function useRateLimit(
  scope: FastifyInstance,
  { rates, inFlightPerAccount, inFlight = new AccountCounts() }: RateLimitOptions,
): void {
  scope.addHook('onRequest', (request, reply, done) => {
    const { tokenId, accountId } = request.caller;
    const isFull = inFlight.of(accountId) >= inFlightPerAccount;
    const refusal = rates.admit(tokenId, reply) ?? (isFull ? rateLimited(reply, 1) : undefined);
    if (refusal) return done(refusal);
    inFlight.enter(accountId);
    // Comes once, whether the answer was sent or the client left.
    reply.raw.once('close', () => inFlight.leave(accountId));
    done();
  });
}
