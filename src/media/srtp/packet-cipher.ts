import {
  type Cipher,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import type { SessionKeys } from './key-derivation.ts';
import { RTCP_CLEAR_BYTES } from './srtp-packet.ts';
import { SRTCP_INDEX_BYTES } from './srtp-suite.ts';

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
  /** The same for SRTCP, whose index is part of the packet: `tagBytes` and index are written behind it. */
  sealRtcp(datagram: Buffer, bytes: number, place: PacketPlace): number;
  /** @param indexAt - where `E` and index stand. */
  openRtcp(datagram: Buffer, bytes: number, tagAt: number, indexAt: number, place: PacketPlace): boolean;
}

const ENCRYPTED = 0x8000_0000;

/** `E` and index, as they are sent. */
function indexWord(index: number): Buffer {
  const word = Buffer.allocUnsafe(SRTCP_INDEX_BYTES);
  word.writeUInt32BE(ENCRYPTED + index);
  return word;
}

const BLOCK_BYTES = 16;
/** Where a block has its number: the 16 bits that the salt leaves free. */
const NUMBER_AT = 14;
/** Blocks to be encrypted to a key stream, of one packet at a time. */
let blocks = Buffer.alloc(2_048);

/**
 * AES in counter mode, and HMAC-SHA1 (RFC 3711 §4.1.1, §4.2.1). One cipher serves all packets, and is given the counters themselves: to
 * make one for each packet would take three times as long.
 */
export class CounterModeCipher implements PacketCipher {
  readonly #cipher: Cipher;
  readonly #auth: KeyObject;
  readonly #salt: Buffer;
  readonly #counter = Buffer.alloc(16);
  readonly #rollover = Buffer.alloc(4);

  constructor(
    { cipher, auth, salt }: SessionKeys,
    readonly tagBytes: number,
  ) {
    this.#cipher = createCipheriv('aes-128-ecb', cipher, null).setAutoPadding(false);
    this.#auth = createSecretKey(auth);
    this.#salt = salt;
  }

  seal(datagram: Buffer, bytes: number, place: PacketPlace): number {
    this.#crypt(datagram, place.clearBytes, bytes, place);
    this.#tag(datagram, bytes, this.#rolloverOf(place.index)).copy(datagram, bytes, 0, this.tagBytes);
    return bytes + this.tagBytes;
  }

  open(datagram: Buffer, bytes: number, tagAt: number, place: PacketPlace): boolean {
    const tag = this.#tag(datagram, bytes, this.#rolloverOf(place.index)).subarray(0, this.tagBytes);
    if (!timingSafeEqual(tag, datagram.subarray(tagAt, tagAt + this.tagBytes))) return false;
    this.#crypt(datagram, place.clearBytes, bytes, place);
    return true;
  }

  sealRtcp(datagram: Buffer, bytes: number, place: PacketPlace): number {
    this.#crypt(datagram, place.clearBytes, bytes, place);
    indexWord(place.index).copy(datagram, bytes);
    const end = bytes + SRTCP_INDEX_BYTES;
    this.#tag(datagram, end).copy(datagram, end, 0, this.tagBytes);
    return end + this.tagBytes;
  }

  openRtcp(datagram: Buffer, bytes: number, tagAt: number, indexAt: number, place: PacketPlace): boolean {
    const tag = this.#tag(datagram, indexAt + SRTCP_INDEX_BYTES).subarray(0, this.tagBytes);
    if (!timingSafeEqual(tag, datagram.subarray(tagAt, tagAt + this.tagBytes))) return false;
    this.#crypt(datagram, place.clearBytes, bytes, place);
    return true;
  }

  #crypt(datagram: Buffer, from: number, to: number, { ssrc, index }: PacketPlace): void {
    const counter = this.#counter;
    counter.fill(0);
    counter.writeUInt32BE(ssrc, 4);
    counter.writeUIntBE(index, 8, 6);
    exclusiveOr(counter, this.#salt);
    const count = Math.ceil((to - from) / BLOCK_BYTES);
    if (blocks.length < count * BLOCK_BYTES) blocks = Buffer.alloc(count * BLOCK_BYTES);
    for (let number = 0, at = 0; number < count; number += 1, at += BLOCK_BYTES) {
      blocks.set(counter, at);
      blocks[at + NUMBER_AT] = number >>> 8;
      blocks[at + NUMBER_AT + 1] = number;
    }
    const stream = this.#cipher.update(blocks.subarray(0, count * BLOCK_BYTES));
    for (let i = 0, at = from; at < to; i += 1, at += 1)
      datagram[at] = (datagram[at] as number) ^ (stream[i] as number);
  }

