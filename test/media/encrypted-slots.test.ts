import { describe, expect, it } from 'vitest';
import { encodeMulaw } from '../../src/audio/g711.ts';
import { dtmfEventOf, writeDtmfEvent } from '../../src/media/dtmf/dtmf-event.ts';
import { allocateCallAudio } from '../../src/media/plane/call-audio.ts';
import { PcmRing } from '../../src/media/plane/pcm-ring.ts';
import { buildRtcp, parseRtcp } from '../../src/media/rtp/rtcp-packet.ts';
import { looksLikeRtcp, parseRtpPacket, writeRtpHeader } from '../../src/media/rtp/rtp-packet.ts';
import { openSrtp } from '../../src/media/srtp/choose-srtp.ts';
import { SrtpKey } from '../../src/media/srtp/srtp-key.ts';
import { SRTP_SUITE_NAMES, type SrtpSuite } from '../../src/media/srtp/srtp-suite.ts';
import { type CallKeys, FORMER_KEYS_MS } from '../../src/media/worker/call-security.ts';
import { configure, MEDIA, PEER, PEER_PORT, portOf, SlotRig } from '../support/slot-rig.ts';
import { sealed, sealedRtcp } from '../support/srtp-packets.ts';
import { amplitudeAt, tone } from '../support/tones.ts';

const CALL = 1;
const SSRC = 7;
const PHONE = openSrtp({ name: 'node:crypto' });
const STRANGER = '192.0.2.66';
const keysOf = (suite: SrtpSuite): CallKeys => ({
  send: SrtpKey.random(suite).material,
  receive: [SrtpKey.random(suite).material],
});

/** A phone that speaks SRTP to a call of a media thread. */
class EncryptedCall {
  readonly rig = new SlotRig();
  readonly audio = allocateCallAudio(2_000);
  #sender;
  #hears;
  sequence = 65_500;
  timestamp = 1_000;

