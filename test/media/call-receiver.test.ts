import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeAlaw, encodeMulaw } from '../../src/audio/g711.ts';
import { levelDbfs } from '../../src/audio/level.ts';
import { CODECS } from '../../src/media/codec/codecs.ts';
import type { NegotiatedMedia } from '../../src/media/description.ts';
import { dtmfTone } from '../../src/media/dtmf/dtmf-tone.ts';
import { RemoteEndpoint } from '../../src/media/rtp/remote-endpoint.ts';
import { writeRtpHeader } from '../../src/media/rtp/rtp-packet.ts';
import { allocateUnprovenTable, UnprovenBudget } from '../../src/media/rtp/unproven-budget.ts';
import { CallReceiver } from '../../src/media/worker/call-receiver.ts';
import { amplitudeAt, tone } from '../support/tones.ts';

const MEDIA: NegotiatedMedia = {
  remote: { address: '198.51.100.7', port: 4000 },
  signallingAddress: '198.51.100.7',
  codec: 'PCMU',
  payloadType: 0,
  ptimeMs: 20,
  dtmfPayloadType: 101,
  direction: 'sendrecv',
  rtcpMux: true,
  remoteRtcpPort: 4000,
};

class Rig {
  readonly events: string[] = [];
  readonly receiver = new CallReceiver(
    { jitter: { minMs: 20, maxMs: 200 }, rtpTimeoutMs: 30_000, sampleRateHz: 8_000 },
    new RemoteEndpoint(new UnprovenBudget(allocateUnprovenTable(1))),
    {
      onKey: (key) => this.events.push(`key ${key.digit}`),
      onLatched: (source) => this.events.push(`latched ${source.address}`),
    },
  );
  readonly heard: number[] = [];
  readonly results: string[] = [];
  sequence = 65_534;
  timestamp = 0xffff_fff0;
  nowMs = 5_000;
  constructor(media: Partial<NegotiatedMedia> = {}) {
    this.receiver.configure({ ...MEDIA, ...media }, this.nowMs);
  }
  packet(
    payload: Uint8Array,
    options: { payloadType?: number; from?: string; ssrc?: number; advance?: number } = {},
  ): void {
    const datagram = Buffer.alloc(12 + payload.length);
    writeRtpHeader(
      datagram,
      options.payloadType ?? 0,
      false,
      this.sequence & 0xffff,
      this.timestamp >>> 0,
      options.ssrc ?? 1,
    );
    datagram.set(payload, 12);
    this.sequence += 1;
    this.timestamp += options.advance ?? payload.length;
    this.receiver.receive(datagram, { ...MEDIA.remote, address: options.from ?? MEDIA.remote.address }, this.nowMs);
  }
  tick(): void {
    const frame = new Int16Array(160);
    this.results.push(this.receiver.frame(frame, this.nowMs));
    this.heard.push(...frame);
    this.nowMs += 20;
  }
}

