import type { Timer } from '../../core/clock.ts';
import { newUuid } from '../../core/ids.ts';
import type { AppPort, MessageOrigin } from '../control/app-port.ts';
import { makeResponse } from '../message/build-message.ts';
import { parseRSeq, toTag } from '../message/header-values.ts';
import { header, type SipHeader, type SipRequest, type SipResponse } from '../message/sip-message.ts';
import { makeCancel } from '../transaction/hop-requests.ts';
import type { Flow } from '../transport/flow.ts';
import { appHeaders, missingContentType } from './app-response.ts';
import { type ClientInvite, contactUri, type Dialog } from './dialog.ts';
import { makeForkDialog } from './fork-dialog.ts';
import type { HopTarget } from './hop-finder.ts';
import { OutboundAttempts, unsentReason } from './outbound-attempts.ts';
import { acceptedSessionTimer, minSe, type SessionTimer } from './session-timer.ts';
import { SuccessAcks } from './success-acks.ts';
import {
  type AppTransaction,
  confirmSent,
  frameText,
  fromNetwork,
  MADE_UP,
  type UaContext,
  withOneChallenge,
} from './ua-context.ts';
import { isReliable } from './uac-request.ts';

/** What differs between a new INVITE and one inside a dialog. */
export interface InviteFrame {
  readonly commandId: string;
  readonly dialogId: string;
  /** Only of a re-INVITE. */
  readonly dialog: Dialog | undefined;
  /** No address that is not on the public internet may be sent to. */
  readonly publicOnly?: boolean;
  make(flow: Flow): SipRequest;
  /** Makes the next attempt ask for a longer session (422); undefined where the server may not repeat it. */
  readonly raiseSession?: (seconds: number) => void;
}

export interface UacInviteHooks {
  onConfirmed(dialog: Dialog, timer: SessionTimer | undefined): void;
  onFinal(invite: UacInvite, status: number): void;
}

/** One INVITE of ours, new or inside a dialog, until the ACKs of its 2xx are stored. */
export class UacInvite implements AppTransaction, ClientInvite {
  readonly id = newUuid();
  readonly acks: SuccessAcks;
  readonly #attempts: OutboundAttempts;
  readonly #forks = new Map<string, Dialog>();
  #sent: SipRequest | undefined;
  #flow: Flow | undefined;
  #proceeding = false;
  #final = false;
  #winner: Dialog | undefined;
  #cancel: { readonly extra: readonly SipHeader[]; sent: boolean } | undefined;
  #ackTimer: Timer | undefined;
  #raised = false;
  #contactMissing = false;

