import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Source } from '../rtp/remote-endpoint.ts';

export type SocketRefusal = 'address-in-use' | 'no-descriptors' | 'failed';

export type DatagramHandler = (datagram: Buffer, address: string, port: number) => void;

/** What a call needs of its port, whatever loop drives it. */
export type MediaSocket = Pick<RtpSocket, 'localPort' | 'send' | 'connect' | 'close'>;

/** Addresses are literals: nothing is ever looked up. */
function noLookup(
  address: string,
  family: unknown,
  done: (error: null, address: string, family: number) => void,
): void {
  void family;
  done(null, address, isIPv6(address) ? 6 : 4);
}

/**
 * One UDP port of a call. Connected once the peer is settled: a quarter cheaper per packet, and the kernel drops strangers.
 * Sending never waits, has no callback and reports nothing; errors are counted.
 */
export class RtpSocket {
  errors = 0;
  /** Packets not sent because the kernel still had earlier ones. */
  congested = 0;
  #connected: Source | undefined;
  #view: Buffer | undefined; // the preallocated datagram at the size last sent
  #closed = false;

  private constructor(
    readonly socket: Socket,
    readonly localPort: number,
  ) {}

  /** Opens `port` (0: any) on `address`. Never rejects. */
  static open(address: string, port: number, onDatagram: DatagramHandler): Promise<RtpSocket | SocketRefusal> {
    return new Promise((resolve) => {
      const type = isIPv6(address) ? 'udp6' : 'udp4';
      let opened: RtpSocket | undefined;
      let socket: Socket;
      try {
        socket = createSocket({ type, lookup: noLookup });
      } catch (error) {
        resolve(refusalOf(error));
        return;
      }
      socket.on('error', (error) => {
        if (opened) {
          opened.errors += 1; // ECONNREFUSED while connected: the peer has gone; RTP timeout and signalling deal with it
          return;
        }
        socket.close();
        resolve(refusalOf(error));
      });
      socket.on('message', (datagram, from) => onDatagram(datagram, from.address, from.port));
      socket.bind({ address, port, exclusive: true }, () => {
        try {
          opened = new RtpSocket(socket, socket.address().port);
          resolve(opened);
        } catch (error) {
          socket.close();
          resolve(refusalOf(error));
        }
      });
    });
  }

  /** Sends the first `bytes` of `datagram`, which may be overwritten as soon as this returns. */
  send(datagram: Buffer, bytes: number, target: Source): void {
    if (this.#closed) return;
    // Sending is synchronous while nothing is queued; a queued send would read the buffer later, when it holds other audio.
    if (this.socket.getSendQueueCount() !== 0) {
      this.congested += 1;
      return;
    }
    if (this.#view?.length !== bytes || this.#view.buffer !== datagram.buffer) this.#view = datagram.subarray(0, bytes);
    const connected = this.#connected;
    try {
      if (!connected) this.socket.send(this.#view, target.port, target.address);
      else if (connected.port === target.port && connected.address === target.address) this.socket.send(this.#view);
      else this.errors += 1;
    } catch {
      this.errors += 1;
    }
  }

  /** Connects to `peer`, or with undefined listens to everybody. Cheap to repeat. */
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

function refusalOf(error: unknown): SocketRefusal {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') return 'address-in-use';
  return code === 'EMFILE' || code === 'ENFILE' || code === 'ENOBUFS' || code === 'ENOMEM' || code === 'EAGAIN'
    ? 'no-descriptors'
    : 'failed';
}
