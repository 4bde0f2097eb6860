import { describe, expect, it } from 'vitest';
import { encodeMulaw, MULAW_DECODE, MULAW_SILENCE } from '../../src/audio/g711.ts';
import type { NegotiatedMedia } from '../../src/media/description.ts';
import { parseDtmfEvent } from '../../src/media/dtmf/dtmf-event.ts';
import { dtmfTone } from '../../src/media/dtmf/dtmf-tone.ts';
import { allocateLane, type LaneEnds } from '../../src/media/plane/bridge-lane.ts';
import { allocateCallAudio, TalkClock } from '../../src/media/plane/call-audio.ts';
import { ListenerTap } from '../../src/media/plane/listener-tap.ts';
import { allocatePcmRing, PcmRing } from '../../src/media/plane/pcm-ring.ts';
import { writeRtpHeader } from '../../src/media/rtp/rtp-packet.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { configure, type FakeSocket, MEDIA, PEER, PEER_PORT, portOf, SlotRig } from '../support/slot-rig.ts';
import { amplitudeAt, tone } from '../support/tones.ts';

const SECOND = 50; // rounds
const A = 1;
const B = 2;
const A_HZ = 440;
const B_HZ = 1_000;
const AGENT_HZ = 2_000;

/** Two calls that are joined, on one media thread or on two. */
class Pair {
  readonly rigs: readonly [SlotRig, SlotRig];
  readonly audio = [allocateCallAudio(2_000), allocateCallAudio(2_000)] as const;
  readonly lanes: readonly [LaneEnds, LaneEnds];
  #rounds = 0;

  private constructor(threads: 1 | 2) {
    const rig = new SlotRig();
    this.rigs = [rig, threads === 1 ? rig : new SlotRig()];
    const [forth, back] = [allocateLane(8_000), allocateLane(8_000)];
    this.lanes = [
      { to: forth, from: back },
      { to: back, from: forth },
    ];
  }

  static async open(threads: 1 | 2 = 1, media: readonly NegotiatedMedia[] = [MEDIA, MEDIA]): Promise<Pair> {
    const pair = new Pair(threads);
    for (const rig of new Set(pair.rigs)) rig.wheel.start(0);
    for (const [at, rig] of pair.rigs.entries()) {
      const slot = await rig.open(at + 1, { audio: pair.audio[at]! });
      slot.receive(configure(at + 1, media[at]));
      slot.receive({ type: 'join', call: at + 1, lanes: pair.lanes[at]! });
    }
    pair.socket(B).hz = B_HZ;
    return pair;
  }

