import { type Clock, delay, type Timer } from '../core/clock.ts';
import { randomToken } from '../core/ids.ts';
import type { Logger } from '../core/logger.ts';
import { type Notice, notice, textOf } from '../core/notice.ts';
import { contactKey, parseContacts, parseSeconds, splitHeaderValues } from './contact-header.ts';
import { ChallengeAnswers, DigestClient } from './digest.ts';
import type { SrfIncomingResponse, SrfRequest } from './drachtio.ts';
import { type OutsideAnswer, type OutsideRequest, unansweredNotice } from './outside-request.ts';
import {
  backOffMs,
  nextRegistrationState,
  type RegistrationEvent,
  type RegistrationState,
  refreshMs,
} from './registration-state.ts';
import { type SeenAs, seenAs } from './seen-as.ts';

/** Where we register, and as whom. */
export interface RegistrationOrder {
  readonly trunk: string; // its name, for the log
  readonly hosts: readonly string[]; // as requests are sent to them, best first
  readonly domain: string; // whose registrar it is: host part of Request-URI, From and To
  readonly username: string;
  readonly password: string;
  readonly realm: string; // challenges of others are not answered
  readonly expiresSeconds: number;
}

export interface RegistrationClientDeps {
  readonly ask: (request: OutsideRequest, waitMs: number) => Promise<OutsideAnswer>;
  /** Hosts that are known to be down are tried last. */
  readonly isDown: (host: string) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
}

/** What is known of a registration. */
export interface RegistrationStatus {
  readonly state: RegistrationState;
  readonly since: Date;
  readonly host?: string; // that took it
  readonly expiresAt?: Date;
  readonly problem?: Notice; // why the last attempt failed
}

/** A host that says nothing is passed over for the next one. */
export const REGISTER_WAIT_MS = 4_000;
/** Taking leave is a courtesy: nobody waits longer for it. */
export const LEAVE_WAIT_MS = 2_000;
/** Of one round at one host: challenge, stale nonce, 423, each followed once. */
const REQUESTS_MAX = 6;
const SERVICE_ROUTES_MAX = 8;

/** Keeps one registration at a trunk: refreshed in time, tried at the next host, tried again with growing waits, and left. */
export class RegistrationClient {
  readonly counters = { requests: 0, accepted: 0, failed: 0 };
  #state: RegistrationState = 'idle';
  #since: Date;
  #host: string | undefined;
  #expiresMs: number | undefined;
  #problem: Notice | undefined;
  #serviceRoute: readonly string[] = [];
  #seen: SeenAs | undefined; // when it was registered
  #goesSameWay = false; // what else we ask there comes from where the registration came from
  #expiresSeconds: number;
  #failures = 0;
  #cseq = 0;
  #round = 0;
  #timer: Timer | undefined;
  readonly #callId = randomToken(16);
  readonly #tag = randomToken(8);
  readonly #digest: DigestClient;

  constructor(
    readonly order: RegistrationOrder,
    private readonly deps: RegistrationClientDeps,
  ) {
    this.#since = deps.clock.utc();
    this.#expiresSeconds = order.expiresSeconds;
    this.#digest = new DigestClient(order, () => randomToken(16));
  }

