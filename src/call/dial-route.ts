import { type Clock, delay } from '../core/clock.ts';
import { sentence } from '../core/notice.ts';
import type { HostProblem } from '../core/trunk-status.ts';
import { type CallEnd, callEnd } from './call-end.ts';
import type { CallRoute, DialAttempt } from './call-router.ts';
import { DialError, type Dialer, type DialOptions } from './dialer.ts';
import type { Leg } from './leg.ts';

/**
 * A host that says nothing at all for this long is passed over. It has heard the INVITE four times by then, at 0, 0.5, 1.5 and
 * 3.5 s (RFC 3261 §17.1.1.2, T1 500 ms), and would have answered 100 within 200 ms of the first.
 */
export const SILENCE_MS_MAX = 4_000;
/** Hosts of one call that are tried; nobody waits for more. */
export const ATTEMPTS_MAX = 8;

/** What belongs to the call and not to the way it takes. */
export type RoutedCall = Pick<
  DialOptions,
  'media' | 'callId' | 'sipCallId' | 'headers' | 'signal' | 'ringTimeoutMs' | 'onProgress' | 'onEarlyMedia'
>;

/** Hears what dialling finds out about hosts: the address that was dialled, `nextHop` where there is one. */
export interface HostNotes {
  /** It said something, be it a refusal. */
  onAlive(uri: string): void;
  /** Silence, or no way to it. */
  onDead(uri: string, problem?: HostProblem): void;
  /**
   * Asked half of `SILENCE_MS_MAX` into the silence: whether the host answers anything. For SIP servers that keep a 100 to
   * themselves, so that a host at work is not taken for a dead one.
   */
  readonly isAlive?: (uri: string, signal: AbortSignal) => Promise<boolean>;
}

export interface DialRouteDeps {
  readonly dialer: Pick<Dialer, 'dial'>;
  readonly clock: Clock;
  readonly hosts?: HostNotes;
}

/**
 * Dials the attempts of a route in order, each as a request of its own with a branch of its own (RFC 3263 §4.3). The next is
 * tried after 503, a transport error, a certificate that was not taken, or silence; never once a host has said that it is at work, unless it then says 503.
 *
 * @returns the answered leg. Rejects with the `DialError` of the last attempt, and with nothing else. Whoever took the route
 *   releases it: it is still taken when this returns or rejects.
 */
export async function dialRoute(deps: DialRouteDeps, route: CallRoute, call: RoutedCall): Promise<Leg> {
  const { clock } = deps;
  const { signal, ringTimeoutMs } = call;
  const deadlineMs = ringTimeoutMs === undefined ? undefined : clock.nowMs() + ringTimeoutMs;
  let failure = new DialError(callEnd('gateway', 'no-such-number', sentence('end.nowhere')), 0);
  for (const attempt of route.attempts.slice(0, ATTEMPTS_MAX)) {
    const leftMs = deadlineMs === undefined ? undefined : deadlineMs - clock.nowMs();
    if (signal?.aborted) throw new DialError(callEnd('gateway', 'cancelled'), 0);
    if (leftMs !== undefined && leftMs <= 0) throw failure;
    const outcome = await new RouteAttempt(deps, attempt, call, leftMs).run();
    if (!('failure' in outcome)) return outcome.leg;
    failure = outcome.failure;
    if (!outcome.next) break;
  }
  throw failure;
}

type Outcome = { readonly leg: Leg } | { readonly failure: DialError; readonly next: boolean };

const SILENT: CallEnd = callEnd('network', 'signalling-lost', sentence('end.host-silent'));

class RouteAttempt {
  readonly #host: string;
  readonly #giveUp = new AbortController();
  #heard = false;

  constructor(
    private readonly deps: DialRouteDeps,
    private readonly attempt: DialAttempt,
    private readonly call: RoutedCall,
    private readonly ringTimeoutMs: number | undefined,
  ) {
    this.#host = attempt.nextHop ?? attempt.uri;
  }

  async run(): Promise<Outcome> {
    const { deps, attempt, call, ringTimeoutMs } = this;
    const { media, callId, sipCallId, headers, signal, onProgress, onEarlyMedia } = call;
    const over = new AbortController();
    const dialled = deps.dialer.dial({
      ...attempt,
      media,
      ...(callId !== undefined && { callId }),
      ...(sipCallId !== undefined && { sipCallId }),
      ...((headers || attempt.headers) && { headers: { ...headers, ...attempt.headers } }),
      ...(ringTimeoutMs !== undefined && { ringTimeoutMs }),
      ...(onEarlyMedia && { onEarlyMedia }),
      signal: signal ? AbortSignal.any([signal, this.#giveUp.signal]) : this.#giveUp.signal,
      onProgress: (status, reason) => {
        this.#heard = true;
        over.abort();
        if (status > 100) onProgress?.(status, reason);
      },
    });
    const ended = dialled.then(
      (leg): Outcome => this.#answered(leg),
      (error: unknown): Outcome => this.#failed(error),
    );
    try {
      // One that stays silent is cancelled and left to itself: an answer that comes after all is hung up by who dialled.
      return await Promise.race([ended, this.#silence(over.signal, ended)]);
    } finally {
      over.abort();
    }
  }

  async #silence(over: AbortSignal, ended: Promise<Outcome>): Promise<Outcome> {
    const { clock, hosts } = this.deps;
    await delay(clock, SILENCE_MS_MAX / 2, over);
    if (over.aborted) return ended;
    const [alive] = await Promise.all([
      hosts?.isAlive?.(this.#host, over).catch(() => false) ?? false,
      delay(clock, SILENCE_MS_MAX / 2, over),
    ]);
    if (over.aborted || alive) return ended;
    this.#giveUp.abort();
    hosts?.onDead(this.#host);
    return { failure: new DialError(SILENT, 408), next: true };
  }

  #answered(leg: Leg): Outcome {
    this.deps.hosts?.onAlive(this.#host);
    if (this.#giveUp.signal.aborted) void leg.hangup(callEnd('gateway', 'cancelled')); // Another host was tried meanwhile.
    return { leg };
  }

  #failed(error: unknown): Outcome {
    const failure = error instanceof DialError ? error : new DialError(callEnd('gateway', 'internal'), 0);
    const { status, end } = failure;
    // Made up by the SIP server where nothing was heard: 408 after silence, 503 or nothing at all where there was no way.
    const problem = end.party === 'gateway' && end.reason === 'not-allowed' ? 'not-public' : undefined;
    const noWay = end.reason === 'signalling-lost' || end.reason === 'certificate-refused' || problem !== undefined;
    const unanswered = !this.#heard && (status === 408 || (status === 0 && noWay));
    if (unanswered) this.deps.hosts?.onDead(this.#host, problem);
    else if (status > 0 && status !== 503) this.deps.hosts?.onAlive(this.#host);
    return { failure, next: unanswered || status === 503 };
  }
}
