import { randomInt } from 'node:crypto';
import type { Timer } from '../../core/clock.ts';
import { newUuid, randomToken } from '../../core/ids.ts';
import type { AppPort } from '../control/app-port.ts';
import { makeResponse } from '../message/build-message.ts';
import { cseqOf, hasToken, parseRAck, topVia } from '../message/header-values.ts';
import { withTag } from '../message/name-addr.ts';
import { header, type SipHeader, type SipRequest, type SipResponse } from '../message/sip-message.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import type { Flow } from '../transport/flow.ts';
import { chosenTag, responseFromApp } from './app-response.ts';
import type { CallerTicket } from './caller-windows.ts';
import { contactUri, Dialog, type LocalDescription, recordedRoutes, type ServerInvite } from './dialog.ts';
import { ReliableProvisionals } from './reliable-provisionals.ts';
import { answerSessionTimer, type SessionTimer } from './session-timer.ts';
import { SuccessRetransmitter } from './success-retransmitter.ts';
import { type AppTransaction, confirmSent, frameText, fromNetwork, type UaContext } from './ua-context.ts';

/** An application that says nothing at all is broken; one that rings may ring for as long as a caller waits. */
const FIRST_ANSWER_WITHIN_MS = 55_000;
const RINGING_MAX_MS = 300_000;
export const UNKNOWN_TRANSACTION = 'Response not sent due to unknown transaction';

export interface UasInviteHooks {
  /** The INVITE has its final answer; `timer` is set with a 2xx that agreed on one. */
  onFinal(invite: UasInvite, status: number, timer: SessionTimer | undefined): void;
  /** The ACK of its 2xx came. */
  onAck(invite: UasInvite): void;
  /** The server ended it on its own, for this Reason; the application, if still there, must be told. */
  onAborted(invite: UasInvite, reason: string): void;
}

/** One INVITE received, new or inside a dialog, from 100 to the ACK of its 2xx. */
export class UasInvite implements AppTransaction, ServerInvite {
  static readonly #byTransaction = new WeakMap<ServerTransaction, UasInvite>();
  /** The INVITE that a CANCEL's matching transaction carries. */
  static of(transaction: ServerTransaction): UasInvite | undefined {
    return UasInvite.#byTransaction.get(transaction);
  }

  readonly id = newUuid();
  readonly cseq: number;
  /** False for a re-INVITE. */
  readonly isNew: boolean;
  /** An UPDATE inside the early dialog, waiting for the application; its answer names this transaction. */
  earlyUpdate: AppTransaction | undefined;
  #localTag = randomToken(8);
  #tagUsed = false;
  #answered = false;
  #heldSuccess: (() => void) | undefined;
  #retransmitter: SuccessRetransmitter | undefined;
  #unacknowledged: SipResponse | undefined; // the 2xx that is repeated
  #deadline: Timer | undefined;
  readonly #reliable: ReliableProvisionals;
  /** Of an INVITE inside a dialog: what the dialog takes over if it succeeds (RFC 3261 §12.2.2, §14.2). */
  #description: LocalDescription | undefined;

