import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import type { FaultBarrier } from '../fault-barrier.ts';
import { hostKey } from '../message/host-port.ts';
import type { Flow, SipTransport } from './flow.ts';
import { TRANSPORTS } from './transports.ts';
import { UdpProbe } from './udp-probe.ts';

const STUN_HEADER_BYTES = 20;
const STUN_COOKIE = 0x21_12_a4_42;
const KEEP_ALIVE_BYTES_MAX = 8;
/** Room for a burst of about 1,000 messages while the event loop is busy; the kernel may grant less. */
const RECEIVE_BUFFER_BYTES = 1_048_576;

export interface UdpEvents {
  onDatagram(datagram: Buffer, flow: UdpFlow): void;
  onSent(datagram: Buffer, flow: UdpFlow): void;
  /** Nobody listens at this destination. */
  onUnreachable(flow: UdpFlow, reason: string): void;
}

/** One socket for everything: answers and requests leave from the port that is listened on, as NAT needs it. */
export class UdpTransport implements SipTransport {
  readonly connectionCount = 0;
  readonly counters = { received: 0, keepAlives: 0, sent: 0, sendErrors: 0, socketErrors: 0 };
  readonly #probe: UdpProbe;
  #socket: Socket | undefined;
  #address = '';
  #closing: Promise<void> | undefined;
  port = 0;

  /**
   * @param localAddressFor - our address as this peer sees it, for sockets bound to every address.
   * @param probes - whether new destinations are asked if anybody is there.
   */
  constructor(
    private readonly events: UdpEvents,
    readonly localAddressFor: (remote: string) => string,
    private readonly barrier: FaultBarrier,
    private readonly probes: boolean,
  ) {
    this.#probe = new UdpProbe(barrier, (address, port, reason) => {
      if (!this.#closing) events.onUnreachable(this.flowTo(address, port), reason);
    });
  }

  listen(host: string, port: number): Promise<{ address: string; port: number }> {
    const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: RECEIVE_BUFFER_BYTES });
    this.#socket = socket;
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.bind({ address: host, port, exclusive: true }, () => {
        socket.off('error', reject);
        socket.on('error', () => {
          this.counters.socketErrors += 1;
        });
        socket.on(
          'message',
          this.barrier.handler('datagram', (datagram: Buffer, from: RemoteInfo) => this.#receive(datagram, from)),
        );
        const bound = socket.address();
        this.#address = bound.address;
        this.port = bound.port;
        resolve({ address: bound.address, port: bound.port });
      });
    });
  }

  get closed(): boolean {
    return this.#closing !== undefined;
  }

  open(address: string, port: number): Promise<UdpFlow> {
    if (this.probes) this.#probe.check(address, port);
    return Promise.resolve(this.flowTo(address, port));
  }

  /** The flow to a numeric address. Needs no packets; whether anyone is there shows later. */
  flowTo(address: string, port: number): UdpFlow {
    return new UdpFlow(this, hostKey(address), port);
  }

  /** Used by flows. A name instead of an address is refused: a lookup would hold up everything behind it. */
  send(message: Buffer, flow: UdpFlow, onError: ((reason: string) => void) | undefined): void {
    const { remoteAddress: address, remotePort: port } = flow;
    const fail = (reason: string): void => {
      this.counters.sendErrors += 1;
      onError?.(reason);
    };
    const socket = this.#socket;
    if (this.#closing || !socket) return fail('closed');
    if (isIP(address) === 0 || port < 1 || port > 65_535) return fail('bad-address');
    this.counters.sent += 1;
    this.events.onSent(message, flow);
    // A socket bound to :: reaches IPv4 peers by their mapped addresses.
    const mapped = isIPv6(this.#address) && isIPv4(address) ? `::ffff:${address}` : address;
    const sent = this.barrier.handler('socket', (error: NodeJS.ErrnoException | null) => {
      if (error) fail(error.code ?? 'error');
    });
    this.barrier.run(
      'socket',
      () => socket.send(message, port, mapped, sent),
      () => fail('error'),
    );
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #close(): Promise<void> {
    this.#probe.close();
    return new Promise((resolve) => {
      if (this.port > 0) this.#socket?.close(() => resolve());
      else resolve(); // Never bound: it closed itself with the error.
    });
  }

  #receive(datagram: Buffer, from: RemoteInfo): void {
    this.counters.received += 1;
    if (isKeepAlive(datagram)) {
      this.counters.keepAlives += 1;
      return;
    }
    this.events.onDatagram(datagram, this.flowTo(from.address, from.port));
  }
}

/** A peer of the UDP socket. Cheap: made for each datagram, equal when address and port are. */
export class UdpFlow implements Flow {
  readonly transport = 'udp';
  constructor(
    private readonly owner: UdpTransport,
    readonly remoteAddress: string,
    readonly remotePort: number,
  ) {}

  get reliable(): boolean {
    return TRANSPORTS[this.transport].reliable;
  }
  get localAddress(): string {
    return this.owner.localAddressFor(this.remoteAddress);
  }

  get localPort(): number {
    return this.owner.port;
  }
  get closed(): boolean {
    return this.owner.closed;
  }
  /** The same peer at another port: where it listens, when that is not where it sends from. */
  atPort(port: number): UdpFlow {
    return port === this.remotePort ? this : new UdpFlow(this.owner, this.remoteAddress, port);
  }
  send(message: Buffer, onError?: (reason: string) => void): void {
    this.owner.send(message, this, onError);
  }
}

/** What phones send to hold a NAT binding open: line ends, zeros, nothing at all, or STUN (RFC 5626 §4.4). */
export function isKeepAlive(datagram: Buffer): boolean {
  if (datagram.length >= STUN_HEADER_BYTES && (datagram[0] ?? 0xff) < 4) {
    return datagram.readUInt32BE(4) === STUN_COOKIE;
  }
  if (datagram.length > KEEP_ALIVE_BYTES_MAX) return false;
  return datagram.every((byte) => byte === 0x0d || byte === 0x0a || byte === 0 || byte === 0x20);
}
