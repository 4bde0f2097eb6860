import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksLikeRtcp, MAX_RTP_BYTES, parseRtpPacket, writeRtpHeader } from '../../src/media/rtp/rtp-packet.ts';
import { runs } from '../support/property-runs.ts';

function packet(options: { first?: number; second?: number; body?: number[] } = {}): Buffer {
  const { first = 0x80, second = 0, body = [1, 2, 3, 4] } = options;
  return Buffer.from([first, second, 0xff, 0xfd, 0xff, 0xff, 0xff, 0xf0, 0xde, 0xad, 0xbe, 0xef, ...body]);
}

describe('parseRtpPacket', () => {
  it.each([
    { name: 'plain', datagram: packet(), payload: [1, 2, 3, 4] },
    { name: 'empty payload', datagram: packet({ body: [] }), payload: [] },
    { name: 'two CSRC', datagram: packet({ first: 0x82, body: [...Array(8).fill(9), 7] }), payload: [7] },
    { name: 'extension', datagram: packet({ first: 0x90, body: [0xbe, 0xde, 0, 1, 9, 9, 9, 9, 7] }), payload: [7] },
    { name: 'padding', datagram: packet({ first: 0xa0, body: [7, 8, 0, 2] }), payload: [7, 8] },
    { name: 'nothing but padding', datagram: packet({ first: 0xa0, body: [0, 0, 3] }), payload: [] },
  ])('reads $name', ({ datagram, payload }) => {
    const read = parseRtpPacket(datagram);
    if (typeof read === 'string') throw new Error(read);
    expect([...read.payload]).toEqual(payload);
    expect(read).toMatchObject({
      payloadType: 0,
      marker: false,
      sequence: 65_533,
      timestamp: 0xffff_fff0,
      ssrc: 0xdead_beef,
    });
  });

  it('separates marker and payload type', () => {
    expect(parseRtpPacket(packet({ second: 0xe5 }))).toMatchObject({ marker: true, payloadType: 101 });
  });

  it.each([
    { name: 'nothing', datagram: Buffer.alloc(0), reason: 'too-short' },
    { name: 'half a header', datagram: packet().subarray(0, 11), reason: 'too-short' },
    { name: 'version 0', datagram: packet({ first: 0x00 }), reason: 'bad-version' },
    { name: 'version 3', datagram: packet({ first: 0xc0 }), reason: 'bad-version' },
    { name: 'more CSRC than bytes', datagram: packet({ first: 0x8f }), reason: 'too-short' },
    { name: 'extension cut off', datagram: packet({ first: 0x90, body: [0, 0] }), reason: 'too-short' },
    {
      name: 'extension longer than the packet',
      datagram: packet({ first: 0x90, body: [0, 0, 255, 255] }),
      reason: 'too-short',
    },
    { name: 'padding of 0', datagram: packet({ first: 0xa0, body: [1, 0] }), reason: 'bad-padding' },
    {
      name: 'padding longer than the payload',
      datagram: packet({ first: 0xa0, body: [1, 200] }),
      reason: 'bad-padding',
    },
    { name: 'padding in an empty packet', datagram: packet({ first: 0xa0, body: [] }), reason: 'bad-padding' },
    { name: 'a jumbo datagram', datagram: packet({ body: Array(MAX_RTP_BYTES).fill(1) }), reason: 'too-long' },
  ])('refuses $name', ({ datagram, reason }) => {
    expect(parseRtpPacket(datagram)).toBe(reason);
  });

  it('never throws, and never reads outside the datagram', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const read = parseRtpPacket(Buffer.from(bytes));
        if (typeof read !== 'string') expect(read.payload.length).toBeLessThanOrEqual(bytes.length - 12);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('reads what writeRtpHeader wrote', () => {
    const datagram = Buffer.alloc(12);
    writeRtpHeader(datagram, 101, true, 65_535, 0xffff_ffff, 0x8000_0001);
    expect(parseRtpPacket(datagram)).toMatchObject({
      payloadType: 101,
      marker: true,
      sequence: 65_535,
      timestamp: 0xffff_ffff,
      ssrc: 0x8000_0001,
    });
  });
});

describe('looksLikeRtcp', () => {
  it.each([
    [191, false],
    [192, true],
    [200, true],
    [223, true],
    [224, false],
    [0, false],
    [0x80 | 101, false],
  ])('second byte %i: %s', (second, expected) => {
    expect(looksLikeRtcp(packet({ second }))).toBe(expected);
  });
});
