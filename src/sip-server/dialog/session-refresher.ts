import { randomInt } from 'node:crypto';
import type { Timer } from '../../core/clock.ts';
import { parseRetryAfter } from '../message/header-values.ts';
import { header, type SipHeader, type SipRequest, type SipResponse } from '../message/sip-message.ts';
import type { ClientInvite, Dialog } from './dialog.ts';
import { withVia } from './outbound-attempts.ts';
import {
  acceptedSessionTimer,
  expiryDelayMs,
  minSe,
  REFRESH_TRIES_MAX,
  refreshDelayMs,
  refreshStep,
  type SessionTimer,
} from './session-timer.ts';
import { SuccessAcks } from './success-acks.ts';
import type { UaContext } from './ua-context.ts';

const NO_BODY = Buffer.alloc(0);
const EXPIRED = 'Session timer expired';

/** One refresh and its repetitions, until it succeeds or the session ends. */
interface Round {
  tries: number;
  readonly seconds: number; // asked for
  readonly raised: boolean; // by a 422
}

/**
 * Keeps one session alive (RFC 4028 §10): refreshes at half the interval where that is our part, and ends the session when
 * no refresh succeeds in time. The application is told nothing of our refreshes; its own count as well, and one that comes
 * earlier replaces ours: that is how a peer is refreshed that wants credentials, which only the application has.
 */
export class SessionRefresher {
  #refreshTimer: Timer | undefined;
  #expiryTimer: Timer | undefined;
  #expiresAtMs = 0;
  #stopped = false;

  constructor(
    private readonly context: UaContext,
    private readonly dialog: Dialog,
    private timer: SessionTimer,
  ) {
    this.#arm();
  }

  /** A refresh of either side succeeded, with these terms. */
  refreshed(timer: SessionTimer): void {
    if (this.#stopped) return;
    this.timer = timer;
    this.#arm();
  }

  stop(): void {
    this.#stopped = true;
    this.context.clock.clearTimer(this.#refreshTimer);
    this.context.clock.clearTimer(this.#expiryTimer);
  }

  #arm(): void {
    const { clock } = this.context;
    const expiryMs = expiryDelayMs(this.timer);
    clock.clearTimer(this.#expiryTimer);
    clock.clearTimer(this.#refreshTimer);
    this.#expiresAtMs = clock.nowMs() + expiryMs;
    this.#expiryTimer = clock.setTimer(expiryMs, () => this.context.release(this.dialog, EXPIRED));
    const round = { tries: 0, seconds: this.timer.seconds, raised: false };
    if (this.timer.weRefresh) this.#refreshIn(refreshDelayMs(this.timer), round);
  }

  #refreshIn(delayMs: number, round: Round): void {
    if (this.#stopped) return;
    this.context.clock.clearTimer(this.#refreshTimer);
    this.#refreshTimer = this.context.clock.setTimer(delayMs, () => this.#refresh(round));
  }

  #refresh(round: Round): void {
    const { dialog } = this;
    if (this.#stopped || dialog.state !== 'confirmed') return;
    // Waiting for its turn is no try: the other exchange ends by its own timers.
    const busy = dialog.clientInvite || dialog.serverInvite || dialog.localUpdatePending;
    if (busy) return this.#refreshIn(retryMs(dialog), round);
    const byUpdate = dialog.allow?.has('UPDATE') ?? false;
    if (!byUpdate && !dialog.localDescription) return; // Nothing to offer again; the session runs out.
    round.tries += 1;
    const headers: SipHeader[] = [
      { name: 'Contact', value: dialog.localContact },
      { name: 'Supported', value: 'timer' },
      { name: 'Session-Expires', value: `${round.seconds};refresher=uac` },
    ];
    const description = byUpdate ? undefined : dialog.localDescription;
    if (description) headers.push({ name: 'Content-Type', value: description.contentType });
    const method = byUpdate ? 'UPDATE' : 'INVITE';
    this.#send(dialog.request(method, dialog.nextCSeq(), headers, description?.body ?? NO_BODY), round);
  }

  #send(request: SipRequest, round: Round): void {
    const { context, dialog } = this;
    const own: ClientInvite = { cancelForBye: () => undefined };
    if (request.method === 'INVITE') dialog.clientInvite = own;
    const settled = (): void => {
      if (dialog.clientInvite === own) dialog.clientInvite = undefined; // Never the application's INVITE.
    };
    const failed = (status: 408 | 503): void => {
      settled();
      this.#refused(status, round, request);
    };
    context.hops.forDialog(dialog, (flow) => {
      if (this.#stopped) return settled();
      if (!flow) return failed(503);
      const acks = new SuccessAcks(context);
      const sent = context.layer.request(withVia(context, request, flow), flow, {
        onResponse: (response) => {
          if (response.status < 200) return;
          settled();
          if (response.status < 300 && request.method === 'INVITE') {
            if (acks.repeat(dialog.remoteTag)) return;
            acks.send(dialog, request, [], NO_BODY, () => undefined);
          }
          this.#answered(response, round, request);
        },
        onTimeout: () => failed(408),
        onTransportError: () => failed(503),
      });
      if (!sent) failed(503); // No room for a transaction now.
    });
  }

  #answered(response: SipResponse, round: Round, request: SipRequest): void {
    if (response.status >= 300) return this.#refused(response.status, round, request, response);
    this.dialog.refreshTarget(response);
    this.refreshed(acceptedSessionTimer(response) ?? this.timer);
  }

  #refused(status: number, round: Round, request: SipRequest, response?: SipResponse): void {
    if (this.#stopped) return;
    const least = response ? minSe(response) : 0;
    const { method } = request;
    switch (refreshStep({ status, byUpdate: method === 'UPDATE', raises: !round.raised && least > round.seconds })) {
      case 'raise':
        return this.#refresh({ tries: round.tries, seconds: least, raised: true });
      case 'by-invite':
        this.dialog.allow = new Set([...(this.dialog.allow ?? [])].filter((allowed) => allowed !== 'UPDATE'));
        return this.#refresh(round);
      case 'soon':
        return this.#again(retryMs(this.dialog), round);
      case 'later':
        return this.#again(Math.max(laterMs(response), this.#leftMs() / 4), round);
      case 'lost':
        return this.context.release(this.dialog, EXPIRED);
      case 'stop':
        return; // Until the session runs out, the application may refresh it.
    }
  }

  #again(delayMs: number, round: Round): void {
    if (round.tries < REFRESH_TRIES_MAX && delayMs < this.#leftMs()) this.#refreshIn(delayMs, round);
  }

  #leftMs(): number {
    return this.#expiresAtMs - this.context.clock.nowMs();
  }
}

/** The peer's Retry-After, 0 when it names none. */
function laterMs(response: SipResponse | undefined): number {
  const value = response ? header(response, 'Retry-After') : undefined;
  return 1_000 * ((value === undefined ? undefined : parseRetryAfter(value)) ?? 0);
}

/** RFC 3261 §14.1: the owner of the Call-ID waits 2.1 to 4 s after a 491, the other 0 to 2 s. */
export function retryMs(dialog: Dialog): number {
  return dialog.role === 'uac' ? randomInt(210, 401) * 10 : randomInt(0, 201) * 10;
}