  constructor(
    private readonly context: UaContext,
    readonly transaction: ServerTransaction,
    readonly app: AppPort,
    public dialog: Dialog | undefined,
    private readonly hooks: UasInviteHooks,
    /** Only of a new call. */
    private readonly ticket?: CallerTicket,
  ) {
    UasInvite.#byTransaction.set(transaction, this);
    this.cseq = transaction.core.cseq;
    this.isNew = dialog === undefined;
    if (dialog) dialog.serverInvite = this;
    this.#reliable = new ReliableProvisionals(
      context.clock,
      context.timerBase,
      () => this.abort(504, 'Server Time-out', 'SIP;cause=504;text="PRACK timeout"'),
      () => this.#releaseHeld(),
    );
    transaction.handlers = {
      onTimeout: () => this.#done(),
      onFault: () => this.abort(500, 'Server Internal Error', 'SIP;cause=500;text="internal fault"'),
    };
  }

  get answered(): boolean {
    return this.#answered;
  }
  /** No final answer is on the wire, though the application may have given one that waits for a PRACK. */
  get unsettled(): boolean {
    return !this.#answered || this.#heldSuccess !== undefined;
  }
  get awaitsAnswer(): boolean {
    return this.#unacknowledged !== undefined && this.#unacknowledged.body.length > 0 && this.request.body.length === 0;
  }
  get localTag(): string {
    return this.dialog?.localTag ?? this.#localTag;
  }
  get dialogId(): string {
    return this.dialog?.id ?? '';
  }
  get isBeginning(): boolean {
    return this.dialog === undefined;
  }
  get request(): SipRequest {
    return this.transaction.request;
  }

  /** 100 at once, then up to the application. */
  start(bytes: number): void {
    this.context.transactions.set(this.id, this);
    this.transaction.respond(makeResponse(this.request, 100, 'Trying'));
    this.#watch(FIRST_ANSWER_WITHIN_MS, 500, 'Server Internal Error', 'no answer from the application');
    const { flow } = this.transaction;
    const local = { address: flow.localAddress, port: flow.localPort };
    const delivered = this.app.sendUp({
      ...fromNetwork(flow, bytes),
      text: frameText(this.request),
      transactionId: this.id,
      dialogId: this.dialogId,
      ...(this.isNew ? { local } : {}),
    });
    if (!delivered) this.abort(503, 'Service Unavailable', '');
  }

  respond(commandId: string, message: SipResponse): void {
    if (cseqOf(message)?.method === 'UPDATE' && this.earlyUpdate?.respond) {
      this.earlyUpdate.respond(commandId, message);
      return;
    }
    if (this.#answered) return this.#refuseCommand(commandId, UNKNOWN_TRANSACTION);
    if (message.status < 200) this.#provisional(commandId, message);
    else if (message.status < 300) this.#success(commandId, message);
    else this.#refusal(commandId, message);
  }

  /** False when the PRACK acknowledges nothing we sent: 481 (RFC 3262 §3). */
  matchesPrack(request: SipRequest): boolean {
    const rack = rackOf(request);
    return rack?.method === 'INVITE' && rack.cseq === this.cseq && this.#reliable.waitsFor(rack.rseq);
  }

  /** Takes a PRACK that matches: the next reliable answer, or a 2xx that waited, may leave. */
  prack(request: SipRequest): void {
    const rack = rackOf(request);
    if (rack) this.#reliable.acknowledge(rack.rseq);
  }

  acknowledge(ack: SipRequest, flow: Flow, bytes: number): void {
    if (!this.#retransmitter) return; // A copy: the application heard the first one.
    const text = frameText(ack); // Before the repetition stops: an ACK that cannot be told is asked for again.
    this.ticket?.acknowledged();
    this.#done();
    this.app.sendUp({
      ...fromNetwork(flow, bytes),
      text,
      transactionId: this.isNew ? this.id : newUuid(),
      dialogId: this.dialogId,
    });
    this.hooks.onAck(this);
  }

  abandon(): void {
    if (this.unsettled) this.#final(makeResponse(this.request, 487, 'Request Terminated', { toTag: this.localTag }));
    this.#done();
  }

  /** Ends an unanswered INVITE without being asked. */
  abort(status: number, reason: string, because: string, headers: readonly SipHeader[] = []): void {
    if (!this.unsettled) return;
    this.#final(makeResponse(this.request, status, reason, { toTag: this.localTag, headers }));
    this.hooks.onAborted(this, because);
  }

  appLost(): void {
    this.abort(503, 'Service Unavailable', '');
  }

  #provisional(commandId: string, message: SipResponse): void {
    if (message.status > 100 && !this.#ensureDialog(message)) return this.#refuseCommand(commandId, 'too many dialogs');
    const { request } = this;
    const required = hasToken(request, 'Require', '100rel');
    const reliable = message.status > 100 && (required || hasToken(message, 'Require', '100rel'));
    if (reliable && !required && !hasToken(request, 'Supported', '100rel')) {
      return this.#refuseCommand(commandId, 'Remote endpoint does not support 100rel');
    }
    if (message.status > 100) this.#watch(RINGING_MAX_MS, 480, 'Temporarily Unavailable', 'ringing too long');
    if (!reliable) {
      const response = this.#build(message, []);
      this.transaction.respond(response);
      return this.#confirmCommand(commandId, response);
    }
    const rseq = this.#reliable.reserve();
    if (rseq === undefined) return this.#refuseCommand(commandId, 'too many unacknowledged reliable responses');
    const extra = [{ name: 'RSeq', value: String(rseq) }];
    if (!hasToken(message, 'Require', '100rel')) extra.push({ name: 'Require', value: '100rel' });
    const response = this.#build(message, extra);
    this.#noteDescription(response);
    this.#confirmCommand(commandId, response);
    this.#reliable.submit({
      rseq,
      hasDescription: response.body.length > 0,
      send: () => this.transaction.respond(response),
    });
  }

  #success(commandId: string, message: SipResponse): void {
    if (!this.#ensureDialog(message)) return this.#refuseCommand(commandId, 'too many dialogs');
    const { sessionTimers } = this.context.settings;
    const { timer, headers } = answerSessionTimer(this.request, message.headers, sessionTimers);
    const response = this.#build(message, headers);
    this.#noteDescription(response);
    this.#confirmCommand(commandId, response);
    this.#answered = true;
    this.context.transactions.delete(this.id);
    this.context.clock.clearTimer(this.#deadline);
    const send = (): void => this.#sendSuccess(response, timer);
    // An unacknowledged offer or answer must be settled first (RFC 3262 §5).
    if (this.#reliable.blocksSuccess) this.#heldSuccess = send;
    else send();
  }

  #sendSuccess(response: SipResponse, timer: SessionTimer | undefined): void {
    this.#heldSuccess = undefined;
    this.#reliable.stop();
    this.transaction.respond(response);
    if (this.dialog) this.#takeEffect(this.dialog, response);
    const { clock, timerBase } = this.context;
    this.#unacknowledged = response;
    this.ticket?.answered();
    this.#retransmitter = new SuccessRetransmitter(
      clock,
      timerBase,
      () => this.transaction.respond(response),
      () => {
        // A later INVITE of the peer says that it has our 2xx, though its ACK never arrived.
        this.ticket?.silent();
        const superseded = this.dialog?.earlierInvite === this;
        this.#done();
        if (this.dialog && !superseded) this.context.release(this.dialog, 'ACK timeout');
      },
    );
    this.hooks.onFinal(this, response.status, timer);
  }

  #refusal(commandId: string, message: SipResponse): void {
    const response = this.#build(message, []);
    this.#final(response);
    this.#confirmCommand(commandId, response);
  }

  #final(response: SipResponse): void {
    this.#answered = true;
    this.context.clock.clearTimer(this.#deadline);
    this.context.transactions.delete(this.id);
    this.#reliable.stop();
    this.#heldSuccess = undefined;
    this.transaction.respond(response);
    if (this.isNew) this.dialog?.apply('refuse');
    this.#leaveDialog();
    this.hooks.onFinal(this, response.status, undefined);
  }

  #done(): void {
    this.#retransmitter?.stop();
    this.#retransmitter = undefined;
    this.#unacknowledged = undefined;
    this.#heldSuccess = undefined;
    this.#reliable.stop();
    this.#leaveDialog();
  }

  #leaveDialog(): void {
    this.ticket?.left();
    const { dialog } = this;
    if (dialog?.serverInvite === this) dialog.serverInvite = undefined;
    if (dialog?.earlierInvite === this) dialog.earlierInvite = undefined;
  }

  /** The 2xx leaves: only now does the INVITE change the dialog. */
  #takeEffect(dialog: Dialog, response: SipResponse): void {
    dialog.apply('confirm');
    if (!this.isNew) dialog.refreshTarget(this.request);
    dialog.localContact = header(response, 'Contact') ?? dialog.localContact;
    dialog.localDescription = this.#description ?? dialog.localDescription;
  }

  #releaseHeld(): void {
    const held = this.#heldSuccess;
    if (held && !this.#reliable.blocksSuccess) held();
  }

  #build(message: SipResponse, extra: readonly SipHeader[]): SipResponse {
    const { flow } = this.transaction;
    if (!this.#tagUsed && !this.dialog) this.#localTag = chosenTag(message) ?? this.#localTag;
    if (message.status > 100) this.#tagUsed = true;
    const contact = this.dialog?.localContact ?? this.context.local.contact(flow);
    const response = responseFromApp(this.context, this.request, message, flow, {
      toTag: this.localTag,
      contact,
      extra,
    });
    const used = header(response, 'Contact');
    // In the early dialog we are known by it at once; inside a dialog not before it succeeds.
    if (this.isNew && this.dialog && used !== undefined && response.status < 300) this.dialog.localContact = used;
    return response;
  }

  /** The first answer above 100 makes the dialog. @returns false when there is no room. */
  #ensureDialog(message: SipResponse): boolean {
    if (this.dialog) return true;
    const { request, transaction, context } = this;
    this.#localTag = chosenTag(message) ?? this.#localTag;
    const remoteAddress = header(request, 'From') ?? '';
    const dialog = new Dialog({
      role: 'uas',
      callId: transaction.core.callId,
      localTag: this.#localTag,
      remoteTag: transaction.core.fromTag,
      usage: 'INVITE',
      localAddress: withTag(header(request, 'To') ?? '', this.#localTag),
      remoteAddress,
      localContact: context.local.contact(transaction.flow),
      routeSet: recordedRoutes(request, 'uas'),
      remoteTarget: contactUri(request) ?? '',
      localCSeq: randomInt(1, 10_000),
      remoteCSeq: this.cseq,
      flow: transaction.flow,
      app: this.app,
    });
    if (!context.dialogs.add(dialog)) return false;
    dialog.peerIsSymmetric = topVia(request)?.rport !== undefined;
    dialog.noteAllow(request);
    dialog.serverInvite = this;
    this.dialog = dialog;
    return true;
  }

  #noteDescription(response: SipResponse): void {
    const contentType = header(response, 'Content-Type');
    if (response.body.length > 0 && contentType !== undefined) this.#description = { contentType, body: response.body };
  }

  #watch(delayMs: number, status: number, reason: string, text: string): void {
    const { clock } = this.context;
    clock.clearTimer(this.#deadline);
    this.#deadline = clock.setTimer(delayMs, () => {
      this.abort(status, reason, `SIP;cause=${status};text="${text}"`);
    });
  }

  #confirmCommand(commandId: string, response: SipResponse): void {
    confirmSent(this.app, commandId, response, this.transaction.flow, this.id, this.dialogId);
  }

  #refuseCommand(commandId: string, reason: string): void {
    this.app.reply(commandId, { ok: false, reason });
  }
}

/** RAck, without regard to what stands after its third word: nothing there could change its meaning. */
function rackOf(request: SipRequest): ReturnType<typeof parseRAck> {
  const words = (header(request, 'RAck') ?? '').split(/\s+/).slice(0, 3);
  return parseRAck(words.join(' '));
}
