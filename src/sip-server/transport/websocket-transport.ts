import { isUtf8 } from 'node:buffer';
import type { Timer } from '../../core/clock.ts';
import type { FaultBarrier } from '../fault-barrier.ts';
import { formatHostPort, hostKey } from '../message/host-port.ts';
import type { Flow, SipTransport, TransportName } from './flow.ts';
import type { MessageSocket, SocketPeer } from './message-socket.ts';
import { hasSendRoom } from './send-room.ts';
import type { TransportLimits } from './transport-limits.ts';
import { TRANSPORTS } from './transports.ts';
import { isKeepAlive } from './udp-transport.ts';

export interface WebSocketEvents {
  onMessage(message: Buffer, flow: Flow): void;
  onSent(message: Buffer, flow: Flow): void;
  onClosed(flow: Flow, reason: string): void;
}

const PONG = Buffer.from('\r\n');
/** Two line ends; one is an answer (RFC 5626 §4.4.1). */
const PING_BYTES = 4;
/** Why a WebSocket is closed (RFC 6455 §7.4.1). */
const CLOSE_CODES: Readonly<Record<string, number>> = { shutdown: 1001, 'message-too-large': 1009, full: 1013 };
const NORMAL = 1000;

/**
 * SIP over WebSocket (RFC 7118): one message in each message of the socket. Sockets are handed in by whoever serves HTTP; none is
 * opened from here, for nobody can: a browser is reached by the flow that it opened (RFC 5626), whatever its Via and Contact
 * say.
 */
export class WebSocketTransport implements SipTransport {
  readonly counters = { accepted: 0, refused: 0 };
  readonly #flows = new Map<string, WebSocketFlow>();
  readonly #perSource = new Map<string, number>();
  #isClosed = false;

  constructor(
    readonly transport: TransportName,
    private readonly events: WebSocketEvents,
    private readonly barrier: FaultBarrier,
    private readonly limits: TransportLimits,
    /** Connections of all transports together. */
    private readonly totalConnections: () => number,
  ) {}

  get connectionCount(): number {
    return this.#flows.size;
  }

  listen(): Promise<never> {
    return Promise.reject(new Error('listens nowhere: sockets are handed in'));
  }

  /** The flow by which this peer came, while it lasts. */
  open(address: string, port: number): Promise<Flow> {
    const flow = this.#flows.get(keyOf(address, port));
    return flow && !flow.closed ? Promise.resolve(flow) : Promise.reject(new Error('no-such-flow'));
  }

  /** Takes a socket over, for as long as it lives. One too many is closed with 1013. */
  accept(socket: MessageSocket, peer: SocketPeer): void {
    const source = hostKey(peer.remoteAddress);
    const held = this.#perSource.get(source) ?? 0;
    const { connectionsMax, connectionsPerSourceMax } = this.limits;
    const isFull = this.totalConnections() >= connectionsMax || held >= connectionsPerSourceMax;
    const key = keyOf(source, peer.remotePort);
    if (this.#isClosed || isFull || this.#flows.has(key)) {
      this.counters.refused += 1;
      socket.on('error', () => socket.terminate());
      return socket.close(CLOSE_CODES['full'] ?? NORMAL);
    }
    this.counters.accepted += 1;
    this.#perSource.set(source, held + 1);
    const onClosed = (flow: Flow, reason: string): void => {
      this.#flows.delete(key);
      const left = (this.#perSource.get(source) ?? 1) - 1;
      if (left > 0) this.#perSource.set(source, left);
      else this.#perSource.delete(source);
      this.events.onClosed(flow, reason);
    };
    this.#flows.set(key, new WebSocketFlow(socket, peer, { ...this.events, onClosed }, this.barrier, this.limits));
  }

  close(): Promise<void> {
    this.#isClosed = true;
    for (const flow of [...this.#flows.values()]) flow.close('shutdown');
    return Promise.resolve();
  }
}

const keyOf = (address: string, port: number): string => formatHostPort(hostKey(address), port);

/** One WebSocket. Ends itself when its peer answers no ping, reads too slowly, or says too much at once. */
class WebSocketFlow implements Flow {
  readonly transport: TransportName;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
  readonly opened = false;
  #closeReason: string | undefined;
  #timer: Timer | undefined;
  #isAlive = true; // a sign of it came since the last ping

  constructor(
    private readonly socket: MessageSocket,
    peer: SocketPeer,
    private readonly events: WebSocketEvents,
    private readonly barrier: FaultBarrier,
    private readonly limits: TransportLimits,
  ) {
    this.transport = peer.transport;
    this.remoteAddress = hostKey(peer.remoteAddress);
    this.remotePort = peer.remotePort;
    this.localAddress = hostKey(peer.localAddress);
    this.localPort = peer.localPort;
    const receive = (data: Buffer | ArrayBuffer | Buffer[]): void => this.#receive(bytesOf(data));
    socket.on('message', barrier.handler('stream', receive));
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    socket.on('error', () => this.close('error'));
    socket.on(
      'close',
      barrier.handler('socket', () => this.#finished()),
    );
    this.#watch();
  }

  get reliable(): boolean {
    return TRANSPORTS[this.transport].reliable;
  }
  get closed(): boolean {
    return this.#closeReason !== undefined;
  }

  send(message: Buffer, onError?: (reason: string) => void): void {
    if (!this.#hasRoom(message, onError)) return;
    this.events.onSent(message, this);
    this.#write(message, onError);
  }

  #hasRoom(bytes: Buffer, onError?: (reason: string) => void): boolean {
    return hasSendRoom(this, this.socket.bufferedAmount + bytes.length, this.limits.queuedBytesMax, onError);
  }

  /** Idempotent; the first reason is the one reported. A peer that does not close in turn is cut off. */
  close(reason: string): void {
    if (this.#closeReason !== undefined) return;
    this.#closeReason = reason;
    const { clock } = this.barrier;
    clock.clearTimer(this.#timer);
    this.#timer = clock.setTimer(this.limits.connectMs, () => this.socket.terminate());
    const cut = (): void => this.socket.terminate();
    this.barrier.run('socket', () => this.socket.close(CLOSE_CODES[reason] ?? NORMAL), cut);
    if (reason === 'no-pong' || reason === 'send-queue-full') cut();
  }

  #write(message: Buffer, onError?: (reason: string) => void): void {
    const written = this.barrier.handler('socket', (error?: Error) => {
      if (error) onError?.('error');
    });
    this.barrier.run(
      'socket',
      () => this.socket.send(message, { binary: !isUtf8(message) }, written),
      () => onError?.('error'),
    );
  }

  #receive(bytes: Buffer): void {
    if (this.closed) return;
    this.#isAlive = true;
    if (bytes.length > this.limits.messageBytesMax) return this.close('message-too-large');
    // Browser phones ping by CRLF too, though the socket has pings of its own.
    if (isKeepAlive(bytes)) return bytes.length >= PING_BYTES && this.#hasRoom(PONG) ? this.#write(PONG) : undefined;
    this.events.onMessage(bytes, this);
  }

  #finished(): void {
    this.#closeReason ??= 'ended';
    this.barrier.clock.clearTimer(this.#timer);
    this.events.onClosed(this, this.#closeReason);
  }

  #watch(): void {
    this.#timer = this.barrier.clock.setTimer(this.limits.socketPingMs, () => {
      if (!this.#isAlive) return this.close('no-pong');
      this.#isAlive = false;
      this.socket.ping();
      this.#watch();
    });
  }
}

function bytesOf(data: Buffer | ArrayBuffer | Buffer[]): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
