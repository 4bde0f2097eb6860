/** How a crypto-suite works: sizes in bytes. `saltBytes` follows the key where SDES writes both (RFC 4568 §6.1). */
export interface SuiteShape {
  readonly cipher: 'cm' | 'gcm';
  readonly keyBytes: number;
  readonly saltBytes: number;
  readonly tagBytes: number; // of an SRTP packet
  readonly rtcpTagBytes: number; // of an SRTCP packet: never the short one (RFC 4568 §6.2.2)
}

/** The crypto-suites that are spoken, strongest first: RFC 4568 §6.2 and RFC 7714 §14.2. */
export const SRTP_SUITES = {
  AEAD_AES_256_GCM: { cipher: 'gcm', keyBytes: 32, saltBytes: 12, tagBytes: 16, rtcpTagBytes: 16 },
  AEAD_AES_128_GCM: { cipher: 'gcm', keyBytes: 16, saltBytes: 12, tagBytes: 16, rtcpTagBytes: 16 },
  AES_CM_128_HMAC_SHA1_80: { cipher: 'cm', keyBytes: 16, saltBytes: 14, tagBytes: 10, rtcpTagBytes: 10 },
  AES_CM_128_HMAC_SHA1_32: { cipher: 'cm', keyBytes: 16, saltBytes: 14, tagBytes: 4, rtcpTagBytes: 10 },
} as const satisfies Record<string, SuiteShape>;

export type SrtpSuite = keyof typeof SRTP_SUITES;

export const SRTP_SUITE_NAMES = Object.keys(SRTP_SUITES) as readonly SrtpSuite[];

export const isSrtpSuite = (name: string): name is SrtpSuite => Object.hasOwn(SRTP_SUITES, name);

/** Bytes of master key and master salt. */
export function keyingBytes(suite: SrtpSuite): number {
  const { keyBytes, saltBytes } = SRTP_SUITES[suite];
  return keyBytes + saltBytes;
}

/** `E` and the index of an SRTCP packet (RFC 3711 §3.4). */
export const SRTCP_INDEX_BYTES = 4;
/** Room that protecting takes behind a packet of ours; we send no MKI. */
export const SRTP_TRAILER_BYTES_MAX = 16 + SRTCP_INDEX_BYTES;
