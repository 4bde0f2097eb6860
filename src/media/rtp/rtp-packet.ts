/** One RTP packet (RFC 3550 §5.1). `payload` is a view into the datagram: copy it to keep it. */
export interface RtpPacket {
  readonly payloadType: number; // 0..127
  readonly marker: boolean;
  readonly sequence: number; // uint16, wraps
  readonly timestamp: number; // uint32 ticks of the codec clock (8000 per second for G.711), not milliseconds
  readonly ssrc: number; // uint32
  readonly payload: Buffer;
}

export type RtpReject = 'too-short' | 'bad-version' | 'bad-padding' | 'too-long';

export const RTP_HEADER_BYTES = 12;
const RTP_VERSION = 2;
/** Above any ptime of G.711 (200 ms is 1600 bytes); a larger datagram is not ours. */
export const MAX_RTP_BYTES = 2048;

/**
 * Reads one UDP datagram as RTP.
 *
 * @param datagram - a whole datagram, any length, any content.
 * @returns the packet, or why it was refused; the caller counts the reason and drops. Never throws.
 * @see RFC 3550 §5.1 header, §5.3.1 extension, appendix A.1 validity checks
 */
export function parseRtpPacket(datagram: Buffer): RtpPacket | RtpReject {
  if (datagram.length < RTP_HEADER_BYTES) return 'too-short';
  if (datagram.length > MAX_RTP_BYTES) return 'too-long';
  const flags = datagram[0] as number; // V V P X C C C C
  if (flags >> 6 !== RTP_VERSION) return 'bad-version';
  let start = RTP_HEADER_BYTES + (flags & 0x0f) * 4;
  if (flags & 0x10) {
    if (datagram.length < start + 4) return 'too-short';
    start += 4 + 4 * datagram.readUInt16BE(start + 2);
  }
  let end = datagram.length;
  if (start > end) return 'too-short';
  if (flags & 0x20) {
    const padding = datagram[end - 1] as number; // counts itself
    if (padding === 0 || padding > end - start) return 'bad-padding';
    end -= padding;
  }
  const second = datagram[1] as number;
  return {
    payloadType: second & 0x7f,
    marker: second >= 0x80,
    sequence: datagram.readUInt16BE(2),
    timestamp: datagram.readUInt32BE(4),
    ssrc: datagram.readUInt32BE(8),
    payload: datagram.subarray(start, end),
  };
}

/** Writes a plain 12-byte header (no CSRC, extension or padding) at the start of `into`. */
export function writeRtpHeader(
  into: Uint8Array,
  payloadType: number,
  marker: boolean,
  sequence: number,
  timestamp: number,
  ssrc: number,
): void {
  into[0] = RTP_VERSION << 6;
  into[1] = (marker ? 0x80 : 0) | payloadType;
  into[2] = sequence >>> 8;
  into[3] = sequence;
  into[4] = timestamp >>> 24;
  into[5] = timestamp >>> 16;
  into[6] = timestamp >>> 8;
  into[7] = timestamp;
  into[8] = ssrc >>> 24;
  into[9] = ssrc >>> 16;
  into[10] = ssrc >>> 8;
  into[11] = ssrc;
}

/** RTCP on the RTP port: packet types 192..223 in the second byte (RFC 5761 §4). */
export function looksLikeRtcp(datagram: Buffer): boolean {
  const second = datagram[1] ?? 0;
  return second >= 192 && second <= 223;
}