  slot(call: number) {
    return this.rigs[call - 1]!.slots.find(({ id }) => id === call)!;
  }
  socket(call: number): FakeSocket {
    return this.rigs[call - 1]!.sockets.get(portOf(call))!;
  }
  rounds(count: number): void {
    for (let n = 0; n < count; n += 1) {
      for (const rig of new Set(this.rigs)) rig.round(this.#rounds);
      this.#rounds += 1;
    }
  }
  /** What the phone of `call` hears in the next half second. */
  hears(call: number): Int16Array {
    const from = this.socket(call).heard.length;
    this.rounds(SECOND / 2);
    return audioOf(this.socket(call), from);
  }
}

function audioOf({ heard }: FakeSocket, from: number): Int16Array {
  const packets = heard.slice(from).filter(({ payloadType }) => payloadType === 0);
  return Int16Array.from(packets.flatMap(({ payload }) => [...payload].map((code) => MULAW_DECODE[code] as number)));
}
const keysOf = ({ heard }: FakeSocket): number[] =>
  heard.flatMap(({ payloadType, payload }) => {
    const event = payloadType === 101 ? parseDtmfEvent(payload) : undefined;
    return event?.end ? [event.event] : [];
  });
const isSilent = (samples: Int16Array): boolean => samples.every((sample) => sample === MULAW_DECODE[MULAW_SILENCE]);

describe.each(EVERY_TEST ? ([1, 2] as const) : ([2] as const))('two joined calls on %i media threads', (threads) => {
  it('hear each other and not themselves', async () => {
    const pair = await Pair.open(threads);
    pair.rounds(SECOND);
    const [atA, atB] = [pair.hears(A), pair.hears(B)];
    expect(amplitudeAt(atA, B_HZ)).toBeCloseTo(0.25, 2);
    expect(amplitudeAt(atB, A_HZ)).toBeCloseTo(0.25, 2);
    expect([amplitudeAt(atA, A_HZ), amplitudeAt(atB, B_HZ)].every((level) => level < 0.002)).toBe(true);
  });

  it('hear the agent as well, each only what is written for him', async () => {
    const pair = await Pair.open(threads);
    pair.rounds(SECOND);
    const agent = new PcmRing(pair.audio[0].playout);
    agent.write(tone(AGENT_HZ, 8_000));
    const atA = pair.hears(A);
    expect(amplitudeAt(atA, AGENT_HZ)).toBeCloseTo(0.25, 1);
    expect(amplitudeAt(atA, B_HZ)).toBeCloseTo(0.25, 1);
    const atB = pair.hears(B);
    expect(amplitudeAt(atB, A_HZ)).toBeCloseTo(0.25, 2);
    expect(amplitudeAt(atB, AGENT_HZ)).toBeLessThan(0.002);
    expect(agent.queued).toBe(0);
    expect(amplitudeAt(pair.hears(A), AGENT_HZ)).toBeLessThan(0.002);
  });

  it('are again what they were after they were parted', async () => {
    const pair = await Pair.open(threads);
    pair.rounds(SECOND);
    for (const call of [A, B]) pair.slot(call).receive({ type: 'part', call });
    expect(new Set(pair.rigs.flatMap((rig) => rig.of('parted').map(({ call }) => call)))).toEqual(new Set([A, B]));
    pair.rounds(2);
    const before = pair.lanes.map(({ to }) => new PcmRing(to.audio).writePosition);
    expect([isSilent(pair.hears(A)), isSilent(pair.hears(B))]).toEqual([true, true]);
    expect(pair.lanes.map(({ to }) => new PcmRing(to.audio).writePosition)).toEqual(before);
    new PcmRing(pair.audio[0].playout).write(tone(AGENT_HZ, 8_000));
    expect(amplitudeAt(pair.hears(A), AGENT_HZ)).toBeCloseTo(0.25, 1);
  });
});

describe('a joined call', () => {
  it('never goes beyond full scale where the agent and the other caller are loud', async () => {
    const pair = await Pair.open();
    pair.socket(B).amplitude = 1;
    pair.rounds(SECOND);
    new PcmRing(pair.audio[0].playout).write(tone(B_HZ + 50, 8_000, { amplitude: 1 }));
    const atA = pair.hears(A);
    expect(Math.max(...atA)).toBeGreaterThan(31_000);
    const steps = atA.subarray(1).map((sample, i) => Math.abs(sample - (atA[i] as number)) >> 1);
    expect(Math.max(...steps)).toBeLessThan(26_000); // round the end of the scale they would be 32,000
  });

  it('hears what the agent wrote once, though it ends within a packet', async () => {
    const pair = await Pair.open();
    pair.socket(B).hz = undefined;
    pair.rounds(SECOND);
    new PcmRing(pair.audio[0].playout).write(new Int16Array(240).fill(8_000));
    expect(pair.hears(A).filter((sample) => sample > 4_000)).toHaveLength(240);
  });

  it('counts the words of the agent alone as the beginning of his turn', async () => {
    const pair = await Pair.open();
    const talk = new TalkClock(pair.audio[0].talk);
    talk.begin(); // the words follow
    pair.rounds(SECOND);
    expect(talk.startedAtMs).toBeUndefined();
    new PcmRing(pair.audio[0].playout).write(tone(AGENT_HZ, 800));
    pair.rounds(2);
    expect(talk.startedAtMs).toBeGreaterThan(SECOND * 20 - 1);
  });

  it('passes on silence while it is held, and hears the present afterwards', async () => {
    const pair = await Pair.open();
    pair.rounds(SECOND);
    pair.slot(B).receive(configure(B, { ...MEDIA, direction: 'inactive' }));
    const before = pair.socket(B).sent;
    pair.rounds(SECOND / 5);
    expect(isSilent(pair.hears(A).subarray(-2_000))).toBe(true);
    expect(pair.socket(B).sent).toBe(before);
    pair.socket(A).hz = AGENT_HZ; // what was said on hold is gone
    pair.rounds(SECOND / 2);
    pair.slot(B).receive(configure(B));
    const after = pair.hears(B);
    expect(amplitudeAt(after.subarray(0, 800), A_HZ)).toBeLessThan(0.01);
    expect(amplitudeAt(after, AGENT_HZ)).toBeCloseTo(0.25, 1);
  });

  it('lets no word of the other caller go to an address that has not proved itself', async () => {
    const pair = await Pair.open(1, [MEDIA, { ...MEDIA, signallingAddress: '192.0.2.1' }]);
    pair.socket(B).hz = undefined;
    pair.rounds(SECOND / 2);
    expect(pair.socket(B).sent).toBeGreaterThan(10);
    expect(isSilent(audioOf(pair.socket(B), 0))).toBe(true);
  });

  it('records the other caller in the channel of the agent', async () => {
    const pair = await Pair.open();
    const memory = allocatePcmRing(2 * 32_000);
    pair.slot(A).receive({ type: 'record', call: A, ring: memory });
    pair.rounds(2 * SECOND);
    const stereo = new Int16Array(32_000);
    expect(new PcmRing(memory).read(stereo)).toBe(32_000);
    const channel = (at: number): Int16Array => stereo.filter((_, i) => i % 2 === at).subarray(8_000);
    expect(amplitudeAt(channel(0), A_HZ)).toBeCloseTo(0.25, 2);
    expect(amplitudeAt(channel(1), B_HZ)).toBeCloseTo(0.25, 2);
    expect(amplitudeAt(channel(1), A_HZ)).toBeLessThan(0.002);
  });

  it('is heard by somebody who listens until they leave, both callers, beside the recording', async () => {
    const pair = await Pair.open();
    const [recorded, listened] = [allocatePcmRing(2 * 32_000), allocatePcmRing(2 * 32_000)];
    pair.slot(A).receive({ type: 'record', call: A, ring: recorded });
    pair.slot(A).receive({ type: 'listen', call: A, ring: listened });
    pair.rounds(2 * SECOND);
    pair.slot(A).receive({ type: 'listen', call: A, ring: undefined });
    pair.rounds(SECOND / 2);
    const stereo = new Int16Array(32_000);
    const tap = new ListenerTap(listened, 8_000, () => undefined);
    expect([tap.read(new Int16Array(5)), tap.read(stereo)]).toEqual([4, 32_000 - 4]);
    const channel = (at: number): Int16Array => stereo.filter((_, i) => i % 2 === at).subarray(8_000, 15_900);
    expect(amplitudeAt(channel(0), A_HZ)).toBeCloseTo(0.25, 2);
    expect(amplitudeAt(channel(1), B_HZ)).toBeCloseTo(0.25, 2);
    expect(tap.read(stereo)).toBe(0); // nobody listens any more
    expect(new PcmRing(recorded).queued).toBe(40_000);
  });

  it('may be read by nobody for as long as it lasts', async () => {
    const pair = await Pair.open();
    pair.rounds(20 * SECOND);
    const capture = new PcmRing(pair.audio[0].capture);
    expect(capture.queued).toBeLessThanOrEqual(16_384);
    expect(pair.rigs[0].posted.filter(({ type }) => type === 'fault' || type === 'event')).toHaveLength(2); // latched
    pair.socket(A).hz = AGENT_HZ;
    pair.rounds(SECOND / 2);
    const heard = new Int16Array(capture.queued);
    capture.read(heard);
    expect(amplitudeAt(heard.subarray(-2_000), AGENT_HZ)).toBeCloseTo(0.25, 1);
  });

  it('may be joined before it is known what goes over its port', async () => {
    const pair = await Pair.open();
    const rig = pair.rigs[0];
    const late = await rig.open(3);
    pair.slot(B).receive({ type: 'part', call: B });
    late.receive({ type: 'join', call: 3, lanes: pair.lanes[1] });
    pair.rounds(SECOND);
    expect(rig.sockets.get(portOf(3))?.sent).toBe(0);
    late.receive(configure(3));
    pair.rounds(SECOND);
    expect(amplitudeAt(audioOf(rig.sockets.get(portOf(3))!, SECOND / 2), A_HZ)).toBeCloseTo(0.25, 2);
  });

  it('goes on with packets of another length, or of another codec', async () => {
    const pair = await Pair.open();
    pair.slot(B).receive(configure(B, { ...MEDIA, ptimeMs: 30 }));
    pair.rounds(SECOND);
    expect(amplitudeAt(pair.hears(B), A_HZ)).toBeCloseTo(0.25, 2);
    pair.slot(B).receive(configure(B, { ...MEDIA, codec: 'G722', payloadType: 9 }));
    const before = pair.socket(B).sent;
    pair.rounds(SECOND / 2);
    const sent = pair.socket(B).heard.slice(before);
    expect(sent.length).toBe(SECOND / 2);
    expect(sent.every(({ payloadType }) => payloadType === 9)).toBe(true);
    expect(pair.rigs[0].failed).toEqual([]);
  });
});

describe('keys between joined calls', () => {
  it('go over as events alone where a phone lets their tone be heard, too', async () => {
    const pair = await Pair.open();
    pair.rounds(SECOND / 2);
    const { deliver } = pair.socket(A);
    pair.socket(A).hz = undefined;
    let [sequence, now] = [0, 0];
    const packet = (payloadType: number, payload: Uint8Array, timestamp: number): void => {
      const datagram = Buffer.alloc(12 + payload.length);
      writeRtpHeader(datagram, payloadType, false, sequence++, timestamp, 99);
      datagram.set(payload, 12);
      deliver(datagram, PEER, PEER_PORT);
    };
    /** What B hears of half a second in which A's tone sounds, with an event beside it or without. */
    const heardOf = (event: boolean): number => {
      const from = pair.socket(B).heard.length;
      const begin = now;
      for (let n = 1; n <= SECOND / 2; n += 1) {
        packet(0, encodeMulaw(tone(A_HZ, 160, { from: now, amplitude: 0.25 })), now);
        now += 160;
        if (event) packet(101, Uint8Array.of(5, n * 2 === SECOND ? 0x8a : 10, (n * 160) >> 8, n * 160), begin);
        pair.rounds(1);
      }
      return amplitudeAt(audioOf(pair.socket(B), from).subarray(-1_600), A_HZ);
    };
    expect([heardOf(false) > 0.2, heardOf(true) < 0.01, heardOf(false) > 0.2]).toEqual([true, true, true]);
    expect(new Set(keysOf(pair.socket(B)))).toEqual(new Set([5]));
  });

  function press(pair: Pair, call: number, event: number, at: number): void {
    for (const [i, duration] of [160, 320, 480, 480].entries()) {
      const datagram = Buffer.alloc(16);
      writeRtpHeader(datagram, 101, i === 0, 4 * at + i, 10_000 + 2_000 * at, 99);
      datagram.set([event, duration === 480 ? 0x8a : 10, duration >> 8, duration & 255], 12);
      pair.socket(call).deliver(datagram, PEER, PEER_PORT);
    }
  }

  it('go over in their order, each ended three times, and the owner is told', async () => {
    const pair = await Pair.open();
    pair.socket(A).hz = undefined;
    for (const [at, event] of [5, 5, 11].entries()) press(pair, A, event, at);
    pair.rounds(2 * SECOND);
    expect(keysOf(pair.socket(B))).toEqual([5, 5, 5, 5, 5, 5, 11, 11, 11]);
    expect(keysOf(pair.socket(A))).toEqual([]);
    const told = pair.rigs[0].of('event').flatMap(({ event }) => (event.type === 'dtmf' ? [event.digit] : []));
    expect(told).toEqual(['5', '5', '#']);
    expect(amplitudeAt(pair.hears(A), B_HZ)).toBeCloseTo(0.25, 2);
  });

  it('wait in a bounded number', async () => {
    const pair = await Pair.open();
    pair.socket(A).hz = undefined;
    for (let at = 0; at < 40; at += 1) press(pair, A, at % 10, at);
    pair.rounds(15 * SECOND);
    expect(keysOf(pair.socket(B)).filter((_, i) => i % 3 === 0)).toEqual(
      Array.from({ length: 16 }, (_, at) => at % 10),
    );
  });

  it('are tones for a phone that knows no events', async () => {
    const pair = await Pair.open(1, [MEDIA, { ...MEDIA, dtmfPayloadType: undefined } as never]);
    pair.socket(A).hz = undefined;
    press(pair, A, 5, 0);
    const atB = pair.hears(B);
    expect(amplitudeAt(atB.subarray(0, 1_600), 770)).toBeGreaterThan(0.1);
    expect(amplitudeAt(atB.subarray(0, 1_600), 1_336)).toBeGreaterThan(0.1);
  });

  it.each([
    { way: 'info', keys: ['5'] },
    { way: 'rfc4733', keys: [] },
  ])('are not in the media of a phone whose keys go by $way and that takes no events', async ({ way, keys }) => {
    const pair = await Pair.open(2, [MEDIA, { ...MEDIA, dtmf: way, dtmfPayloadType: undefined } as never]);
    pair.socket(A).hz = undefined;
    press(pair, A, 5, 0);
    const atB = pair.hears(B);
    expect(amplitudeAt(atB.subarray(0, 1_600), 770)).toBeLessThan(0.01);
    expect(pair.rigs[1].of('event').flatMap(({ event }) => (event.type === 'keys' ? [event.digits] : []))).toEqual(
      keys,
    );
  });

  it('that come as tones go over as tones, once', async () => {
    const pair = await Pair.open(1, [{ ...MEDIA, dtmfPayloadType: undefined } as never, MEDIA]);
    pair.socket(A).hz = undefined;
    pair.rounds(5);
    const lane = new PcmRing(pair.lanes[0].to.audio);
    const before = lane.writePosition;
    const key = new Int16Array(160);
    for (let n = 0; n < 20; n += 1) {
      dtmfTone(key, 5, n * 160, 8_000);
      const datagram = Buffer.alloc(12 + 160);
      writeRtpHeader(datagram, 0, false, n, n * 160, 7);
      if (n < 8) datagram.set(encodeMulaw(key), 12);
      else datagram.fill(MULAW_SILENCE, 12);
      pair.socket(A).deliver(datagram, PEER, PEER_PORT);
      pair.rounds(1);
    }
    expect(lane.writePosition).toBeGreaterThan(before);
    const told = pair.rigs[0].of('event').flatMap(({ event }) => (event.type === 'dtmf' ? [event.digit] : []));
    expect(told).toEqual(['5']);
    expect(amplitudeAt(audioOf(pair.socket(B), 5).subarray(0, 1_600), 770)).toBeGreaterThan(0.1);
    // Whoever listens for speech hears the beginning, until it is known to be a key.
    const heard = new Int16Array(8_000);
    const count = new PcmRing(pair.audio[0].capture).read(heard);
    const sounding = Array.from({ length: count / 160 }, (_, n) =>
      amplitudeAt(heard.subarray(n * 160, n * 160 + 160), 770),
    );
    expect(sounding.filter((amplitude) => amplitude > 0.05).length).toBeLessThanOrEqual(3);
    expect(count).toBeGreaterThan(3_200);
    pair.rounds(SECOND);
    expect(keysOf(pair.socket(B))).toEqual([]);
  });
});

describe('messages about a bridge', () => {
  it('are answered whatever became of the call', async () => {
    const pair = await Pair.open();
    const slot = pair.slot(A);
    slot.receive(configure(A, null as never)); // fails
    expect(slot.state).toBe('failed');
    slot.receive({ type: 'join', call: A, lanes: pair.lanes[0] });
    slot.receive({ type: 'part', call: A });
    expect(pair.rigs[0].of('parted').map(({ call }) => call)).toEqual([A]);
    slot.receive({ type: 'close', call: A });
    expect(pair.rigs[0].of('closed').map(({ call }) => call)).toEqual([A]);
  });

  it('end a call that cannot take them, and not the other', async () => {
    const pair = await Pair.open();
    pair.slot(A).receive({ type: 'join', call: A, lanes: { to: null, from: null } as never });
    expect(pair.rigs[0].failed).toEqual([A]);
    pair.rounds(SECOND);
    expect(pair.slot(B).state).toBe('live');
    expect(isSilent(pair.hears(B))).toBe(true);
  });

  it('leave nothing of a call that failed in the ears of the other', async () => {
    const pair = await Pair.open(2);
    pair.rounds(SECOND);
    pair.socket(A).send = () => {
      throw new Error('poisoned');
    };
    pair.rounds(1);
    expect(pair.slot(A).state).toBe('failed');
    pair.rounds(5);
    expect(isSilent(pair.hears(B))).toBe(true);
    expect(pair.rigs[1].failed).toEqual([]);
    new PcmRing(pair.audio[1].playout).write(tone(AGENT_HZ, 8_000));
    expect(amplitudeAt(pair.hears(B), AGENT_HZ)).toBeCloseTo(0.25, 1);
  });
});

describe('the noise of our line', () => {
  const softest = (socket: FakeSocket): number[] =>
    socket.heard.map(({ payload }) => Math.max(...payload.map((code) => Math.abs(MULAW_DECODE[code]!))));

  it('is heard by a caller alone, once they have proved themselves, and by none who hears another caller', async () => {
    const rig = new SlotRig();
    rig.comfortNoiseDb = -60;
    rig.wheel.start(0);
    const slot = await rig.open(A);
    slot.receive(configure(A, { ...MEDIA, signallingAddress: '203.0.113.9' }));
    const socket = rig.sockets.get(portOf(A))!;
    socket.hz = undefined;
    for (let n = 0; n < 5; n += 1) rig.round(n);
    expect(softest(socket).every((peak) => peak === 0)).toBe(true);
    socket.hz = A_HZ;
    for (let n = 5; n < 20; n += 1) rig.round(n);
    const peaks = softest(socket).slice(-8);
    for (const peak of peaks) expect(peak).toBeGreaterThan(20);
    expect(Math.max(...peaks)).toBeLessThan(100);
    slot.receive({ type: 'join', call: A, lanes: { to: allocateLane(8_000), from: allocateLane(8_000) } });
    for (let n = 20; n < 25; n += 1) rig.round(n);
    expect(
      softest(socket)
        .slice(-4)
        .every((peak) => peak === 0),
    ).toBe(true);
  });
});
