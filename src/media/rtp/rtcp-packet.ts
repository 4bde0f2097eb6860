/** RTCP on the wire (RFC 3550 §6): compound packets of SR, RR, SDES and BYE. Other types are skipped when reading. */

export const RTCP_SR = 200;
export const RTCP_RR = 201;
export const RTCP_SDES = 202;
export const RTCP_BYE = 203;

export interface ReportBlock {
  readonly ssrc: number; // whose reception is reported
  readonly fractionLost: number; // 0..255
  readonly cumulativeLost: number; // signed 24-bit
  readonly extendedHighest: number;
  readonly jitter: number; // timestamp units
  readonly lastSenderReport: number; // middle 32 bits of the NTP time of the last SR; 0 for none
  readonly delaySinceLast: number; // 1/65536 s
}

export interface SenderInfo {
  readonly ntpSeconds: number;
  readonly ntpFraction: number;
  readonly rtpTimestamp: number;
  readonly packets: number;
  readonly octets: number;
}

export type RtcpPacket =
  | {
      readonly type: 'sr';
      readonly ssrc: number;
      readonly sender: SenderInfo;
      readonly reports: readonly ReportBlock[];
    }
  | { readonly type: 'rr'; readonly ssrc: number; readonly reports: readonly ReportBlock[] }
  | { readonly type: 'sdes'; readonly ssrc: number; readonly cname: string }
  | { readonly type: 'bye'; readonly ssrcs: readonly number[] };

export type RtcpReject = 'too-short' | 'bad-version' | 'bad-length' | 'not-report-first';

const NTP_UNIX_OFFSET_S = 2_208_988_800;
const BLOCK_BYTES = 24;
const MAX_PACKETS = 32; // in one datagram

/** Middle 32 bits of the NTP time of UTC milliseconds, with its halves. */
export function ntpTime(utcMs: number): {
  readonly seconds: number;
  readonly fraction: number;
  readonly middle: number;
} {
  const whole = Math.floor(utcMs / 1000);
  const seconds = (whole + NTP_UNIX_OFFSET_S) >>> 0;
  const fraction = Math.floor(((utcMs / 1000 - whole) * 0x1_0000_0000) % 0x1_0000_0000) >>> 0;
  return { seconds, fraction, middle: (((seconds & 0xffff) << 16) | (fraction >>> 16)) >>> 0 };
}

/** Reads one datagram; never throws. The first packet must be SR or RR (appendix A.2), unless it is a lone BYE. */
export function parseRtcp(datagram: Buffer): readonly RtcpPacket[] | RtcpReject {
  if (datagram.length < 8) return 'too-short';
  const packets: RtcpPacket[] = [];
  for (let at = 0, count = 0; at < datagram.length && count < MAX_PACKETS; count += 1) {
    if (datagram.length - at < 4) return 'bad-length';
    const flags = datagram[at] as number;
    if (flags >> 6 !== 2) return 'bad-version';
    const type = datagram[at + 1] as number;
    if (count === 0 && type !== RTCP_SR && type !== RTCP_RR && type !== RTCP_BYE) return 'not-report-first';
    const length = 4 * (datagram.readUInt16BE(at + 2) + 1);
    if (at + length > datagram.length) return 'bad-length';
    const packet = parseOne(type, flags & 0x1f, datagram.subarray(at + 4, at + length));
    if (packet === 'bad-length') return packet;
    if (packet) packets.push(packet);
    at += length;
  }
  return packets;
}

