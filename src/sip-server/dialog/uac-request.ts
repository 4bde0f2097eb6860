import { newUuid } from '../../core/ids.ts';
import type { AppPort, MessageOrigin } from '../control/app-port.ts';
import { makeResponse } from '../message/build-message.ts';
import { hasToken } from '../message/header-values.ts';
import { header, type SipRequest, type SipResponse } from '../message/sip-message.ts';
import type { Flow } from '../transport/flow.ts';
import { contactUri, Dialog, recordedRoutes } from './dialog.ts';
import type { HopTarget } from './hop-finder.ts';
import { OutboundAttempts, unsentReason } from './outbound-attempts.ts';
import type { OutsideRequest } from './outbound-request.ts';
import {
  type AppTransaction,
  confirmSent,
  frameText,
  fromNetwork,
  MADE_UP,
  type UaContext,
  withOneChallenge,
} from './ua-context.ts';

/** A request of ours that is no INVITE: its answers go up, a made-up one where none comes. */
export class UacRequest implements AppTransaction {
  readonly id = newUuid();
  readonly #attempts: OutboundAttempts;
  #sent: SipRequest | undefined;

  /**
   * @param inside - the dialog, or what makes one outside.
   * @param commandId - the frame to confirm once sent.
   */
  constructor(
    private readonly context: UaContext,
    readonly app: AppPort,
    private readonly inside: { readonly dialog: Dialog } | { readonly outside: OutsideRequest },
    make: (flow: Flow) => SipRequest,
    private readonly commandId: string,
    /** Without a response where nothing could be sent. */
    private readonly onFinal: (status: number, response?: SipResponse) => void = () => undefined,
  ) {
    this.#attempts = new OutboundAttempts(context, make, {
      onSent: (request, flow, first) => {
        this.#sent = request;
        if (!first) return;
        this.context.transactions.set(this.id, this);
        confirmSent(this.app, this.commandId, request, flow, this.id);
      },
      onResponse: (response, flow, bytes) => this.#onResponse(response, flow, bytes),
      onFailed: (status, distrust) => this.#onFailed(status, distrust),
    });
  }

  sendOn(flow: Flow): void {
    this.#attempts.sendOn(flow);
  }
  walk(targets: readonly HopTarget[]): void {
    this.#attempts.walk(targets);
  }

  appLost(): void {
    this.#attempts.stopSearching();
    this.context.transactions.delete(this.id);
  }

  get #dialogId(): string {
    if ('dialog' in this.inside) return this.inside.dialog.id;
    // Only what may make a dialog has one; a SUBSCRIBE's refusals carry it too.
    return this.inside.outside.method === 'SUBSCRIBE' ? this.inside.outside.dialogId : '';
  }

  #onResponse(response: SipResponse, flow: Flow, bytes: number): void {
    if (response.status === 100) return;
    if (response.status >= 200 && response.status < 300) this.#makeDialog(response, flow);
    this.#up(response, fromNetwork(flow, bytes));
  }

  #onFailed(status: 408 | 503, distrust: string | undefined): void {
    if (!this.#sent) {
      // Nobody could be reached, so nothing was sent and the application has no transaction to hear about.
      this.app.reply(this.commandId, { ok: false, reason: unsentReason(distrust) });
      return this.onFinal(status);
    }
    if (!this.context.transactions.has(this.id)) return; // It has its final answer, or nobody left to tell.
    const reason = status === 408 ? 'Request Timeout' : 'Service Unavailable';
    this.#up(makeResponse(this.#sent, status, reason), MADE_UP);
  }

  #up(response: SipResponse, origin: MessageOrigin): void {
    const { status } = response;
    const final = status >= 200;
    const text = frameText(withOneChallenge(response)); // Before the transaction counts as answered.
    if (final) this.context.transactions.delete(this.id);
    this.app.sendUp({
      ...origin,
      text,
      transactionId: this.id,
      dialogId: this.#dialogId,
    });
    if (final) this.onFinal(status, response);
  }

  /** A SUBSCRIBE answered 2xx makes a dialog (RFC 6665 §4.1.2). */
  #makeDialog(response: SipResponse, flow: Flow): void {
    const request = this.#sent;
    if (!request || !('outside' in this.inside) || request.method !== 'SUBSCRIBE') return;
    const { outside } = this.inside;
    const to = header(response, 'To') ?? '';
    const remoteTag = /;\s*tag\s*=\s*([^;\s]+)/i.exec(to)?.[1];
    if (remoteTag === undefined) return;
    const dialog = new Dialog({
      role: 'uac',
      callId: outside.callId,
      localTag: outside.fromTag,
      remoteTag,
      usage: 'SUBSCRIBE',
      localAddress: header(request, 'From') ?? '',
      remoteAddress: to,
      localContact: header(request, 'Contact') ?? this.context.local.contact(flow),
      routeSet: recordedRoutes(response, 'uac'),
      remoteTarget: contactUri(response) ?? request.uri,
      localCSeq: outside.cseq,
      remoteCSeq: -1,
      flow,
      app: this.app,
    });
    if (this.context.dialogs.add(dialog)) dialog.apply('confirm');
  }
}

/** True for a provisional answer that must be acknowledged by PRACK. */
export function isReliable(response: SipResponse): boolean {
  return hasToken(response, 'Require', '100rel') && header(response, 'RSeq') !== undefined;
}
