import { newUuid } from '../../core/ids.ts';
import { PUBLIC_ONLY } from '../../core/trunk.ts';
import { type AppPort, INTERNAL_FAULT } from '../control/app-port.ts';
import type { SipCommand } from '../control/command.ts';
import { makeResponse } from '../message/build-message.ts';
import { parseRAck } from '../message/header-values.ts';
import { header, type SipHeader, type SipRequest, type SipResponse } from '../message/sip-message.ts';
import { parseSipUri } from '../message/sip-uri.ts';
import type { Flow } from '../transport/flow.ts';
import { appHeaders, carriesContact, missingContentType } from './app-response.ts';
import type { Dialog } from './dialog.ts';
import type { DialogEnder } from './dialog-ender.ts';
import { type HopTarget, leadInside } from './hop-finder.ts';
import { NOT_PUBLIC, withVia } from './outbound-attempts.ts';
import { type OutsideRequest, outsideRequest } from './outbound-request.ts';
import { acceptedSessionTimer, offerSessionTimer } from './session-timer.ts';
import { withSipsContact } from './sips-contact.ts';
import { confirmSent, frameText, identityHeader, MADE_UP, type UaContext } from './ua-context.ts';
import { UacInvite, type UacInviteHooks } from './uac-invite.ts';
import { UacRequest } from './uac-request.ts';
import { UNKNOWN_TRANSACTION } from './uas-invite.ts';
import { endsSubscription } from './uas-request.ts';

/** What Via, Contact, tags and the rest add to an application's request, about. */
const ADDED_BYTES = 400;
const NO_DIALOG = 'Server error: unable to find dialog for dialog id provided';
/** 2xx of ours that applications have not yet acknowledged; each lives 32 s at most. */
const PENDING_ACKS_MAX = 10_000;

/** Carries out what applications ask by `sip` frames: answers, CANCELs, requests inside and outside dialogs. */
export class AppCommands {
  /** INVITEs of ours whose 2xx the application still has to acknowledge, by dialog id. */
  readonly #invites = new Map<string, UacInvite>();

  constructor(
    private readonly context: UaContext,
    private readonly ender: DialogEnder,
    private readonly hooks: Pick<UacInviteHooks, 'onConfirmed'>,
  ) {}

  /** In the order the protocol decides: answer, inside a dialog, CANCEL, Call-ID of a live dialog, outside. */
  handle(app: AppPort, command: SipCommand): void {
    const { message, dialogId, transactionId, id } = command;
    if (message.kind === 'response') {
      const transaction = this.context.transactions.get(transactionId);
      if (transaction?.app === app && transaction.respond) transaction.respond(id, message);
      else app.reply(id, { ok: false, reason: UNKNOWN_TRANSACTION });
      return;
    }
    if (dialogId !== '') return this.#inside(app, command, message, dialogId);
    if (transactionId !== '') return this.#cancel(app, command, message);
    const callId = header(message, 'Call-ID');
    const live = callId === undefined ? undefined : this.context.dialogs.byCallId(callId, app);
    if (live?.state === 'confirmed') return this.#inside(app, command, message, live.id);
    this.#outside(app, command, message);
  }

  /** The dialog ended: nobody needs to acknowledge anything in it. */
  forget(dialogId: string): void {
    this.#invites.delete(dialogId);
  }

