import type { SessionKeys } from './key-derivation.ts';

/** What a packet is protected with, beside the session keys. */
export interface PacketPlace {
  /** Bytes in front that stay in the clear. */
  readonly clearBytes: number;
  readonly ssrc: number;
  readonly index: number; // of SRTP 48 bits, of SRTCP 31
}

/**
 * The transform of one kind of packet with the session keys of one direction. Packets are changed where they are; tags stand where
 * RFC 3711 §3.1 and RFC 7714 §8 want them, an MKI is the caller's business.
 */
export interface PacketCipher {
  /** @param bytes - of the packet; the tag is written behind it. @returns bytes with the tag. */
  seal(datagram: Buffer, bytes: number, place: PacketPlace): number;
  /**
   * @param bytes - of the packet without tag and MKI.
   * @param tagAt - where the tag stands: behind the MKI or in front of it.
   * @returns whether it is authentic; only then anything was changed.
   */
  open(datagram: Buffer, bytes: number, tagAt: number, place: PacketPlace): boolean;
  /** The same for SRTCP, whose index is part of the packet: tag and index are written behind it. */
  sealRtcp(datagram: Buffer, bytes: number, place: PacketPlace): number;
  /** @param indexAt - where `E` and index stand. */
  openRtcp(datagram: Buffer, bytes: number, tagAt: number, indexAt: number, place: PacketPlace): boolean;
  /** Forgets the keys. Once; nothing is called after it. */
  close(): void;
}

/** The transforms of RFC 3711 and RFC 7714, made by one library. */
export interface PacketCiphers {
  /** AES-CM with HMAC-SHA1. */
  counterMode(keys: SessionKeys, tagBytes: number): PacketCipher;
  /** AES-GCM, by the length of the key. */
  galois(keys: SessionKeys): PacketCipher;
}

export const GCM_TAG_BYTES = 16;
const ENCRYPTED = 0x8000_0000;

/** `E` and index of an SRTCP packet, as they are sent (RFC 3711 §3.4). */
export const indexWord = (index: number): number => ENCRYPTED + index;

/** The first of the counters that AES in counter mode encrypts for a packet, in 16 bytes (RFC 3711 §4.1.1). */
export function writeCounter(into: Buffer, { ssrc, index }: PacketPlace, salt: Buffer): void {
  into.fill(0);
  into.writeUInt32BE(ssrc, 4);
  into.writeUIntBE(index, 8, 6);
  exclusiveOr(into, salt);
}

/** 12 bytes: the index stands where SRTP has rollover counter and sequence, and SRTCP zeros and its index (RFC 7714 §8.1, §9.1). */
export function writeNonce(into: Buffer, { ssrc, index }: PacketPlace, salt: Buffer): void {
  into.fill(0);
  into.writeUInt32BE(ssrc, 2);
  into.writeUIntBE(index, 6, 6);
  exclusiveOr(into, salt);
}

/** The upper 32 of the 48 bits of an SRTP index. */
export const rolloverOf = (index: number): number => Math.floor(index / 2 ** 16);

function exclusiveOr(into: Buffer, other: Buffer): void {
  for (let i = 0; i < other.length; i += 1) into[i] = (into[i] as number) ^ (other[i] as number);
}
