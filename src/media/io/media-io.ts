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

/** What came of opening a port. */
export type Opened = (result: MediaSocket | SocketRefusal) => void;

/** How a media thread talks to the network. Every socket of a thread comes from one of these. */
export interface MediaIo {
  /** Whether nothing here needs the event loop: ports are open when `open` returns, and only `poll` hands datagrams over. */
  readonly synchronous: boolean;
  /** Opens `port` (0: any) on the thread's address. `opened` is told once, before this returns or later; it throws nothing. */
  open(port: number, onDatagram: DatagramHandler, opened: Opened): void;
  /**
   * Hands over what has come, of each socket one datagram at most. Before each tick; does nothing where the event loop hands over by
   * itself.
   *
   * @param hear - called once it is known which sockets have something, before any of it is read: what it learns was there first.
   * @returns whether there was anything, and so may be more.
   */
  poll(hear?: () => void): boolean;
}
