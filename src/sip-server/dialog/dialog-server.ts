import { randomInt } from 'node:crypto';
import { makeResponse } from '../message/build-message.ts';
import { parseSessionExpires } from '../message/header-values.ts';
import { header, type SipHeader, type SipRequest } from '../message/sip-message.ts';
import type { MessageCore } from '../transaction/message-core.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import type { Flow } from '../transport/flow.ts';
import type { Dialog } from './dialog.ts';
import { answerSessionTimer, tooSmall } from './session-timer.ts';
import { frameText, fromNetwork, type UaContext } from './ua-context.ts';
import { UasInvite, type UasInviteHooks } from './uas-invite.ts';
import { endsSubscription, UasRequest, type UasRequestOptions } from './uas-request.ts';

export interface DialogServerHooks extends UasInviteHooks {
  /** An UPDATE was accepted, with this session timer. */
  onRefresh(dialog: Dialog, timer: ReturnType<typeof answerSessionTimer>['timer']): void;
}

/** Requests that arrive inside a dialog. RFC 3261 §12.2.2. */
export class DialogServer {
  constructor(
    private readonly context: UaContext,
    private readonly hooks: DialogServerHooks,
  ) {}

  /** A request with a To tag. */
  receive(transaction: ServerTransaction, bytes: number): void {
    const { core, request, flow } = transaction;
    const dialog = this.context.dialogs.find(core.callId, core.toTag ?? '', core.fromTag);
    if (!dialog) return refuse(transaction, 481, 'Call/Transaction Does Not Exist');
    if (dialog.remoteCSeq >= 0 && core.cseq <= dialog.remoteCSeq) {
      const lower = core.cseq < dialog.remoteCSeq;
      return lower ? refuse(transaction, 500, 'CSeq Out Of Order') : refuse(transaction, 482, 'Loop Detected');
    }
    dialog.remoteCSeq = core.cseq;
    this.#heardFrom(dialog, flow);
    if (dialog.state === 'ending' && request.method !== 'BYE') {
      return refuse(transaction, 481, 'Call/Transaction Does Not Exist');
    }
    switch (request.method) {
      case 'BYE':
        return this.#bye(dialog, transaction, bytes);
      case 'INVITE':
        return this.#reinvite(dialog, transaction, bytes);
      case 'UPDATE':
        return this.#update(dialog, transaction, bytes);
      case 'PRACK':
        return this.#prack(dialog, transaction, bytes);
      default:
        return this.#other(dialog, transaction, bytes);
    }
  }

  /** An ACK of a 2xx; one that fits nothing is dropped. */
  acknowledge(request: SipRequest, core: MessageCore, flow: Flow, bytes: number): boolean {
    const dialog = this.context.dialogs.find(core.callId, core.toTag ?? '', core.fromTag);
    const invite = [dialog?.serverInvite, dialog?.earlierInvite].find((one) => one?.answered && one.cseq === core.cseq);
    if (!dialog || !invite) return false;
    this.#heardFrom(dialog, flow);
    invite.acknowledge(request, flow, bytes);
    return true;
  }

