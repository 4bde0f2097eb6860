import { createCipheriv } from 'node:crypto';
import { SRTP_SUITES, type SrtpSuite } from './srtp-suite.ts';

/** Keys of one kind of packet (RFC 3711 §4.3). `auth` is empty where the cipher authenticates by itself. */
export interface SessionKeys {
  readonly cipher: Buffer;
  readonly auth: Buffer;
  readonly salt: Buffer;
}

/** RFC 3711 §4.3.2: those of SRTCP begin at 3. */
const LABELS = { rtp: 0, rtcp: 3 } as const;
const BITS = 8; // of a byte
const AUTH_KEY_BYTES = 20; // HMAC-SHA1
/** Where the label stands in the 112 bits of the salt, with a key derivation rate of 0. */
const LABEL_AT = 7;

/** @param master - key, then salt, as long as the suite has them. */
export function sessionKeys(suite: SrtpSuite, master: Uint8Array, packets: keyof typeof LABELS): SessionKeys {
  const { cipher, keyBytes, saltBytes } = SRTP_SUITES[suite];
  const key = master.subarray(0, keyBytes);
  const salt = master.subarray(keyBytes);
  const label = LABELS[packets];
  return {
    cipher: derive(key, salt, label, keyBytes),
    auth: cipher === 'cm' ? derive(key, salt, label + 1, AUTH_KEY_BYTES) : Buffer.alloc(0),
    salt: derive(key, salt, label + 2, saltBytes),
  };
}

/** AES in counter mode as Node calls it, by the bytes of its key. */
export const counterMode = (keyBytes: number): string => `aes-${keyBytes * BITS}-ctr`;

/** The key stream of AES in counter mode is the pseudo-random function (RFC 3711 §4.3.3; a salt of 96 bits: RFC 7714 §11). */
export function derive(key: Uint8Array, salt: Uint8Array, label: number, bytes: number): Buffer {
  const counter = Buffer.alloc(16);
  counter.set(salt);
  counter[LABEL_AT] = (counter[LABEL_AT] as number) ^ label;
  return createCipheriv(counterMode(key.length), key, counter).update(Buffer.alloc(bytes));
}
