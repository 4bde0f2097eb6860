import type { Server, Socket } from 'node:net';
import type { FaultBarrier } from '../fault-barrier.ts';
import { formatHostPort, hostKey } from '../message/host-port.ts';
import { CertificateRefused, type Flow, type SipTransport, type TransportName } from './flow.ts';
import { type ConnectionEvents, StreamConnection } from './stream-connection.ts';
import type { StreamEndpoint } from './stream-endpoints.ts';
import type { TransportLimits } from './transport-limits.ts';

/**
 * A connected transport: a listening socket and every connection, incoming or opened by us. Connections are reused by remote address and
 * port, where a certificate was checked also by the name it was checked for.
 */
export class StreamTransport implements SipTransport {
  readonly counters = { accepted: 0, refused: 0, failedAccepts: 0, opened: 0, failedHandshakes: 0, distrusted: 0 };
  readonly #connections = new Map<string, StreamConnection>();
  /** Further keys of a connection in `#connections`, of one port. */
  readonly #aliases = new Map<StreamConnection, readonly string[]>();
  readonly #opening = new Map<string, Promise<StreamConnection>>();
  readonly #incoming = new Map<string, number>(); // source address -> raw sockets
  readonly #sockets = new Set<Socket>(); // also those whose handshake is not done
  readonly #server: Server;
  #closing: Promise<void> | undefined;

  constructor(
    readonly transport: TransportName,
    private readonly endpoint: StreamEndpoint,
    private readonly events: ConnectionEvents,
    private readonly barrier: FaultBarrier,
    private readonly limits: TransportLimits,
    /** Connections of all stream transports together. */
    private readonly totalConnections: () => number,
  ) {
    const fallback = (socket: Socket): void => void socket.destroy();
    this.#server = endpoint.createServer(
      {
        admit: (socket) => {
          let admitted = false;
          const admit = (): void => {
            admitted = this.#admit(socket);
          };
          barrier.run('socket', admit, () => fallback(socket));
          return admitted;
        },
        accept: barrier.handler('socket', (socket: Socket) => this.#accept(socket), fallback),
        onHandshakeFailed: (socket, code) => {
          this.counters.failedHandshakes += 1;
          barrier.run('socket', () => events.onHandshakeFailed?.(hostKey(socket.remoteAddress ?? ''), code));
          socket.destroy();
        },
      },
      limits.connectMs,
    );
  }

  get connectionCount(): number {
    return this.#sockets.size;
  }

