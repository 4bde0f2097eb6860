import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { connect, isIPv6, type Socket as TcpSocket } from 'node:net';
import type { Timer } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { FaultBarrier } from '../fault-barrier.ts';
import type { Flow, WireTap } from '../transport/flow.ts';
import { TRANSPORTS } from '../transport/transports.ts';
import { encodeHep } from './hep-packet.ts';
import { secretFree } from './secret-free.ts';

export interface HepSettings {
  readonly reliable: boolean; // by TCP, else UDP
  readonly host: string; // a name or an address
  readonly port: number;
  readonly captureId: number; // uint32: which gateway this is
  readonly password?: string | undefined;
}

/** Copies that the capture server has not taken yet; above it they are dropped: calls go on whatever it does. */
const QUEUED_BYTES_MAX = 1_048_576;
const UDP_BYTES_MAX = 65_507;
const AGAIN_FIRST_MS = 1_000;
const AGAIN_MAX_MS = 30_000;
/** A way that has lasted so long was one: losing it is news. */
const STEADY_MS = 60_000;

/** Where packets go while there is a way. */
interface Way {
  readonly queuedBytes: number;
  write(packet: Buffer): void;
  close(): void;
}

/**
 * Sends a copy of each SIP message to a capture server (HEP3), without what is secret in it. Nothing waits for it: without a
 * server, or with one that is slow, copies are dropped and counted.
 */
export class HepClient implements WireTap {
  readonly counters = { sent: 0, dropped: 0, tooLong: 0, losses: 0 };
  #way: Way | undefined;
  #opening: (() => void) | undefined; // what ends an attempt
  #againMs = AGAIN_FIRST_MS;
  #timer: Timer | undefined;
  #openedMs = 0;
  #isTold = false; // that it is away
  #closed = false;

  constructor(
    private readonly settings: HepSettings,
    private readonly barrier: FaultBarrier,
    private readonly logger: Logger,
  ) {
    this.#open();
  }

  copy(direction: 'received' | 'sent', message: Buffer, flow: Flow): void {
    const way = this.#way;
    if (!way || way.queuedBytes > QUEUED_BYTES_MAX) return this.#drop('dropped');
    const far = { address: flow.remoteAddress, port: flow.remotePort };
    const near = { address: flow.localAddress, port: flow.localPort };
    const { captureId, password, reliable } = this.settings;
    const packet = encodeHep({
      ...(direction === 'received' ? { source: far, destination: near } : { source: near, destination: far }),
      ...{ overUdp: !TRANSPORTS[flow.transport].reliable, at: this.barrier.clock.utc(), captureId, password },
      payload: secretFree(message),
    });
    if (!packet || (!reliable && packet.length > UDP_BYTES_MAX)) return this.#drop('tooLong');
    this.counters.sent += 1;
    way.write(packet);
  }

  close(): void {
    this.#closed = true;
    this.barrier.clock.clearTimer(this.#timer);
    this.#opening?.();
    this.#way?.close();
    this.#way = undefined;
  }

  #drop(why: 'dropped' | 'tooLong'): void {
    this.counters[why] += 1;
  }

  #open(): void {
    if (this.#closed) return;
    const open = this.settings.reliable ? this.#openTcp : this.#openUdp;
    this.barrier.run(
      'socket',
      () => open.call(this),
      () => this.#lost('fault'),
    );
  }

  #openUdp(): void {
    const { host, port } = this.settings;
    const socket: UdpSocket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4' });
    const close = once(() => socket.close());
    const lost = (reason: string): void => {
      close();
      this.#lost(reason);
    };
    this.#opening = close;
    socket.unref();
    socket.on(
      'error',
      this.barrier.handler('socket', (error: NodeJS.ErrnoException) => lost(error.code ?? 'error')),
    );
    const connected = (error?: NodeJS.ErrnoException): void => {
      if (this.#closed) return;
      if (error) return lost(error.code ?? 'error'); // as when its name is not known
      this.#opened({
        close,
        get queuedBytes() {
          return socket.getSendQueueSize();
        },
        write: (packet) => socket.send(packet),
      });
    };
    socket.connect(
      port,
      host,
      this.barrier.handler('socket', connected, () => lost('fault')),
    );
  }

  #openTcp(): void {
    const { host, port } = this.settings;
    const socket: TcpSocket = connect({ host, port });
    socket.unref();
    const close = once(() => socket.destroy());
    this.#opening = close;
    let reason = 'ended';
    socket.on('error', (error: NodeJS.ErrnoException) => {
      reason = error.code ?? 'error';
    });
    socket.on(
      'close',
      this.barrier.handler('socket', () => this.#lost(reason)),
    );
    socket.resume(); // It has nothing to say to us.
    const connected = (): void => {
      this.#opened({
        close,
        get queuedBytes() {
          return socket.writableLength;
        },
        write: (packet) => void socket.write(packet),
      });
    };
    socket.once('connect', this.barrier.handler('socket', connected, close));
  }

  #opened(way: Way): void {
    const { host, port } = this.settings;
    this.#opening = undefined;
    this.#way = way;
    this.#openedMs = this.barrier.clock.nowMs();
    if (this.#isTold) return;
    this.logger.info({ host, port }, 'copies of SIP messages go to the capture server');
  }

  /** Over UDP a server that is away shows only by what it does not take: each further attempt ends like the one before. */
  #lost(reason: string): void {
    const { clock } = this.barrier;
    const wasSteady = this.#way !== undefined && clock.nowMs() - this.#openedMs >= STEADY_MS;
    this.#way = undefined;
    this.#opening = undefined;
    this.counters.losses += 1;
    if (this.#closed) return;
    if (wasSteady) {
      this.#isTold = false;
      this.#againMs = AGAIN_FIRST_MS;
    }
    if (!this.#isTold) this.logger.warn({ reason }, 'the capture server is away: SIP messages are not copied');
    this.#isTold = true;
    clock.clearTimer(this.#timer);
    this.#timer = clock.setTimer(this.#againMs, () => this.#open());
    this.#againMs = Math.min(this.#againMs * 2, AGAIN_MAX_MS);
  }
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
