import type { Source } from '../rtp/remote-endpoint.ts';

/** Why there is no socket: another program has the port; no descriptors or memory are left; something else. */
export type SocketRefusal = 'address-in-use' | 'no-descriptors' | 'failed';

const REFUSALS: Readonly<Record<string, SocketRefusal>> = {
  EADDRINUSE: 'address-in-use',
  EMFILE: 'no-descriptors',
  ENFILE: 'no-descriptors',
  ENOBUFS: 'no-descriptors',
  ENOMEM: 'no-descriptors',
  EAGAIN: 'no-descriptors',
};

/** @param code - of a system call, like EMFILE. */
export function refusalOf(code: string | undefined): SocketRefusal {
  return REFUSALS[code ?? ''] ?? 'failed';
}

/**
 * One datagram that came.
 *
 * @param datagram - a view that the next datagram may overwrite: what is to be kept is copied before this returns.
 * @param address - as the system writes it: IPv4 on a port that takes both families is `::ffff:192.0.2.1`.
 * @param atMs - when it came, in the thread's monotonic ms: by the kernel where that tells, else when it was read.
 */
export type DatagramHandler = (datagram: Buffer, address: string, port: number, atMs: number) => void;

/**
 * One UDP port of a call. Connected once the peer is settled: a quarter cheaper per packet, and the kernel drops strangers.
 * Sending never waits and reports nothing.
 */
export interface MediaSocket {
  readonly localPort: number;
  /** What could not be sent or connected, and what the network says of the connected peer: it refuses, it cannot be reached. */
  readonly errors: number;
  /** Sends the first `bytes` of `datagram`, which may be overwritten as soon as this returns. Nobody but a connected peer is sent to. */
  send(datagram: Buffer, bytes: number, target: Source): void;
  /** Connects to `peer`, or with undefined listens to everybody, on a port that was asked for by its number. Cheap to repeat. */
  connect(peer: Source | undefined): void;
  /** Frees the port at once; no datagram is handed over after it. Idempotent. */
  close(): void;
}

/** How a media thread talks to the network. Every socket of a thread comes from one of these. */
export interface MediaIo {
  /** Opens `port` (0: any) on the thread's address. Never rejects. */
  open(port: number, onDatagram: DatagramHandler): Promise<MediaSocket | SocketRefusal>;
  /** Hands over what has come. Once before each tick; does nothing where the event loop hands over by itself. */
  poll(): void;
}
