import { createHash } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { newTokenSecret } from '../core/ids.ts';
import type { OneUseTokenRows } from '../store/one-use-tokens.ts';
import type { TokenIdentity } from '../store/tokens.ts';
import { fromStore } from './from-store.ts';
import {
  LIFETIME_MS,
  type OneUseTokens,
  SOCKET_TOKEN_PREFIX,
  type SocketToken,
  TALK_TOKEN_PREFIX,
  type TalkGrant,
  TalkTokens,
} from './socket-tokens.ts';

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Tokens for one socket that any gateway on the database takes: kept there, so that each is used once whoever is asked. One statement to
 * issue, one to redeem. @throws ServiceError `unavailable`, both, while the database is away: no socket could be charged then.
 */
export class SharedTokens<Grant extends object> implements OneUseTokens<Grant> {
  constructor(
    private readonly rows: Pick<OneUseTokenRows, 'put' | 'take'>,
    private readonly clock: Clock,
    private readonly kind: 'socket' | 'talk',
  ) {}

  async issue(grant: Grant): Promise<SocketToken> {
    const token = `${this.prefix}${newTokenSecret()}`;
    await fromStore(() => this.rows.put(hashOf(token), this.kind, grant, LIFETIME_MS));
    return { token, expiresAt: new Date(this.clock.utc().getTime() + LIFETIME_MS) };
  }

  async redeem(token: string): Promise<Grant | undefined> {
    if (!token.startsWith(this.prefix)) return undefined;
    return (await fromStore(() => this.rows.take(hashOf(token), this.kind))) as Grant | undefined;
  }

  private get prefix(): string {
    return this.kind === 'socket' ? SOCKET_TOKEN_PREFIX : TALK_TOKEN_PREFIX;
  }
}

export const sharedSocketTokens = (rows: OneUseTokenRows, clock: Clock): SharedTokens<TokenIdentity> =>
  new SharedTokens(rows, clock, 'socket');

/** Calls of people who are signed in to the console, and with drafts, end when those may no more: their tokens stay in this process. */
export class SharedTalkTokens implements OneUseTokens<TalkGrant> {
  readonly #shared: SharedTokens<TalkGrant>;
  readonly #own: TalkTokens;
  constructor(rows: Pick<OneUseTokenRows, 'put' | 'take'>, clock: Clock) {
    this.#shared = new SharedTokens(rows, clock, 'talk');
    this.#own = new TalkTokens(clock);
  }

  issue(grant: TalkGrant): SocketToken | Promise<SocketToken> {
    return grant.draft || grant.stillMay ? this.#own.issue(grant) : this.#shared.issue(grant);
  }

  redeem(token: string): TalkGrant | undefined | Promise<TalkGrant | undefined> {
    return this.#own.redeem(token) ?? this.#shared.redeem(token);
  }
}