function parseOne(type: number, count: number, body: Buffer): RtcpPacket | 'bad-length' | undefined {
  switch (type) {
    case RTCP_SR: {
      if (body.length < 24 + count * BLOCK_BYTES) return 'bad-length';
      const sender = {
        ntpSeconds: body.readUInt32BE(4),
        ntpFraction: body.readUInt32BE(8),
        rtpTimestamp: body.readUInt32BE(12),
        packets: body.readUInt32BE(16),
        octets: body.readUInt32BE(20),
      };
      return { type: 'sr', ssrc: body.readUInt32BE(0), sender, reports: parseReports(body.subarray(24), count) };
    }
    case RTCP_RR:
      if (body.length < 4 + count * BLOCK_BYTES) return 'bad-length';
      return { type: 'rr', ssrc: body.readUInt32BE(0), reports: parseReports(body.subarray(4), count) };
    case RTCP_SDES:
      return parseSdes(count, body);
    case RTCP_BYE:
      if (body.length < count * 4) return 'bad-length';
      return { type: 'bye', ssrcs: Array.from({ length: count }, (_, i) => body.readUInt32BE(i * 4)) };
    default:
      return undefined;
  }
}

function parseReports(body: Buffer, count: number): ReportBlock[] {
  return Array.from({ length: count }, (_, i) => {
    const at = i * BLOCK_BYTES;
    return {
      ssrc: body.readUInt32BE(at),
      fractionLost: body.readUInt8(at + 4),
      cumulativeLost: body.readIntBE(at + 5, 3),
      extendedHighest: body.readUInt32BE(at + 8),
      jitter: body.readUInt32BE(at + 12),
      lastSenderReport: body.readUInt32BE(at + 16),
      delaySinceLast: body.readUInt32BE(at + 20),
    };
  });
}

/** The first chunk's CNAME is all that is used. */
function parseSdes(count: number, body: Buffer): RtcpPacket | 'bad-length' | undefined {
  if (count === 0) return undefined;
  if (body.length < 4) return 'bad-length';
  for (let at = 4; at + 2 <= body.length && body[at] !== 0; ) {
    const length = body[at + 1] as number;
    if (at + 2 + length > body.length) return 'bad-length';
    if (body[at] === 1) {
      return { type: 'sdes', ssrc: body.readUInt32BE(0), cname: body.toString('utf8', at + 2, at + 2 + length) };
    }
    at += 2 + length;
  }
  return undefined;
}

/** One compound datagram from its packets, in the order given. */
export function buildRtcp(packets: readonly RtcpPacket[]): Buffer {
  return Buffer.concat(packets.map(buildOne));
}

function buildOne(packet: RtcpPacket): Buffer {
  switch (packet.type) {
    case 'sr': {
      const body = Buffer.alloc(24);
      const { sender } = packet;
      [packet.ssrc, sender.ntpSeconds, sender.ntpFraction, sender.rtpTimestamp, sender.packets, sender.octets].forEach(
        (value, i) => void body.writeUInt32BE(value >>> 0, i * 4),
      );
      return framed(RTCP_SR, packet.reports.length, [body, ...packet.reports.map(buildReport)]);
    }
    case 'rr':
      return framed(RTCP_RR, packet.reports.length, [word(packet.ssrc), ...packet.reports.map(buildReport)]);
    case 'sdes': {
      const name = Buffer.from(packet.cname, 'utf8').subarray(0, 255);
      // Item, then a terminating zero, padded to a word.
      const chunk = Buffer.alloc(Math.ceil((2 + name.length + 1) / 4) * 4);
      chunk[0] = 1;
      chunk[1] = name.length;
      name.copy(chunk, 2);
      return framed(RTCP_SDES, 1, [word(packet.ssrc), chunk]);
    }
    case 'bye':
      return framed(RTCP_BYE, packet.ssrcs.length, packet.ssrcs.map(word));
  }
}

function framed(type: number, count: number, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(4);
  header[0] = 0x80 | count;
  header[1] = type;
  header.writeUInt16BE(body.length / 4, 2);
  return Buffer.concat([header, body]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

function buildReport(report: ReportBlock): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.writeUInt32BE(report.ssrc, 0);
  block.writeUInt8(report.fractionLost, 4);
  block.writeIntBE(Math.max(-0x80_0000, Math.min(0x7f_ffff, report.cumulativeLost)), 5, 3);
  block.writeUInt32BE(report.extendedHighest, 8);
  block.writeUInt32BE(report.jitter, 12);
  block.writeUInt32BE(report.lastSenderReport, 16);
  block.writeUInt32BE(report.delaySinceLast, 20);
  return block;
}
