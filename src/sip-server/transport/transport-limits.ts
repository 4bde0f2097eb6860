import { RATE_LIMITS, type RateLimits } from './rate-guard.ts';

/** Bounds of the transport layer. Times in milliseconds. */
export interface TransportLimits {
  readonly messageBytesMax: number;
  readonly connectionsMax: number; // of all transports that have connections, both directions
  readonly connectionsPerSourceMax: number; // incoming
  readonly queuedBytesMax: number; // per connection, written but not yet taken by the peer; above it the connection is closed
  readonly connectMs: number; // TCP connect and TLS handshake
  readonly partialMs: number; // from the first byte of a message to its last
  readonly idleMs: number; // without a byte in either direction; longer than any transaction (64*T1 = 32 s)
  /** Idle, and kept alive by pings that its peer answers: longer than most calls, so that a BYE finds it. */
  readonly keptAliveMs: number;
  readonly keepAliveMs: number; // silence before a ping of ours (RFC 5626 §4.4.1 has 120 s at most)
  readonly pongMs: number;
  readonly socketPingMs: number; // of WebSockets; two without an answer end one
  readonly rate: RateLimits;
}

export const TRANSPORT_LIMITS: TransportLimits = {
  messageBytesMax: 65_536,
  connectionsMax: 2_000,
  connectionsPerSourceMax: 100,
  queuedBytesMax: 1_048_576,
  connectMs: 5_000,
  partialMs: 10_000,
  idleMs: 900_000,
  keptAliveMs: 7_200_000,
  keepAliveMs: 120_000,
  pongMs: 10_000,
  socketPingMs: 30_000,
  rate: RATE_LIMITS,
};
