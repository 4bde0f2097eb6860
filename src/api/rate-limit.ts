import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import { AccountCounts, type SharedUse } from '../core/shared-use.ts';
import { type Allowance, type BucketRule, TokenBuckets } from './token-bucket.ts';

/** Who asks. */
export interface Asking {
  readonly tokenId: string;
  readonly accountId: string;
  /** What the account allows all its tokens together, where it has a limit of its own. */
  readonly accountRequestsAMinute?: number;
}

/** What each token may ask for, and each account that has a limit: one bucket for its requests and its sockets together. */
export class RequestRates {
  readonly #buckets: TokenBuckets;
  constructor(
    private readonly clock: Clock,
    readonly settings: { readonly requestsPerMinute: number; readonly requestBurst: number }, // of one token
    /** With what other gateways let in; without it this one counts by itself. */
    private readonly shared?: Pick<SharedUse, 'took' | 'onTakenElsewhere'>,
  ) {
    this.#buckets = new TokenBuckets({ perMinute: settings.requestsPerMinute, burst: settings.requestBurst });
    shared?.onTakenElsewhere((id, requests) => this.#buckets.drain(id, requests, clock.nowMs()));
  }

  /** Counts one request: of the token and of its account, or of neither. @returns the nearer of both limits. */
  take({ tokenId, accountId, accountRequestsAMinute }: Asking): Allowance {
    if (accountRequestsAMinute === undefined) return this.#take(tokenId);
    const rule = this.#ruleOf(accountRequestsAMinute);
    const ofAccount = this.#buckets.look(accountId, this.clock.nowMs(), rule);
    if (!ofAccount.allowed) return ofAccount;
    const ofToken = this.#take(tokenId);
    if (!ofToken.allowed) return ofToken;
    this.#take(accountId, rule);
    return ofAccount.remaining < ofToken.remaining ? ofAccount : ofToken;
  }

  #take(id: string, rule?: BucketRule): Allowance {
    const allowance = this.#buckets.take(id, this.clock.nowMs(), rule);
    if (allowance.allowed) this.shared?.took(id);
    return allowance;
  }

  /** As much of a minute at once as a token may have of its own. */
  #ruleOf(perMinute: number): BucketRule {
    const { requestsPerMinute, requestBurst } = this.settings;
    return { perMinute, burst: Math.max(1, Math.ceil((perMinute * requestBurst) / requestsPerMinute)) };
  }

  /**
   * Counts one request and describes the bucket that is emptier in the headers of its answer: how many requests it takes at once, how many
   * are left, and when it is full again.
   *
   * @returns why it is refused, or undefined: it may go on.
   */
  admit(who: Asking, reply: FastifyReply): ServiceError | undefined {
    const allowance = this.take(who);
    reply.header('ratelimit-limit', allowance.limit);
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

/** Limits what a token and its account may ask a minute and how much of an account may be under way at once. Needs `useBearerAuth`. */
export function useRateLimit(
  scope: FastifyInstance,
  { rates, inFlightPerAccount, inFlight = new AccountCounts() }: RateLimitOptions,
): void {
  scope.addHook('onRequest', (request, reply, done) => {
    const { accountId } = request.caller;
    const isFull = inFlight.of(accountId) >= inFlightPerAccount;
    const refusal = rates.admit(request.caller, reply) ?? (isFull ? rateLimited(reply, 1) : undefined);
    if (refusal) return done(refusal);
    inFlight.enter(accountId);
    // Comes once, whether the answer was sent or the client left.
    reply.raw.once('close', () => inFlight.leave(accountId));
    done();
  });
}
