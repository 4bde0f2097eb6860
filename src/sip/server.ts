import { lookup } from 'node:dns/promises';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { type CallEnd, callEnd } from '../call/call-end.ts';
import { DialError, type Dialer, type DialOptions } from '../call/dialer.ts';
import type { Clock, Timer } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { SipTrace } from '../core/sip-ladder.ts';
import { sourceAddressTo } from '../core/source-address.ts';
import type { HostProblem } from '../core/trunk-status.ts';
import type { MediaEdge } from '../media/edge/media-edge.ts';
import { createSrf, type SrfClient, type SrfRequest, type SrfResponse, stopSrf } from './drachtio.ts';
import { type InviteOptions, InviteReceiver } from './invite-receiver.ts';
import { LeftBehind, tiesTo } from './left-behind.ts';
import type { SipLeg } from './leg.ts';
import type { LegContext } from './leg-context.ts';
import { dialPolicy } from './leg-policy.ts';
import { LivingLegs } from './living-legs.ts';
import { askOutside, type OutsideAnswer, type OutsideRequest } from './outside-request.ts';
import { type Reply, replyOutsideDialog, sendReply } from './request-replies.ts';
import { ServerLink } from './server-link.ts';
import { parseSipUri } from './sip-uri.ts';
import { SrfWire } from './srf-wire.ts';
import { endOfProblem, refusalOf } from './status.ts';
import { placeCall } from './uac.ts';

/**
 * How the SIP server is met.
 * - `listen`: we listen on a Unix socket and the embedded server dials it (`ControlEndpoint` mode `dial`).
 * - `connect`: a real drachtio-server, or an embedded one that listens on TCP.
 */
export type SipServerConnection =
  | { readonly mode: 'listen'; readonly unixSocketPath: string; readonly secret: string }
  | { readonly mode: 'connect'; readonly host: string; readonly port: number; readonly secret: string };

export interface SipServerOptions extends InviteOptions {
  /** Why calls should go elsewhere though one would be taken: told to who asks by OPTIONS. */
  readonly away?: () => CallEnd | undefined;
  readonly connection: SipServerConnection;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told of the messages that a server elsewhere tells us of; the one of this process is asked itself. */
  readonly trace?: SipTrace;
  /** An INVITE of a call that goes by `callId` left. */
  readonly onDialled?: (callId: string, sipCallId: string) => void;
  /** INVITE received to 200 sent. */
  readonly onAnswered: (ms: number) => void;
  /** What a next hop is for this server, where it must not judge that itself. Never rejects. */
  readonly hopFor?: (nextHop: string) => Promise<{ readonly hop: string } | { readonly failed: HostProblem }>;
  /** What media goes through on its way outside. */
  readonly edge?: MediaEdge;
  /** Answers REGISTER; without one it is refused. Never rejects. */
  readonly registrar?: { answer(req: SrfRequest): Promise<Reply> };
}

/** A lost SIP server is waited for this long before its calls are given up; media goes on meanwhile. */
export const LOST_SERVER_GRACE_MS = 10_000;
/** `close` says BYE to every call and waits this long for the answers. */
const CLOSE_WAIT_MS = 5_000;
/** Verbs asked for from a real drachtio-server; each has a handler, for an unhandled one would end the connection. */
const addressesOf = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);
const VERBS = 'invite options bye cancel info notify refer subscribe message register publish update prack'.split(' ');

