import { REPLAY_WINDOW_PACKETS } from '../../../src/media/srtp/contract.ts';
import type { SrtpKeyMaterial } from '../../../src/media/srtp/srtp-key.ts';
import { SRTP_SUITES, type SrtpSuite } from '../../../src/media/srtp/srtp-suite.ts';
import type { LibsrtpCalls } from './libsrtp-calls.ts';

/** Offsets in `srtp_policy_t`, with pointers of 64 bits. */
const POLICY_BYTES = 128;
const SSRC_TYPE = 0;
const RTP = 8;
const RTCP = 32;
const KEY = 56;
const KEYS = 64;
const KEY_COUNT = 72;
const WINDOW = 88;
/** `srtp_crypto_policy_t`: cipher, its bytes with the salt, authentication, its bytes, bytes of the tag, services. */
const CONFIDENTIALITY_AND_AUTHENTICATION = 3;
/** `srtp_master_key_t`: pointers to key and MKI, bytes of the MKI. */
const MASTER_KEY_BYTES = 24;

/** `ssrc_any_inbound`, `ssrc_any_outbound`. */
const STREAMS = { receive: 2, send: 3 } as const;

const CIPHERS: Readonly<Record<SrtpSuite, number>> = {
  AES_CM_128_HMAC_SHA1_80: 1,
  AES_CM_128_HMAC_SHA1_32: 1,
  AEAD_AES_128_GCM: 6,
  AEAD_AES_256_GCM: 7,
};
const HMAC_SHA1 = 3;
const HMAC_SHA1_KEY_BYTES = 20;

/** Makes a session for all SSRCs of one direction. @returns its address, or the status that the library refused with. */
export function createSession(
  calls: LibsrtpCalls,
  direction: keyof typeof STREAMS,
  keys: readonly SrtpKeyMaterial[],
): { readonly session: number } | { readonly status: number } {
  const [first] = keys;
  if (!first) throw new RangeError('a session has one key at least');
  const policy = allocate(POLICY_BYTES);
  policy.writeUInt32LE(STREAMS[direction], SSRC_TYPE);
  writeCrypto(policy, RTP, first.suite, SRTP_SUITES[first.suite].tagBytes);
  writeCrypto(policy, RTCP, first.suite, SRTP_SUITES[first.suite].rtcpTagBytes);
  policy.writeBigUInt64LE(BigInt(REPLAY_WINDOW_PACKETS), WINDOW);
  const kept = first.mki ? writeMasterKeys(calls, policy, keys) : writeKey(calls, policy, first);
  const session = new BigUint64Array(new ArrayBuffer(8));
  const status = calls.srtp_create(session, policy);
  for (const memory of kept) memory.fill(0); // the library has derived what it needs
  return status === 0 ? { session: Number(session[0]) } : { status };
}

function writeCrypto(policy: Buffer, at: number, suite: SrtpSuite, tagBytes: number): void {
  const { cipher, keyBytes, saltBytes } = SRTP_SUITES[suite];
  const byItself = cipher === 'gcm';
  const fields = [
    CIPHERS[suite],
    keyBytes + saltBytes,
    byItself ? 0 : HMAC_SHA1,
    byItself ? 0 : HMAC_SHA1_KEY_BYTES,
    tagBytes,
    CONFIDENTIALITY_AND_AUTHENTICATION,
  ];
  for (const [index, field] of fields.entries()) policy.writeUInt32LE(field, at + 4 * index);
}

function writeKey(calls: LibsrtpCalls, policy: Buffer, { bytes }: SrtpKeyMaterial): Buffer[] {
  const key = allocate(bytes.length, bytes);
  policy.writeBigUInt64LE(calls.addressOf(key), KEY);
  return [key];
}

/** An array of pointers to structures of pointers. */
function writeMasterKeys(calls: LibsrtpCalls, policy: Buffer, keys: readonly SrtpKeyMaterial[]): Buffer[] {
  const pointers = allocate(8 * keys.length);
  const kept = [pointers];
  for (const [index, { bytes, mki = new Uint8Array(0) }] of keys.entries()) {
    const [key, name, master] = [allocate(bytes.length, bytes), allocate(mki.length, mki), allocate(MASTER_KEY_BYTES)];
    master.writeBigUInt64LE(calls.addressOf(key), 0);
    master.writeBigUInt64LE(calls.addressOf(name), 8);
    master.writeUInt32LE(mki.length, 16);
    pointers.writeBigUInt64LE(calls.addressOf(master), 8 * index);
    kept.push(key, name, master);
  }
  policy.writeBigUInt64LE(calls.addressOf(pointers), KEYS);
  policy.writeBigUInt64LE(BigInt(keys.length), KEY_COUNT);
  return kept;
}

/** Memory that stays where it is: the engine moves what is small and has no buffer of its own. */
function allocate(bytes: number, contents?: Uint8Array): Buffer {
  const memory = Buffer.from(new ArrayBuffer(bytes));
  if (contents) memory.set(contents);
  return memory;
}