  #tag(datagram: Buffer, bytes: number, rollover?: Buffer): Buffer {
    const hmac = createHmac('sha1', this.#auth).update(datagram.subarray(0, bytes));
    if (rollover) hmac.update(rollover);
    return hmac.digest();
  }

  #rolloverOf(index: number): Buffer {
    this.#rollover.writeUInt32BE(Math.floor(index / 2 ** 16));
    return this.#rollover;
  }
}

const GCM_TAG_BYTES = 16;

/** AES in Galois/counter mode, which encrypts and authenticates at once (RFC 7714 §8, §9). */
export class GaloisCipher implements PacketCipher {
  readonly #algorithm: 'aes-128-gcm' | 'aes-256-gcm';
  readonly #key: KeyObject;
  readonly #salt: Buffer;
  readonly #nonce = Buffer.alloc(12);

  constructor({ cipher, salt }: SessionKeys) {
    this.#algorithm = cipher.length === 32 ? 'aes-256-gcm' : 'aes-128-gcm';
    this.#key = createSecretKey(cipher);
    this.#salt = salt;
  }

  seal(datagram: Buffer, bytes: number, place: PacketPlace): number {
    return this.#seal(datagram, bytes, place, datagram.subarray(0, place.clearBytes));
  }

  open(datagram: Buffer, bytes: number, tagAt: number, place: PacketPlace): boolean {
    return this.#open(datagram, bytes, tagAt, place, datagram.subarray(0, place.clearBytes));
  }

  sealRtcp(datagram: Buffer, bytes: number, place: PacketPlace): number {
    const word = indexWord(place.index);
    const sealed = this.#seal(datagram, bytes, place, Buffer.concat([datagram.subarray(0, RTCP_CLEAR_BYTES), word]));
    word.copy(datagram, sealed);
    return sealed + SRTCP_INDEX_BYTES;
  }

  openRtcp(datagram: Buffer, bytes: number, tagAt: number, indexAt: number, place: PacketPlace): boolean {
    const word = datagram.subarray(indexAt, indexAt + SRTCP_INDEX_BYTES);
    const associated = Buffer.concat([datagram.subarray(0, RTCP_CLEAR_BYTES), word]);
    return this.#open(datagram, bytes, tagAt, place, associated);
  }

  #seal(datagram: Buffer, bytes: number, place: PacketPlace, associated: Buffer): number {
    const cipher = createCipheriv(this.#algorithm, this.#key, this.#nonceOf(place), { authTagLength: GCM_TAG_BYTES });
    cipher.setAAD(associated);
    cipher.update(datagram.subarray(place.clearBytes, bytes)).copy(datagram, place.clearBytes);
    cipher.final();
    cipher.getAuthTag().copy(datagram, bytes);
    return bytes + GCM_TAG_BYTES;
  }

  #open(datagram: Buffer, bytes: number, tagAt: number, place: PacketPlace, associated: Buffer): boolean {
    const cipher = createDecipheriv(this.#algorithm, this.#key, this.#nonceOf(place), { authTagLength: GCM_TAG_BYTES });
    cipher.setAAD(associated);
    cipher.setAuthTag(datagram.subarray(tagAt, tagAt + GCM_TAG_BYTES));
    const clear = cipher.update(datagram.subarray(place.clearBytes, bytes));
    try {
      cipher.final();
    } catch {
      return false; // the tag is wrong
    }
    clear.copy(datagram, place.clearBytes);
    return true;
  }

  /** The index stands where SRTP has rollover counter and sequence, and SRTCP zeros and its index (RFC 7714 §8.1, §9.1). */
  #nonceOf({ ssrc, index }: PacketPlace): Buffer {
    const nonce = this.#nonce;
    nonce.fill(0);
    nonce.writeUInt32BE(ssrc, 2);
    nonce.writeUIntBE(index, 6, 6);
    exclusiveOr(nonce, this.#salt);
    return nonce;
  }
}

function exclusiveOr(into: Buffer, other: Buffer): void {
  for (let i = 0; i < other.length; i += 1) into[i] = (into[i] as number) ^ (other[i] as number);
}
