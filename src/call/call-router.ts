import type { CallEnd } from './call-end.ts';
import type { DialOptions } from './dialer.ts';

/** One way to reach somebody: what is dialled, without what belongs to the call itself. */
export type DialAttempt = Pick<
  DialOptions,
  | 'uri'
  | 'from'
  | 'fromDomain'
  | 'displayName'
  | 'nextHop'
  | 'route'
  | 'credentials'
  | 'headers'
  | 'encryption'
  | 'keysInClear'
  | 'dtls'
  | 'dtmf'
>;

/** How a target is reached. Each attempt is a branch of its own, tried where the one before met nobody (RFC 3263 §4.3). */
export interface CallRoute {
  readonly attempts: readonly DialAttempt[]; // best first, one at least
  readonly trunk?: { readonly id: string; readonly name: string };
  /** The line that the call takes of its trunk is free again. Idempotent. */
  release(): void;
}

export interface RouteOrder {
  readonly accountId: string;
  /** `+9665...`, `sip:...`, `tel:...` or `phone:reception`. */
  readonly target: string;
  readonly from: string; // a number, or a user part
  /** Id or name of the trunk to go by; the first that may take it where it is left out. */
  readonly trunk?: string;
  /** Of the call: what headers of the trunk take from it. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Where calls go, and whether they may. */
export interface CallRouter {
  /** @returns why the target cannot or may not be called: `not-allowed`, `busy` at a limit, `no-such-number`. Never rejects. */
  route(order: RouteOrder): Promise<CallRoute | CallEnd>;
}
