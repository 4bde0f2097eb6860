import { timingSafeEqual } from 'node:crypto';
import type { SessionKeys } from './key-derivation.ts';
import { FixedMemory, type OpensslCalls } from './openssl-calls.ts';
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
import { RTCP_CLEAR_BYTES, SRTP_PACKET_BYTES_MAX } from './srtp-packet.ts';
import { SRTCP_INDEX_BYTES } from './srtp-suite.ts';

/**
 * The same transforms as by `node:crypto`, without an object and a piece of memory for each packet: contexts are set up once with
 * their keys and given a new nonce, and the two halves of an HMAC begin from states that are made once.
 */
export function opensslCiphers(calls: OpensslCalls): PacketCiphers {
  const bench = new Workbench(calls);
  return {
    counterMode: (keys, tagBytes) => new CounterModeCipher(bench, keys, tagBytes),
    galois: (keys) => new GaloisCipher(bench, keys),
  };
}

const BLOCK_BYTES = 16;
const NONCE_BYTES = 12;
const KEEP_DIRECTION = -1;
const ENCRYPT = 1;
const DECRYPT = 0;
/** EVP_CTRL_AEAD_GET_TAG, EVP_CTRL_AEAD_SET_TAG. */
const GET_TAG = 0x10;
const SET_TAG = 0x11;
/** Of SHA-1. */
const HASH_BLOCK_BYTES = 64;
const DIGEST_BYTES = 20;
/** `SHA_CTX` has 96. */
const HASH_STATE_BYTES = 128;

/** Where packets of a thread are worked on, one at a time: memory whose addresses are known, so that nothing is looked up for a packet. */
class Workbench {
  /** A packet, and behind it what is authenticated with it. */
  readonly packet: FixedMemory;
  readonly nonce: FixedMemory;
  readonly word: FixedMemory; // an index of SRTCP
  readonly tag: FixedMemory;
  readonly hash: FixedMemory;
  readonly written: FixedMemory; // how many bytes OpenSSL wrote: what is always known
  readonly counter: Buffer;
  readonly gcmNonce: Buffer;

  constructor(readonly calls: OpensslCalls) {
    const memory = (bytes: number): FixedMemory => new FixedMemory(calls, bytes);
    this.packet = memory(SRTP_PACKET_BYTES_MAX + BLOCK_BYTES);
    this.nonce = memory(BLOCK_BYTES);
    this.word = memory(SRTCP_INDEX_BYTES);
    this.tag = memory(DIGEST_BYTES);
    this.hash = memory(HASH_STATE_BYTES);
    this.written = memory(4);
    this.counter = this.nonce.bytes;
    this.gcmNonce = this.nonce.bytes.subarray(0, NONCE_BYTES);
  }

  /** @throws RangeError for what is longer than any packet: OpenSSL would write over other memory. */
  take(datagram: Buffer, bytes: number): void {
    if (bytes > SRTP_PACKET_BYTES_MAX) throw new RangeError('no packet is as long');
    datagram.copy(this.packet.bytes, 0, 0, bytes);
  }

  /** A context that is only given nonces from now on. @throws Error where OpenSSL refuses. */
  context(cipher: number, key: Buffer): number {
    const { calls } = this;
    const context = calls.EVP_CIPHER_CTX_new();
    const memory = new FixedMemory(calls, key.length);
    memory.bytes.set(key);
    const made = context !== 0 && calls.EVP_CipherInit_ex(context, cipher, 0, memory.address, 0, ENCRYPT) === 1;
    memory.bytes.fill(0);
    if (made) return context;
    calls.EVP_CIPHER_CTX_free(context);
    throw new Error('OpenSSL refuses a cipher');
  }

  /** Encrypts or decrypts where it is. */
  update(context: number, at: number, bytes: number): boolean {
    const { calls, packet, written } = this;
    const address = packet.address + at;
    return bytes === 0 || calls.EVP_CipherUpdate(context, address, written.address, address, bytes) === 1;
  }

  /** Authenticates what stays in the clear. */
  associate(context: number, address: number, bytes: number): boolean {
    return this.calls.EVP_CipherUpdate(context, 0, this.written.address, address, bytes) === 1;
  }
}

/** HMAC-SHA1 (RFC 2104), cut off. */
class Authenticator {
  readonly #inner: Buffer;
  readonly #outer: Buffer;

  constructor(
    readonly bench: Workbench,
    key: Buffer,
    readonly tagBytes: number,
  ) {
    this.#inner = this.#stateAfter(key, 0x36);
    this.#outer = this.#stateAfter(key, 0x5c);
  }

