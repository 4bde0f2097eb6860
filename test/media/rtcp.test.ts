import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildRtcp, ntpTime, parseRtcp, type ReportBlock, type RtcpPacket } from '../../src/media/rtp/rtcp-packet.ts';
import { RTCP_INTERVAL_MS, RtcpSession } from '../../src/media/rtp/rtcp-session.ts';
import { RtpReceiveStream, RtpSendStream } from '../../src/media/rtp/rtp-stream.ts';
import { runs } from '../support/property-runs.ts';

const block: ReportBlock = {
  ssrc: 0xdead_beef,
  fractionLost: 128,
  cumulativeLost: -3,
  extendedHighest: 0xffff_ffff,
  jitter: 40,
  lastSenderReport: 0x8000_0001,
  delaySinceLast: 65_536,
};
const sender = {
  ntpSeconds: 0xe000_0000,
  ntpFraction: 0x8000_0000,
  rtpTimestamp: 0xffff_fff0,
  packets: 7,
  octets: 1120,
};
const WHOLE: RtcpPacket[] = [
  { type: 'sr', ssrc: 1, sender, reports: [block, { ...block, ssrc: 2 }] },
  { type: 'rr', ssrc: 1, reports: [block] },
  { type: 'sdes', ssrc: 1, cname: 'abc@host' },
  { type: 'bye', ssrcs: [1, 2] },
];

describe('RTCP packets', () => {
  it('are read as written', () => {
    expect(parseRtcp(buildRtcp(WHOLE))).toEqual(WHOLE);
  });

  it.each(['', 'a', 'ab', 'abc', 'x'.repeat(255)])('pad the name %j to whole words', (cname) => {
    const datagram = buildRtcp([
      { type: 'rr', ssrc: 1, reports: [] },
      { type: 'sdes', ssrc: 1, cname },
    ]);
    expect(datagram.length % 4).toBe(0);
    expect(parseRtcp(datagram)).toMatchObject([{ type: 'rr' }, { type: 'sdes', cname }]);
  });

  const rr = buildRtcp([{ type: 'rr', ssrc: 1, reports: [block] }]);
  const edited = (at: number, value: number): Buffer => {
    const copy = Buffer.from(rr);
    copy[at] = value;
    return copy;
  };
  it.each([
    { name: 'nothing', datagram: Buffer.alloc(0), reason: 'too-short' },
    { name: 'version 1', datagram: edited(0, 0x41), reason: 'bad-version' },
    { name: 'length beyond the datagram', datagram: edited(3, 200), reason: 'bad-length' },
    { name: 'more blocks than bytes', datagram: edited(0, 0x9f), reason: 'bad-length' },
    { name: 'a tail of two bytes', datagram: Buffer.concat([rr, Buffer.alloc(2)]), reason: 'bad-length' },
    { name: 'SDES first', datagram: buildRtcp(WHOLE.slice(2)), reason: 'not-report-first' },
  ])('refuse $name', ({ datagram, reason }) => {
    expect(parseRtcp(datagram)).toBe(reason);
  });

  it('skip types they do not know', () => {
    const xr = Buffer.of(0x80, 207, 0, 1, 0, 0, 0, 1);
    expect(parseRtcp(Buffer.concat([rr, xr]))).toHaveLength(1);
  });

  it('never throw', () => {
    const good = buildRtcp(WHOLE);
    fc.assert(
      fc.property(
        fc.nat(good.length),
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 6 }),
        (cut, edits) => {
          const datagram = Buffer.from(good);
          for (const [i, value] of edits) datagram[i] = value;
          const read = parseRtcp(datagram.subarray(0, cut));
          expect(typeof read === 'string' || read.length <= 32).toBe(true);
        },
      ),
      { numRuns: runs(2_000) },
    );
  });

  it('know NTP time', () => {
    expect(ntpTime(0)).toEqual({ seconds: 2_208_988_800, fraction: 0, middle: 0x7e80_0000 });
    expect(ntpTime(500).fraction).toBe(0x8000_0000);
  });
});

describe('RtcpSession', () => {
  const open = () => {
    const sending = new RtpSendStream(11, 0, 0);
    const receiving = new RtpReceiveStream();
    return { sending, receiving, session: new RtcpSession(sending, receiving, 'me', 0) };
  };

  it('is due early once, then every interval, whatever the delay', () => {
    const { session } = open();
    expect(session.due(RTCP_INTERVAL_MS / 2 - 1)).toBe(false);
    expect(session.due(RTCP_INTERVAL_MS / 2)).toBe(true);
    session.build(60_000, 0);
    expect(session.due(60_000 + RTCP_INTERVAL_MS - 1)).toBe(false);
    expect(session.due(60_000 + RTCP_INTERVAL_MS)).toBe(true);
  });

  it('sends RR before it has sent media, SR after, BYE at the end', () => {
    const { session, sending, receiving } = open();
    const types = (datagram: Buffer) => (parseRtcp(datagram) as RtcpPacket[]).map((packet) => packet.type);
    expect(types(session.build(0, 0))).toEqual(['rr', 'sdes']);
    sending.writeHeader(Buffer.alloc(12), 0, false, 160, 0);
    receiving.update(1, 99);
    const datagram = session.build(0, 0, true);
    expect(types(datagram)).toEqual(['sr', 'sdes', 'bye']);
    expect(parseRtcp(datagram)).toMatchObject([
      { sender: { packets: 1, octets: 160 }, reports: [{ ssrc: 99 }] },
      {},
      { ssrcs: [11] },
    ]);
  });

  it('measures the round trip from its own report coming back', () => {
    const utc = Date.UTC(2036, 1, 7, 6, 28, 15); // around the end of the first NTP era
    const ours = open();
    const theirs = open();
    ours.sending.writeHeader(Buffer.alloc(12), 0, false, 160, 0);
    theirs.receiving.update(1, 11);
    theirs.receiving.update(5, 11);
    theirs.session.receive(ours.session.build(0, utc), 1_000, utc + 40);
    ours.session.receive(theirs.session.build(3_000, utc + 2_040), 3_080, utc + 2_080);
    expect(ours.session.remote?.roundTripMs).toBeCloseTo(80, 0);
    expect(ours.session.remote?.lossPercent).toBeCloseTo(60, 0);
  });

  it('keeps the shortest round trip, for some peers forget how long they waited', () => {
    const { session } = open();
    const utc = Date.UTC(2026, 0, 1);
    const middle = (ms: number) => Math.floor(((ms / 1000) % 65_536) * 65_536) >>> 0;
    const seconds = utc / 1000 + 2_208_988_800;
    for (const agoMs of [40, 2_900, 5_000]) {
      const lastSenderReport = middle(seconds * 1000 - agoMs);
      const report = { ...block, ssrc: 11, lastSenderReport, delaySinceLast: 0 };
      session.receive(buildRtcp([{ type: 'rr', ssrc: 1, reports: [report] }]), 0, utc);
      expect(session.remote?.roundTripMs).toBeCloseTo(40, 0);
    }
  });

  it('does not believe a round trip of an hour, nor junk', () => {
    const { session } = open();
    const report = { ...block, ssrc: 11, lastSenderReport: 5, delaySinceLast: 0 };
    session.receive(buildRtcp([{ type: 'rr', ssrc: 1, reports: [report] }]), 0, Date.UTC(2026, 0, 1));
    expect(session.remote).toMatchObject({ jitterMs: 5, lossPercent: 50 });
    expect(session.remote?.roundTripMs).toBeUndefined();
    session.receive(Buffer.from('junk junk'), 0, 0);
    expect(session.rejected).toBe(1);
  });
});
