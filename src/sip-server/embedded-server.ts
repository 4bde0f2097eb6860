import { isIPv6 } from 'node:net';
import { type Clock, systemClock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { SipTrace } from '../core/sip-ladder.ts';
import { type ControlEndpoint, ControlServer } from './control/control-server.ts';
import { SipCore, type SipCoreLimits } from './dialog/sip-core.ts';
import type { SessionTimerSettings } from './dialog/ua-context.ts';
import { FaultBarrier } from './fault-barrier.ts';
import { HepClient, type HepSettings } from './hep/hep-client.ts';
import { formatHostPort } from './message/host-port.ts';
import { DEFAULT_POLICY, type RequestPolicy } from './message/validate-request.ts';
import { FailedHandshakes } from './tls/failed-handshakes.ts';
import type { TimerBase } from './transaction/timers.ts';
import type { TransportLayer, TransportName } from './transport/flow.ts';
import type { MessageSocket, SocketPeer } from './transport/message-socket.ts';
import { TargetResolver } from './transport/resolve-target.ts';
import { openTransportLayer, type SipTransportLayer, type TransportOptions } from './transport/transport-layer.ts';
import type { TransportLimits } from './transport/transport-limits.ts';

const DEFAULT_LIMITS: SipCoreLimits = {
  dialogsMax: 4_000,
  callsMax: 2_000, // about 22 kB each, srf's part included: 45 MB
  serverTransactionsMax: 10_000,
  retryAfterSeconds: 10,
  unacknowledgedMax: 30,
};
const DEFAULT_SESSION_TIMERS: SessionTimerSettings = { sessionSeconds: 1_800, minSeconds: 90 };

/** Every method of SIP: which of them are served is the applications' choice, told by their routes. */
const POLICY: RequestPolicy = {
  ...DEFAULT_POLICY,
  methods: [...new Set([...DEFAULT_POLICY.methods, 'REGISTER', 'SUBSCRIBE', 'PUBLISH'])],
};

/** srf compares this with the versions it knows; below v0.8.2 it never pings. It is told to applications only. */
const PROTOCOL_VERSION = 'v0.9.10';

export interface EmbeddedServerOptions {
  readonly host: string; // numeric
  readonly port: number; // 0: any
  readonly transports: readonly TransportName[];
  readonly tls?: TransportOptions['tls'];
  /** What peers see of us where that is not `host`: in Via, Contact, and for `localhost` in an application's addresses. */
  readonly externalAddress?: string;
  readonly control: ControlEndpoint & { readonly secret: string };
  readonly logger: Logger;
  readonly clock?: Clock;
  /** `Server` and `User-Agent`; empty, the default, sends neither. Never put a version in it. */
  readonly serverName?: string;
  readonly sessionTimers?: SessionTimerSettings;
  readonly limits?: Partial<SipCoreLimits>;
  readonly transportLimits?: Partial<TransportLimits>;
  /** Told of every message that comes and goes. */
  readonly trace?: SipTrace;
  /** Where copies of all messages go (HEP3). */
  readonly capture?: HepSettings;
  /** Sources never rate-limited, such as configured trunks. */
  readonly trusted?: (address: string) => boolean;
  /** For tests. */
  readonly timerBase?: TimerBase;
  readonly resolver?: Pick<TargetResolver, 'resolve'>;
}

/** The SIP server inside the gateway: SIP to the world, the drachtio control protocol to applications. */
export class EmbeddedSipServer {
  #discarded = 0;
  readonly #barrier: FaultBarrier;
  readonly #core: SipCore;
  readonly #control: ControlServer;
  #transport: SipTransportLayer | undefined;
  #hep: HepClient | undefined;
  #closing: Promise<void> | undefined;

  /** Listens and, in dial mode, starts looking for the application. Rejects when a port or path cannot be had. */
  static async start(options: EmbeddedServerOptions): Promise<EmbeddedSipServer> {
    const server = new EmbeddedSipServer(options);
    try {
      await server.#open();
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  private constructor(private readonly options: EmbeddedServerOptions) {
    const { logger, transports, host, timerBase } = options;
    const barrier = new FaultBarrier(options.clock ?? systemClock, logger);
    this.#barrier = barrier;
    this.#core = new SipCore({
      barrier,
      logger,
      settings: {
        serverName: options.serverName ?? '',
        sessionTimers: options.sessionTimers ?? DEFAULT_SESSION_TIMERS,
      },
      ...(timerBase ? { timerBase } : {}),
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      policy: POLICY,
      opener: { open: (...args) => this.#transport?.open(...args) ?? Promise.reject(new Error('not listening')) },
      resolver: options.resolver ?? new TargetResolver({ transports, families: isIPv6(host) ? [6, 4] : [4] }),
      listening: () => this.listening,
      externalAddress: options.externalAddress,
      pickApp: (method) => this.#control.pick(method),
      trusted: options.trusted,
    });
    this.#control = new ControlServer(
      { endpoint: options.control, secret: options.control.secret, identity: () => this.#identity(), barrier, logger },
      {
        onAppReady: () => undefined,
        onAppSip: (app, command) => this.#core.agent.onAppSip(app, command),
        onAppLost: (app) => this.#core.agent.onAppLost(app),
      },
    );
  }

  /** Where SIP is listened on. */
  get listening(): TransportLayer['listening'] {
    return this.#transport?.listening ?? [];
  }
  /** Port of the control listener in `listen-tcp` mode, else 0. */
  get controlPort(): number {
    return this.#control.port;
  }
  /** Authenticated application connections. */
  get appCount(): number {
    return this.#control.apps.length;
  }
  get dialogCount(): number {
    return this.#core.dialogs.size;
  }

  /** Everything countable, for metrics and diagnosis. */
  stats() {
    return {
      core: this.#core.counters,
      agent: this.#core.agent.counters,
      transactions: { ...this.#core.layer.counters, ...this.#core.layer.size, open: this.#core.transactions.size },
      transport: this.#transport?.counters,
      guard: this.#transport?.guard.counters,
      discarded: this.#discarded,
      failedAccepts: this.#control.failedAccepts,
      callers: this.#core.callers.counters,
      capture: this.#hep?.counters,
      faults: this.#barrier.counters,
      dialogs: this.#core.dialogs.size,
    };
  }

  /** A WebSocket of the HTTP server, upgraded with the subprotocol `sip`; it is ours from now on. */
  acceptSocket(socket: MessageSocket, peer: SocketPeer): void {
    if (this.#transport) this.#transport.acceptSocket(socket, peer);
    else socket.terminate();
  }

  /** New calls get 503 + Retry-After from now on; calls in progress go on. */
  drain(): void {
    this.#core.agent.draining = true;
  }

  /** Closes everything at once; call `drain()` and wait first where calls should end by themselves. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#control.close(); // what applications leave behind is refused and hung up
    this.#core.close();
    await this.#transport?.close();
    this.#hep?.close();
  }

  async #open(): Promise<void> {
    const { host, port, transports, tls, trusted, transportLimits, trace, capture, logger } = this.options;
    const handshakes = new FailedHandshakes(this.#barrier.clock, logger);
    this.#hep = capture && new HepClient(capture, this.#barrier, logger);
    this.#transport = await openTransportLayer(
      {
        host,
        port,
        transports,
        ...(tls ? { tls } : {}),
        ...(trusted ? { trusted } : {}),
        ...(trace ? { trace } : {}),
        ...(this.#hep ? { tap: this.#hep } : {}),
        ...(transportLimits ? { limits: transportLimits } : {}),
      },
      {
        onMessage: (message, flow, bytes) => this.#core.receive(message, flow, bytes),
        onFlowError: (flow, reason) => this.#core.layer.flowFailed(flow, reason),
        onHandshakeFailed: (source, code) => handshakes.note(source, code),
        onDiscard: () => {
          this.#discarded += 1;
        },
      },
      this.#barrier,
    );
    await this.#control.start();
  }

  #identity(): { hostports: string; version: string; localHostports: string } {
    const text = (external: string | undefined): string =>
      this.listening
        .map(({ transport, address, port }) => `${transport}/${formatHostPort(external ?? address, port)}`)
        .join(',');
    return {
      hostports: text(this.options.externalAddress),
      version: PROTOCOL_VERSION,
      localHostports: text(undefined),
    };
  }
}
