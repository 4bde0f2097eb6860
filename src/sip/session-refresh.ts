import type { Clock, Timer } from '../core/clock.ts';
import type { SrfIncomingResponse, SrfMessage } from './drachtio.ts';
import { leastSeconds, timerIn } from './session-expires.ts';

/** Of the interval: before the SIP server's own refresh at half of it, which may come 5 s early, and which ours replaces. */
export const FIRST_SHARE = 0.4;
/** Four tries end before two thirds of the interval, when a peer that waits for the refresh may give the call up (RFC 4028 §10). */
export const AGAIN_SHARE = 0.08;
export const REFRESH_TRIES_MAX = 4;

/** What comes of one refresh: it held; again at once, as a re-INVITE or for a longer interval; again later; or the end of it. */
export type RefreshStep = 'refreshed' | 'by-invite' | 'raise' | 'again' | 'gone' | 'theirs' | 'refused';

export interface RefreshOutcome {
  readonly status: number; // 0: no answer came, or it could not be sent
  /** A Min-SE above what was asked. */
  readonly raises: boolean;
  /** The peer says that it refreshes from now on. */
  readonly theirs: boolean;
}

/** RFC 4028 §7.3 and §10, RFC 3311 §5.1, RFC 3261 §12.2.1.2. A challenge that comes to here is one we could not answer. */
export function refreshStep({ status, raises, theirs }: RefreshOutcome): RefreshStep {
  if (status >= 200 && status < 300) return theirs ? 'theirs' : 'refreshed';
  if (status === 422 && raises) return 'raise';
  if (status === 405 || status === 501) return 'by-invite';
  if (status === 408 || status === 481) return 'gone';
  return status === 401 || status === 407 ? 'refused' : 'again';
}

/** Whether an UPDATE may be sent (RFC 3311 §4); without an `Allow` nobody knows. */
const takesUpdate = (peer: SrfMessage): boolean => /(^|[\s,])UPDATE([\s,]|$)/.test(peer.get('Allow') ?? '');

export interface SessionRefreshOptions {
  readonly clock: Clock;
  /** Whether an UPDATE of ours replaces the SIP server's own refresh; a re-INVITE always does. A drachtio-server does not count it. */
  readonly mayUpdate: boolean;
  /** False while nothing can be sent in the dialog. */
  readonly isUp: () => boolean;
  readonly update: (headers: Record<string, string>) => Promise<SrfIncomingResponse | undefined>;
  /** A re-INVITE with our offer. @returns whether it was answered and agreed. Glare is waited out there. */
  readonly reinvite: () => Promise<boolean>;
  /** The other side knows the dialog no more. */
  readonly onDialogGone: () => void;
}

/**
 * Refreshes one session of ours with a peer that may want credentials for it (RFC 4028 §10): the SIP server, which refreshes
 * and watches all others, has none to answer a challenge with.
 */
export class SessionRefresh {
  #timer: Timer | undefined;
  #seconds: number;
  #byUpdate: boolean;
  #tries = 0; // of this interval
  #stopped = false;

  private constructor(
    private readonly options: SessionRefreshOptions,
    answer: SrfMessage,
    seconds: number,
  ) {
    this.#seconds = seconds;
    this.#byUpdate = options.mayUpdate && takesUpdate(answer);
    this.#refreshIn(FIRST_SHARE);
  }

  /** @returns undefined where `answer`, the 2xx to our INVITE, agrees on no session timer or leaves refreshing to the peer. */
  static of(answer: SrfMessage, options: SessionRefreshOptions): SessionRefresh | undefined {
    const agreed = timerIn(answer);
    return agreed && agreed.refresher !== 'uas' ? new SessionRefresh(options, answer, agreed.seconds) : undefined;
  }

  /** What a request says that refreshes. */
  get headers(): Record<string, string> {
    return { Supported: 'timer', 'Session-Expires': `${this.#seconds};refresher=uac` };
  }

  stop(): void {
    this.#stopped = true;
    this.options.clock.clearTimer(this.#timer);
  }

  #refreshIn(share: number): void {
    const { clock } = this.options;
    this.#timer = clock.setTimer(this.#seconds * 1_000 * share, () => void this.#refresh());
  }

  async #refresh(): Promise<void> {
    const { isUp, onDialogGone } = this.options;
    this.#tries += 1;
    const step = isUp() ? await this.#ask() : 'again';
    if (this.#stopped) return;
    switch (step) {
      case 'by-invite':
        this.#byUpdate = false;
        return this.#refresh();
      case 'raise':
        return this.#tries < REFRESH_TRIES_MAX ? this.#refresh() : this.#next();
      case 'again':
        return this.#tries < REFRESH_TRIES_MAX ? this.#refreshIn(AGAIN_SHARE) : this.#next();
      case 'refreshed':
        return this.#next();
      case 'gone':
        return onDialogGone();
      case 'theirs':
      case 'refused': // with these credentials it will be so again
        return this.stop();
    }
  }

  #next(): void {
    this.#tries = 0;
    this.#refreshIn(FIRST_SHARE);
  }

  async #ask(): Promise<RefreshStep> {
    if (!this.#byUpdate) return (await this.options.reinvite()) ? 'refreshed' : 'again';
    const res = await this.options.update(this.headers);
    const agreed = res && timerIn(res);
    const least = res ? leastSeconds(res) : 0;
    const raises = least > this.#seconds;
    const step = refreshStep({ status: res?.status ?? 0, raises, theirs: agreed?.refresher === 'uas' });
    if (step === 'raise') this.#seconds = least;
    if (step === 'refreshed' && agreed) this.#seconds = agreed.seconds;
    return step;
  }
}
