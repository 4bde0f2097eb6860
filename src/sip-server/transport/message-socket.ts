import type { TransportName } from './transports.ts';

/** What a WebSocket looks like from here; those of the `ws` package are such. Its handshake chose the subprotocol `sip`. */
export interface MessageSocket {
  /** Bytes that are sent and that the peer has not taken. */
  readonly bufferedAmount: number;
  on(event: 'message', listener: (data: Buffer | ArrayBuffer | Buffer[]) => void): unknown;
  on(event: 'pong' | 'close' | 'error', listener: () => void): unknown;
  send(data: Buffer, options: { readonly binary: boolean }, callback: (error?: Error) => void): void;
  ping(): void;
  close(code: number): void;
  terminate(): void;
}

/** Who is at the other end of it, and where it came in. */
export interface SocketPeer {
  readonly transport: TransportName;
  readonly remoteAddress: string; // numeric
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}
