import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Timer } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { FaultBarrier } from '../fault-barrier.ts';
import type { SipCommand } from './command.ts';
import { type ConnectionOptions, ControlConnection } from './control-connection.ts';

/**
 * Where applications are met.
 * - `dial`: the application runs `srf.listen({ server, secret })` on a Unix socket; this side connects to it, and again
 *   whenever the connection is lost. All verbs are routed to it.
 * - `listen-unix`, `listen-tcp`: this side listens; over loopback TCP applications use `srf.connect` and route verbs.
 */
export type ControlEndpoint =
  | { readonly mode: 'dial'; readonly unixSocketPath: string }
  | { readonly mode: 'listen-unix'; readonly unixSocketPath: string }
  | { readonly mode: 'listen-tcp'; readonly host: string; readonly port: number };

export interface ControlServerOptions {
  readonly endpoint: ControlEndpoint;
  readonly secret: string;
  readonly identity: ConnectionOptions['identity'];
  readonly barrier: FaultBarrier;
  readonly logger: Logger;
}

export interface ControlServerEvents {
  onAppReady(app: ControlConnection): void;
  onAppSip(app: ControlConnection, command: SipCommand): void;
  /** Only for applications that had authenticated. */
  onAppLost(app: ControlConnection): void;
}

const CONNECTIONS_MAX = 32;
const DIAL_FIRST_MS = 20;
const DIAL_MAX_MS = 1_000;

/** Holds the application connections and chooses among them, round robin per verb. */
export class ControlServer {
  readonly #connections = new Set<ControlConnection>();
  readonly #lastServed = new Map<string, ControlConnection>();
  #server: Server | undefined;
  #dialTimer: Timer | undefined;
  #dialDelayMs = DIAL_FIRST_MS;
  #closed = false;
  failedAccepts = 0;
  /** Port listened on, or 0 where there is none. */
  port = 0;

  constructor(
    private readonly options: ControlServerOptions,
    private readonly events: ControlServerEvents,
  ) {}

  get apps(): readonly ControlConnection[] {
    return [...this.#connections].filter((connection) => connection.open);
  }

  /** Resolves when listening, or at once in dial mode. Rejects when the address cannot be had. */
  async start(): Promise<void> {
    const { endpoint } = this.options;
    if (endpoint.mode === 'dial') {
      this.#dial();
      return;
    }
    const server = createServer(
      this.options.barrier.handler(
        'socket',
        (socket: Socket) => this.#accept(socket, false),
        (socket) => void socket.destroy(),
      ),
    );
    this.#server = server;
    if (endpoint.mode === 'listen-unix') rmSync(endpoint.unixSocketPath, { force: true });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      const listening = (): void => {
        server.off('error', reject);
        server.on('error', () => {
          this.failedAccepts += 1; // As without a free descriptor: the application tries again.
        });
        resolve();
      };
      if (endpoint.mode === 'listen-unix') server.listen(endpoint.unixSocketPath, listening);
      else server.listen(endpoint.port, endpoint.host, listening);
    });
    if (endpoint.mode === 'listen-unix') chmodSync(endpoint.unixSocketPath, 0o600);
    const address = server.address();
    if (address && typeof address === 'object') this.port = address.port;
  }

  /** The next application for a new request of this method, or undefined when none routed it. */
  pick(method: string): ControlConnection | undefined {
    const verb = method.toLowerCase();
    const willing = this.apps.filter((app) => app.routes(verb));
    const last = this.#lastServed.get(verb);
    const chosen = willing[(last ? willing.indexOf(last) + 1 : 0) % Math.max(1, willing.length)];
    if (chosen) this.#lastServed.set(verb, chosen);
    else this.#lastServed.delete(verb);
    return chosen;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.options.barrier.clock.clearTimer(this.#dialTimer);
    for (const connection of this.#connections) connection.close('server closing');
    const server = this.#server;
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  #accept(socket: Socket, routesAll: boolean): void {
    if (this.#closed || this.#connections.size >= CONNECTIONS_MAX) {
      socket.destroy();
      return;
    }
    const { secret, identity, barrier, logger } = this.options;
    const connection = new ControlConnection(
      socket,
      { secret, identity, barrier, routesAll },
      {
        onAuthenticated: (app) => {
          this.#dialDelayMs = DIAL_FIRST_MS;
          logger.debug({ tags: app.tags }, 'application connected');
          this.events.onAppReady(app);
        },
        onSip: (app, command) => this.events.onAppSip(app, command),
        onClosed: (app, reason) => {
          this.#connections.delete(app);
          for (const [verb, last] of this.#lastServed) if (last === app) this.#lastServed.delete(verb);
          logger.debug({ reason }, 'application connection closed');
          barrier.run('step', () => this.events.onAppLost(app));
          if (this.options.endpoint.mode === 'dial') this.#dialLater();
        },
      },
    );
    this.#connections.add(connection);
  }

  #dial(): void {
    this.options.barrier.run(
      'socket',
      () => this.#connect(),
      () => this.#dialLater(),
    );
  }

  #connect(): void {
    const { endpoint } = this.options;
    if (this.#closed || endpoint.mode !== 'dial') return;
    const socket = connect(endpoint.unixSocketPath);
    const failed = (): void => {
      socket.destroy();
      this.#dialLater();
    };
    const connected = (): void => {
      socket.off('error', failed);
      this.#accept(socket, true);
    };
    socket.once('error', failed);
    socket.once('connect', this.options.barrier.handler('socket', connected, failed));
  }

  #dialLater(): void {
    if (this.#closed) return;
    const { clock } = this.options.barrier;
    clock.clearTimer(this.#dialTimer);
    this.#dialTimer = clock.setTimer(this.#dialDelayMs, () => this.#dial());
    this.#dialDelayMs = Math.min(this.#dialDelayMs * 2, DIAL_MAX_MS);
  }
}
