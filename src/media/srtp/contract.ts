import type { SrtpKeyMaterial } from './srtp-key.ts';

/**
 * Why a packet is not believed. `forged`: its tag is wrong. `replayed`: its index was there before, or is too old to know.
 * `unknown-key`: it names a key that nobody announced. `malformed`: too short to be one, or not encrypted. `too-many-streams`: the
 * peer uses more SSRCs than a call has.
 */
export type SrtpReject = 'forged' | 'replayed' | 'unknown-key' | 'malformed' | 'too-many-streams';

/** SSRCs one peer may use with one key: each costs memory for as long as the key is used. */
export const SRTP_STREAMS_MAX = 64;
/** Packets that may come out of order, and are told from those that came before (RFC 3711 §3.3.2: 64 at least). */
export const REPLAY_WINDOW_PACKETS = 256;
export const RTCP_WINDOW_PACKETS = 128;

/**
 * Protects what we send, in place. Nothing is allocated that stays.
 *
 * Each method takes a packet that is the first `bytes` of `datagram`, behind which there is room (`SRTP_TRAILER_BYTES_MAX`), and
 * returns the bytes to send; 0 where it must not be sent: the key has protected as much as it may.
 */
export interface SrtpSender {
  protectRtp(datagram: Buffer, bytes: number): number;
  protectRtcp(datagram: Buffer, bytes: number): number;
  /** Idempotent; nothing is protected after it. */
  close(): void;
}

/**
 * Judges and opens what comes, in place: of a datagram that is refused the contents are undefined afterwards.
 *
 * @returns bytes of the packet that is left, from the start of `datagram`; or why there is none. Never throws for what it is given.
 */
export interface SrtpReceiver {
  unprotectRtp(datagram: Buffer): number | SrtpReject;
  unprotectRtcp(datagram: Buffer): number | SrtpReject;
  /** Idempotent; everything is refused after it. */
  close(): void;
}

/** Where a stream was when its keys changed. */
export interface StreamPosition {
  readonly ssrc: number;
  readonly highest: number; // index of the newest packet
}

/** One way to do SRTP (RFC 3711, RFC 7714). All keys of a receiver are of one suite; several have MKIs of one length. */
export interface SrtpImplementation {
  readonly name: 'openssl' | 'node:crypto';
  sender(key: SrtpKeyMaterial): SrtpSender;
  /** @param from - that stream is counted on where it was: its rollover counter is not begun anew (RFC 3711 §3.3.1). */
  receiver(keys: readonly SrtpKeyMaterial[], from?: StreamPosition): SrtpReceiver;
}
