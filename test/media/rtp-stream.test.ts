import { describe, expect, it } from 'vitest';
import { uint16 } from '../../src/core/uint.ts';
import { parseRtpPacket } from '../../src/media/rtp/rtp-packet.ts';
import { RtpReceiveStream, RtpSendStream } from '../../src/media/rtp/rtp-stream.ts';

const SSRC = 7;

describe.each([0, 32_767, 65_533])('RtpReceiveStream, first sequence %i', (first) => {
  it.each([
    { name: 'in order', arrive: [0, 1, 2], says: ['next', 'next', 'next'], lost: 0, received: 3 },
    { name: 'a gap', arrive: [0, 3, 4], says: ['next', 'gap', 'next'], lost: 2, received: 3 },
    { name: 'swapped', arrive: [0, 2, 1, 3], says: ['next', 'gap', 'reordered', 'next'], lost: 0, received: 4 },
    { name: 'before the first', arrive: [1, 0, 2], says: ['next', 'reordered', 'next'], lost: 0, received: 3 },
    {
      name: 'duplicates',
      arrive: [0, 1, 1, 0, 2],
      says: ['next', 'next', 'duplicate', 'duplicate', 'next'],
      lost: 0,
      received: 3,
    },
    { name: 'a duplicate after a gap', arrive: [0, 5, 5], says: ['next', 'gap', 'duplicate'], lost: 4, received: 2 },
    { name: 'one stray', arrive: [0, 1, 20_000, 2], says: ['next', 'next', 'stray', 'next'], lost: 0, received: 3 },
    {
      name: 'a restart',
      arrive: [0, 1, 20_000, 20_001, 20_002],
      says: ['next', 'next', 'stray', 'restart', 'next'],
      lost: 0,
      received: 4,
    },
    { name: 'old beyond belief', arrive: [0, 200, 50], says: ['next', 'gap', 'stray'], lost: 199, received: 2 },
  ])('$name', ({ arrive, says, lost, received }) => {
    const stream = new RtpReceiveStream();
    expect(arrive.map((n) => stream.update(uint16(first + n), SSRC))).toEqual(says);
    expect({ lost: stream.lost, received: stream.received }).toEqual({ lost, received });
  });

  it.each([1, 30, 31, 32, 33, 64, 95, 96, 127, 128, 129, 2_000])('knows what came before a jump of %i', (jump) => {
    const stream = new RtpReceiveStream();
    const said = (n: number) => stream.update(uint16(first + n), SSRC);
    for (let n = 0; n < 100; n += 1) if (n % 3 !== 0 || n === 0) said(n);
    const last = 98 + jump; // 99 is missing, like every third
    said(last);
    for (let n = last - 99; n < last; n += 1) {
      if (n < 1) continue;
      const came = n <= 98 && n % 3 !== 0;
      expect(said(n), `${n}`).toBe(came ? 'duplicate' : 'reordered');
      expect(said(n), `${n} again`).toBe('duplicate');
    }
  });

  it('reports per interval, and counts cycles', () => {
    const stream = new RtpReceiveStream();
    for (let n = 0; n < 100; n += 1) if (n % 4 !== 3) stream.update(uint16(first + n), SSRC);
    const report = stream.report();
    expect(report.cumulativeLost).toBe(24); // the last packet, 99, is not known to be missing
    expect(report.fractionLost).toBe(Math.floor((24 * 256) / 99));
    for (let n = 100; n < 200; n += 1) stream.update(uint16(first + n), SSRC);
    const next = stream.report();
    expect(next.fractionLost).toBe(Math.floor((1 * 256) / 101));
    expect(next.extendedHighest & 0xffff).toBe(uint16(first + 199));
    expect(next.extendedHighest >>> 16).toBe(first + 199 > 65_535 ? 2 : 1);
  });
});

describe('RtpReceiveStream', () => {
  it('starts anew with another SSRC and keeps what was counted', () => {
    const stream = new RtpReceiveStream();
    for (const n of [10, 11, 13]) stream.update(n, 1);
    expect(stream.update(40_000, 2)).toBe('restart');
    stream.update(40_002, 2);
    expect({ received: stream.received, lost: stream.lost, ssrc: stream.ssrc }).toEqual({
      received: 5,
      lost: 2,
      ssrc: 2,
    });
  });

  it('survives sixteen cycles', () => {
    const stream = new RtpReceiveStream();
    for (let n = 0; n < 70_000 * 16; n += 1_000) stream.update(uint16(n), SSRC);
    expect(stream.expected).toBe(70_000 * 16 - 1_000 + 1);
  });

  it.each([
    { name: 'perfect spacing', arrivals: (n: number) => n * 20, ms: 0 },
    { name: 'every other packet 8 ms late', arrivals: (n: number) => n * 20 + (n % 2) * 8, ms: 8 },
  ])('measures jitter: $name', ({ arrivals, ms }) => {
    const stream = new RtpReceiveStream();
    for (let n = 0; n < 300; n += 1) stream.measureJitter((0xffff_ff00 + n * 160) >>> 0, 1e9 + arrivals(n));
    expect(stream.jitterMs).toBeCloseTo(ms, 1);
  });
});

describe('RtpSendStream', () => {
  it('wraps sequence and timestamp, and counts', () => {
    const stream = new RtpSendStream(0xffff_ffff, 65_535, 0xffff_ffff - 100);
    const datagram = Buffer.alloc(12);
    const seen = [0, 1].map(() => {
      stream.writeHeader(datagram, 0, false, 160, stream.timestamp);
      stream.advance(160);
      return parseRtpPacket(Buffer.from(datagram));
    });
    expect(seen).toMatchObject([
      { sequence: 65_535, timestamp: 0xffff_ff9b },
      { sequence: 0, timestamp: 59 },
    ]);
    expect({ packets: stream.packets, octets: stream.octets }).toEqual({ packets: 2, octets: 320 });
  });
});