  /** It knows our tag, so it received our answer: the flow is real, and where the peer is found from now on. */
  #heardFrom(dialog: Dialog, flow: Flow): void {
    this.context.callers.prove(flow.remoteAddress);
    dialog.flow = flow;
  }

  #bye(dialog: Dialog, transaction: ServerTransaction, bytes: number): void {
    const early = dialog.state === 'early';
    const ours = dialog.state === 'ending';
    if (early) {
      // The caller gives up in the early dialog (§15): to the application that is what a CANCEL is.
      transaction.respond(makeResponse(transaction.request, 200, 'OK'));
      const invite = dialog.serverInvite;
      if (invite instanceof UasInvite)
        invite.abort(487, 'Request Terminated', header(transaction.request, 'Reason') ?? '');
      dialog.apply('remoteBye');
      return;
    }
    const { serverInvite, earlierInvite } = dialog;
    // The application hears of the BYE before the dialog goes: the other way round, a fault between would leave it in a call.
    if (ours) transaction.respond(makeResponse(transaction.request, 200, 'OK'));
    else new UasRequest(this.context, transaction, dialog.app, { dialog }).start(bytes);
    dialog.apply('remoteBye');
    serverInvite?.abandon();
    earlierInvite?.abandon();
  }

  #reinvite(dialog: Dialog, transaction: ServerTransaction, bytes: number): void {
    if (dialog.serverInvite && !dialog.serverInvite.answered) {
      return refuse(transaction, 500, 'Server Internal Error', retryAfter());
    }
    // Also while the ACK of our 2xx has to answer the offer in it, where the ACKs of two 2xx are missing already, and
    // where our BYE waits for the ACK.
    const acksMissing = dialog.serverInvite && dialog.earlierInvite;
    if (dialog.clientInvite || dialog.offerOpen || acksMissing || dialog.heldBye) {
      return refuse(transaction, 491, 'Request Pending');
    }
    const small = tooSmall(transaction.request, this.context.settings.sessionTimers);
    if (small) return refuse(transaction, 422, 'Session Interval Too Small', small);
    dialog.earlierInvite = dialog.serverInvite ?? dialog.earlierInvite;
    new UasInvite(this.context, transaction, dialog.app, dialog, this.hooks).start(bytes);
  }

  #update(dialog: Dialog, transaction: ServerTransaction, bytes: number): void {
    const { request } = transaction;
    const offers = request.body.length > 0;
    if (dialog.remoteUpdatePending || (offers && dialog.state === 'confirmed' && unanswered(dialog))) {
      return refuse(transaction, 500, 'Server Internal Error', retryAfter());
    }
    // An offer of ours is open: whoever lost the race tries again (RFC 3311 §5.2).
    if (offers && dialog.offerOpen) {
      return refuse(transaction, 491, 'Request Pending');
    }
    const { sessionTimers } = this.context.settings;
    const small = tooSmall(request, sessionTimers);
    if (small) return refuse(transaction, 422, 'Session Interval Too Small', small);
    const asks = parseSessionExpires(header(request, 'Session-Expires') ?? '') !== undefined;
    const agreed = asks ? answerSessionTimer(request, [], sessionTimers) : undefined;
    const invite =
      dialog.state === 'early' && dialog.serverInvite instanceof UasInvite ? dialog.serverInvite : undefined;
    const options: UasRequestOptions = {
      dialog,
      ...(invite ? { underId: invite.id } : {}),
      ...(agreed ? { successHeaders: agreed.headers } : {}),
      onFinal: (status) => {
        dialog.remoteUpdatePending = false;
        if (invite) invite.earlyUpdate = undefined;
        if (status < 300 && agreed) this.hooks.onRefresh(dialog, agreed.timer);
      },
    };
    const update = new UasRequest(this.context, transaction, dialog.app, options);
    dialog.remoteUpdatePending = true;
    if (invite) invite.earlyUpdate = update;
    update.start(bytes);
  }

  #prack(dialog: Dialog, transaction: ServerTransaction, bytes: number): void {
    const invite = dialog.serverInvite;
    if (!(invite instanceof UasInvite) || !invite.matchesPrack(transaction.request)) {
      return refuse(transaction, 481, 'Call/Transaction Does Not Exist');
    }
    new UasRequest(this.context, transaction, dialog.app, { dialog }).start(bytes);
    // After the application heard of the PRACK: what it unblocks may be a final answer.
    invite.prack(transaction.request);
  }

  #other(dialog: Dialog, transaction: ServerTransaction, bytes: number): void {
    const last = transaction.request.method === 'NOTIFY' && endsSubscription(transaction.request);
    const options: UasRequestOptions = {
      dialog,
      // The subscription was all there was to this dialog (RFC 6665 §4.4.1).
      onFinal: () => {
        if (last && dialog.usage !== 'INVITE') dialog.apply('lost');
      },
    };
    new UasRequest(this.context, transaction, dialog.app, options).start(bytes);
  }
}

/** A CANCEL as the application sees it, where the server ended an INVITE on its own. */
export function tellCancelled(
  context: UaContext,
  invite: UasInvite,
  cancel: { readonly request: SipRequest; readonly flow: Flow; readonly bytes: number },
): void {
  invite.app.sendUp({
    ...fromNetwork(cancel.flow, cancel.bytes),
    text: frameText(cancel.request),
    transactionId: invite.id,
    dialogId: invite.dialogId,
  });
  context.transactions.delete(invite.id);
}

export function refuse(
  transaction: ServerTransaction,
  status: number,
  reason: string,
  headers: readonly SipHeader[] = [],
  toTag?: string,
): void {
  transaction.respond(
    makeResponse(transaction.request, status, reason, { headers, ...(toTag === undefined ? {} : { toTag }) }),
  );
}

function unanswered(dialog: Dialog): boolean {
  return dialog.serverInvite !== undefined && !dialog.serverInvite.answered;
}

/** RFC 3261 §14.2: between 0 and 10 seconds. */
function retryAfter(): readonly SipHeader[] {
  return [{ name: 'Retry-After', value: String(randomInt(0, 11)) }];
}
