import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import type { Admission, Admit } from '../call/admission.ts';
import { type CallEnd, callEnd } from '../call/call-end.ts';
import type { Dialer, DialOptions } from '../call/dialer.ts';
import type { Leg, LegInfo } from '../call/leg.ts';
import type { Clock, Timer } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { SipTrace } from '../core/sip-ladder.ts';
import { sourceAddressTo } from '../core/source-address.ts';
import type { EncryptionTerms } from '../core/trunk.ts';
import { OpenQuestions, type Prove, proofOf } from './caller-proof.ts';
import { createSrf, type SrfClient, type SrfRequest, type SrfResponse, stopSrf } from './drachtio.ts';
import { examineInvite, legInfoOf, senderFactsOf } from './incoming-call.ts';
import { LeftBehind, tiesTo } from './left-behind.ts';
import { SipLeg } from './leg.ts';
import type { LegContext } from './leg-context.ts';
import { type CommonPolicy, dialPolicy, TAKE_ALL, takePolicy } from './leg-policy.ts';
import { MergedRequests } from './merged-requests.ts';
import { askOutside, type OutsideAnswer, type OutsideRequest } from './outside-request.ts';
import { isDialogOf, mayTakeOver, replacesIn } from './replaces.ts';
import { type Reply, replyOutsideDialog, sendReply, warning } from './request-replies.ts';
import { ServerLink } from './server-link.ts';
import type { SessionTimerPolicy } from './session-expires.ts';
import { parseSipUri } from './sip-uri.ts';
import { SrfWire } from './srf-wire.ts';
import { refusalOf } from './status.ts';
import { placeCall } from './uac.ts';

/**
 * How the SIP server is met.
 * - `listen`: we listen on a Unix socket and the embedded server dials it (`ControlEndpoint` mode `dial`).
 * - `connect`: a real drachtio-server, or an embedded one that listens on TCP.
 */
export type SipServerConnection =
  | { readonly mode: 'listen'; readonly unixSocketPath: string; readonly secret: string }
  | { readonly mode: 'connect'; readonly host: string; readonly port: number; readonly secret: string };

export interface SipServerOptions {
  readonly connection: SipServerConnection;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly policy: CommonPolicy;
  /** What holds for the media of a call that comes in; without it, whatever is offered is taken. */
  readonly encryptionOf?: (info: LegInfo) => EncryptionTerms;
  /** Terms of session timers, for a server that leaves them to us. */
  readonly sessionTimers?: SessionTimerPolicy;
  /** Domain for transfers to bare numbers; empty: the domain of the caller's From. */
  readonly transferDomain: string;
  /** A new call, not yet answered. Must answer, reject or hang up in the end. */
  readonly onCall: (leg: Leg) => void;
  /** A new call, not yet answered, that is to take the place of another's leg (RFC 3891). As `onCall`. */
  readonly onReplaces: (leg: Leg, replaced: Leg) => void;
  /** Policy before any work. What it says of the caller goes with the call. */
  readonly admit: Admit;
  /** What a new call would be told now (draining, busy); OPTIONS is answered alike (RFC 3261 §11.2). */
  readonly availability: () => CallEnd | undefined;
  /** A call refused here, before there was a leg. */
  readonly onRefused: (info: LegInfo, end: CallEnd) => void;
  /** Told of the messages that a server elsewhere tells us of; the one of this process is asked itself. */
  readonly trace?: SipTrace;
  /** An INVITE of a call that goes by `callId` left. */
  readonly onDialled?: (callId: string, sipCallId: string) => void;
  /** INVITE received to 200 sent. */
  readonly onAnswered: (ms: number) => void;
  /** Asks a caller who has to say it who he is; without it he is refused. */
  readonly prove?: Prove;
  /** Answers REGISTER; without one it is refused. Never rejects. */
  readonly registrar?: { answer(req: SrfRequest): Promise<Reply> };
}

/** A lost SIP server is waited for this long before its calls are given up; media goes on meanwhile. */
export const LOST_SERVER_GRACE_MS = 10_000;
/** `close` says BYE to every call and waits this long for the answers. */
const CLOSE_WAIT_MS = 5_000;
/** Verbs asked for from a real drachtio-server; each has a handler, for an unhandled one would end the connection. */
const VERBS = 'invite options bye cancel info notify refer subscribe message register publish update prack'.split(' ');

type Admitted = Extract<Admission, { kind: 'admitted' }>;

