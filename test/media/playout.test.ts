import { describe, expect, it } from 'vitest';
import { decodeAlaw, decodeMulaw, MULAW_SILENCE } from '../../src/audio/g711.ts';
import { levelDbfs } from '../../src/audio/level.ts';
import { distance16, distance32 } from '../../src/core/uint.ts';
import { CODECS } from '../../src/media/codec/codecs.ts';
import { LineNoise } from '../../src/media/codec/comfort-noise.ts';
import { PCMA, PCMU } from '../../src/media/codec/g711-codec.ts';
import { allocatePcmRing, PcmRing } from '../../src/media/plane/pcm-ring.ts';
import { Playout, PTIMES_MS } from '../../src/media/rtp/playout.ts';
import { parseRtpPacket, type RtpPacket } from '../../src/media/rtp/rtp-packet.ts';
import { RtpSendStream } from '../../src/media/rtp/rtp-stream.ts';
import { amplitudeAt, tone } from '../support/tones.ts';

const FORMAT = { codec: PCMU, payloadType: 0, ptimeMs: 20, dtmfPayloadType: 101 } as const;

function open(format: Partial<ConstructorParameters<typeof Playout>[1]> = {}) {
  const ring = new PcmRing(allocatePcmRing(8_000));
  const playout = new Playout(new RtpSendStream(1, 65_533, 0xffff_ff00), { ...FORMAT, ...format }, 8_000);
  const next = (): RtpPacket => {
    const slot = playout.next(ring);
    const packet = parseRtpPacket(Buffer.from(playout.datagram.subarray(0, slot.bytes)));
    if (typeof packet === 'string') throw new Error(packet);
    return packet;
  };
  return { ring, playout, next };
}

