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
import {
  GCM_TAG_BYTES,
  indexWord,
  type PacketCipher,
  type PacketCiphers,
  type PacketPlace,
  rolloverOf,
  writeCounter,
  writeNonce,
} from './packet-cipher.ts';
import { RTCP_CLEAR_BYTES } from './srtp-packet.ts';
import { SRTCP_INDEX_BYTES } from './srtp-suite.ts';

/** By `node:crypto`, which is there wherever Node is. */
export const NODE_CIPHERS: PacketCiphers = {
  counterMode: (keys, tagBytes) => new CounterModeCipher(keys, tagBytes),
  galois: (keys) => new GaloisCipher(keys),
};

const BLOCK_BYTES = 16;
/** Where a block has its number: the 16 bits that the salt leaves free. */
const NUMBER_AT = 14;
/** Blocks to be encrypted to a key stream, of one packet at a time. */
let blocks = Buffer.alloc(2_048);

/**
 * AES in counter mode, and HMAC-SHA1 (RFC 3711 §4.1.1, §4.2.1). One cipher serves all packets, and is given the counters themselves: to
 * make one for each packet would take three times as long.
 */
class CounterModeCipher implements PacketCipher {
  readonly #cipher: Cipher;
  readonly #auth: KeyObject;
  readonly #salt: Buffer;
  readonly #counter = Buffer.alloc(BLOCK_BYTES);
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
    this.#tag(datagram, bytes, this.#rolloverOf(place)).copy(datagram, bytes, 0, this.tagBytes);
    return bytes + this.tagBytes;
  }

  open(datagram: Buffer, bytes: number, tagAt: number, place: PacketPlace): boolean {
    const tag = this.#tag(datagram, bytes, this.#rolloverOf(place));
    return this.#openWith(tag, datagram, bytes, tagAt, place);
  }

  sealRtcp(datagram: Buffer, bytes: number, place: PacketPlace): number {
    this.#crypt(datagram, place.clearBytes, bytes, place);
    const end = datagram.writeUInt32BE(indexWord(place.index), bytes);
    this.#tag(datagram, end).copy(datagram, end, 0, this.tagBytes);
    return end + this.tagBytes;
  }

  openRtcp(datagram: Buffer, bytes: number, tagAt: number, indexAt: number, place: PacketPlace): boolean {
    return this.#openWith(this.#tag(datagram, indexAt + SRTCP_INDEX_BYTES), datagram, bytes, tagAt, place);
  }

  close(): void {}

  #openWith(tag: Buffer, datagram: Buffer, bytes: number, tagAt: number, place: PacketPlace): boolean {
    const { tagBytes } = this;
    if (!timingSafeEqual(tag.subarray(0, tagBytes), datagram.subarray(tagAt, tagAt + tagBytes))) return false;
    this.#crypt(datagram, place.clearBytes, bytes, place);
    return true;
  }

  #crypt(datagram: Buffer, from: number, to: number, place: PacketPlace): void {
    const counter = this.#counter;
    writeCounter(counter, place, this.#salt);
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

  #rolloverOf({ index }: PacketPlace): Buffer {
    this.#rollover.writeUInt32BE(rolloverOf(index));
    return this.#rollover;
  }
}

/** AES in Galois/counter mode, which encrypts and authenticates at once (RFC 7714 §8, §9). */
class GaloisCipher implements PacketCipher {
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
    const word = Buffer.alloc(SRTCP_INDEX_BYTES);
    word.writeUInt32BE(indexWord(place.index));
    const sealed = this.#seal(datagram, bytes, place, Buffer.concat([datagram.subarray(0, RTCP_CLEAR_BYTES), word]));
    word.copy(datagram, sealed);
    return sealed + SRTCP_INDEX_BYTES;
  }

  openRtcp(datagram: Buffer, bytes: number, tagAt: number, indexAt: number, place: PacketPlace): boolean {
    const word = datagram.subarray(indexAt, indexAt + SRTCP_INDEX_BYTES);
    const associated = Buffer.concat([datagram.subarray(0, RTCP_CLEAR_BYTES), word]);
    return this.#open(datagram, bytes, tagAt, place, associated);
  }

  close(): void {}

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

  #nonceOf(place: PacketPlace): Buffer {
    writeNonce(this.#nonce, place, this.#salt);
    return this.#nonce;
  }
}
