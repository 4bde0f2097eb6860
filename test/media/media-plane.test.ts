import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MULAW_SILENCE } from '../../src/audio/g711.ts';
import { readWav } from '../../src/audio/wav.ts';
import { distance16, distance32 } from '../../src/core/uint.ts';
import { CODECS } from '../../src/media/codec/codecs.ts';
import { parseDtmfEvent } from '../../src/media/dtmf/dtmf-event.ts';
import { MEDIA_IO_KINDS } from '../../src/media/io/choose-io.ts';
import type { MediaEvent, MediaPlane, MediaPort } from '../../src/media/media-port.ts';
import { UNPROVEN_PACKETS_MAX } from '../../src/media/rtp/remote-endpoint.ts';
import { parseRtcp } from '../../src/media/rtp/rtcp-packet.ts';
import type { RtpPacket } from '../../src/media/rtp/rtp-packet.ts';
import { drain, openPlane, openPort } from '../support/media-plane-fixture.ts';
import { EVERY_TEST, someOf } from '../support/property-runs.ts';
import { RtpPeer } from '../support/rtp-peer.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { until } from '../support/until.ts';

let plane: MediaPlane;
let port: MediaPort;
let events: MediaEvent[];
let peer: RtpPeer;

/** Of the peer's tone and of ours, of full scale 1. */
const LEVEL = 0.25;
/** In the best tenth of a second: on a busy machine packets come late, and what is late is left out. */
function loudest(samples: Int16Array, hz: number, rateHz = 8000): number {
  const size = rateHz / 10;
  const tenths = Array.from({ length: Math.floor(samples.length / size) }, (_, n) =>
    amplitudeAt(samples.subarray(n * size, (n + 1) * size), hz, rateHz),
  );
  return Math.max(0, ...tenths);
}
const silent = (payload: Buffer): boolean => payload.every((code) => code === MULAW_SILENCE);

