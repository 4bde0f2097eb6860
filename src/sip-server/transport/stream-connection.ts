import type { Socket } from 'node:net';
import type { Clock, Timer } from '../../core/clock.ts';
import type { FaultBarrier } from '../fault-barrier.ts';
import { hostKey } from '../message/host-port.ts';
import type { Flow, TransportName } from './flow.ts';
import { KeepAlive } from './keep-alive.ts';
import { hasSendRoom } from './send-room.ts';
import { type FrameFault, StreamFramer } from './stream-framer.ts';
import type { TransportLimits } from './transport-limits.ts';
import { TRANSPORTS } from './transports.ts';

const PONG = Buffer.from('\r\n');

export interface ConnectionEvents {
  /** Somebody did not get as far as a connection. */
  onHandshakeFailed?(source: string, code: string): void;
  onBytes(message: Buffer, connection: StreamConnection): void;
  onSent(message: Buffer, connection: StreamConnection): void;
  /** The stream cannot be read on; the connection closes right after this returns, what was sent here still goes out. */
  onBroken(fault: FrameFault, head: Buffer | undefined, connection: StreamConnection): void;
  onClosed(connection: StreamConnection, reason: string): void;
}

/** One established TCP or TLS connection, either direction. Closes itself when idle, slow to finish a message, or slow to read. */
export class StreamConnection implements Flow {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
  readonly opened: boolean; // by us
  readonly peerNames: readonly string[];
  readonly counters = { messages: 0, pings: 0 };
  readonly #framer: StreamFramer;
  readonly #keepAlive: KeepAlive | undefined;
  readonly #clock: Clock;
  #closeReason: string | undefined;
  #activeMs: number;
  #partialSinceMs: number | undefined;
  #timer: Timer | undefined;

  constructor(
    readonly transport: TransportName,
    private readonly socket: Socket,
    private readonly events: ConnectionEvents,
    private readonly barrier: FaultBarrier,
    private readonly limits: TransportLimits,
    /** Who began it, and names that the peer's certificate proves. */
    { opened, peerNames }: { readonly opened: boolean; readonly peerNames: readonly string[] },
  ) {
    this.opened = opened;
    this.peerNames = peerNames;
    this.#keepAlive = opened ? new KeepAlive(limits, Math.random()) : undefined;
    this.remoteAddress = hostKey(socket.remoteAddress ?? '');
    this.remotePort = socket.remotePort ?? 0;
    this.localAddress = hostKey(socket.localAddress ?? '');
    this.localPort = socket.localPort ?? 0;
    this.#framer = new StreamFramer(limits.messageBytesMax);
    this.#clock = barrier.clock;
    this.#activeMs = this.#clock.nowMs();
    socket.setNoDelay(true);
    const broken = (): void => this.close('fault');
    socket.on(
      'data',
      barrier.handler('stream', (chunk: Buffer) => this.#read(chunk), broken),
    );
    socket.on('error', (error: NodeJS.ErrnoException) => this.close(error.code ?? 'error'));
    socket.on('end', () => this.close('ended'));
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
    this.#activeMs = this.#clock.nowMs();
    this.events.onSent(message, this);
    this.#write(message, onError);
  }

  #hasRoom(bytes: Buffer, onError?: (reason: string) => void): boolean {
    return hasSendRoom(this, this.socket.writableLength + bytes.length, this.limits.queuedBytesMax, onError);
  }

  #write(bytes: Buffer, onError?: (reason: string) => void): void {
    const written = this.barrier.handler('socket', (error: NodeJS.ErrnoException | null | undefined) => {
      if (error) onError?.(error.code ?? 'error');
    });
    this.barrier.run(
      'socket',
      () => void this.socket.write(bytes, written),
      () => onError?.('error'),
    );
  }

  /** Idempotent. The first reason is the one reported. */
  close(reason: string): void {
    if (this.#closeReason !== undefined) return;
    this.#closeReason = reason;
    this.#clock.clearTimer(this.#timer);
    this.socket.destroy();
  }

  /** Reads no more, but lets what was written arrive: cut off only when the peer has not hung up within `partialMs`. */
  #closeAfterWrites(reason: string): void {
    if (this.#closeReason !== undefined) return;
    this.#closeReason = reason;
    this.#clock.clearTimer(this.#timer);
    this.#timer = this.#clock.setTimer(this.limits.partialMs, () => this.socket.destroy());
    this.socket.end();
  }

  #finished(): void {
    this.#closeReason ??= 'ended';
    this.#clock.clearTimer(this.#timer);
    this.events.onClosed(this, this.#closeReason);
  }

  #read(segment: Buffer): void {
    if (this.closed) return;
    const chunk = this.#keepAlive?.receive(segment, this.#framer.midMessage) ?? segment;
    if (chunk.length === 0) return; // A pong alone does not make a connection busy.
    this.#activeMs = this.#clock.nowMs();
    for (const frame of this.#framer.push(chunk)) {
      if (this.closed) return;
      if (frame.kind === 'message') {
        this.counters.messages += 1;
        this.#partialSinceMs = undefined;
        // Where the next message starts is known: one that breaks us does not end the connection.
        this.barrier.run('stream', () => this.events.onBytes(frame.bytes, this));
      } else if (frame.kind === 'ping') {
        this.counters.pings += 1;
        if (this.#hasRoom(PONG)) this.#write(PONG);
      } else {
        this.events.onBroken(frame.fault, frame.head, this);
        this.#closeAfterWrites(frame.fault);
      }
    }
    if (this.closed) return;
    if (!this.#framer.midMessage) this.#partialSinceMs = undefined;
    else this.#partialSinceMs ??= this.#activeMs;
  }

  /** One timer checks every limit; it is not touched by traffic. */
  #watch(): void {
    const { idleMs, keptAliveMs, partialMs, pongMs } = this.limits;
    this.#timer = this.#clock.setTimer(Math.min(idleMs, partialMs, pongMs) / 2, () => {
      const nowMs = this.#clock.nowMs();
      const idleMax = this.#keepAlive?.answered ? keptAliveMs : idleMs;
      const due = this.#keepAlive?.due(nowMs, this.#activeMs);
      if (this.#partialSinceMs !== undefined && nowMs - this.#partialSinceMs >= partialMs)
        this.close('partial-timeout');
      else if (nowMs - this.#activeMs >= idleMax) this.close('idle');
      else if (due === 'dead') this.close('no-pong');
      else {
        if (due) this.#write(due);
        this.#watch();
      }
    });
  }
}