  constructor(
    private readonly context: UaContext,
    readonly app: AppPort,
    private readonly frame: InviteFrame,
    private readonly hooks: UacInviteHooks,
  ) {
    this.acks = new SuccessAcks(context);
    if (frame.dialog) frame.dialog.clientInvite = this;
    this.#attempts = new OutboundAttempts(context, (flow) => frame.make(flow), {
      onSent: (request, flow, first) => this.#onSent(request, flow, first),
      onResponse: (response, flow, bytes) => this.#onResponse(response, flow, bytes),
      onFailed: (status, distrust) => this.#onFailed(status, distrust),
    });
  }

  get dialogId(): string {
    return this.frame.dialogId;
  }
  get isBeginning(): boolean {
    return this.frame.dialog === undefined && this.#forks.size === 0;
  }

  sendOn(flow: Flow): void {
    this.#attempts.sendOn(flow);
  }
  walk(targets: readonly HopTarget[]): void {
    this.#attempts.walk(targets);
  }

  /** The application cancels (RFC 3261 §9.1): held until a provisional answer came, void after a final one. */
  cancel(commandId: string, message: SipRequest): void {
    const sent = this.#sent;
    const flow = this.#flow;
    if (!sent || !flow || this.#final || this.#cancel) {
      this.app.reply(commandId, { ok: false, reason: `unable to cancel unknown transaction id: ${this.id}` });
      return;
    }
    const extra = appHeaders(this.context, message.headers, flow).filter(({ name }) => name !== 'Contact');
    this.#startCancel(extra);
    confirmSent(this.app, commandId, makeCancel(sent, extra), flow, newUuid());
  }

  cancelForBye(): void {
    if (!this.#final && !this.#cancel) this.#startCancel([]);
  }

  appLost(): void {
    this.context.transactions.delete(this.id);
    if (!this.#final && !this.#cancel) this.#startCancel([]);
  }

  /** The application's ACK of the 2xx. @returns false when there is none to acknowledge. */
  acknowledge(commandId: string, message: SipRequest): boolean {
    const dialog = this.#winner;
    const invite = this.#sent;
    if (!dialog || !invite || this.acks.has(dialog.remoteTag)) return false;
    this.context.clock.clearTimer(this.#ackTimer);
    const { body } = message;
    const type = missingContentType(message.headers, body);
    const headers = [...appHeaders(this.context, message.headers, dialog.flow)];
    if (type !== undefined && type !== 'unknown') headers.push({ name: 'Content-Type', value: type });
    const contentType = headers.find((h) => h.name === 'Content-Type')?.value;
    if (body.length > 0 && contentType !== undefined) dialog.localDescription = { contentType, body };
    this.acks.send(dialog, invite, headers, body, (ack, flow) => {
      confirmSent(this.app, commandId, ack, flow, newUuid());
      if (this.#cancel) this.context.release(dialog, 'ACK-BYE due to cancel race condition');
      else if (this.#contactMissing) this.context.release(dialog, 'No Contact in 200 OK', false);
    });
    return true;
  }

  #onSent(request: SipRequest, flow: Flow, first: boolean): void {
    this.#sent = request;
    this.#flow = flow;
    this.#proceeding = false;
    if (!first) return;
    this.context.transactions.set(this.id, this);
    confirmSent(this.app, this.frame.commandId, request, flow, this.id);
  }

  #onResponse(response: SipResponse, flow: Flow, bytes: number): void {
    const origin = fromNetwork(flow, bytes);
    if (response.status < 200) {
      this.#proceeding = true;
      this.#flushCancel();
      // A 100 tells the application of a new call that the next hop lives, and nothing else.
      if (response.status === 100 ? this.frame.dialog : !this.#provisional(response, flow)) return;
      this.#up(response, origin);
      return;
    }
    if (response.status < 300) return this.#success(response, flow, origin);
    if (this.#raiseSession(response, flow)) return;
    this.#finish(response, origin);
  }

  /** @returns false for a reliable answer that is a copy or out of order: it is not passed up (RFC 3262 §4). */
  #provisional(response: SipResponse, flow: Flow): boolean {
    const dialog = this.#fork(response, flow);
    if (!dialog || !isReliable(response)) return true;
    const rseq = parseRSeq(header(response, 'RSeq') ?? '');
    if (rseq === undefined) return false;
    if (dialog.lastRseq !== undefined && rseq !== dialog.lastRseq + 1) return false;
    dialog.lastRseq = rseq;
    return true;
  }

  #success(response: SipResponse, flow: Flow, origin: MessageOrigin): void {
    const tag = toTag(response) ?? '';
    if (this.acks.repeat(tag)) return;
    const dialog = this.#fork(response, flow);
    if (!dialog) return;
    if (this.#winner === dialog) return; // A copy before the application's ACK.
    // What reads the answer comes before what counts the call as answered: after that nothing may fail.
    const { status } = response;
    const text = frameText(response);
    const timer = acceptedSessionTimer(response);
    const contactMissing = contactUri(response) === undefined;
    dialog.refreshTarget(response);
    dialog.apply('confirm');
    dialog.flow = flow;
    if (this.#winner) return this.#releaseFork(dialog);
    this.#winner = dialog;
    this.#final = true;
    this.#contactMissing = contactMissing;
    this.context.transactions.delete(this.id);
    if (dialog.clientInvite === this) dialog.clientInvite = undefined;
    this.#noteDescription(dialog);
    this.#ackTimer = this.context.clock.setTimer(64 * this.context.timerBase.t1Ms, () => this.#ackMissing(dialog));
    this.app.sendUp({
      ...origin,
      text,
      transactionId: this.id,
      dialogId: this.dialogId,
    });
    this.hooks.onFinal(this, status);
    this.hooks.onConfirmed(dialog, timer);
    if (!this.app.open) this.#ackMissing(dialog); // Nobody is left to acknowledge it.
  }

  /** Another phone answered too: acknowledged and hung up, the application never hears of it (§13.2.2.4). */
  #releaseFork(dialog: Dialog): void {
    if (!this.#sent) return;
    this.acks.send(dialog, this.#sent, [], Buffer.alloc(0), () =>
      this.context.release(dialog, 'Call answered elsewhere', false),
    );
  }

  /** The application never acknowledged: the peer must not be left repeating its 2xx into an open call. */
  #ackMissing(dialog: Dialog): void {
    if (!this.#sent || this.acks.has(dialog.remoteTag)) return;
    this.acks.send(dialog, this.#sent, [], Buffer.alloc(0), () => this.context.release(dialog, 'ACK timeout'));
  }

  #onFailed(status: 408 | 503, distrust: string | undefined): void {
    if (this.#final) return;
    if (!this.#sent) {
      this.app.reply(this.frame.commandId, { ok: false, reason: unsentReason(distrust) });
      this.#close(status);
      return;
    }
    // After a CANCEL, silence means it worked (§9.1).
    if (this.#cancel) this.#finish(makeResponse(this.#sent, 487, 'Request Terminated'), MADE_UP);
    else {
      const reason = status === 408 ? 'Request Timeout' : 'Service Unavailable';
      this.#finish(makeResponse(this.#sent, status, reason), MADE_UP);
    }
  }

  #finish(response: SipResponse, origin: MessageOrigin): void {
    const { status } = response;
    this.#up(response, origin);
    this.#close(status);
  }

  #close(status: number): void {
    this.#final = true;
    this.context.transactions.delete(this.id);
    const { dialog } = this.frame;
    if (dialog?.clientInvite === this) dialog.clientInvite = undefined;
    if (!dialog) for (const fork of this.#forks.values()) fork.apply('refuse');
    this.hooks.onFinal(this, status);
  }

  #up(response: SipResponse, origin: MessageOrigin): void {
    this.app.sendUp({
      ...origin,
      text: frameText(withOneChallenge(response)),
      transactionId: this.id,
      dialogId: this.dialogId,
    });
  }

  /** The dialog of this answer's To tag; made when new. Inside a dialog, that dialog. */
  #fork(response: SipResponse, flow: Flow): Dialog | undefined {
    if (this.frame.dialog) return this.frame.dialog;
    const tag = toTag(response);
    if (tag === undefined && response.status < 200) return undefined;
    const known = this.#forks.get(tag ?? '');
    if (known) {
      if (known.state === 'early') known.refreshRoutes(response);
      return known;
    }
    const dialog = this.#sent ? makeForkDialog(this.context, this.#sent, response, flow, this.app) : undefined;
    if (dialog) {
      dialog.publicOnly = this.frame.publicOnly === true;
      dialog.clientInvite = this;
      this.#forks.set(dialog.remoteTag, dialog);
    }
    return dialog;
  }

  #noteDescription(dialog: Dialog): void {
    const contentType = this.#sent ? header(this.#sent, 'Content-Type') : undefined;
    if (this.#sent && this.#sent.body.length > 0 && contentType !== undefined) {
      dialog.localDescription = { contentType, body: this.#sent.body };
    }
  }

  /** 422: asked again with the interval the peer wants (RFC 4028 §7.3), once. */
  #raiseSession(response: SipResponse, flow: Flow): boolean {
    const seconds = minSe(response);
    if (response.status !== 422 || seconds === 0 || this.#raised || !this.frame.raiseSession || this.#cancel)
      return false;
    this.#raised = true;
    this.frame.raiseSession(seconds);
    this.#attempts.sendOn(flow);
    return true;
  }

  #startCancel(extra: readonly SipHeader[]): void {
    this.#cancel = { extra, sent: false };
    this.#attempts.stopSearching();
    this.#flushCancel();
  }

  #flushCancel(): void {
    const cancel = this.#cancel;
    const transaction = this.#attempts.transaction;
    if (!cancel || cancel.sent || !this.#proceeding || !transaction) return;
    cancel.sent = true;
    transaction.cancelled();
    const ignore = (): void => undefined;
    this.context.layer.request(makeCancel(transaction.request, cancel.extra), transaction.flow, {
      onResponse: ignore,
      onTimeout: ignore,
      onTransportError: ignore,
    });
  }
}
