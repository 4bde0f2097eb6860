import { randomInt } from 'node:crypto';
import type { Timer } from '../../core/clock.ts';
import { newUuid, randomToken } from '../../core/ids.ts';
import type { AppPort } from '../control/app-port.ts';
import { makeResponse } from '../message/build-message.ts';
import { topVia } from '../message/header-values.ts';
import { withTag } from '../message/name-addr.ts';
import { header, type SipHeader, type SipRequest, type SipResponse } from '../message/sip-message.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import { chosenTag, responseFromApp } from './app-response.ts';
import { contactUri, Dialog, recordedRoutes } from './dialog.ts';
import { type AppTransaction, confirmSent, frameText, fromNetwork, type UaContext } from './ua-context.ts';
import { UNKNOWN_TRANSACTION } from './uas-invite.ts';

/** The client gives up after 64*T1 = 32 s; an answer later than that nobody hears (RFC 4320). */
const ANSWER_WITHIN_MS = 28_000;
/** A BYE needs nobody's consent: the call is over whatever the application says. */
const BYE_ANSWER_WITHIN_MS = 4_000;
/** A 2xx to these outside a dialog makes one (RFC 6665 §4.1.2). */
const MAKES_DIALOG: ReadonlySet<string> = new Set(['SUBSCRIBE', 'REFER']);
/** A 2xx to these moves the remote target to their Contact (RFC 3261 §12.2.2, RFC 3311 §5.2, RFC 6665 §4.4.1). */
const TARGET_REFRESH: ReadonlySet<string> = new Set(['UPDATE', 'SUBSCRIBE', 'NOTIFY']);

export interface UasRequestOptions {
  readonly dialog?: Dialog | undefined;
  /** The INVITE whose transaction id the application must be given instead of a new one: an early UPDATE. */
  readonly underId?: string;
  /** Headers of every 2xx: the session timer of an UPDATE. */
  readonly successHeaders?: readonly SipHeader[];
  readonly onFinal?: (status: number) => void;
}

/** One request received that is not an INVITE, inside or outside a dialog. */
export class UasRequest implements AppTransaction {
  readonly id: string;
  readonly #dialog: Dialog | undefined;
  #made: Dialog | undefined;
  #localTag = randomToken(8);
  #answered = false;
  readonly #deadline: Timer;

  constructor(
    private readonly context: UaContext,
    private readonly transaction: ServerTransaction,
    readonly app: AppPort,
    private readonly options: UasRequestOptions = {},
  ) {
    this.id = options.underId ?? newUuid();
    this.#dialog = options.dialog;
    transaction.handlers = { onFault: () => this.#answerMyself(500, 'Server Internal Error') };
    const isBye = transaction.request.method === 'BYE';
    this.#deadline = context.clock.setTimer(isBye ? BYE_ANSWER_WITHIN_MS : ANSWER_WITHIN_MS, () => {
      if (isBye) this.#answerMyself(200, 'OK');
      else this.#answerMyself(500, 'Server Internal Error');
    });
  }

  /** Up to the application. */
  start(bytes: number): void {
    const { request, flow } = this.transaction;
    if (this.options.underId === undefined) this.context.transactions.set(this.id, this);
    const local = { address: flow.localAddress, port: flow.localPort };
    const delivered = this.app.sendUp({
      ...fromNetwork(flow, bytes),
      text: frameText(request),
      transactionId: this.id,
      dialogId: this.#dialog?.id ?? '',
      ...(this.#dialog ? {} : { local }),
    });
    if (!delivered) this.appLost();
  }

  respond(commandId: string, message: SipResponse): void {
    if (this.#answered) {
      this.app.reply(commandId, { ok: false, reason: UNKNOWN_TRANSACTION });
      return;
    }
    const { request, flow } = this.transaction;
    const success = message.status >= 200 && message.status < 300;
    this.#localTag = chosenTag(message) ?? this.#localTag;
    const response = responseFromApp(this.context, request, message, flow, {
      toTag: this.#localTag,
      contact: this.#dialog?.localContact ?? this.context.local.contact(flow),
      extra: success ? (this.options.successHeaders ?? []) : [],
    });
    if (success && !this.#dialog && MAKES_DIALOG.has(request.method) && !this.#makeDialog(response)) {
      this.app.reply(commandId, { ok: false, reason: 'too many dialogs' });
      this.#answerMyself(503, 'Service Unavailable');
      return;
    }
    const dialogId = request.method === 'BYE' ? '' : ((this.#dialog ?? this.#made)?.id ?? '');
    confirmSent(this.app, commandId, response, flow, this.id, dialogId);
    this.#send(response);
  }

  appLost(): void {
    const isBye = this.transaction.request.method === 'BYE';
    this.#answerMyself(isBye ? 200 : 503, isBye ? 'OK' : 'Service Unavailable');
  }

  #answerMyself(status: number, reason: string): void {
    if (this.#answered) return;
    this.#send(makeResponse(this.transaction.request, status, reason, { toTag: this.#localTag }));
  }

  #send(response: SipResponse): void {
    if (response.status >= 200) {
      this.#answered = true;
      this.context.clock.clearTimer(this.#deadline);
      if (this.options.underId === undefined) this.context.transactions.delete(this.id);
    }
    this.transaction.respond(response);
    if (response.status < 200) return;
    if (response.status < 300) this.#takeEffect(response);
    this.options.onFinal?.(response.status);
  }

  #takeEffect(response: SipResponse): void {
    const dialog = this.#dialog;
    const { request } = this.transaction;
    if (!dialog || !TARGET_REFRESH.has(request.method)) return;
    dialog.refreshTarget(request);
    const contentType = header(response, 'Content-Type');
    if (request.method !== 'UPDATE' || response.body.length === 0 || contentType === undefined) return;
    dialog.localDescription = { contentType, body: response.body };
  }

  #makeDialog(response: SipResponse): boolean {
    const { request, core, flow } = this.transaction;
    const dialog = new Dialog({
      role: 'uas',
      callId: core.callId,
      localTag: this.#localTag,
      remoteTag: core.fromTag,
      usage: request.method,
      localAddress: withTag(header(request, 'To') ?? '', this.#localTag),
      remoteAddress: header(request, 'From') ?? '',
      localContact: header(response, 'Contact') ?? this.context.local.contact(flow),
      routeSet: recordedRoutes(request, 'uas'),
      remoteTarget: contactUri(request) ?? '',
      localCSeq: randomInt(1, 10_000),
      remoteCSeq: core.cseq,
      flow,
      app: this.app,
    });
    if (!this.context.dialogs.add(dialog)) return false;
    dialog.peerIsSymmetric = topVia(request)?.rport !== undefined;
    dialog.apply('confirm');
    this.#made = dialog;
    return true;
  }
}

/** True when a NOTIFY ends its subscription (RFC 6665 §4.1.3). */
export function endsSubscription(notify: SipRequest): boolean {
  return /^\s*terminated\b/i.test(header(notify, 'Subscription-State') ?? '');
}
