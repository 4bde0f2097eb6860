import { connect as connectTcp, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { FaultBarrier } from '../fault-barrier.ts';
import { formatHostPort, hostKey } from '../message/host-port.ts';
import { type ConnectionEvents, StreamConnection } from './stream-connection.ts';
import type { TransportLimits } from './transport-limits.ts';

/** PEM texts. `ca` adds trusted issuers for connections we open; `rejectUnauthorized` false trusts anyone (tests, lab). */
export interface TlsOptions {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
  readonly rejectUnauthorized?: boolean;
}

/**
 * TCP or TLS: a listening socket and every connection, incoming or opened by us. Connections are reused by remote address and
 * port, and for TLS also by the name that was verified (RFC 5922 §4): a connection checked for one domain is not another's.
 */
export class StreamTransport {
  readonly counters = { accepted: 0, refused: 0, opened: 0, failedHandshakes: 0 };
  readonly #connections = new Map<string, StreamConnection>();
  readonly #opening = new Map<string, Promise<StreamConnection>>();
  readonly #incoming = new Map<string, number>(); // source address -> raw sockets
  readonly #sockets = new Set<Socket>(); // also those whose handshake is not done
  readonly #server: Server;
  #closing: Promise<void> | undefined;

  constructor(
    readonly transport: 'tcp' | 'tls',
    private readonly events: ConnectionEvents,
    private readonly barrier: FaultBarrier,
    private readonly limits: TransportLimits,
    private readonly tls: TlsOptions | undefined,
    /** Connections of all stream transports together. */
    private readonly totalConnections: () => number,
  ) {
    if (transport === 'tls' && !tls) throw new RangeError('tls needs a certificate');
    const drop = (socket: Socket): void => void socket.destroy();
    const accept = barrier.handler('socket', (socket: Socket) => this.#accept(socket), drop);
    const admit = (socket: Socket): void => void this.#admit(socket);
    this.#server =
      tls && transport === 'tls'
        ? createTlsServer({ cert: tls.cert, key: tls.key, handshakeTimeout: limits.connectMs }, accept)
        : createTcpServer(accept);
    if (transport === 'tls') {
      this.#server.on('connection', barrier.handler('socket', admit, drop));
      this.#server.on('tlsClientError', (_error: Error, socket: TLSSocket) => {
        this.counters.failedHandshakes += 1;
        socket.destroy();
      });
    }
  }

  get connectionCount(): number {
    return this.#sockets.size;
  }

  /** Resolves with the port; rejects when it cannot be had. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', reject);
        this.#server.on('error', () => undefined); // A failed accept: the peer tries again.
        const address = this.#server.address();
        resolve(typeof address === 'object' && address ? address.port : port);
      });
    });
  }

  /**
   * The connection to a peer, reused or opened. `serverName` is what its certificate must say; without one, its address.
   * Rejects after `connectMs`, when refused, when full, or when `signal` aborts (an attempt others also wait for goes on).
   */
  open(address: string, port: number, signal: AbortSignal, serverName?: string): Promise<StreamConnection> {
    const name = this.transport === 'tls' ? (serverName?.toLowerCase() ?? '') : '';
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
      const secure = this.transport === 'tls';
      const socket = secure
        ? connectTls({
            host: address,
            port,
            servername: name === '' ? undefined : name,
            ca: this.tls?.ca,
            cert: this.tls?.cert,
            key: this.tls?.key,
            rejectUnauthorized: this.tls?.rejectUnauthorized ?? true,
          })
        : connectTcp({ host: address, port });
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      const fail = (reason: string): void => {
        this.barrier.clock.clearTimer(timer);
        socket.destroy();
        reject(new Error(reason));
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
        resolve(this.#adopt(socket, key));
        socket.off('error', onError); // After the connection has its own handler.
      };
      const connected = this.barrier.handler('socket', onConnected, () => fail('fault'));
      socket.once(secure ? 'secureConnect' : 'connect', connected);
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

  /** A TLS socket gets here after its handshake: its raw socket was admitted before. */
  #accept(socket: Socket): void {
    if (this.transport === 'tcp' && !this.#admit(socket)) return;
    if (socket.destroyed || socket.remoteAddress === undefined) return void socket.destroy();
    this.#adopt(socket, `${formatHostPort(hostKey(socket.remoteAddress), socket.remotePort ?? 0)}/`);
  }

  #adopt(socket: Socket, key: string): StreamConnection {
    const connection = new StreamConnection(
      this.transport,
      socket,
      {
        onBytes: (message, from) => this.events.onBytes(message, from),
        onBroken: (fault, head, from) => this.events.onBroken(fault, head, from),
        onClosed: (from, reason) => {
          if (this.#connections.get(key) === from) this.#connections.delete(key);
          this.events.onClosed(from, reason);
        },
      },
      this.barrier,
      this.limits,
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
