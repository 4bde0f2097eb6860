import { randomToken } from '../../core/ids.ts';
import type { AppPort } from '../control/app-port.ts';
import { INTERNAL_FAULT } from '../control/app-port.ts';
import type { SipCommand } from '../control/command.ts';
import { formatReason } from '../message/header-values.ts';
import type { SipHeader, SipRequest } from '../message/sip-message.ts';
import { makeCancel } from '../transaction/hop-requests.ts';
import type { MessageCore } from '../transaction/message-core.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import type { TransactionUser } from '../transaction/transaction-layer.ts';
import type { Flow } from '../transport/flow.ts';
import { AppCommands } from './app-commands.ts';
import { contactUri, type Dialog } from './dialog.ts';
import { DialogEnder } from './dialog-ender.ts';
import { DialogServer, refuse, tellCancelled } from './dialog-server.ts';
import { SessionRefresher } from './session-refresher.ts';
import { type SessionTimer, tooSmall } from './session-timer.ts';
import type { UaContext } from './ua-context.ts';
import { UasInvite, type UasInviteHooks } from './uas-invite.ts';
import { UasRequest } from './uas-request.ts';

export interface UserAgentOptions {
  /** The application for a new request of this method. */
  readonly pickApp: (method: string) => AppPort | undefined;
  /** Seconds for Retry-After of refused new calls. */
  readonly retryAfterSeconds: number;
  /** INVITEs unanswered or answered at once; above it new ones get 503. */
  readonly callsMax: number;
}

/** The user agent core: between transactions on one side and applications on the other. RFC 3261 §8, §12-15. */
export class UserAgent implements TransactionUser {
  /** New calls get 503 + Retry-After; everything else goes on. */
  draining = false;
  readonly counters = {
    invites: 0,
    requests: 0,
    unrouted: 0,
    refusedDraining: 0,
    released: 0,
    cancelled: 0,
    strayAcks: 0,
  };
  readonly #ender: DialogEnder;
  readonly #server: DialogServer;
  readonly #commands: AppCommands;
  readonly #sessions = new Map<Dialog, SessionRefresher>();
  readonly #inviteHooks: UasInviteHooks;

