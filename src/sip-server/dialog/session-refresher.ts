import { randomInt } from 'node:crypto';
import type { Timer } from '../../core/clock.ts';
import type { SipHeader, SipRequest, SipResponse } from '../message/sip-message.ts';
import type { Dialog } from './dialog.ts';
import { withVia } from './outbound-attempts.ts';
import { acceptedSessionTimer, expiryDelayMs, minSe, refreshDelayMs, type SessionTimer } from './session-timer.ts';
import { SuccessAcks } from './success-acks.ts';
import type { UaContext } from './ua-context.ts';

const NO_BODY = Buffer.alloc(0);
const EXPIRED = 'Session timer expired';

/**
 * Keeps one session alive (RFC 4028 §10): refreshes at half the interval where that is our part, and ends the session when
 * no refresh succeeds in time. The application is told nothing of our refreshes.
 */
export class SessionRefresher {
  #refreshTimer: Timer | undefined;
  #expiryTimer: Timer | undefined;
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
    clock.clearTimer(this.#refreshTimer);
    clock.clearTimer(this.#expiryTimer);
    this.#expiryTimer = clock.setTimer(expiryDelayMs(this.timer), () => this.context.release(this.dialog, EXPIRED));
    if (this.timer.weRefresh) this.#refreshIn(refreshDelayMs(this.timer));
  }

  #refreshIn(delayMs: number): void {
    this.#refreshTimer = this.context.clock.setTimer(delayMs, () => this.#refresh(this.timer.seconds));
  }

  #refresh(seconds: number): void {
    const { dialog } = this;
    if (this.#stopped || dialog.state !== 'confirmed') return;
    if (dialog.clientInvite || dialog.serverInvite || dialog.localUpdatePending)
      return this.#refreshIn(retryMs(dialog));
    const byUpdate = dialog.allow?.has('UPDATE') ?? false;
    if (!byUpdate && !dialog.localDescription) return; // Nothing to offer again; the session runs out.
    const headers: SipHeader[] = [
      { name: 'Contact', value: dialog.localContact },
      { name: 'Supported', value: 'timer' },
      { name: 'Session-Expires', value: `${seconds};refresher=uac` },
    ];
    const description = byUpdate ? undefined : dialog.localDescription;
    if (description) headers.push({ name: 'Content-Type', value: description.contentType });
    const method = byUpdate ? 'UPDATE' : 'INVITE';
    this.#send(dialog.request(method, dialog.nextCSeq(), headers, description?.body ?? NO_BODY));
  }

  #send(request: SipRequest): void {
    const { context, dialog } = this;
    context.hops.forDialog(dialog, (flow) => {
      if (!flow || this.#stopped) return;
      const acks = new SuccessAcks(context);
      if (request.method === 'INVITE') dialog.clientInvite = { cancelForBye: () => undefined };
      const sent = context.layer.request(withVia(context, request, flow), flow, {
        onResponse: (response) => {
          if (response.status < 200) return;
          dialog.clientInvite = undefined;
          if (response.status < 300 && request.method === 'INVITE') {
            if (acks.repeat(dialog.remoteTag)) return;
            acks.send(dialog, request, [], NO_BODY, () => undefined);
          }
          this.#answered(response);
        },
        onTimeout: () => this.#lost(),
        onTransportError: () => this.#lost(),
      });
      if (sent) return;
      dialog.clientInvite = undefined; // No room for a transaction now.
      this.#refreshIn(retryMs(dialog));
    });
  }

  #answered(response: SipResponse): void {
    const { status } = response;
    if (status < 300) {
      this.dialog.refreshTarget(response);
      return this.refreshed(acceptedSessionTimer(response) ?? this.timer);
    }
    if (status === 422) return this.#refresh(Math.max(minSe(response), this.timer.seconds));
    if (status === 491 || status === 500 || status === 503) return this.#refreshIn(retryMs(this.dialog));
    if (status === 408 || status === 481) return this.#lost();
    // Refused for another reason: the peer lives, and the session runs out only if nobody refreshes.
    this.#refreshIn(refreshDelayMs(this.timer) / 2);
  }

  #lost(): void {
    this.dialog.clientInvite = undefined;
    if (!this.#stopped) this.context.release(this.dialog, EXPIRED);
  }
}

/** RFC 3261 §14.1: the owner of the Call-ID waits 2.1 to 4 s after a 491, the other 0 to 2 s. */
export function retryMs(dialog: Dialog): number {
  return dialog.role === 'uac' ? randomInt(210, 401) * 10 : randomInt(0, 201) * 10;
}