  private constructor(public keys: CallKeys) {
    this.#sender = PHONE.sender(keys.receive[0]!);
    this.#hears = PHONE.receiver([keys.send]);
  }
  static async open(suite: SrtpSuite = 'AES_CM_128_HMAC_SHA1_80'): Promise<EncryptedCall> {
    const call = new EncryptedCall(keysOf(suite));
    call.rig.wheel.start(0);
    await call.rig.open(CALL, { audio: call.audio });
    call.socket.hz = undefined;
    call.rig.wheel.run(() => 0);
    return call;
  }
  get socket() {
    return this.rig.sockets.get(portOf(CALL))!;
  }
  get slot() {
    return this.rig.slots[0]!;
  }
  configure(keys: CallKeys | undefined = this.keys, media = MEDIA): void {
    this.slot.receive(configure(CALL, media, keys));
  }
  /** What the phone protects with from now on. */
  rekey(keys: CallKeys, countedTo?: number): void {
    this.keys = keys;
    this.#sender = PHONE.sender(keys.receive[0]!);
    if (countedTo !== undefined) {
      // Its sequence turns over as often as it did before.
      for (let index = 0; index < countedTo; index += 20_000) this.#protect(index);
    }
    this.#hears = PHONE.receiver([keys.send]);
  }
  clear(payload: Uint8Array, payloadType = 0): Buffer {
    const packet = Buffer.alloc(12 + payload.length);
    writeRtpHeader(packet, payloadType, false, this.sequence++ & 0xffff, this.timestamp, SSRC);
    packet.set(payload, 12);
    return packet;
  }
  #protect(index: number): void {
    const packet = Buffer.alloc(12);
    writeRtpHeader(packet, 0, false, index & 0xffff, 0, SSRC);
    sealed(this.#sender, packet);
  }
  /** The next packet of a tone, as it goes over the wire. */
  word(): Buffer {
    const packet = this.clear(encodeMulaw(tone(440, 160, { from: this.timestamp, amplitude: 0.25 })));
    this.timestamp += 160;
    return sealed(this.#sender, packet);
  }
  deliver(datagram: Buffer, address = PEER, port = PEER_PORT): void {
    this.socket.deliver(Buffer.from(datagram), address, port);
  }
  rounds(count: number): void {
    for (let n = 0; n < count; n += 1) this.rig.round(n);
  }
  says(packets: number): void {
    for (let n = 0; n < packets; n += 1) {
      this.deliver(this.word());
      this.rounds(1);
    }
  }
  report(): Buffer {
    const ssrcOfCall = this.socket.wire[0]!.readUInt32BE(8);
    const block = { fractionLost: 64, cumulativeLost: 9, extendedHighest: 1, jitter: 8, lastSenderReport: 0 };
    const reports = [{ ssrc: ssrcOfCall, ...block, delaySinceLast: 0 }];
    return sealedRtcp(this.#sender, buildRtcp([{ type: 'rr', ssrc: SSRC, reports }]));
  }
  press(key: string): void {
    for (const [duration, end] of [
      [160, false],
      [320, true],
      [320, true],
    ] as const) {
      const event = Buffer.alloc(4);
      writeDtmfEvent(event, 0, { event: dtmfEventOf(key), end, volume: 10, duration });
      this.deliver(sealed(this.#sender, this.clear(event, 101)));
      this.rounds(1);
    }
    this.timestamp += 480;
  }
  /** What was captured since the last look. */
  heard(): Int16Array {
    const into = new Int16Array(32_000);
    return into.subarray(0, new PcmRing(this.audio.capture).read(into));
  }
  get amplitude(): number {
    return amplitudeAt(this.heard(), 440);
  }
  /** What the phone makes of what the call sent. */
  opened(): { rtp: Buffer[]; rtcp: Buffer[]; refused: number } {
    const result = { rtp: [] as Buffer[], rtcp: [] as Buffer[], refused: 0 };
    for (const datagram of this.socket.wire.splice(0)) {
      const isRtcp = looksLikeRtcp(datagram);
      const bytes = isRtcp ? this.#hears.unprotectRtcp(datagram) : this.#hears.unprotectRtp(datagram);
      if (typeof bytes === 'string') result.refused += 1;
      else (isRtcp ? result.rtcp : result.rtp).push(datagram.subarray(0, bytes));
    }
    return result;
  }
  get keysPressed(): string {
    return this.rig.of('event').reduce((keys, { event }) => (event.type === 'dtmf' ? keys + event.digit : keys), '');
  }
  get latched(): boolean {
    return this.rig.of('event').some(({ event }) => event.type === 'latched');
  }
  stats() {
    this.slot.receive({ type: 'stats', call: CALL });
    return this.rig.of('stats').at(-1)!.stats;
  }
}

describe('an encrypted call', () => {
  it.each(SRTP_SUITE_NAMES)('hears and is heard: %s', async (suite) => {
    const call = await EncryptedCall.open(suite);
    call.configure();
    new PcmRing(call.audio.playout).write(tone(1000, 8000, { amplitude: 0.25 }));
    call.says(50); // over the turn of the sequence
    expect(call.amplitude).toBeGreaterThan(0.1);
    const { rtp, refused } = call.opened();
    expect([rtp.length > 40, refused]).toEqual([true, 0]);
    const packet = parseRtpPacket(rtp.at(-1)!);
    expect(packet).toMatchObject({ payloadType: 0, payload: { length: 160 } });
    expect(call.stats()).toMatchObject({ srtpSuite: suite, packetsForged: 0, packetsReplayed: 0, packetsRejected: 0 });
  });

  it('hears keys, and sends them', async () => {
    const call = await EncryptedCall.open();
    call.configure();
    call.says(3);
    call.press('5');
    call.slot.receive({ type: 'keys', call: CALL, digits: '9', after: new PcmRing(call.audio.playout).writePosition });
    call.says(20);
    expect(call.keysPressed).toBe('5');
    expect(call.opened().rtp.filter((packet) => (packet[1]! & 0x7f) === 101).length).toBeGreaterThan(3);
  });

  it('hears what came before the ACK', async () => {
    const call = await EncryptedCall.open();
    call.slot.receive({ type: 'expect', call: CALL });
    call.says(20);
    call.configure();
    expect(call.amplitude).toBeGreaterThan(0.1);
  });

  it('hears nothing in the clear, and no source by it', async () => {
    const call = await EncryptedCall.open();
    call.configure();
    for (let n = 0; n < 60; n += 1) {
      call.deliver(call.clear(encodeMulaw(tone(440, 160, { from: n * 160 }))));
      call.timestamp += 160;
      call.rounds(1);
    }
    expect([call.amplitude < 0.001, call.latched, call.stats().packetsForged]).toEqual([true, false, 60]);
  });

  it('is not moved by one turned bit or by a hundred packets that come again', async () => {
    const call = await EncryptedCall.open();
    call.configure();
    const turned = call.word();
    turned[20] = turned[20]! ^ 1;
    call.deliver(turned);
    expect(call.latched).toBe(false);
    const said = Array.from({ length: 100 }, () => call.word());
    for (const packet of said) {
      call.deliver(packet);
      call.rounds(1);
    }
    const before = call.stats();
    call.heard();
    for (const packet of said) {
      call.deliver(packet);
      call.rounds(1);
    }
    expect(call.amplitude).toBeLessThan(0.01);
    expect(call.stats()).toMatchObject({
      ...{ packetsForged: 1, packetsReplayed: 100, packetsRejected: 101 },
      packetsReceived: before.packetsReceived,
      packetsDuplicate: 0,
    });
  });

  it('is not moved by copies from elsewhere, not even when they come first', async () => {
    const call = await EncryptedCall.open();
    call.configure();
    call.says(5);
    call.heard();
    for (let n = 0; n < 50; n += 1) {
      const packet = call.word();
      call.deliver(packet, STRANGER, 9);
      call.deliver(packet);
      call.rounds(1);
    }
    expect(call.amplitude).toBeGreaterThan(0.1);
    expect(call.stats()).toMatchObject({ packetsReplayed: 0, packetsRejected: 50, packetsLost: 0 });
  });

  it('goes on with the same keys over hold: what came before is still known', async () => {
    const call = await EncryptedCall.open();
    call.configure();
    const said = call.word();
    call.deliver(said);
    call.configure(call.keys, { ...MEDIA, direction: 'recvonly' });
    call.configure();
    call.deliver(said);
    call.says(5);
    expect(call.stats()).toMatchObject({ packetsReplayed: 1, packetsForged: 0, packetsReceived: 6 });
    expect(call.opened().refused).toBe(0);
  });

  it('takes new keys, and those before for a while', async () => {
    const call = await EncryptedCall.open();
    call.configure();
    call.says(5);
    const onTheWay = [call.word(), call.word()];
    const next = keysOf('AEAD_AES_128_GCM');
    call.configure(next);
    expect(call.opened().refused).toBe(0);
    call.rekey(next);
    call.deliver(onTheWay[0]!);
    call.says(5);
    expect(call.stats()).toMatchObject({ srtpSuite: 'AEAD_AES_128_GCM', packetsForged: 0, packetsReceived: 11 });
    expect(call.opened()).toMatchObject({ refused: 0, rtp: { length: 5 } });
    call.rounds(FORMER_KEYS_MS / 20);
    call.deliver(onTheWay[1]!);
    expect(call.stats()).toMatchObject({ packetsForged: 1, packetsReceived: 11 });
  });

  /** A call in which both sides have turned the sequence over, and its new keys. */
  async function longCall() {
    const call = await EncryptedCall.open();
    call.configure();
    call.says(3);
    for (let jump = 0; jump < 3; jump += 1) {
      call.sequence += 30_000;
      call.says(1);
    }
    // Ours: as many packets as a call of 22 minutes has.
    call.rounds(66_000);
    return { call, next: keysOf('AES_CM_128_HMAC_SHA1_80'), ssrc: call.socket.wire.at(-1)!.readUInt32BE(8) };
  }

  it.each(['begins to count again', 'counts on'])('hears a peer that %s with new keys', async (way) => {
    const { call, next, ssrc } = await longCall();
    call.configure(next);
    call.socket.wire.length = 0;
    call.heard();
    call.rekey(next, way === 'counts on' ? call.sequence : undefined);
    call.says(50);
    expect(call.amplitude).toBeGreaterThan(0.1);
    expect(call.stats().packetsForged).toBe(0);
    // Ours is another stream, which all count from 0.
    const sent = call.opened();
    expect([sent.refused, sent.rtp.length > 40, sent.rtp[0]!.readUInt32BE(8) === ssrc]).toEqual([0, true, false]);
  });

  it('goes on in the clear when that was agreed', async () => {
    const call = await EncryptedCall.open();
    call.configure();
    call.says(5);
    call.slot.receive(configure(CALL, MEDIA));
    call.socket.wire.length = 0;
    call.deliver(call.word()); // still encrypted: noise of the wrong size, not a fault
    call.rounds(2);
    expect(parseRtpPacket(call.socket.wire[0]!)).toMatchObject({ payload: { length: 160 } });
    expect(call.stats()).not.toHaveProperty('srtpSuite');
  });

  it('is another stream when it is encrypted again: with the same keys no index may come twice', async () => {
    const call = await EncryptedCall.open();
    call.configure();
    call.says(5);
    const before = call.socket.wire.at(-1)!.readUInt32BE(8);
    call.slot.receive(configure(CALL, MEDIA));
    call.rounds(5);
    call.configure();
    call.socket.wire.length = 0;
    call.rekey(call.keys);
    call.says(5);
    const { rtp, refused } = call.opened();
    expect([refused, rtp.length, rtp[0]!.readUInt32BE(8) === before]).toEqual([0, 5, false]);
  });

  it('stops where the key of the peer has protected as much as it may', async () => {
    const call = await EncryptedCall.open();
    call.configure({ ...call.keys, receive: [{ ...call.keys.receive[0]!, lifetimePackets: 10 }] });
    call.says(20);
    expect(call.stats().packetsReceived).toBe(10);
  });

  it('sends reports encrypted, and believes those that are', async () => {
    const call = await EncryptedCall.open();
    call.configure();
    call.says(200);
    const reports = call.socket.wire.filter(looksLikeRtcp);
    expect(reports.length).toBe(1);
    call.socket.wire.splice(0, call.socket.wire.length, call.socket.wire[0]!, ...reports);
    const report = call.report();
    const turned = Buffer.from(report);
    turned[12] = turned[12]! ^ 1;
    call.deliver(turned);
    expect(call.stats().remoteLossPercent).toBeUndefined();
    call.deliver(report);
    call.deliver(report);
    expect(call.stats()).toMatchObject({ remoteLossPercent: 25, packetsForged: 1, packetsReplayed: 1 });
    const [sent] = call.opened().rtcp;
    expect(parseRtcp(sent!)).toMatchObject([{ type: 'sr' }, { type: 'sdes' }]);
  });

  it('says goodbye encrypted', async () => {
    const call = await EncryptedCall.open();
    call.configure();
    call.says(5);
    call.slot.close();
    const { rtcp, refused } = call.opened();
    expect(refused).toBe(0);
    expect(parseRtcp(rtcp.at(-1)!)).toMatchObject([{ type: 'sr' }, { type: 'sdes' }, { type: 'bye' }]);
    expect(call.rig.of('closed')[0]?.ending.stats).toMatchObject({ srtpSuite: 'AES_CM_128_HMAC_SHA1_80' });
  });
});