  get status(): RegistrationStatus {
    const { clock } = this.deps;
    const leftMs = this.#expiresMs === undefined ? undefined : this.#expiresMs - clock.nowMs();
    return {
      ...{ state: this.#state, since: this.#since },
      ...(this.#host !== undefined && { host: this.#host }),
      ...(leftMs !== undefined && leftMs > 0 && { expiresAt: new Date(clock.utc().getTime() + leftMs) }),
      ...(this.#problem !== undefined && { problem: this.#problem }),
    };
  }
  /** What calls out are to be routed by (RFC 3608), topmost first. */
  get serviceRoute(): readonly string[] {
    return this.#serviceRoute;
  }

  start(): void {
    if (this.#go('start')) void this.#register();
  }

  /** A host answers again. It may have forgotten us, or be the one that was waited for. */
  hostUp(host: string): void {
    if (this.#state === 'waiting' || host === this.#host) this.#lost();
  }

  /** A host does not answer. Where it is the one that knows us, another has to. */
  hostDown(host: string): void {
    if (host === this.#host && this.order.hosts.some((one) => one !== host)) this.#lost();
  }

  /**
   * A host has answered another request of ours. Where it comes from elsewhere than the registration did, the connection that calls
   * were to come by is gone, or NAT has given us another address: calls would not arrive (RFC 5626 §4.4). Only where both have gone
   * the same way before is that a sign.
   */
  hostSaw(host: string, seen: SeenAs | undefined): void {
    const before = this.#seen;
    if (!seen || host !== this.#host || seen.by !== before?.by) return;
    const isLost = this.#goesSameWay && seen.from !== before.from;
    this.#goesSameWay = seen.from === before.from;
    if (isLost) this.#lost();
  }

  /** Takes back what was registered. Never rejects. */
  async stop(): Promise<void> {
    const { clock } = this.deps;
    const [known, host] = [this.#expiresMs !== undefined && this.#expiresMs > clock.nowMs(), this.#host];
    if (!this.#go('stop')) return;
    clock.clearTimer(this.#timer);
    this.#round += 1; // What is under way is of no consequence any more.
    const enough = new AbortController();
    if (known && host !== undefined) {
      await Promise.race([this.#at(host, 0, this.#round), delay(clock, LEAVE_WAIT_MS, enough.signal)]);
    }
    enough.abort();
    this.#expiresMs = undefined;
    this.#go('accepted');
  }

  #lost(): void {
    if (this.#go('lost')) void this.#register();
  }

  /** One round: host after host until one takes it. */
  async #register(): Promise<void> {
    const { clock, logger, isDown } = this.deps;
    clock.clearTimer(this.#timer);
    this.#round += 1;
    const round = this.#round;
    const { hosts, trunk } = this.order;
    const first = this.#host;
    const ranked = [...hosts].sort((a, b) => rank(a) - rank(b));
    function rank(host: string): number {
      return (isDown(host) ? 2 : 0) + (host === first ? 0 : 1);
    }
    for (const host of ranked) {
      const problem = await this.#at(host, this.#expiresSeconds, round);
      if (round !== this.#round) return;
      if (problem === undefined) return this.#accepted(host);
      this.#problem = problem.said;
      if (!problem.next) break;
    }
    this.counters.failed += 1;
    this.#failures += 1;
    if (!this.#go('failed')) return;
    const waitMs = backOffMs(this.#failures, this.deps.random());
    const problem = this.#problem && textOf(this.#problem);
    logger.warn({ trunk, problem, waitMs: Math.round(waitMs) }, 'registration at a trunk failed');
    this.#later(waitMs);
  }

  #accepted(host: string): void {
    const { clock, logger } = this.deps;
    const moved = this.#host !== host || this.#failures > 0;
    this.counters.accepted += 1;
    this.#failures = 0;
    this.#problem = undefined;
    this.#host = host;
    if (!this.#go('accepted')) return;
    const grantedSeconds = ((this.#expiresMs ?? clock.nowMs()) - clock.nowMs()) / 1_000;
    if (moved) logger.info({ trunk: this.order.trunk, host, grantedSeconds }, 'registered at a trunk');
    this.#later(refreshMs(grantedSeconds));
  }

  #later(ms: number): void {
    const { clock } = this.deps;
    clock.clearTimer(this.#timer);
    this.#timer = clock.setTimer(ms, () => {
      if (this.#go('due')) void this.#register();
    });
  }

  /** Registers at one host, or takes leave (0 s). @returns why not, and whether another host may do better. */
  async #at(
    host: string,
    seconds: number,
    round: number,
  ): Promise<{ readonly said: Notice; readonly next: boolean } | undefined> {
    const answers = new ChallengeAnswers(this.#digest);
    const { domain } = this.order;
    const uri = `sip:${domain}`;
    let [wanted, raised] = [seconds, false];
    for (let requests = 0; requests < REQUESTS_MAX; requests += 1) {
      this.#cseq += 1;
      this.counters.requests += 1;
      const headers = { ...this.#headers(wanted), ...answers.headers };
      const answer = await this.deps.ask({ method: 'REGISTER', uri, nextHop: host, headers }, REGISTER_WAIT_MS);
      if (round !== this.#round) return undefined;
      if ('failed' in answer)
        return { said: notice('registration.failed', { host, why: unansweredNotice(answer.failed) }), next: true };
      const { response, sent } = answer;
      if (response.status >= 200 && response.status < 300) {
        const granted = this.#take(response, sent, wanted);
        return granted > 0 || wanted === 0 ? undefined : { said: notice('registration.no-time', { host }), next: true };
      }
      const minimum = response.status === 423 && !raised ? parseSeconds(response.get('Min-Expires')) : undefined;
      if (minimum !== undefined && minimum > wanted && wanted > 0) {
        [wanted, raised] = [minimum, true];
        this.#expiresSeconds = minimum; // for the next time too
      } else if (!answers.take(response, { method: 'REGISTER', uri: sent.uri, body: '' })) {
        return {
          said: notice('registration.refused', { host, status: response.status }),
          next: response.status === 503,
        };
      }
    }
    return { said: notice('registration.asks-for-ever', { host }), next: false };
  }

  /** @returns the seconds that were granted for our contact, which need not be the first (RFC 3261 §10.2.4). */
  #take(response: SrfIncomingResponse, sent: SrfRequest, wanted: number): number {
    const contacts = parseContacts(response.get('Contact') ?? '');
    const ours = parseContacts(sent.get('Contact') ?? '');
    const key = Array.isArray(ours) && ours[0] ? contactKey(ours[0].uri) : '';
    const listed = Array.isArray(contacts) ? contacts : [];
    const own = listed.find(({ uri }) => contactKey(uri) === key) ?? (listed.length === 1 ? listed[0] : undefined);
    const granted = parseSeconds(own?.parameters.get('expires')) ?? parseSeconds(response.get('Expires')) ?? wanted;
    this.#expiresMs = this.deps.clock.nowMs() + 1_000 * granted;
    this.#seen = seenAs(response);
    this.#serviceRoute = (splitHeaderValues(response.get('Service-Route') ?? '') ?? []).slice(0, SERVICE_ROUTES_MAX);
    return granted;
  }

  #headers(seconds: number): Record<string, string> {
    const { username, domain } = this.order;
    const user = encodeURIComponent(username).replaceAll('%2B', '+');
    return {
      From: `<sip:${user}@${domain}>;tag=${this.#tag}`,
      To: `<sip:${user}@${domain}>`,
      'Call-ID': this.#callId,
      CSeq: `${this.#cseq} REGISTER`,
      Contact: `<sip:${user}@localhost>;expires=${seconds}`,
      Expires: String(seconds),
      Supported: 'path',
    };
  }

  #go(event: RegistrationEvent): boolean {
    const next = nextRegistrationState(this.#state, event);
    if (!next) return false;
    if (next !== this.#state) this.#since = this.deps.clock.utc();
    this.#state = next;
    return true;
  }
}