  listen(host: string, port: number): Promise<{ address: string; port: number }> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', reject);
        // A failed accept, such as without a free descriptor: that connection is lost, its peer tries again.
        this.#server.on('error', () => {
          this.counters.failedAccepts += 1;
        });
        const address = this.#server.address();
        resolve({ address: host, port: typeof address === 'object' && address ? address.port : port });
      });
    });
  }

  /**
   * The connection to a peer, reused or opened. `serverName` is what its certificate must say; without one, its address.
   * Rejects after `connectMs`, when refused, when full, or when `signal` aborts (an attempt others also wait for goes on).
   */
  open(address: string, port: number, signal: AbortSignal, serverName?: string): Promise<StreamConnection> {
    const name = this.endpoint.boundToName ? (serverName?.toLowerCase() ?? '') : '';
    const key = `${formatHostPort(hostKey(address), port)}/${name}`;
    const known = this.#connections.get(key);
    if (known && !known.closed) return Promise.resolve(known);
    let opening = this.#opening.get(key);
    if (!opening) {
      if (this.#closing || this.totalConnections() >= this.limits.connectionsMax) {
        return Promise.reject(new Error('too-many-connections'));
      }
      opening = this.#connect(address, port, name, key).finally(() => this.#opening.delete(key));
      opening.catch(() => undefined); // Everyone who waits may have left.
      this.#opening.set(key, opening);
    }
    return untilAborted(opening, signal);
  }

  /** Requests for those whom the peer's certificate names, at this port, go by its own connection (RFC 5923 §8.2). */
  alias(connection: Flow, port: number): void {
    if (!(connection instanceof StreamConnection) || connection.closed || this.#aliases.has(connection)) return;
    const at = formatHostPort(connection.remoteAddress, port);
    const keys = connection.peerNames.map((name) => `${at}/${name}`).filter((key) => !this.#connections.has(key));
    this.#aliases.set(connection, keys);
    for (const key of keys) this.#connections.set(key, connection);
  }

  /** Idempotent: stops listening and closes every connection. */
  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      if (this.#server.listening) this.#server.close(() => resolve());
      else resolve();
      for (const connection of this.#connections.values()) connection.close('shutdown');
      for (const socket of this.#sockets) socket.destroy();
    });
    return this.#closing;
  }

  #connect(address: string, port: number, name: string, key: string): Promise<StreamConnection> {
    return new Promise((resolve, reject) => {
      const socket = this.endpoint.connect(address, port, name);
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      const fail = (reason: string): void => {
        this.barrier.clock.clearTimer(timer);
        const distrust = this.endpoint.distrust(socket);
        socket.destroy();
        if (distrust !== undefined) this.counters.distrusted += 1;
        reject(distrust === undefined ? new Error(reason) : new CertificateRefused(distrust));
      };
      const timer = this.barrier.clock.setTimer(this.limits.connectMs, () => fail('connect-timeout'));
      const onError = (error: NodeJS.ErrnoException): void => fail(error.code ?? 'error');
      const onClose = (): void => fail('closed');
      socket.on('error', onError);
      socket.on('close', onClose);
      const onConnected = (): void => {
        this.barrier.clock.clearTimer(timer);
        socket.off('close', onClose);
        this.counters.opened += 1;
        resolve(this.#adopt(socket, key, true));
        socket.off('error', onError); // After the connection has its own handler.
      };
      const connected = this.barrier.handler('socket', onConnected, () => fail('fault'));
      socket.once(this.endpoint.readyEvent, connected);
    });
  }

  /** Counts a raw incoming socket against the limits; false when it was refused. */
  #admit(socket: Socket): boolean {
    const source = hostKey(socket.remoteAddress ?? '');
    const held = this.#incoming.get(source) ?? 0;
    socket.on('error', () => socket.destroy());
    const full = this.totalConnections() >= this.limits.connectionsMax || held >= this.limits.connectionsPerSourceMax;
    if (this.#closing || full || source === '') {
      this.counters.refused += 1;
      socket.destroy();
      return false;
    }
    this.counters.accepted += 1;
    this.#incoming.set(source, held + 1);
    this.#sockets.add(socket);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      const left = (this.#incoming.get(source) ?? 1) - 1;
      if (left > 0) this.#incoming.set(source, left);
      else this.#incoming.delete(source);
    });
    return true;
  }

  /** After the handshake, where there is one: the raw socket was admitted before. */
  #accept(socket: Socket): void {
    if (socket.destroyed || socket.remoteAddress === undefined) return void socket.destroy();
    this.#adopt(socket, `${formatHostPort(hostKey(socket.remoteAddress), socket.remotePort ?? 0)}/`, false);
  }

  #adopt(socket: Socket, key: string, opened: boolean): StreamConnection {
    const connection = new StreamConnection(
      this.transport,
      socket,
      {
        onBytes: (message, from) => this.events.onBytes(message, from),
        onSent: (message, to) => this.events.onSent(message, to),
        onBroken: (fault, head, from) => this.events.onBroken(fault, head, from),
        onClosed: (from, reason) => {
          for (const known of [key, ...(this.#aliases.get(from) ?? [])]) {
            if (this.#connections.get(known) === from) this.#connections.delete(known);
          }
          this.#aliases.delete(from);
          this.events.onClosed(from, reason);
        },
      },
      this.barrier,
      this.limits,
      { opened, peerNames: this.endpoint.peerNames(socket) },
    );
    this.#connections.set(key, connection);
    return connection;
  }
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(new Error('aborted'));
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new Error('aborted'));
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