describe.each(EVERY_TEST ? MEDIA_IO_KINDS : ['direct' as const])('a call on loopback, sockets: %s', (io) => {
  beforeEach(async () => {
    plane = await openPlane({ io });
    ({ port, events } = await openPort(plane));
    peer = await RtpPeer.open();
  });
  afterEach(async () => {
    peer.close();
    await plane.close();
  });

  it.runIf(EVERY_TEST)('plays what is queued softer, from the next packet on', async () => {
    port.configure(peer.media());
    peer.speak(port.local.port, 440);
    port.write(tone(1000, 64_000));
    const isAt = (level: number): boolean => {
      const last = peer.samples(Math.max(0, peer.heard.length - 10));
      return Math.abs(amplitudeAt(last, 1000) - level) < LEVEL / 20;
    };
    await until(() => peer.heard.length >= 20 && isAt(LEVEL), 'the tone');
    port.setGain(-12);
    await until(() => isAt(LEVEL / 4), 'a quarter of the amplitude');
    port.setGain(0);
    await until(() => isAt(LEVEL), 'all of it again');
  });

  it('carries a tone both ways, with unbroken sequence and timestamps', async () => {
    port.configure(peer.media());
    peer.speak(port.local.port, 440);
    const heard: number[] = [];
    expect(port.write(tone(1000, 8000))).toBe(8000);
    await until(() => {
      heard.push(...drain(port));
      const isWhole = Math.abs(amplitudeAt(Int16Array.from(heard.slice(-4000)), 440) - LEVEL) < LEVEL / 5;
      return peer.heard.length >= 60 && heard.length >= 10_000 && isWhole;
    }, 'one second both ways, and half a second of it unbroken');
    for (const [i, packet] of peer.heard.entries()) {
      const before = peer.heard[i - 1];
      if (!before) continue;
      expect(distance16(before.sequence, packet.sequence)).toBe(1);
      expect(distance32(before.timestamp, packet.timestamp) % 160).toBe(0);
      expect(distance32(before.timestamp, packet.timestamp)).toBeGreaterThanOrEqual(160);
      expect(packet.payload.length).toBe(160);
    }
    // One at the start of speech; a machine that stalls skips packets, and the next one starts a spurt of its own.
    const marked = peer.heard.filter((packet) => packet.marker);
    const afterSkip = ({ timestamp }: RtpPacket, i: number): boolean =>
      distance32(peer.heard[i - 1]?.timestamp ?? timestamp, timestamp) > 160;
    expect(marked.length).toBeGreaterThanOrEqual(1);
    expect(peer.heard.filter((packet, i) => packet.marker && !afterSkip(packet, i)).length).toBeLessThanOrEqual(1);
    const agent = peer.samples(peer.heard.findIndex((packet) => packet.marker));
    expect(amplitudeAt(agent.subarray(800, 7200), 1000)).toBeCloseTo(0.25, 1);
    expect(events[0]).toEqual({ type: 'latched', address: '127.0.0.1', port: peer.port });
    expect(port.playedSamples).toBe(8000);
    expect(port.writtenSamples).toBe(8000);
    expect(port.talkStartedAtMs).toBeLessThan(performance.now());
    const stats = await port.stats();
    expect(stats).toMatchObject({ packetsLost: 0, packetsRejected: 0, codec: 'PCMU' });
    expect(stats.mos).toBeGreaterThan(4);
  });

  it('says when what is read came over the wire, however late it is read', async () => {
    port.configure(peer.media());
    const errorsMs: number[] = [];
    await until(async () => {
      const loudMs = await peer.sayAfter(port.local.port, 300, 8_000);
      await new Promise((resolve) => setTimeout(resolve, 100)); // the media thread has it, and more
      const frame = new Int16Array(160);
      while (port.read(frame) > 0) {
        if (Math.abs(frame[159] ?? 0) < 4_000) continue;
        errorsMs.push(port.heardAtMs! - loudMs);
        break;
      }
      drain(port);
      return errorsMs.some((errorMs) => Math.abs(errorMs) <= 20);
    }, `a first loud sample within 20 ms of when it was sent`);
  });

  it.runIf(EVERY_TEST)(
    'is silent on the wire right after clear, and counts what was dropped as never written',
    async () => {
      port.configure(peer.media());
      peer.speak(port.local.port);
      port.write(tone(1000, 40_000));
      await until(() => peer.heard.some((packet) => !silent(packet.payload)), 'speech on the wire');
      const dropped = port.clear();
      const atClear = peer.heard.length;
      expect(dropped).toBeGreaterThan(30_000);
      expect(port.writtenSamples).toBe(40_000 - dropped);
      expect(port.playedSamples).toBe(port.writtenSamples);
      await until(() => peer.heard.length > atClear + 10, 'packets after the clear');
      // One packet may have been under way while we cleared.
      expect(peer.heard.slice(atClear + 1).filter((packet) => !silent(packet.payload))).toEqual([]);
      port.write(tone(500, 800));
      await until(() => peer.heard.slice(atClear + 1).some((packet) => packet.marker), 'speech again');
    },
  );

  it('takes no more than the playout queue holds', async () => {
    expect(port.write(new Int16Array(70_000))).toBe(64_000);
    expect(port.write(new Int16Array(160))).toBe(0);
    expect(port.playedSamples).toBe(0);
  });

  it('reports keys once each though starts and ends are lost', async () => {
    port.configure(peer.media());
    peer.send(port.local.port, new Uint8Array(160).fill(0xff));
    const event = (digit: number, duration: number, end: boolean) =>
      Buffer.of(digit, (end ? 0x80 : 0) | 10, duration >> 8, duration & 255);
    const press = (digit: number, lost: (i: number) => boolean): void => {
      const timestamp = peer.timestamp;
      for (let i = 1; i <= 8; i += 1) {
        const payload = event(digit, Math.min(i, 6) * 160, i >= 6);
        if (lost(i)) peer.sequence += 1;
        else peer.send(port.local.port, payload, { payloadType: 101, marker: i === 1, timestamp });
      }
      peer.timestamp += 3200;
    };
    press(5, () => false);
    press(5, (i) => i === 1); // marker lost
    press(9, (i) => i >= 6); // every end lost
    press(11, (i) => i % 2 === 0);
    press(0, (i) => i < 8); // only the last end arrives
    const keys = () => events.filter((item) => item.type === 'dtmf').map((item) => item.digit);
    await until(() => keys().length >= 5, 'five keys');
    expect(keys()).toEqual(['5', '5', '9', '#', '0']);
  });

  it('sends keys after the speech in front of them, each ended three times', async () => {
    port.configure(peer.media());
    port.write(tone(800, 1600));
    port.sendDtmf('1#');
    const ends = () => peer.heard.filter((packet) => packet.payloadType === 101 && parseDtmfEvent(packet.payload)?.end);
    await until(() => ends().length >= 6, 'both keys');
    const keys = peer.heard.filter((packet) => packet.payloadType === 101);
    expect(ends().map((packet) => packet.payload[0])).toEqual([1, 1, 1, 11, 11, 11]);
    expect(new Set(keys.map((packet) => packet.timestamp)).size).toBe(2);
    expect(keys.filter((packet) => packet.marker).length).toBe(2);
    const firstKey = peer.heard.findIndex((packet) => packet.payloadType === 101);
    const lastSpeech = peer.heard.findLastIndex((packet) => packet.payloadType === 0 && !silent(packet.payload));
    expect(lastSpeech).toBeLessThan(firstKey);
    for (const [i, packet] of peer.heard.entries()) {
      const before = peer.heard[i - 1];
      if (before) expect(distance16(before.sequence, packet.sequence)).toBe(1);
    }
  });

  it.runIf(EVERY_TEST)('does not hear a stranger, and sends him nothing', async () => {
    port.configure(peer.media());
    peer.speak(port.local.port, 440);
    await until(() => events.length > 0, 'latching');
    drain(port);
    const stranger = await RtpPeer.open('127.0.0.9');
    stranger.speak(port.local.port, 2000);
    const heard: number[] = [];
    await until(() => {
      heard.push(...drain(port));
      return heard.length >= 8000 && stranger.sent >= 40;
    }, 'a second of audio');
    stranger.close();
    const audio = Int16Array.from(heard.slice(0, 8000));
    expect(amplitudeAt(audio, 2000)).toBeLessThan(0.005);
    expect(loudest(audio, 440)).toBeGreaterThan(0.1);
    expect(stranger.heard.length).toBe(0);
    expect(events.filter((item) => item.type === 'latched').length).toBe(1);
  });

  it.runIf(EVERY_TEST)(
    'stops after a second toward an SDP address that never answers and is not where signalling came from',
    async () => {
      port.configure(peer.media({ signallingAddress: '127.0.0.77' }));
      port.write(tone(1000, 4000));
      await until(() => peer.heard.length >= UNPROVEN_PACKETS_MAX, 'the first packets');
      const before = (await port.stats()).packetsSent;
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect((await port.stats()).packetsSent).toBe(before);
      expect(peer.heard.length).toBe(UNPROVEN_PACKETS_MAX);
      expect(peer.heard.every((packet) => silent(packet.payload))).toBe(true); // speech waits for somebody to hear it
      peer.speak(port.local.port);
      await until(() => peer.heard.some((packet) => !silent(packet.payload)), 'speech after the proof');
    },
  );

  it.runIf(EVERY_TEST)('stops sending on hold and goes on afterwards', async () => {
    port.configure(peer.media());
    peer.speak(port.local.port);
    await until(() => peer.heard.length > 5, 'packets');
    port.configure(peer.media({ direction: 'inactive' }));
    await port.stats();
    const held = (await port.stats()).packetsSent;
    port.write(tone(1000, 1600));
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect((await port.stats()).packetsSent).toBe(held);
    expect(port.playedSamples).toBe(0);
    port.configure(peer.media());
    await until(() => port.playedSamples === 1600, 'the queued speech');
  });

  it.runIf(EVERY_TEST)('sends the agreed packet time', async () => {
    port.configure(peer.media({ ptimeMs: 30, codec: 'PCMA', payloadType: 8 }));
    await until(() => peer.heard.length > 6, 'packets');
    expect(peer.heard.every((packet) => packet.payload.length === 240 && packet.payloadType === 8)).toBe(true);
    expect(distance32(peer.heard[4]?.timestamp ?? 0, peer.heard[5]?.timestamp ?? 0) % 240).toBe(0);
  });

  it.each(someOf([16_000, 8_000], 2))(
    'speaks G.722 on the wire and %i samples a second to its owner',
    async (sampleRateHz) => {
      const own = await plane.open({ callId: 'call_wide', onEvent: () => {}, sampleRateHz });
      if (typeof own === 'string') throw new Error(own);
      expect(own.sampleRateHz).toBe(sampleRateHz);
      own.configure(peer.media({ codec: 'G722', payloadType: 9 }));
      peer.codec = 'G722';
      peer.speak(own.local.port, 440);
      own.write(tone(1000, sampleRateHz, { rateHz: sampleRateHz }));
      const caught: number[] = [];
      await until(() => {
        caught.push(...drain(own));
        return peer.heard.length > 50 && caught.length > sampleRateHz;
      }, 'a second both ways');
      const decoder = CODECS.G722.decoder();
      const heard = peer.heard.flatMap(({ payload: bytes }) => {
        const audio = new Int16Array(320);
        decoder.decode(bytes, bytes.length, audio, 0);
        return [...audio];
      });
      expect(peer.heard.every(({ payloadType }) => payloadType === 9)).toBe(true);
      expect(amplitudeAt(Int16Array.from(heard.slice(3_200, 12_800)), 1000, 16_000)).toBeCloseTo(0.25, 1);
      expect(loudest(Int16Array.from(caught), 440, sampleRateHz)).toBeCloseTo(LEVEL, 1);
      expect((await own.close()).codec).toBe('G722');
    },
  );

  it.runIf(EVERY_TEST)('says goodbye by RTCP, and what it received', async () => {
    port.configure(peer.media());
    peer.speak(port.local.port);
    await until(() => peer.heard.length > 10, 'packets');
    await port.close();
    await until(() => peer.rtcp.length > 0, 'RTCP');
    const packets = parseRtcp(peer.rtcp.at(-1) ?? Buffer.alloc(0));
    if (typeof packets === 'string') throw new Error(packets);
    expect(packets.map((packet) => packet.type)).toEqual(['sr', 'sdes', 'bye']);
    const [report] = packets;
    expect(report?.type === 'sr' && report.reports[0]?.ssrc).toBe(peer.ssrc);
  });

  it.runIf(EVERY_TEST)('records caller left and agent right, aligned', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'nidaa-recording-')), 'sub', 'call.wav');
    port.configure(peer.media());
    peer.speak(port.local.port, 440);
    await until(() => events.length > 0, 'latching');
    port.startRecording(path);
    port.write(tone(1000, 8000));
    await until(() => port.playedSamples === 8000, 'the speech');
    const final = await port.close();
    expect(final.packetsReceived).toBeGreaterThan(20);
    const audio = readWav(readFileSync(path));
    if (typeof audio === 'string') throw new Error(audio);
    const [caller, agent] = audio.channels;
    if (!caller || !agent) throw new Error('not stereo');
    expect(audio.durationMs).toBeGreaterThan(900);
    expect(loudest(caller, 440)).toBeCloseTo(0.25, 1);
    expect(loudest(agent, 1000)).toBeCloseTo(0.25, 1);
    expect(loudest(agent, 440)).toBeLessThan(0.01);
  });

  it.runIf(EVERY_TEST)('goes on when the recording cannot be written', async () => {
    port.configure(peer.media());
    peer.speak(port.local.port);
    const file = join(mkdtempSync(join(tmpdir(), 'nidaa-recording-')), 'file');
    writeFileSync(file, 'not a folder');
    port.startRecording(join(file, 'call.wav'));
    await until(() => drain(port).length > 0 && peer.heard.length > 10, 'audio');
    await port.close();
  });

  it.runIf(EVERY_TEST)('closes twice, and is harmless afterwards', async () => {
    port.configure(peer.media());
    const [first, second] = await Promise.all([port.close(), port.close()]);
    expect(first).toEqual(second);
    port.configure(peer.media());
    port.sendDtmf('1');
    expect([port.write(new Int16Array(160)), port.clear()]).toEqual([0, 0]);
    expect(await port.stats()).toEqual(first);
  });
});
