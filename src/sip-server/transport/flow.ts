import type { SipMessage } from '../message/sip-message.ts';
import type { MessageSocket, SocketPeer } from './message-socket.ts';
import type { TransportName } from './transports.ts';

export type { TransportName } from './transports.ts';

/** One way to one peer: a UDP source (socket + address + port) or a connection. Answers leave by the flow of the request. */
export interface Flow {
  readonly transport: TransportName;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
  /** True for connections: no retransmission timers (RFC 3261 §17). */
  readonly reliable: boolean;
  readonly closed: boolean;
  /** A connection that we opened. */
  readonly opened?: boolean;
  /** Domains that the peer's certificate proves (RFC 5922 §7.1). */
  readonly peerNames?: readonly string[];
  /** The source may be forged: requests of ours go nowhere but back to it. */
  readonly unproven?: boolean;
  /** A copy of the request that came on it arrived. */
  received?(bytes: number): void;
  /** Never throws. A failure reaches `onError` of this send (ICMP refusal on UDP comes to the transport's `onFlowError`). */
  send(message: Buffer, onError?: (reason: string) => void): void;
}

/** A peer was there and its certificate was not taken. The message is a stable code: `CERT_HAS_EXPIRED`. */
export class CertificateRefused extends Error {
  override readonly name = 'CertificateRefused';
}

/** One row of the transport table at work: its sockets and connections. */
export interface SipTransport {
  readonly connectionCount: number;
  /** Resolves with where it listens; rejects when the port cannot be had. Once in a life. */
  listen(host: string, port: number): Promise<{ readonly address: string; readonly port: number }>;
  /** As `FlowOpener.open`. */
  open(address: string, port: number, signal: AbortSignal, serverName?: string): Promise<Flow>;
  /** The peer says that this connection of its own leads to it at `port` too (`alias` in its Via). */
  alias?(flow: Flow, port: number): void;
  /** Takes over a connection that was opened elsewhere, where that is how this transport comes by them. */
  accept?(socket: MessageSocket, peer: SocketPeer): void;
  close(): Promise<void>;
}

/** Sees every message as it is on the wire, before anything is done with it. Never disturbs it. */
export interface WireTap {
  copy(direction: 'received' | 'sent', message: Buffer, flow: Flow): void;
}

/** What a transport hands up. Requests have top Via `received`/`rport` already filled in (RFC 3261 §18.2.1, RFC 3581). */
export interface TransportEvents {
  onMessage(message: SipMessage, flow: Flow, bytes: number): void;
  /** The peer is gone: connection closed, or ICMP unreachable for this UDP destination. */
  onFlowError(flow: Flow, reason: string): void;
  /** Somebody did not get as far as SIP: `code` is of OpenSSL or the system. */
  onHandshakeFailed?(source: string, code: string): void;
  /** Something that is not SIP, or too broken to answer; counted. */
  onDiscard(reason: string, flow: Flow): void;
}

export interface FlowOpener {
  /**
   * The flow to a destination, opened when needed (UDP at once; TCP/TLS connects or reuses). Rejects after its time limit.
   * `serverName` is the domain a TLS certificate must be for (RFC 5922 §4); without it, the address.
   */
  open(
    transport: TransportName,
    address: string,
    port: number,
    signal: AbortSignal,
    serverName?: string,
  ): Promise<Flow>;
}

export interface TransportLayer extends FlowOpener {
  /** Addresses listened on, for Contact and Via: `udp/127.0.0.1:5060`. */
  readonly listening: readonly { readonly transport: TransportName; readonly address: string; readonly port: number }[];
  close(): Promise<void>;
}