describe('Playout', () => {
  it.each(PTIMES_MS)('sends a continuous stream of %i ms packets across the wrap', (ptimeMs) => {
    const { ring, next } = open({ ptimeMs });
    ring.write(tone(440, 4_000));
    const packets = Array.from({ length: 12 }, next);
    for (let i = 1; i < packets.length; i += 1) {
      const [before, packet] = [packets[i - 1] as RtpPacket, packets[i] as RtpPacket];
      expect(distance16(before.sequence, packet.sequence)).toBe(1);
      expect(distance32(before.timestamp, packet.timestamp)).toBe(ptimeMs * 8);
      expect(packet.payload.length).toBe(ptimeMs * 8);
    }
  });

  it('marks the start of each talk spurt, and fills the rest with silence', () => {
    const { ring, next } = open();
    const markers: boolean[] = [];
    markers.push(next().marker);
    ring.write(new Int16Array(200).fill(5_000));
    const packets = [next(), next(), next()];
    markers.push(...packets.map((packet) => packet.marker));
    ring.write(new Int16Array(160).fill(5_000));
    markers.push(next().marker);
    expect(markers).toEqual([false, true, false, false, true]);
    expect(packets[1]?.payload.subarray(40).every((code) => code === MULAW_SILENCE)).toBe(true);
    expect(packets[2]?.payload.every((code) => code === MULAW_SILENCE)).toBe(true);
  });

  it.each([
    { codec: PCMU, decode: decodeMulaw },
    { codec: PCMA, decode: decodeAlaw },
  ])('has the noise of a line under speech and silence, and not in the recording: $codec.name', ({ codec, decode }) => {
    const ring = new PcmRing(allocatePcmRing(8_000));
    const playout = new Playout(new RtpSendStream(1, 0, 0), { ...FORMAT, codec }, 8_000);
    const noise = new LineNoise(-60, 8_000);
    const next = () => {
      const { bytes, samples } = playout.next(ring, noise);
      return { heard: decode(playout.datagram.subarray(12, bytes)), recorded: Int16Array.from(samples) };
    };
    const silent = Array.from({ length: 60 }, next);
    for (const { heard, recorded } of silent) {
      expect(Math.abs(levelDbfs(heard) + 60)).toBeLessThan(2);
      expect(recorded.every((sample) => sample === 0)).toBe(true);
    }
    ring.write(new Int16Array(160)); // what an agent says may be silent, too
    expect(Math.abs(levelDbfs(next().heard) + 60)).toBeLessThan(2);
    ring.write(tone(440, 160));
    const { heard, recorded } = next();
    expect(recorded).toEqual(tone(440, 160));
    expect(levelDbfs(heard.map((sample, i) => sample - recorded[i]!))).toBeLessThan(-45);
  });

  it.each([PCMU, PCMA])('writes the noise alone as it would be coded: $name', (codec) => {
    const [alone, coded] = [new LineNoise(-65, 8_000), new LineNoise(-65, 8_000)];
    const encoder = codec.encoder();
    const [noisy, expected, written] = [new Int16Array(160), Buffer.alloc(170), Buffer.alloc(170)];
    for (let packet = 0; packet < 120; packet += 1) {
      coded.under(new Int16Array(160), noisy);
      encoder.encode(noisy, expected, 5);
      expect(alone.alone(encoder.table!, 160, written, 5)).toBe(160);
      expect(written).toEqual(expected);
    }
  });

  it('lets media time pass where nothing may be sent', () => {
    const { playout, next } = open();
    const before = next();
    playout.skip();
    playout.skip(2);
    const after = next();
    expect(distance32(before.timestamp, after.timestamp)).toBe(160 * 4);
    expect(distance16(before.sequence, after.sequence)).toBe(1);
  });

  it('sends a key as events with one timestamp, while speech waits', () => {
    const { ring, playout, next } = open();
    const base = next();
    ring.write(tone(440, 1_600));
    playout.dtmf.enqueue('5');
    const packets = Array.from({ length: 10 }, next);
    expect(packets.every((packet) => packet.payloadType === 101)).toBe(true);
    expect(new Set(packets.map((packet) => packet.timestamp)).size).toBe(1);
    expect(distance32(base.timestamp, packets[0]?.timestamp ?? 0)).toBe(160);
    expect(packets.map((packet) => packet.marker)).toEqual([true, ...Array(9).fill(false)]);
    expect(ring.queued).toBe(1_600);
    const after = Array.from({ length: 6 }, next).at(-1);
    expect(after).toMatchObject({ payloadType: 0, marker: true });
    expect(distance32(base.timestamp, after?.timestamp ?? 0)).toBe(160 * 16);
  });

  it('keeps the timestamp of a key over slots in which nothing could be sent', () => {
    const { playout, next } = open();
    playout.dtmf.enqueue('55');
    const packets = Array.from({ length: 3 }, next);
    playout.skip(4);
    packets.push(...Array.from({ length: 7 }, next));
    expect(new Set(packets.map(({ timestamp }) => timestamp)).size).toBe(1);
    const second = Array.from({ length: 8 }, next).filter(({ payloadType }) => payloadType === 101);
    expect(new Set(second.map(({ timestamp }) => timestamp)).size).toBe(1);
    expect(distance32(packets[0]?.timestamp ?? 0, second[0]?.timestamp ?? 0)).toBe(160 * (10 + 4 + 5));
  });

  it('sends a key as tones where no telephone-event was agreed', () => {
    const { playout, next } = open({ dtmfPayloadType: undefined });
    playout.dtmf.enqueue('5');
    const packets = Array.from({ length: 13 }, next);
    const loud = packets.map((packet) => packet.payload.some((code) => code !== MULAW_SILENCE));
    expect(loud).toEqual([...Array(8).fill(true), ...Array(5).fill(false)]);
    expect(packets.every((packet) => packet.payloadType === 0)).toBe(true);
  });

  it.each([0, 15, 25, 1_000, Number.NaN])('sends 20 ms where %s ms was agreed', (ptimeMs) => {
    expect(open({ ptimeMs }).playout.ptimeMs).toBe(20);
  });

  it.each(PTIMES_MS)('sends telephone audio as G.722, %i ms a packet, on the clock of the RFC', (ptimeMs) => {
    const { ring, next } = open({ ptimeMs, codec: CODECS.G722, payloadType: 9 });
    ring.write(tone(440, 8_000));
    const decoder = CODECS.G722.decoder();
    const heard: number[] = [];
    let before: RtpPacket | undefined;
    for (let ms = 0; ms < 900; ms += ptimeMs) {
      const packet = next();
      expect([packet.payloadType, packet.payload.length]).toEqual([9, ptimeMs * 8]);
      if (before) expect(distance32(before.timestamp, packet.timestamp)).toBe(ptimeMs * 8);
      before = packet;
      const audio = new Int16Array(ptimeMs * 16);
      decoder.decode(packet.payload, packet.payload.length, audio, 0);
      heard.push(...audio);
    }
    expect(amplitudeAt(Int16Array.from(heard.slice(3_200)), 440, 16_000)).toBeCloseTo(0.25, 1);
  });

  it('changes the codec in the middle of a call', () => {
    const { ring, playout, next } = open();
    ring.write(tone(440, 4_000));
    next();
    playout.configure({ ...FORMAT, codec: CODECS.G722, payloadType: 9 });
    expect(next().payload.length).toBe(160);
    playout.configure({ ...FORMAT, codec: CODECS.PCMA, payloadType: 8 });
    expect(next().payloadType).toBe(8);
  });
});
