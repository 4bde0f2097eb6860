import { isIPv6 } from 'node:net';
import { type Source, sameSource } from '../rtp/remote-endpoint.ts';
import {
  type DatagramHandler,
  type MediaIo,
  type MediaSocket,
  type Opened,
  refusalOf,
  type SocketRefusal,
} from './media-io.ts';
import { LastSource, ReceivedDatagram } from './received-datagram.ts';
import { SocketAddresses } from './socket-address.ts';
import {
  AF_INET,
  AF_INET6,
  EPOLL_CLOEXEC,
  EPOLL_CTL_ADD,
  EPOLL_CTL_DEL,
  EPOLLIN,
  epollEvent,
  SO_TIMESTAMPNS,
  SOCK_CLOEXEC,
  SOCK_DGRAM,
  SOCK_NONBLOCK,
  SOL_SOCKET,
  type SystemCalls,
} from './system-calls.ts';

/** Sockets that one look at the network tells of. */
const EVENTS_MAX = 512;
/**
 * Sockets by the calls of the C library, without the event loop and its objects for every datagram: two thirds of the processor
 * time. What ends without closing its sockets, like a thread that is terminated, leaves them to whoever holds `epoll`.
 */
export class DirectIo implements MediaIo {
  readonly synchronous = true;
  /** The descriptor that all sockets are registered with. Never closed here: its number stays theirs. */
  readonly epoll: number;
  readonly #sockets: (DirectSocket | undefined)[] = []; // by descriptor, of which the system gives out the lowest
  readonly #addresses: SocketAddresses;
  readonly #events = new Uint32Array(EVENTS_MAX * epollEvent.words);
  readonly #received: ReceivedDatagram;
  /** When everything had been read. */
  #emptyAtMs: number;

  /** @throws Error where there is no descriptor for `epoll`. */
  constructor(
    readonly calls: SystemCalls,
    readonly address: string,
    readonly now: () => number, // monotonicMs
  ) {
    this.#addresses = new SocketAddresses(calls, isIPv6(address) ? AF_INET6 : AF_INET);
    this.#received = new ReceivedDatagram(calls, this.#addresses);
    this.#emptyAtMs = now();
    this.epoll = calls.epoll_create1(EPOLL_CLOEXEC);
    if (this.epoll < 0) throw new Error(`epoll_create1: ${calls.errorName()}`);
  }

  open(port: number, onDatagram: DatagramHandler, opened: Opened): void {
    opened(this.#open(port, onDatagram));
  }

  #open(port: number, onDatagram: DatagramHandler): MediaSocket | SocketRefusal {
    const { calls } = this;
    const fd = calls.socket(this.#addresses.family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return refusalOf(calls.errorName());
    const refusal = this.#bind(fd, port);
    if (refusal) {
      calls.close(fd);
      return refusal;
    }
    const socket = new DirectSocket(calls, this.#addresses, fd, this.#portOf(fd), onDatagram, () => this.#forget(fd));
    this.#sockets[fd] = socket;
    return socket;
  }

  poll(hear?: () => void): boolean {
    const { calls } = this;
    const nowMs = this.now();
    const ready = calls.epoll_wait(this.epoll, this.#events, EVENTS_MAX, 0);
    hear?.();
    if (ready <= 0) {
      this.#emptyAtMs = nowMs;
      return false;
    }
    this.#received.setClock(this.now(), this.#emptyAtMs);
    for (let i = 0; i < ready; i += 1) {
      const fd = this.#events[i * epollEvent.words + epollEvent.own] as number;
      const socket = this.#sockets[fd]; // none where a message or another one's datagram closed it
      if (socket) this.#receive(socket);
    }
    return true;
  }

  #receive(socket: DirectSocket): void {
    const received = this.#received;
    const datagram = received.take(socket.fd);
    if (!datagram) {
      if (this.calls.errorName() !== 'EAGAIN') socket.errors += 1; // the peer has gone; RTP timeout and signalling deal with it
      return;
    }
    const { address, port } = received.source(socket.from);
    socket.onDatagram(datagram, address, port, received.atMs);
  }

  /** @returns why not; undefined when it is done. */
  #bind(fd: number, port: number): SocketRefusal | undefined {
    const { calls } = this;
    const local = new Uint8Array(this.#addresses.bytes);
    if (!this.#addresses.write({ address: this.address, port }, local)) return 'failed';
    calls.setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, Uint32Array.of(1), 4);
    const event = new Uint32Array(epollEvent.words);
    event[0] = EPOLLIN;
    event[epollEvent.own] = fd;
    const done = calls.bind(fd, local, local.length) >= 0 && calls.epoll_ctl(this.epoll, EPOLL_CTL_ADD, fd, event) >= 0;
    return done ? undefined : refusalOf(calls.errorName());
  }

  #portOf(fd: number): number {
    const local = new Uint8Array(this.#addresses.bytes);
    this.calls.getsockname(fd, local, Uint32Array.of(local.length));
    return this.#addresses.read(local).port;
  }

  /** Taken out first: while a process is being started, a copy of the descriptor would keep its place. */
  #forget(fd: number): void {
    this.#sockets[fd] = undefined;
    this.calls.epoll_ctl(this.epoll, EPOLL_CTL_DEL, fd, this.#events);
    this.calls.close(fd);
  }
}

class DirectSocket implements MediaSocket {
  errors = 0;
  readonly from: LastSource;
  #connected: Source | undefined;
  #peer: Source | undefined; // what was sent to last while connected: known without a look into it
  #target: Source | undefined; // what `#to` says
  readonly #to: Uint8Array;
  readonly #noFamily: Uint8Array; // AF_UNSPEC, which parts a socket from its peer
  #closed = false;

  constructor(
    readonly calls: SystemCalls,
    readonly addresses: SocketAddresses,
    readonly fd: number,
    readonly localPort: number,
    readonly onDatagram: DatagramHandler,
    readonly onClose: () => void,
  ) {
    this.from = new LastSource(addresses);
    this.#to = new Uint8Array(addresses.bytes);
    this.#noFamily = new Uint8Array(addresses.bytes);
  }

  send(datagram: Buffer, bytes: number, target: Source): void {
    if (this.#closed) return;
    const { calls, fd } = this;
    const length = Math.min(bytes, datagram.length);
    let sent = -1;
    if (!this.#connected) {
      if (this.#aim(target)) sent = calls.sendto(fd, datagram, length, 0, this.#to, this.#to.length);
    } else if (target === this.#peer || sameSource(this.#connected, target)) {
      this.#peer = target;
      sent = calls.send(fd, datagram, length, 0);
    }
    if (sent < 0) this.errors += 1;
  }

  connect(peer: Source | undefined): void {
    const now = this.#connected;
    if (this.#closed || (now?.port === peer?.port && now?.address === peer?.address)) return;
    if (now) this.calls.connect(this.fd, this.#noFamily, this.#noFamily.length);
    this.#connected = undefined;
    this.#peer = undefined;
    if (!peer) return;
    if (this.#aim(peer) && this.calls.connect(this.fd, this.#to, this.#to.length) >= 0) {
      this.#connected = { address: peer.address, port: peer.port };
    } else this.errors += 1;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onClose();
  }

  /** Makes `#to` say `target`. @returns false where that is no address. */
  #aim(target: Source): boolean {
    if (sameSource(this.#target, target)) return true;
    this.#target = undefined;
    if (!this.addresses.write(target, this.#to)) return false;
    this.#target = { address: target.address, port: target.port };
    return true;
  }
}