  constructor(
    private readonly context: UaContext,
    private readonly options: UserAgentOptions,
  ) {
    this.#ender = new DialogEnder(context);
    this.#inviteHooks = {
      onFinal: (invite, status, timer) => {
        if (status < 300 && invite.dialog) this.sessionAgreed(invite.dialog, timer);
      },
      onAck: (invite) => this.#flushHeldBye(invite.dialog),
      onAborted: (invite, reason) => this.#tellAborted(invite, reason),
    };
    this.#server = new DialogServer(context, {
      ...this.#inviteHooks,
      onRefresh: (dialog, timer) => this.sessionAgreed(dialog, timer),
    });
    this.#commands = new AppCommands(context, this.#ender, {
      onConfirmed: (dialog, timer) => this.sessionAgreed(dialog, timer),
    });
  }

  // --- from the network ---

  onRequest(transaction: ServerTransaction, bytes: number, cancels: ServerTransaction | undefined): void {
    const { request, core } = transaction;
    if (request.method === 'CANCEL') return this.#onCancel(transaction, bytes, cancels);
    if (core.toTag !== undefined) return this.#server.receive(transaction, bytes);
    if (request.method === 'INVITE') return this.#onInvite(transaction, bytes);
    if (request.method === 'BYE' || request.method === 'PRACK' || request.method === 'UPDATE') {
      return refuse(transaction, 481, 'Call/Transaction Does Not Exist');
    }
    const app = this.#route(transaction);
    if (!app) return;
    this.counters.requests += 1;
    new UasRequest(this.context, transaction, app).start(bytes);
  }

  onAck(request: SipRequest, core: MessageCore, flow: Flow, bytes: number): void {
    if (!this.#server.acknowledge(request, core, flow, bytes)) this.counters.strayAcks += 1;
  }

  onStraySuccess(): void {
    // The stored ACK went with its transaction; the peer gives up by itself (RFC 6026 §8.9).
  }

  // --- from applications ---

  onAppSip(app: AppPort, command: SipCommand): void {
    this.context.barrier.run(
      'command',
      () => this.#commands.handle(app, command),
      () => this.#commandFailed(app, command),
    );
  }

  /** NOK; and an answer that could not be given leaves no request waiting for it. */
  #commandFailed(app: AppPort, command: SipCommand): void {
    const { barrier, transactions } = this.context;
    barrier.run('step', () => app.reply(command.id, { ok: false, reason: INTERNAL_FAULT }));
    const named = transactions.get(command.transactionId);
    if (named?.app === app) named.appLost();
  }

  /** Its pending requests are refused, its calls hung up. */
  onAppLost(app: AppPort): void {
    const pending = [...this.context.transactions.values()].filter((transaction) => transaction.app === app);
    const { barrier } = this.context;
    for (const transaction of pending) barrier.run('step', () => transaction.appLost());
    const dialogs = this.context.dialogs.of(app);
    if (pending.length + dialogs.length > 0) {
      const counts = { pending: pending.length, dialogs: dialogs.length };
      this.context.logger.warn(counts, 'application lost: its requests are refused, its calls hung up');
    }
    for (const dialog of dialogs) {
      if (dialog.state !== 'confirmed') continue;
      barrier.run('step', () => this.#ender.release(dialog, 'Application disconnected', false));
    }
  }

  // --- from within ---

  /** Starts, renews or ends the session timer of a dialog whose INVITE or UPDATE was accepted. */
  sessionAgreed(dialog: Dialog, timer: SessionTimer | undefined): void {
    const running = this.#sessions.get(dialog);
    dialog.sessionTimer = timer;
    if (!timer) {
      running?.stop();
      this.#sessions.delete(dialog);
    } else if (running) running.refreshed(timer);
    else if (dialog.state === 'confirmed')
      this.#sessions.set(dialog, new SessionRefresher(this.context, dialog, timer));
  }

  release(dialog: Dialog, reason: string, tellApp: boolean): void {
    this.counters.released += 1;
    const held = dialog.heldBye;
    if (held && !dialog.serverInvite) {
      // The application already hung up; its own BYE goes out instead of ours.
      dialog.heldBye = undefined;
      return held();
    }
    this.#ender.release(dialog, reason, tellApp);
  }

  /** The store dropped a dialog that ended. */
  dialogEnded(dialog: Dialog): void {
    this.#sessions.get(dialog)?.stop();
    this.#sessions.delete(dialog);
    dialog.serverInvite?.abandon();
    dialog.earlierInvite?.abandon();
    dialog.heldBye = undefined;
    if (this.context.dialogs.byId(dialog.id) === undefined) this.#commands.forget(dialog.id);
  }

  close(): void {
    for (const session of this.#sessions.values()) session.stop();
    this.#sessions.clear();
  }

  // --- new calls ---

  #onInvite(transaction: ServerTransaction, bytes: number): void {
    const { request } = transaction;
    if (contactUri(request) === undefined) return refuse(transaction, 400, 'Missing Contact', [], randomToken(8));
    if (this.draining || this.#isFull()) {
      this.counters.refusedDraining += 1;
      const later = { name: 'Retry-After', value: String(this.options.retryAfterSeconds) };
      return refuse(transaction, 503, 'Service Unavailable', [later], randomToken(8));
    }
    const small = tooSmall(request, this.context.settings.sessionTimers);
    if (small) return refuse(transaction, 422, 'Session Interval Too Small', small, randomToken(8));
    const app = this.#route(transaction);
    if (!app) return;
    this.counters.invites += 1;
    const ticket = this.context.callers.enter(transaction.flow.remoteAddress);
    new UasInvite(this.context, transaction, app, undefined, this.#inviteHooks, ticket).start(bytes);
  }

  /** Other requests that wait for the application, such as a flood of REGISTERs, take no call's place. */
  #isFull(): boolean {
    const { dialogs, transactions } = this.context;
    if (dialogs.size + transactions.size < this.options.callsMax) return false; // The usual case, without looking through them.
    let calls = dialogs.size;
    for (const { isBeginning } of transactions.values()) if (isBeginning) calls += 1;
    return calls >= this.options.callsMax;
  }

  /** The application for a new request, or undefined after answering 503 (nobody routed the method). */
  #route(transaction: ServerTransaction): AppPort | undefined {
    const app = this.options.pickApp(transaction.request.method);
    if (app) return app;
    this.counters.unrouted += 1;
    refuse(transaction, 503, 'Service Unavailable', [], randomToken(8));
    return undefined;
  }

  /** RFC 3261 §9.2. */
  #onCancel(transaction: ServerTransaction, bytes: number, cancels: ServerTransaction | undefined): void {
    const invite = cancels ? UasInvite.of(cancels) : undefined;
    if (!cancels) return refuse(transaction, 481, 'Call/Transaction Does Not Exist', [], randomToken(8));
    // After a final answer it has no effect: a caller whose CANCEL crossed our 2xx sends ACK and BYE.
    if (!invite?.unsettled) return refuse(transaction, 200, 'OK', [], invite?.localTag ?? randomToken(8));
    this.counters.cancelled += 1;
    refuse(transaction, 200, 'OK', [], invite.localTag);
    const answered = invite.answered; // a 2xx of the application's that waited for a PRACK
    const { dialog } = invite;
    invite.abandon();
    if (answered && dialog) this.#tellEnded(dialog, 'CANCEL after 200 OK');
    else tellCancelled(this.context, invite, { request: transaction.request, flow: transaction.flow, bytes });
  }

  #flushHeldBye(dialog: Dialog | undefined): void {
    const held = dialog?.heldBye;
    if (!dialog || !held) return;
    dialog.heldBye = undefined;
    held();
  }

  /** The server ended an INVITE on its own: to the application a CANCEL, or the end of the dialog it believes in. */
  #tellAborted(invite: UasInvite, reason: string): void {
    const extra: SipHeader[] = reason === '' ? [] : [{ name: 'Reason', value: reason }];
    const { flow } = invite.transaction;
    tellCancelled(this.context, invite, { request: makeCancel(invite.request, extra), flow, bytes: 0 });
  }

  /** Tells the application that a dialog is over which on the wire never was. */
  #tellEnded(dialog: Dialog, text: string): void {
    const reason = { name: 'Reason', value: formatReason({ protocol: 'SIP', cause: 200, text }) };
    this.#ender.tell(dialog, [reason]);
  }
}
