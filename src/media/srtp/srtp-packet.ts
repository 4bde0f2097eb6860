import { SRTCP_INDEX_BYTES, SRTP_SUITES, type SrtpSuite } from './srtp-suite.ts';

/** Above any packet of a call: what is longer is not looked at. */
export const SRTP_PACKET_BYTES_MAX = 2_048;

const RTP_HEADER_BYTES = 12;
/** What of an SRTCP packet is in the clear: header and SSRC of its first part. */
export const RTCP_CLEAR_BYTES = 8;
const E_BIT = 0x80;

/** Where what is encrypted begins: behind header, CSRCs and extension (RFC 3711 §3.1); undefined where the packet is too short. */
export function rtpHeaderBytes(datagram: Buffer, bytes: number): number | undefined {
  if (bytes < RTP_HEADER_BYTES) return undefined;
  const flags = datagram[0] as number;
  if (flags >> 6 !== 2) return undefined;
  let header = RTP_HEADER_BYTES + 4 * (flags & 0x0f);
  if (flags & 0x10) {
    if (bytes < header + 4) return undefined;
    header += 4 + 4 * datagram.readUInt16BE(header + 2);
  }
  return header <= bytes ? header : undefined;
}

/** The stream that a packet of at least 12 bytes is of. */
export const rtpSsrc = (datagram: Buffer): number => datagram.readUInt32BE(8);
/** The stream that an RTCP packet of at least 8 bytes is of. */
export const rtcpSsrc = (datagram: Buffer): number => datagram.readUInt32BE(4);

/** Where an SRTCP packet has its index: in front of MKI and tag, with GCM behind the tag (RFC 3711 §3.4, RFC 7714 §9.2). */
export function rtcpIndexAt(suite: SrtpSuite, bytes: number, mkiBytes: number): number {
  const { cipher, rtcpTagBytes } = SRTP_SUITES[suite];
  return bytes - SRTCP_INDEX_BYTES - mkiBytes - (cipher === 'cm' ? rtcpTagBytes : 0);
}

/** Long enough to be an SRTCP packet, and encrypted as is agreed: what is only authenticated was never asked for. */
export function isWholeRtcp(suite: SrtpSuite, datagram: Buffer, mkiBytes: number): boolean {
  const shortest = RTCP_CLEAR_BYTES + SRTP_SUITES[suite].rtcpTagBytes + SRTCP_INDEX_BYTES + mkiBytes;
  if (datagram.length < shortest || datagram.length > SRTP_PACKET_BYTES_MAX) return false;
  if ((datagram[0] as number) >> 6 !== 2) return false;
  return ((datagram[rtcpIndexAt(suite, datagram.length, mkiBytes)] as number) & E_BIT) !== 0;
}

/** Long enough to be an SRTP packet, whole up to its payload. */
export function isWholeRtp(suite: SrtpSuite, datagram: Buffer, mkiBytes: number): boolean {
  const bytes = datagram.length - SRTP_SUITES[suite].tagBytes - mkiBytes;
  return datagram.length <= SRTP_PACKET_BYTES_MAX && rtpHeaderBytes(datagram, bytes) !== undefined;
}
