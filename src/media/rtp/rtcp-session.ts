import { buildRtcp, ntpTime, parseRtcp, type ReportBlock, type RtcpPacket } from './rtcp-packet.ts';
import type { RtpReceiveStream, RtpSendStream } from './rtp-stream.ts';

export const RTCP_INTERVAL_MS = 5_000;
/** Longer round trips are clock errors. */
/** Some peers leave out the delay since our last report: the difference is then their reporting interval. */
const MAX_ROUND_TRIP_MS = 3_000;
const UNITS_PER_SECOND = 65_536;

/** What the peer told us about our stream. */
export interface RemoteReport {
  readonly lossPercent: number;
  readonly jitterMs: number;
  readonly roundTripMs: number | undefined; // the shortest seen
}

/** RTCP of one call: what to send every five seconds, and what came back. Pure: times are passed in. */
export class RtcpSession {
  remote: RemoteReport | undefined;
  rejected = 0;
  #nextMs: number;
  #lastSenderReport = 0; // of the peer, NTP middle
  #lastSenderReportAtMs = 0;

  constructor(
    readonly sending: RtpSendStream,
    readonly receiving: RtpReceiveStream,
    readonly cname: string,
    nowMs: number,
  ) {
    this.#nextMs = nowMs + RTCP_INTERVAL_MS / 2; // the first report early, RFC 3550 §6.2
  }

  due(nowMs: number): boolean {
    return nowMs >= this.#nextMs;
  }

  /** The compound packet that is due: SR when we sent anything, else RR, then SDES; `bye` ends the stream. */
  build(nowMs: number, utcMs: number, bye = false): Buffer {
    this.#nextMs = Math.max(nowMs, this.#nextMs) + RTCP_INTERVAL_MS;
    const { ssrc } = this.sending;
    const reports = this.#reports(nowMs);
    const packets: RtcpPacket[] = [];
    if (this.sending.packets > 0) {
      const ntp = ntpTime(utcMs);
      packets.push({
        type: 'sr',
        ssrc,
        reports,
        sender: {
          ntpSeconds: ntp.seconds,
          ntpFraction: ntp.fraction,
          rtpTimestamp: this.sending.timestamp,
          packets: this.sending.packets,
          octets: this.sending.octets,
        },
      });
    } else {
      packets.push({ type: 'rr', ssrc, reports });
    }
    packets.push({ type: 'sdes', ssrc, cname: this.cname });
    if (bye) packets.push({ type: 'bye', ssrcs: [ssrc] });
    return buildRtcp(packets);
  }

  /** Takes a datagram from the peer's RTCP address. A BYE is not the end of a call: signalling says that. */
  receive(datagram: Buffer, nowMs: number, utcMs: number): void {
    const packets = parseRtcp(datagram);
    if (typeof packets === 'string') {
      this.rejected += 1;
      return;
    }
    for (const packet of packets) {
      if (packet.type !== 'sr' && packet.type !== 'rr') continue;
      if (packet.type === 'sr') {
        this.#lastSenderReport =
          (((packet.sender.ntpSeconds & 0xffff) << 16) | (packet.sender.ntpFraction >>> 16)) >>> 0;
        this.#lastSenderReportAtMs = nowMs;
      }
      const ours = packet.reports.find((report) => report.ssrc === this.sending.ssrc);
      if (ours) this.remote = this.#remoteReport(ours, utcMs);
    }
  }

  #reports(nowMs: number): ReportBlock[] {
    if (this.receiving.ssrc === undefined) return [];
    const since = this.#lastSenderReport === 0 ? 0 : (nowMs - this.#lastSenderReportAtMs) / 1000;
    return [
      {
        ssrc: this.receiving.ssrc,
        ...this.receiving.report(),
        lastSenderReport: this.#lastSenderReport,
        delaySinceLast: Math.min(0xffff_ffff, Math.round(since * UNITS_PER_SECOND)),
      },
    ];
  }

  /** RFC 3550 §6.4.1: round trip = now - LSR - DLSR. */
  #remoteReport(report: ReportBlock, utcMs: number): RemoteReport {
    const units = (ntpTime(utcMs).middle - report.lastSenderReport - report.delaySinceLast) | 0;
    const roundTripMs = (units * 1000) / UNITS_PER_SECOND;
    const known = report.lastSenderReport !== 0 && roundTripMs >= 0 && roundTripMs <= MAX_ROUND_TRIP_MS;
    return {
      lossPercent: (report.fractionLost * 100) / 256,
      jitterMs: (report.jitter * 1000) / this.sending.clockRateHz,
      roundTripMs: known ? Math.min(roundTripMs, this.remote?.roundTripMs ?? roundTripMs) : this.remote?.roundTripMs,
    };
  }
}
