import { createHash } from 'node:crypto';
import type { Agent } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import { newTokenSecret } from '../core/ids.ts';
import type { TokenIdentity } from '../store/tokens.ts';

export const SOCKET_TOKEN_PREFIX = 'service_st_';
export const TALK_TOKEN_PREFIX = 'service_tt_';
export const LIFETIME_MS = 60_000;
/** A process serves at most a few hundred sockets; more tokens than this are somebody's mistake. */
const TOKENS_MAX = 10_000;

export interface SocketToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Tokens that open one socket, so that a browser need not see the account's own: valid for a minute, used once. */
export interface OneUseTokens<Grant> {
  issue(grant: Grant): SocketToken | Promise<SocketToken>;
  /** What this token allows; undefined when it is unknown, used or too old. It is used up now. */
  redeem(token: string): Grant | undefined | Promise<Grant | undefined>;
}

interface Issued<Grant> {
  readonly grant: Grant;
  readonly untilMs: number;
}

const keyOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** What a token for one call by talk socket allows. `from` and the variables are personal data. */
export interface TalkGrant {
  readonly identity: TokenIdentity;
  readonly agentId: string;
  readonly from: string | undefined;
  readonly variables: Readonly<Record<string, string>>;
  /** Who answers, whatever is stored and in force: an agent that is being edited. */
  readonly draft?: Agent;
  /** Whether whoever got the token may still talk. Never rejects. */
  readonly stillMay?: () => Promise<boolean>;
}

/**
 * Kept in this process as hashes, and for its sockets only; the oldest leaves when there are too many.
 */
export class SocketTokens<Grant = TokenIdentity> implements OneUseTokens<Grant> {
  readonly #issued = new Map<string, Issued<Grant>>(); // in the order of issue, which is the order of expiry
  constructor(
    private readonly clock: Clock,
    readonly capacity = TOKENS_MAX,
    readonly prefix = SOCKET_TOKEN_PREFIX,
  ) {}

  issue(grant: Grant): SocketToken {
    this.#forgetExpired();
    if (this.#issued.size >= this.capacity) this.#issued.delete(this.#issued.keys().next().value!);
    const token = `${this.prefix}${newTokenSecret()}`;
    this.#issued.set(keyOf(token), { grant, untilMs: this.clock.nowMs() + LIFETIME_MS });
    return { token, expiresAt: new Date(this.clock.utc().getTime() + LIFETIME_MS) };
  }

  /** What this token allows; undefined when it is unknown, used or too old. It is used up now. */
  redeem(token: string): Grant | undefined {
    const key = keyOf(token);
    const issued = this.#issued.get(key);
    if (!issued) return undefined;
    this.#issued.delete(key);
    return issued.untilMs > this.clock.nowMs() ? issued.grant : undefined;
  }

  get size(): number {
    return this.#issued.size;
  }

  #forgetExpired(): void {
    const nowMs = this.clock.nowMs();
    for (const [key, issued] of this.#issued) {
      if (issued.untilMs > nowMs) return;
      this.#issued.delete(key);
    }
  }
}

/** They hold variables, so that they are fewer than those of transcription; drafts are whole definitions of up to 1 MB. */
const TALK_TOKENS_MAX = 1_000;
const DRAFTS_MAX = 50;

/** Tokens for one call by talk socket. Calls with drafts are counted apart: they push nobody's caller out. */
export class TalkTokens implements OneUseTokens<TalkGrant> {
  readonly #callers: SocketTokens<TalkGrant>;
  readonly #drafts: SocketTokens<TalkGrant>;
  constructor(clock: Clock) {
    this.#callers = new SocketTokens(clock, TALK_TOKENS_MAX, TALK_TOKEN_PREFIX);
    this.#drafts = new SocketTokens(clock, DRAFTS_MAX, TALK_TOKEN_PREFIX);
  }

  issue(grant: TalkGrant): SocketToken {
    return (grant.draft ? this.#drafts : this.#callers).issue(grant);
  }

  redeem(token: string): TalkGrant | undefined {
    return this.#callers.redeem(token) ?? this.#drafts.redeem(token);
  }
}