  #stateAfter(key: Buffer, pad: number): Buffer {
    const { calls, hash, packet } = this.bench;
    packet.bytes.fill(pad, 0, HASH_BLOCK_BYTES);
    for (const [at, byte] of key.entries()) packet.bytes[at] = byte ^ pad;
    calls.SHA1_Init(hash.address);
    calls.SHA1_Update(hash.address, packet.address, HASH_BLOCK_BYTES);
    packet.bytes.fill(0, 0, HASH_BLOCK_BYTES);
    return Buffer.from(hash.bytes);
  }

  /** Of the first `bytes` on the bench, which then has the tag. */
  compute(bytes: number): void {
    const { calls, hash, packet, tag } = this.bench;
    hash.bytes.set(this.#inner);
    calls.SHA1_Update(hash.address, packet.address, bytes);
    calls.SHA1_Final(tag.address, hash.address);
    hash.bytes.set(this.#outer);
    calls.SHA1_Update(hash.address, tag.address, DIGEST_BYTES);
    calls.SHA1_Final(tag.address, hash.address);
  }

  write(into: Buffer, at: number): number {
    this.bench.tag.bytes.copy(into, at, 0, this.tagBytes);
    return at + this.tagBytes;
  }

  fits(datagram: Buffer, at: number): boolean {
    const { tagBytes } = this;
    return timingSafeEqual(this.bench.tag.bytes.subarray(0, tagBytes), datagram.subarray(at, at + tagBytes));
  }

  close(): void {
    this.#inner.fill(0);
    this.#outer.fill(0);
  }
}

/** AES in counter mode, and HMAC-SHA1 (RFC 3711 §4.1.1, §4.2.1). */
class CounterModeCipher implements PacketCipher {
  readonly #context: number;
  readonly #auth: Authenticator;
  readonly #salt: Buffer;

  constructor(
    readonly bench: Workbench,
    { cipher, auth, salt }: SessionKeys,
    tagBytes: number,
  ) {
    this.#context = bench.context(bench.calls.EVP_aes_128_ctr(), cipher);
    this.#auth = new Authenticator(bench, auth, tagBytes);
    this.#salt = salt;
  }

  seal(datagram: Buffer, bytes: number, place: PacketPlace): number {
    const { packet } = this.bench;
    this.bench.take(datagram, bytes);
    this.#crypt(place, bytes);
    packet.bytes.copy(datagram, place.clearBytes, place.clearBytes, bytes);
    this.#auth.compute(packet.bytes.writeUInt32BE(rolloverOf(place.index), bytes));
    return this.#auth.write(datagram, bytes);
  }

  open(datagram: Buffer, bytes: number, tagAt: number, place: PacketPlace): boolean {
    const { packet } = this.bench;
    this.bench.take(datagram, bytes);
    this.#auth.compute(packet.bytes.writeUInt32BE(rolloverOf(place.index), bytes));
    return this.#openWhere(datagram, bytes, tagAt, place);
  }

  sealRtcp(datagram: Buffer, bytes: number, place: PacketPlace): number {
    const { packet } = this.bench;
    this.bench.take(datagram, bytes);
    this.#crypt(place, bytes);
    const end = packet.bytes.writeUInt32BE(indexWord(place.index), bytes);
    packet.bytes.copy(datagram, place.clearBytes, place.clearBytes, end);
    this.#auth.compute(end);
    return this.#auth.write(datagram, end);
  }

  openRtcp(datagram: Buffer, bytes: number, tagAt: number, indexAt: number, place: PacketPlace): boolean {
    const end = indexAt + SRTCP_INDEX_BYTES;
    this.bench.take(datagram, end);
    this.#auth.compute(end);
    return this.#openWhere(datagram, bytes, tagAt, place);
  }

  close(): void {
    this.bench.calls.EVP_CIPHER_CTX_free(this.#context);
    this.#auth.close();
  }

  #openWhere(datagram: Buffer, bytes: number, tagAt: number, place: PacketPlace): boolean {
    if (!this.#auth.fits(datagram, tagAt)) return false;
    this.#crypt(place, bytes);
    this.bench.packet.bytes.copy(datagram, place.clearBytes, place.clearBytes, bytes);
    return true;
  }

  #crypt(place: PacketPlace, bytes: number): void {
    const { bench } = this;
    writeCounter(bench.counter, place, this.#salt);
    const started = bench.calls.EVP_CipherInit_ex(this.#context, 0, 0, 0, bench.nonce.address, KEEP_DIRECTION) === 1;
    if (!started || !bench.update(this.#context, place.clearBytes, bytes - place.clearBytes)) throw new Error(REFUSED);
  }
}

/** Never seen; it must not end in a packet that leaves in the clear. The call ends then. */
const REFUSED = 'OpenSSL refuses a packet';

/** AES in Galois/counter mode, which encrypts and authenticates at once (RFC 7714 §8, §9). */
class GaloisCipher implements PacketCipher {
  readonly #context: number;
  readonly #salt: Buffer;

  constructor(
    readonly bench: Workbench,
    { cipher, salt }: SessionKeys,
  ) {
    const { calls } = bench;
    this.#context = bench.context(cipher.length === 32 ? calls.EVP_aes_256_gcm() : calls.EVP_aes_128_gcm(), cipher);
    this.#salt = salt;
  }

  seal(datagram: Buffer, bytes: number, place: PacketPlace): number {
    this.bench.take(datagram, bytes);
    this.#start(place, ENCRYPT);
    return this.#seal(datagram, bytes, place);
  }

  open(datagram: Buffer, bytes: number, tagAt: number, place: PacketPlace): boolean {
    this.bench.take(datagram, bytes);
    this.#start(place, DECRYPT);
    return this.#open(datagram, bytes, tagAt, place);
  }

  sealRtcp(datagram: Buffer, bytes: number, place: PacketPlace): number {
    const { word } = this.bench;
    this.bench.take(datagram, bytes);
    word.bytes.writeUInt32BE(indexWord(place.index));
    this.#start(place, ENCRYPT, true);
    const sealed = this.#seal(datagram, bytes, place);
    word.bytes.copy(datagram, sealed);
    return sealed + SRTCP_INDEX_BYTES;
  }

  openRtcp(datagram: Buffer, bytes: number, tagAt: number, indexAt: number, place: PacketPlace): boolean {
    this.bench.take(datagram, bytes);
    datagram.copy(this.bench.word.bytes, 0, indexAt, indexAt + SRTCP_INDEX_BYTES);
    this.#start(place, DECRYPT, true);
    return this.#open(datagram, bytes, tagAt, place);
  }

  close(): void {
    this.bench.calls.EVP_CIPHER_CTX_free(this.#context);
  }

  /** With what is authenticated only: all in front of what is encrypted, and of SRTCP the index behind it. */
  #start(place: PacketPlace, direction: number, withIndex = false): void {
    const { calls, nonce, gcmNonce, packet, word } = this.bench;
    writeNonce(gcmNonce, place, this.#salt);
    const started =
      calls.EVP_CipherInit_ex(this.#context, 0, 0, 0, nonce.address, direction) === 1 &&
      this.bench.associate(this.#context, packet.address, withIndex ? RTCP_CLEAR_BYTES : place.clearBytes) &&
      (!withIndex || this.bench.associate(this.#context, word.address, SRTCP_INDEX_BYTES));
    if (!started) throw new Error(REFUSED);
  }

  #seal(datagram: Buffer, bytes: number, { clearBytes }: PacketPlace): number {
    const { bench } = this;
    const { calls, packet, tag, written } = bench;
    const sealed =
      bench.update(this.#context, clearBytes, bytes - clearBytes) &&
      calls.EVP_CipherFinal_ex(this.#context, tag.address, written.address) === 1 &&
      calls.EVP_CIPHER_CTX_ctrl(this.#context, GET_TAG, GCM_TAG_BYTES, tag.address) === 1;
    if (!sealed) throw new Error(REFUSED);
    packet.bytes.copy(datagram, clearBytes, clearBytes, bytes);
    tag.bytes.copy(datagram, bytes, 0, GCM_TAG_BYTES);
    return bytes + GCM_TAG_BYTES;
  }

  #open(datagram: Buffer, bytes: number, tagAt: number, { clearBytes }: PacketPlace): boolean {
    const { bench } = this;
    const { calls, packet, tag, written } = bench;
    datagram.copy(tag.bytes, 0, tagAt, tagAt + GCM_TAG_BYTES);
    const authentic =
      bench.update(this.#context, clearBytes, bytes - clearBytes) &&
      calls.EVP_CIPHER_CTX_ctrl(this.#context, SET_TAG, GCM_TAG_BYTES, tag.address) === 1 &&
      calls.EVP_CipherFinal_ex(this.#context, tag.address, written.address) === 1;
    if (authentic) packet.bytes.copy(datagram, clearBytes, clearBytes, bytes);
    return authentic;
  }
}
