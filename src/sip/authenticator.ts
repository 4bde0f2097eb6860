import type { Logger } from '../core/logger.ts';
import type { DigestHashes } from '../core/trunk.ts';
import { AlgorithmOffers } from './algorithm-offers.ts';
import type { DigestServer, ServerAlgorithm } from './digest-server.ts';
import type { FailureGuard } from './failure-guard.ts';
import type { Reply } from './request-replies.ts';
import { parseNameAddress } from './sip-uri.ts';

/** Whoever may prove who he is. */
export interface DigestUser {
  readonly digest: DigestHashes;
}
/** Finds a user by the name that it gives; also one that is not there takes its time. May reject. */
export type FindUser<U extends DigestUser> = (username: string) => Promise<U | undefined>;

/** What is looked at of a request. */
export interface AuthenticatedRequest {
  readonly method: string;
  readonly uri: string;
  readonly source_address: string;
  get(name: string): string | undefined;
}

/** Why somebody is not let in, and the answer that says so. */
export interface Unproven extends Reply {
  readonly why: 'asked' | 'stale' | 'wrong' | 'blocked' | 'unavailable';
}

export interface AuthenticatorDeps {
  readonly digest: DigestServer;
  readonly guard: FailureGuard;
  readonly logger: Logger;
}

const NAME_CHARACTERS_MAX = 128;
/** Two challenges are two headers (RFC 3261 §7.3.1). A list the library would join with commas; this it passes on as it is. */
const NEXT_CHALLENGE = '\r\nWWW-Authenticate: ';

/** Asks whoever sends a request who he is (RFC 3261 §22.1). The answer is the same for users that are known and unknown. */
export class Authenticator {
  readonly counters = { challenged: 0, good: 0, wrong: 0, blocked: 0, unavailable: 0 };
  readonly #offers = new AlgorithmOffers();
  constructor(private readonly deps: AuthenticatorDeps) {}

  get guard(): FailureGuard {
    return this.deps.guard;
  }

  /** @returns the user, or the answer to send: a challenge, or the refusal of a guesser. Never rejects. */
  async check<U extends DigestUser>(
    req: AuthenticatedRequest,
    find: FindUser<U>,
  ): Promise<{ readonly user: U; readonly username: string } | Unproven> {
    const { digest, guard, logger } = this.deps;
    const source = req.source_address;
    const caller = (parseNameAddress(req.get('From') ?? '').uri?.user ?? '').slice(0, NAME_CHARACTERS_MAX);
    const read = digest.read(req.get('Authorization'), source);
    if (guard.isBlocked(source, read?.username)) return this.#blocked();
    if (!read) return this.#challenge(source, this.#offers.toUnanswered(source, caller), 'asked');
    this.#offers.answered(source, caller, read.algorithm);
    // Said of anybody alike, and before anything is looked up: a header that is sent again costs nothing.
    if (read.stale) return this.#challenge(source, this.#offers.toAnswered(read.algorithm), 'stale');
    let user: U | undefined;
    try {
      user = await find(read.username);
    } catch (error) {
      this.counters.unavailable += 1;
      logger.warn({ err: error }, 'a user could not be looked up');
      return { status: 503, headers: { 'Retry-After': '10' }, why: 'unavailable' };
    }
    // Others may have failed while this one was looked up: what came at once is counted like what came in turn.
    if (guard.isBlocked(source, read.username)) return this.#blocked();
    const verdict = digest.verify(read, user?.digest, req);
    if (verdict === 'good' && user) {
      this.counters.good += 1;
      guard.succeeded(source, read.username);
      return { user, username: read.username };
    }
    if (verdict === 'wrong') {
      this.counters.wrong += 1;
      guard.failed(source, read.username);
      logger.info({ method: req.method, source, pii: { user: read.username } }, 'authentication failed');
    }
    return this.#challenge(source, this.#offers.toAnswered(read.algorithm), verdict === 'stale' ? 'stale' : 'wrong');
  }

  #challenge(source: string, algorithms: readonly ServerAlgorithm[], why: 'asked' | 'stale' | 'wrong'): Unproven {
    this.counters.challenged += 1;
    const challenges = this.deps.digest.challenges(source, why === 'stale', algorithms);
    return { status: 401, headers: { 'WWW-Authenticate': challenges.join(NEXT_CHALLENGE) }, why };
  }

  #blocked(): Unproven {
    this.counters.blocked += 1;
    return { status: 403, headers: {}, why: 'blocked' };
  }
}