/** Our end of the SIP server: routes requests, makes legs, keeps count of them. Owns the connection. */
export class SipServer implements Dialer {
  readonly counters = { calls: 0, refused: 0, merged: 0, handlerErrors: 0 };
  readonly #srf: SrfClient;
  readonly #legs = new Set<SipLeg>();
  readonly #context: LegContext;
  readonly #link: ServerLink | undefined; // to a server that is elsewhere
  readonly #wire: SrfWire | undefined;
  readonly #leftBehind: LeftBehind;
  readonly #merged: MergedRequests;
  readonly #questions: OpenQuestions;
  #graceTimer: Timer | undefined;
  #listener: Server | undefined;
  #met = false; // in `listen` mode
  #hostports = '';
  #closing: Promise<void> | undefined;
  #onConnect: (() => void)[] = [];

  constructor(
    private readonly options: SipServerOptions,
    srf: SrfClient = createSrf(),
  ) {
    const { clock, logger, connection } = options;
    this.#srf = srf;
    this.#leftBehind = new LeftBehind(() => clock.nowMs());
    this.#questions = new OpenQuestions(clock);
    this.#merged = new MergedRequests(() => clock.nowMs());
    if (connection.mode === 'connect') {
      const wire = new SrfWire(srf, connection, options.trace);
      this.#wire = wire;
      const server = `${connection.host}:${connection.port}`;
      const ends = { onUp: () => this.#onUp(), onDown: () => this.#onDown() };
      this.#link = new ServerLink({ wire, clock, logger, server, ...ends });
    }
    this.#context = {
      ...{ srf, clock, logger, sessionTimers: options.sessionTimers, onAnswered: options.onAnswered },
      ...(options.onDialled && { onDialled: options.onDialled }),
      server: tiesTo(this.#wire, () => this.connected, this.#leftBehind, logger),
      onClosed: (leg) => this.#legs.delete(leg as SipLeg),
    };
    srf.use((req, res) => this.#guard(req, res)); // for the verbs of `listen` mode, where everything comes
    srf.on('connect', (error, hostports) => this.#onAuthenticated(error, hostports));
    srf.on('error', (error) => logger.debug({ err: error }, 'connection to the SIP server failed'));
    srf.on('close', (socket) => this.#onClosed(socket));
  }

  /** Legs that are not yet over. */
  get legs(): number {
    return this.#legs.size;
  }
  get connected(): boolean {
    return this.#link ? this.#link.state === 'up' : this.#met;
  }
  get living(): readonly SipLeg[] {
    return [...this.#legs];
  }
  /** Connections tried to a server that is elsewhere. */
  get attempts(): number {
    return this.#link?.counters.attempts ?? 0;
  }
  /** The SIP server is there, and does not take our secret. */
  get refused(): boolean {
    return (this.#link?.counters.refused ?? 0) > 0 && !this.connected;
  }
  /** Where SIP is listened on, as the server says: `udp/192.0.2.1:5060,tcp/192.0.2.1:5060`. Empty until connected. */
  get hostports(): string {
    return this.#hostports;
  }

  /**
   * Opens our side: in `listen` mode resolves once the socket is there, for the embedded server to dial; else at once.
   * `ready` tells when the two have met.
   */
  async start(): Promise<void> {
    const { connection } = this.options;
    if (connection.mode === 'connect') {
      for (const verb of VERBS) this.#srf.use(verb, () => undefined); // routes it; the handler for all answers first
      this.#link?.start();
      return;
    }
    const listener = createServer();
    this.#listener = listener;
    rmSync(connection.unixSocketPath, { force: true });
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(connection.unixSocketPath, resolve);
    });
    chmodSync(connection.unixSocketPath, 0o600);
    this.#srf.listen({ server: listener, secret: connection.secret }); // says the secret to whoever connects
  }

  /** Resolves when the SIP server has been met; at once when it is already. */
  ready(): Promise<void> {
    return this.connected ? Promise.resolve() : new Promise((resolve) => this.#onConnect.push(resolve));
  }

  async dial(options: DialOptions): Promise<SipLeg> {
    const leg = await placeCall(options, this.#context, dialPolicy(this.options.policy, options));
    if (leg.state !== 'terminated') this.#legs.add(leg);
    return leg;
  }

  /** Sends a request that belongs to no call. Never rejects. */
  ask(request: OutsideRequest, waitMs: number): Promise<OutsideAnswer> {
    return askOutside(this.#srf, request, this.options.clock, waitMs);
  }

  localAddressTo(uri: string): string | undefined {
    return sourceAddressTo(parseSipUri(uri)?.hostPort.replace(/^\[(.*)\].*$|:\d+$/, '$1') ?? '');
  }

  /** New calls go to another application of the same server from now on, where there is one. */
  drain(): void {
    try {
      this.#wire?.withdrawRoutes();
    } catch (error) {
      this.options.logger.debug({ err: error }, 'routes could not be withdrawn');
    }
  }

  /** Ends every call and the connection. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const ended = Promise.all([...this.#legs].map((leg) => leg.hangup(callEnd('gateway', 'shutdown'))));
    const { clock, connection } = this.options;
    let timer: object | undefined;
    await Promise.race([
      ended,
      new Promise<void>((resolve) => {
        timer = clock.setTimer(CLOSE_WAIT_MS, resolve);
      }),
    ]);
    clock.clearTimer(timer);
    clock.clearTimer(this.#graceTimer);
    this.#questions.close();
    try {
      this.#link?.close();
      if (this.#met || connection.mode === 'connect') stopSrf(this.#srf);
    } catch (error) {
      this.options.logger.debug({ err: error }, 'connection to the SIP server was already gone');
    }
    const listener = this.#listener;
    if (listener) await new Promise<void>((resolve) => listener.close(() => resolve()));
  }

  #onAuthenticated(error: unknown, hostports: string): void {
    if (!error) this.#hostports = hostports;
    if (this.#link) {
      if (error) this.#link.refused();
      else this.#link.accepted();
    } else if (error) this.options.logger.error({ err: error }, 'the SIP server refused our secret');
    else {
      this.#met = true;
      this.#tellReady();
    }
  }

  #onClosed(socket: unknown): void {
    if (this.#link) {
      if (this.#wire?.isCurrent(socket)) this.#link.lost();
    } else if (this.#met) {
      // The server of this process forgets its dialogs with the connection: every call is over.
      this.#met = false;
      if (!this.#closing) this.options.logger.error({ calls: this.#legs.size }, 'connection to the SIP server lost');
      for (const leg of [...this.#legs]) leg.lost();
    }
  }

  #tellReady(): void {
    this.options.logger.info({ hostports: this.#hostports }, 'connected to the SIP server');
    for (const resolve of this.#onConnect.splice(0)) resolve();
  }

  #onUp(): void {
    this.options.clock.clearTimer(this.#graceTimer);
    // Commands are done in order: with the answer to this one our routes are there, and calls can come.
    this.#wire?.ping(() => this.#tellReady());
    const told = this.#leftBehind.flush();
    if (told > 0) this.options.logger.info({ told }, 'calls that ended meanwhile are told to the SIP server');
    for (const leg of [...this.#legs]) void leg.back();
  }

  /** The server still has our dialogs, and may be back soon: who talks goes on talking for a while. */
  #onDown(): void {
    const { clock, logger } = this.options;
    if (!this.#closing) logger.error({ calls: this.#legs.size }, 'connection to the SIP server lost');
    for (const leg of [...this.#legs]) leg.cut();
    clock.clearTimer(this.#graceTimer);
    this.#graceTimer = clock.setTimer(LOST_SERVER_GRACE_MS, () => {
      for (const leg of [...this.#legs]) leg.lost();
    });
  }

  /** Nothing may throw into the library's read loop. */
  #guard(req: SrfRequest, res: SrfResponse): void {
    try {
      if (req.method === 'INVITE') this.#onInvite(req, res);
      else this.#onOther(req, res);
    } catch (error) {
      this.#handlerFailed(error, req, res);
    }
  }

  #handlerFailed(error: unknown, req: SrfRequest, res: SrfResponse): void {
    this.counters.handlerErrors += 1;
    this.options.logger.error({ err: error, method: req.method }, 'request handler failed');
    if (!res.finalResponseSent && req.method !== 'ACK') this.#send(res, { status: 500, headers: {} });
  }

  get #isServerHere(): boolean {
    return this.options.connection.mode === 'listen';
  }

  #onInvite(req: SrfRequest, res: SrfResponse): void {
    const arrived = legInfoOf(req, this.#isServerHere);
    const shutdown = this.#closing && callEnd('gateway', 'shutdown');
    if (shutdown) return this.#refuse(res, arrived, refusalOf(shutdown), shutdown);
    const admission = this.options.admit(arrived, senderFactsOf(req, this.#isServerHere));
    const { prove } = this.options;
    if (admission.kind === 'challenge' && prove) {
      return void this.#challenge(req, res, arrived, prove, admission.end);
    }
    if (admission.kind !== 'admitted') return this.#refuse(res, arrived, refusalOf(admission.end), admission.end);
    this.#take(req, res, admission);
  }

  /** Who calls may be somebody who is known, and has to say it. Never rejects. */
  async #challenge(req: SrfRequest, res: SrfResponse, arrived: LegInfo, prove: Prove, stranger: CallEnd) {
    try {
      this.#questions.answered(arrived.sipCallId);
      const outcome = await proofOf(req, prove);
      if (!outcome) return;
      if ('reply' in outcome) {
        const { reply, end } = outcome;
        if (end) return this.#refuse(res, arrived, reply, end);
        this.#questions.asked(arrived.sipCallId, () => this.options.onRefused(arrived, stranger));
        return this.#send(res, reply);
      }
      if (this.#closing) return this.#send(res, { status: 503, headers: {} });
      const admission = this.options.admit(arrived, { ...senderFactsOf(req, this.#isServerHere), ...outcome.proof });
      if (admission.kind === 'admitted') this.#take(req, res, admission);
      else this.#refuse(res, arrived, refusalOf(admission.end), admission.end);
    } catch (error) {
      this.#handlerFailed(error, req, res);
    }
  }

  #take(req: SrfRequest, res: SrfResponse, { info, dtmf }: Admitted): void {
    const unavailable = this.options.availability();
    if (unavailable) return this.#refuse(res, info, refusalOf(unavailable), unavailable);
    if (this.#merged.isCopy(req)) {
      this.counters.merged += 1;
      return this.#send(res, { status: 482, headers: {} });
    }
    const { policy: common, encryptionOf = () => TAKE_ALL, sessionTimers } = this.options;
    const call = examineInvite(req, takePolicy(common, dtmf, encryptionOf(info), req), sessionTimers);
    if ('status' in call) return this.#refuse(res, info, call, call.end ?? callEnd('caller', 'bad-offer'));
    const replaced = this.#replacedBy(req, info);
    if (replaced && 'status' in replaced) return this.#refuse(res, info, replaced, callEnd('gateway', 'not-allowed'));
    const { session, reliable, fromDomain } = call;
    const transferDomain = this.options.transferDomain || fromDomain;
    const leg = new SipLeg(
      { info, session, transferDomain, origin: { side: 'uas', req, res, reliable } },
      this.#context,
    );
    this.counters.calls += 1;
    this.#merged.remember(req);
    this.#legs.add(leg);
    if (replaced) this.options.onReplaces(leg, replaced);
    else this.options.onCall(leg);
  }

  /** The leg of a call that is up, where the INVITE asks to take its place and may (RFC 3891 §3); or the refusal. */
  #replacedBy(req: SrfRequest, info: LegInfo): SipLeg | Reply | undefined {
    const wanted = replacesIn(req);
    if (!wanted) return undefined;
    if (wanted === 'malformed') return { status: 400, headers: warning('The Replaces header cannot be read') };
    const leg = this.living.find(({ dialog }) => dialog && isDialogOf(wanted, dialog));
    // Also said to who may not: that there is such a call is nobody else's business.
    if (!leg || !mayTakeOver(info, leg.info)) {
      return { status: 481, headers: warning('There is no such call to be replaced') };
    }
    return wanted.earlyOnly ? { status: 486, headers: warning('The call to be replaced is answered') } : leg;
  }

  #refuse(res: SrfResponse, info: LegInfo, refusal: { status: number; headers: object }, end: CallEnd): void {
    this.counters.refused += 1;
    this.#send(res, { status: refusal.status, headers: { ...refusal.headers } });
    this.options.onRefused(info, end);
  }

  #onOther(req: SrfRequest, res: SrfResponse): void {
    const { registrar } = this.options;
    if (req.method === 'REGISTER' && registrar) {
      void registrar.answer(req).then((answer) => sendReply(res, answer, this.options.logger));
      return;
    }
    const reply = replyOutsideDialog(req.method);
    if (!reply) return;
    const unavailable = req.method === 'OPTIONS' ? this.options.availability() : undefined;
    const { status, headers } = unavailable ? refusalOf(unavailable) : reply;
    this.#send(res, { status, headers: { ...reply.headers, ...headers } });
  }

  #send(res: SrfResponse, reply: Reply): void {
    sendReply(res, reply, this.options.logger);
  }
}