  #cancel(app: AppPort, command: SipCommand, message: SipRequest): void {
    const transaction = this.context.transactions.get(command.transactionId);
    if (message.method === 'CANCEL' && transaction?.app === app && transaction.cancel) {
      return transaction.cancel(command.id, message);
    }
    const reason = `unable to cancel unknown transaction id: ${command.transactionId}`;
    app.reply(command.id, { ok: false, reason });
  }

  #outside(app: AppPort, command: SipCommand, message: SipRequest): void {
    const outside = outsideRequest(this.context, message);
    if (typeof outside === 'string') {
      app.reply(command.id, { ok: false, reason: outside });
      return;
    }
    const hop = command.nextHop === '' ? message.uri : command.nextHop;
    const publicOnly = parseSipUri(hop)?.params.has(PUBLIC_ONLY) === true;
    const bytes = Buffer.byteLength(frameText(message)) + ADDED_BYTES;
    const send = (targets: readonly HopTarget[]): void => {
      if (publicOnly && this.#isInside(targets)) return app.reply(command.id, { ok: false, reason: NOT_PUBLIC });
      const toMyself = targets.some(({ transport, address, port }) =>
        this.context.local.isOwn(transport, address, port),
      );
      if (toMyself) return app.reply(command.id, { ok: false, reason: 'can not send request to myself' });
      if (outside.method === 'INVITE') return this.#newInvite(app, command.id, outside, publicOnly).walk(targets);
      const make = (flow: Flow): SipRequest => outside.make(flow);
      new UacRequest(this.context, app, { outside }, make, command.id).walk(targets);
    };
    this.context.barrier.when(this.context.hops.resolve(hop, bytes), send, () =>
      app.reply(command.id, { ok: false, reason: INTERNAL_FAULT }),
    );
  }

  /** What the world sees of us behind NAT is no address of ours, and leads to us all the same. */
  #isInside(targets: readonly HopTarget[]): boolean {
    const { externalAddress } = this.context.local;
    return leadInside(targets) || targets.some(({ address }) => address === externalAddress);
  }

  #newInvite(app: AppPort, commandId: string, outside: OutsideRequest, publicOnly: boolean): UacInvite {
    const invite: UacInvite = new UacInvite(
      this.context,
      app,
      {
        commandId,
        dialogId: outside.dialogId,
        dialog: undefined,
        publicOnly,
        make: (flow) => outside.make(flow),
        raiseSession: (seconds) => {
          outside.cseq += 1;
          outside.sessionSeconds = seconds;
        },
      },
      this.#inviteHooks(),
    );
    this.#remember(invite);
    return invite;
  }

  #inside(app: AppPort, command: SipCommand, message: SipRequest, dialogId: string): void {
    const no = (reason: string): void => app.reply(command.id, { ok: false, reason });
    if (message.method === 'ACK') {
      const invite = this.#invites.get(dialogId);
      if (!invite || invite.app !== app || !invite.acknowledge(command.id, message)) no(NO_DIALOG);
      return;
    }
    const dialog = this.#dialogFor(dialogId, message);
    const again = message.method === 'BYE' && dialog?.awaitsByeRetry === true;
    if (!dialog || dialog.app !== app || (dialog.state === 'ending' && !again)) return no(NO_DIALOG);
    const type = missingContentType(message.headers, message.body);
    if (type === 'unknown') return no('missing content-type');
    if (message.method === 'INVITE') return this.#reinvite(app, command, message, dialog, type);
    if (message.method === 'BYE') return this.#bye(app, command, message, dialog);
    this.#request(app, command, message, dialog, type);
  }

  /** A PRACK belongs to the fork whose reliable answer it acknowledges. */
  #dialogFor(dialogId: string, message: SipRequest): Dialog | undefined {
    const rack = message.method === 'PRACK' ? parseRAck(header(message, 'RAck') ?? '') : undefined;
    const fork = rack && this.context.dialogs.forks(dialogId).find((dialog) => dialog.lastRseq === rack.rseq);
    return fork ?? this.context.dialogs.byId(dialogId);
  }

  #request(app: AppPort, command: SipCommand, message: SipRequest, dialog: Dialog, type: string | undefined): void {
    const { method, body } = message;
    const offers = method === 'UPDATE' && body.length > 0;
    const clash = offers && dialog.offerOpen;
    const cseq = dialog.nextCSeq();
    const make = (flow: Flow): SipRequest => {
      const headers = this.#headers(message, dialog, type, flow);
      const timers = method === 'UPDATE' && dialog.sessionTimer ? this.#sessionOffer(headers, dialog) : [];
      return dialog.request(method, cseq, [...headers, ...timers], body);
    };
    const request = new UacRequest(this.context, app, { dialog }, make, command.id, (status, response) => {
      if (offers) dialog.localUpdatePending = false;
      if (status < 300 && method === 'UPDATE' && response) this.#updated(dialog, message, type, response);
      if (method === 'NOTIFY' && endsSubscription(message) && dialog.usage !== 'INVITE') dialog.apply('lost');
      if (method !== 'PRACK') this.#checkAlive(dialog, status);
    });
    if (clash) return this.#madeUp(app, command, make(dialog.flow), dialog, 491, 'Request Pending');
    if (offers) dialog.localUpdatePending = true;
    this.context.hops.forDialog(dialog, (flow) => {
      if (flow) return request.sendOn(flow);
      if (offers) dialog.localUpdatePending = false;
      this.#unreachable(app, command, make(dialog.flow), dialog);
    });
  }

  /** Our UPDATE was accepted: a new target, a refreshed session, and what we offered holds. */
  #updated(dialog: Dialog, update: SipRequest, type: string | undefined, response: SipResponse): void {
    dialog.refreshTarget(response);
    const contentType = type ?? header(update, 'Content-Type');
    if (update.body.length > 0 && contentType !== undefined) {
      dialog.localDescription = { contentType, body: update.body };
    }
    const timer = acceptedSessionTimer(response) ?? dialog.sessionTimer; // an answer that says nothing of it changes nothing
    if (timer) this.hooks.onConfirmed(dialog, timer);
  }

  /** Whoever refreshes goes on doing so (RFC 4028 §7.4). */
  #sessionOffer(headers: readonly SipHeader[], dialog: Dialog, raised?: number): readonly SipHeader[] {
    const { sessionTimers } = this.context.settings;
    const running = dialog.sessionTimer;
    if (!running) return offerSessionTimer(headers, sessionTimers, raised);
    return offerSessionTimer(headers, sessionTimers, raised ?? running.seconds, running.weRefresh ? 'uac' : 'uas');
  }

  #reinvite(app: AppPort, command: SipCommand, message: SipRequest, dialog: Dialog, type: string | undefined): void {
    let cseq = dialog.nextCSeq();
    let raised: number | undefined;
    const make = (flow: Flow): SipRequest => {
      const all = this.#headers(message, dialog, type, flow);
      const headers = raised === undefined ? all : all.filter(({ name }) => name !== 'Session-Expires');
      return dialog.request('INVITE', cseq, [...headers, ...this.#sessionOffer(headers, dialog, raised)], message.body);
    };
    const raiseSession = (seconds: number): void => {
      cseq = dialog.nextCSeq();
      raised = seconds;
    };
    const busy = dialog.clientInvite || dialog.offerOpen || (dialog.serverInvite && !dialog.serverInvite.answered);
    // One INVITE at a time (RFC 3261 §14.1): told as the peer would tell it.
    if (busy) return this.#madeUp(app, command, make(dialog.flow), dialog, 491, 'Request Pending');
    const invite = new UacInvite(
      this.context,
      app,
      { commandId: command.id, dialogId: dialog.id, dialog, make, raiseSession },
      this.#inviteHooks(dialog),
    );
    this.#remember(invite);
    this.context.hops.forDialog(dialog, (flow) => {
      if (flow) return invite.sendOn(flow);
      dialog.clientInvite = undefined;
      this.#unreachable(app, command, make(dialog.flow), dialog);
    });
  }

  #bye(app: AppPort, command: SipCommand, message: SipRequest, dialog: Dialog): void {
    if (dialog.state === 'early' && dialog.role === 'uas') {
      // RFC 3261 §15: the callee's side refuses instead.
      app.reply(command.id, { ok: false, reason: 'can not send BYE before the final response' });
      return;
    }
    const cseq = dialog.nextCSeq();
    const make = (flow: Flow): SipRequest =>
      dialog.request('BYE', cseq, this.#headers(message, dialog, undefined, flow), message.body);
    const request = new UacRequest(this.context, app, { dialog }, make, command.id, (status) => {
      // A challenged BYE is sent again with credentials: the dialog waits for that, but not for ever.
      if (status === 401 || status === 407) this.#waitForRetry(dialog);
      else this.ender.gone(dialog);
    });
    dialog.clientInvite?.cancelForBye();
    const holds = dialog.role === 'uas' && dialog.serverInvite?.isNew && dialog.serverInvite.answered;
    if (!holds) dialog.apply('localBye');
    this.ender.afterAck(dialog, () => {
      dialog.apply('localBye');
      this.context.hops.forDialog(dialog, (flow) => {
        if (flow) return request.sendOn(flow);
        this.#unreachable(app, command, make(dialog.flow), dialog);
        this.ender.gone(dialog);
      });
    });
  }

  #waitForRetry(dialog: Dialog): void {
    dialog.awaitsByeRetry = true;
    this.context.clock.setTimer(64 * this.context.timerBase.t1Ms, () => this.ender.gone(dialog));
  }

  /** 408 and 481 mean the peer has no such dialog any more (RFC 3261 §12.2.1.2). */
  #checkAlive(dialog: Dialog, status: number): void {
    if (status === 408) this.context.release(dialog, 'Request timeout in dialog');
    else if (status === 481) this.context.release(dialog, 'Dialog does not exist at peer');
  }

  #inviteHooks(dialog?: Dialog): UacInviteHooks {
    return {
      onConfirmed: (confirmed, timer) => this.hooks.onConfirmed(confirmed, timer),
      onFinal: (invite, status) => {
        if (status >= 300 && this.#invites.get(invite.dialogId) === invite) this.#invites.delete(invite.dialogId);
        if (dialog) this.#checkAlive(dialog, status);
      },
    };
  }

  #remember(invite: UacInvite): void {
    const [oldest] = this.#invites.keys();
    if (this.#invites.size >= PENDING_ACKS_MAX && oldest !== undefined) this.#invites.delete(oldest);
    this.#invites.set(invite.dialogId, invite);
  }

  #headers(message: SipRequest, dialog: Dialog, type: string | undefined, flow: Flow): readonly SipHeader[] {
    const kept = appHeaders(this.context, message.headers, flow);
    const headers = [...kept];
    if (carriesContact(message.method) && !kept.some((h) => h.name === 'Contact')) {
      headers.unshift({ name: 'Contact', value: dialog.localContact });
    }
    if (type !== undefined) headers.push({ name: 'Content-Type', value: type });
    headers.push(...identityHeader(this.context, 'User-Agent', headers));
    return withSipsContact(headers, dialog.remoteTarget, flow);
  }

  #unreachable(app: AppPort, command: SipCommand, request: SipRequest, dialog: Dialog): void {
    this.#madeUp(app, command, request, dialog, 503, 'Service Unavailable');
  }

  /** Confirms a request that was never sent, and answers it. */
  #madeUp(app: AppPort, command: SipCommand, bare: SipRequest, dialog: Dialog, status: number, reason: string): void {
    const request = withVia(this.context, bare, dialog.flow);
    const transactionId = newUuid();
    confirmSent(app, command.id, request, dialog.flow, transactionId);
    const text = frameText(makeResponse(request, status, reason));
    app.sendUp({ ...MADE_UP, text, transactionId, dialogId: dialog.id });
  }
}