describe('CallReceiver', () => {
  it.each([
    { name: 'PCMU as agreed', media: {}, payloadType: 0, encode: encodeMulaw },
    { name: 'PCMA as agreed', media: { codec: 'PCMA', payloadType: 8 } as const, payloadType: 8, encode: encodeAlaw },
    {
      name: 'PCMA on a dynamic number',
      media: { codec: 'PCMA', payloadType: 97 } as const,
      payloadType: 97,
      encode: encodeAlaw,
    },
    { name: 'PCMA though PCMU was agreed', media: {}, payloadType: 8, encode: encodeAlaw },
  ])('hears $name', ({ media, payloadType, encode }) => {
    const rig = new Rig(media);
    for (let n = 0; n < 50; n += 1) {
      rig.packet(encode(tone(440, 160, { from: n * 160 })), { payloadType });
      rig.tick();
    }
    expect(amplitudeAt(Int16Array.from(rig.heard.slice(1_600, 7_200)), 440)).toBeCloseTo(0.25, 1);
    expect(rig.events).toEqual(['latched 198.51.100.7']);
    expect(rig.receiver.stream.lost).toBe(0);
  });

  it('hears a wideband codec at the rate of the call', () => {
    const rig = new Rig({ codec: 'G722', payloadType: 9 });
    const encoder = CODECS.G722.encoder();
    const payload = new Uint8Array(160);
    for (let n = 0; n < 50; n += 1) {
      encoder.encode(tone(440, 320, { from: n * 320, rateHz: 16_000 }), payload, 0);
      rig.packet(payload.slice(), { payloadType: 9 });
      rig.tick();
    }
    expect(amplitudeAt(Int16Array.from(rig.heard.slice(1_600, 7_200)), 440)).toBeCloseTo(0.25, 1);
    expect(rig.receiver.jitter.counters).toMatchObject({ concealed: 0, late: 0, stray: 0 });
    expect(rig.receiver.stream.jitterMs).toBeLessThan(1); // its RTP clock is that of the telephone
  });

  it('goes on with another codec after a re-INVITE, and keeps its figures', () => {
    const rig = new Rig({ codec: 'G722', payloadType: 9 });
    for (let n = 0; n < 10; n += 1) rig.tick();
    rig.packet(new Uint8Array(0), { payloadType: 9 }); // nothing in it
    rig.receiver.configure(MEDIA, rig.nowMs);
    rig.packet(encodeMulaw(tone(440, 160)), { payloadType: 9 }); // of before, still on its way
    for (let n = 0; n < 50; n += 1) {
      rig.packet(encodeMulaw(tone(1000, 160, { from: n * 160 })));
      rig.tick();
    }
    expect(amplitudeAt(Int16Array.from(rig.heard.slice(-3_200)), 1000)).toBeCloseTo(0.25, 1);
    expect(rig.receiver.jitter.counters.stray).toBe(1);
    expect(rig.receiver.rejected).toBe(1);
  });

  it('makes noise of the announced level while the sender is silent', () => {
    const rig = new Rig();
    for (let n = 0; n < 10; n += 1) {
      rig.packet(encodeMulaw(tone(440, 160)));
      rig.tick();
    }
    rig.packet(Uint8Array.of(50), { payloadType: 13, advance: 160 });
    for (let n = 0; n < 20; n += 1) rig.tick();
    expect(rig.results.slice(-15).every((result) => result === 'silence')).toBe(true);
    expect(levelDbfs(Int16Array.from(rig.heard.slice(-1_600)))).toBeCloseTo(-50, 0);
    expect(rig.receiver.jitter.counters.concealed).toBe(0);
  });

  it('starts afresh with another SSRC of the same source', () => {
    const rig = new Rig();
    for (let n = 0; n < 20; n += 1) {
      rig.packet(encodeMulaw(tone(440, 160, { from: n * 160 })));
      rig.tick();
    }
    rig.sequence = 7;
    rig.timestamp = 1_000_000;
    for (let n = 0; n < 40; n += 1) {
      rig.packet(encodeMulaw(tone(1000, 160, { from: n * 160 })), { ssrc: 2 });
      rig.tick();
    }
    expect(amplitudeAt(Int16Array.from(rig.heard.slice(-3_200)), 1000)).toBeCloseTo(0.25, 1);
    expect(rig.receiver.jitter.counters.restarts).toBe(1);
    expect(rig.receiver.stream.ssrc).toBe(2);
  });

  it.each(['first', 'last'])('hears every key where another SSRC comes after the %s packet of one', (after) => {
    const rig = new Rig();
    const press = (key: number, ssrc: number, packets: number): void => {
      for (let n = 1; n <= packets; n += 1) {
        rig.packet(Uint8Array.of(key, n === 3 ? 0x8a : 10, 0, n * 160), { payloadType: 101, ssrc, advance: 0 });
        rig.tick();
      }
    };
    rig.timestamp = 2_000_000;
    press(5, 1, after === 'first' ? 1 : 3);
    rig.sequence = 7;
    rig.timestamp = 1_000_000; // earlier than the key, as its stream counted
    for (let n = 0; n < 4; n += 1) {
      rig.packet(new Uint8Array(160), { ssrc: 2 });
      rig.tick();
    }
    press(6, 2, 3);
    expect(rig.events.filter((event) => event.startsWith('key'))).toEqual(['key 5', 'key 6']);
  });

  it('gives the caller held by us no voice, but keeps the source', () => {
    const rig = new Rig({ direction: 'inactive' });
    for (let n = 0; n < 20; n += 1) {
      rig.packet(encodeMulaw(tone(440, 160)));
      rig.tick();
    }
    expect(new Set(rig.heard)).toEqual(new Set([0]));
    expect(rig.receiver.stream.received).toBe(20);
  });

  it('hears keys in the audio when no telephone-event was agreed, and only then', () => {
    const keys = (dtmfPayloadType: number | undefined): string[] => {
      const rig = new Rig({ dtmfPayloadType });
      for (let n = 0; n < 40; n += 1) {
        const samples = new Int16Array(160);
        if (n > 5 && n < 15) dtmfTone(samples, 9, n * 160, 8_000);
        rig.packet(encodeMulaw(samples));
        rig.tick();
      }
      return rig.events.filter((event) => event.startsWith('key'));
    };
    expect(keys(undefined)).toEqual(['key 9']);
    expect(keys(101)).toEqual([]);
  });

  it.each([
    { name: 'a tone that is a key', media: { dtmfPayloadType: undefined } },
    { name: 'the tone beside an event', media: {} },
  ])('knows $name from speech', ({ media }) => {
    const rig = new Rig(media);
    const key: boolean[] = [];
    for (let n = 0; n < 40; n += 1) {
      const samples = new Int16Array(160);
      if (n > 5 && n < 15) {
        dtmfTone(samples, 9, n * 160, 8_000);
        if ('dtmfPayloadType' in media === false) {
          rig.packet(Uint8Array.of(9, 10, 0, (n - 5) * 20), { payloadType: 101, advance: 0 });
        }
      }
      rig.packet(encodeMulaw(samples));
      rig.tick();
      key.push(rig.receiver.isKey);
    }
    const of = (from: number): Int16Array => Int16Array.from(rig.heard.slice(from * 160, (from + 1) * 160));
    const sounds = key.map((_, n) => levelDbfs(of(n)) > -40);
    const leaked = key.filter((isKey, n) => !isKey && sounds[n]);
    expect(sounds.filter(Boolean).length).toBeGreaterThan(7);
    expect(leaked.length).toBeLessThan(4); // what it takes to know a tone
    expect([key[3], key[30]]).toEqual([false, false]);
  });

  it('rejects what is not of this call, before and after latching', () => {
    const rig = new Rig();
    rig.packet(new Uint8Array(160), { payloadType: 34 });
    rig.packet(new Uint8Array(160), { from: '192.0.2.9' });
    expect(rig.events).toEqual([]);
    rig.packet(new Uint8Array(160));
    rig.packet(new Uint8Array(160), { from: '192.0.2.9' });
    rig.packet(Uint8Array.of(1, 2), { payloadType: 101 });
    expect(rig.receiver.rejected).toBe(3);
  });

  it('survives any datagrams', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 40 }), (datagrams) => {
        const rig = new Rig();
        for (const bytes of datagrams) {
          if (bytes.length > 1) bytes.set([0x80, (bytes[1] as number) % 2 ? 101 : 0]); // get past the first check
          rig.receiver.receive(Buffer.from(bytes), MEDIA.remote, rig.nowMs);
          rig.tick();
        }
        expect(rig.heard.length).toBe(datagrams.length * 160);
      }),
    );
  });
});
