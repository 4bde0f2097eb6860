import { createSocket, type Socket } from 'node:dgram';
import { isIPv4, isIPv6 } from 'node:net';
import { type Source, sameSource } from '../rtp/remote-endpoint.ts';
import {
  type DatagramHandler,
  type MediaIo,
  type MediaSocket,
  type Opened,
  refusalOf,
  type SocketRefusal,
} from './media-io.ts';

/** Sockets of Node's own, which the event loop reads: everywhere that Node runs. */
export class DgramIo implements MediaIo {
  readonly synchronous = false;
  constructor(
    readonly address: string,
    readonly now: () => number, // monotonicMs
  ) {}

  open(port: number, onDatagram: DatagramHandler, opened: Opened): void {
    DgramSocket.open(
      this.address,
      port,
      (datagram, address, from) => onDatagram(datagram, address, from, this.now()),
      opened,
    );
  }

  poll(): boolean {
    return false;
  }
}

/** Addresses are literals: nothing is ever looked up. */
type Lookup = (address: string, options: unknown, done: (error: null, address: string, family: number) => void) => void;
const asItIs: Lookup = (address, _options, done) => done(null, address, isIPv6(address) ? 6 : 4);
/** An IPv6 socket knows IPv4 by its mapped spelling only. */
const mapped: Lookup = (address, _options, done) => done(null, isIPv4(address) ? `::ffff:${address}` : address, 6);

/** No callbacks: a socket of a call sends fifty times a second. */
class DgramSocket implements MediaSocket {
  errors = 0;
  #connected: Source | undefined;
  #viewed: Buffer | undefined; // what was sent last, mostly the one that the call keeps for it
  #view: Buffer | undefined; // its part that is sent
  #closed = false;

  private constructor(
    readonly socket: Socket,
    readonly localPort: number,
  ) {}

  static open(
    address: string,
    port: number,
    onDatagram: (datagram: Buffer, address: string, port: number) => void,
    done: Opened,
  ): void {
    let opened: DgramSocket | undefined;
    let socket: Socket;
    try {
      socket = createSocket(isIPv6(address) ? { type: 'udp6', lookup: mapped } : { type: 'udp4', lookup: asItIs });
    } catch (error) {
      return done(whyNot(error));
    }
    socket.on('error', (error) => {
      if (opened) {
        opened.errors += 1; // ECONNREFUSED while connected: the peer has gone; RTP timeout and signalling deal with it
        return;
      }
      socket.close();
      done(whyNot(error));
    });
    socket.on('message', (datagram, from) => onDatagram(datagram, from.address, from.port));
    socket.bind({ address, port, exclusive: true }, () => {
      let localPort: number;
      try {
        localPort = socket.address().port;
      } catch (error) {
        socket.close();
        return done(whyNot(error));
      }
      opened = new DgramSocket(socket, localPort);
      done(opened);
    });
  }

  send(datagram: Buffer, bytes: number, target: Source): void {
    if (this.#closed) return;
    // Sending is synchronous while nothing is queued; a queued send would read the buffer later, when it holds other audio.
    if (this.socket.getSendQueueCount() !== 0) {
      this.errors += 1;
      return;
    }
    if (this.#viewed !== datagram || this.#view?.length !== bytes) {
      this.#viewed = datagram;
      this.#view = datagram.subarray(0, bytes);
    }
    const connected = this.#connected;
    try {
      if (!connected) this.socket.send(this.#view, target.port, target.address);
      else if (sameSource(connected, target)) this.socket.send(this.#view);
      else this.errors += 1;
    } catch {
      this.errors += 1;
    }
  }

  connect(peer: Source | undefined): void {
    const now = this.#connected;
    if (this.#closed || (now?.port === peer?.port && now?.address === peer?.address)) return;
    try {
      if (now) this.socket.disconnect();
      this.#connected = undefined;
      if (!peer) return;
      this.socket.connect(peer.port, peer.address);
      this.socket.remoteAddress(); // throws where the system refused: no route, for a moment
      this.#connected = { address: peer.address, port: peer.port };
    } catch {
      this.errors += 1;
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.socket.close();
  }
}

const whyNot = (error: unknown): SocketRefusal => refusalOf((error as NodeJS.ErrnoException).code);