/** Our end of the SIP server: routes requests, makes legs, keeps count of them. Owns the connection. */
export class SipServer implements Dialer {
  readonly #srf: SrfClient;
  readonly #legs = new LivingLegs();
  readonly #context: LegContext;
  readonly #link: ServerLink | undefined; // to a server that is elsewhere
  readonly #wire: SrfWire | undefined;
  readonly #leftBehind: LeftBehind;
  readonly #invites: InviteReceiver;
  #handlerErrors = 0;
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
      ...(options.edge && { edge: options.edge, addressesOf }),
      server: tiesTo(this.#wire, () => this.connected, this.#leftBehind, logger),
      onClosed: (leg) => this.#legs.delete(leg as SipLeg),
    };
    this.#invites = new InviteReceiver({
      ...{ options, context: this.#context, legs: this.#legs, isServerHere: connection.mode === 'listen' },
      isClosing: () => this.#closing !== undefined,
      onFault: (error, req, res) => this.#handlerFailed(error, req, res),
    });
    srf.use((req, res) => this.#guard(req, res)); // for the verbs of `listen` mode, where everything comes
    srf.on('connect', (error, hostports) => this.#onAuthenticated(error, hostports));
    srf.on('error', (error) => logger.debug({ err: error }, 'connection to the SIP server failed'));
    srf.on('close', (socket) => this.#onClosed(socket));
  }

  /** Legs that are not yet over. */
  get legs(): number {
    return this.#legs.size;
  }
  get counters() {
    return { ...this.#invites.counters, handlerErrors: this.#handlerErrors };
  }
  get connected(): boolean {
    return this.#link ? this.#link.state === 'up' : this.#met;
  }
  get living(): Pick<LivingLegs, 'list' | 'countOf'> {
    return this.#legs;
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
    const way = await this.#wayBy(options.nextHop);
    if ('failed' in way) throw new DialError(endOfProblem(way.failed), 0);
    const leg = await placeCall({ ...options, ...way }, this.#context, dialPolicy(this.options.policy, options));
    if (leg.state !== 'terminated') this.#legs.add(leg);
    return leg;
  }

  /** Sends a request that belongs to no call. Never rejects. */
  async ask(request: OutsideRequest, waitMs: number): Promise<OutsideAnswer> {
    const way = await this.#wayBy(request.nextHop);
    return 'failed' in way ? way : askOutside(this.#srf, { ...request, ...way }, this.options.clock, waitMs);
  }

  async #wayBy(nextHop: string | undefined): Promise<{ readonly nextHop?: string } | { readonly failed: HostProblem }> {
    const { hopFor } = this.options;
    if (nextHop === undefined || !hopFor) return {};
    const found = await hopFor(nextHop);
    return 'failed' in found ? found : { nextHop: found.hop };
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
    const ended = Promise.all(this.#legs.list().map((leg) => leg.hangup(callEnd('gateway', 'shutdown'))));
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
    this.#invites.close();
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
      for (const leg of this.#legs.list()) leg.lost();
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
    for (const leg of this.#legs.list()) void leg.back();
  }

  /** The server still has our dialogs, and may be back soon: who talks goes on talking for a while. */
  #onDown(): void {
    const { clock, logger } = this.options;
    if (!this.#closing) logger.error({ calls: this.#legs.size }, 'connection to the SIP server lost');
    for (const leg of this.#legs.list()) leg.cut();
    clock.clearTimer(this.#graceTimer);
    this.#graceTimer = clock.setTimer(LOST_SERVER_GRACE_MS, () => {
      for (const leg of this.#legs.list()) leg.lost();
    });
  }

  /** Nothing may throw into the library's read loop. */
  #guard(req: SrfRequest, res: SrfResponse): void {
    try {
      if (req.method === 'INVITE') this.#invites.receive(req, res);
      else this.#onOther(req, res);
    } catch (error) {
      this.#handlerFailed(error, req, res);
    }
  }

  #handlerFailed(error: unknown, req: SrfRequest, res: SrfResponse): void {
    this.#handlerErrors += 1;
    this.options.logger.error({ err: error, method: req.method }, 'request handler failed');
    if (!res.finalResponseSent && req.method !== 'ACK') this.#send(res, { status: 500, headers: {} });
  }

  #onOther(req: SrfRequest, res: SrfResponse): void {
    const { registrar } = this.options;
    if (req.method === 'REGISTER' && registrar) {
      void registrar.answer(req).then((answer) => sendReply(res, answer, this.options.logger));
      return;
    }
    const reply = replyOutsideDialog(req.method);
    if (!reply) return;
    const unavailable = req.method === 'OPTIONS' ? (this.options.availability() ?? this.options.away?.()) : undefined;
    const { status, headers } = unavailable ? refusalOf(unavailable) : reply;
    this.#send(res, { status, headers: { ...reply.headers, ...headers } });
  }

  #send(res: SrfResponse, reply: Reply): void {
    sendReply(res, reply, this.options.logger);
  }
}
