import { describe, expect, it } from 'vitest';
import { allocateCallAudio, CaptureClock } from '../../src/media/plane/call-audio.ts';
import { PcmRing } from '../../src/media/plane/pcm-ring.ts';
import { writeRtpHeader } from '../../src/media/rtp/rtp-packet.ts';
import { SLOT_TRANSITIONS, type SlotEvent, type SlotState } from '../../src/media/worker/call-slot.ts';
import { configure, type FakeSocket, MEDIA, PEER, PEER_PORT, POISONED, portOf, SlotRig } from '../support/slot-rig.ts';

const CALLS = 100;
const boom = (): never => {
  throw new Error('poisoned');
};

describe('the states of a slot', () => {
  const expected: Record<SlotState, Partial<Record<SlotEvent, SlotState>>> = {
    opening: { opened: 'live', refused: 'closed', fault: 'closed', close: 'closed' },
    live: { fault: 'failed', close: 'closed' },
    failed: { close: 'closed' },
    closed: {},
  };
  const events: SlotEvent[] = ['opened', 'refused', 'fault', 'close'];
  it.each((Object.keys(expected) as SlotState[]).flatMap((state) => events.map((event) => ({ state, event }))))(
    '$state, $event',
    ({ state, event }) => expect(SLOT_TRANSITIONS[state][event]).toBe(expected[state][event]),
  );
});

describe('who a datagram is from', () => {
  it.each([
    { name: 'a stranger with the port of the peer', address: '198.51.100.8', port: PEER_PORT, counts: false },
    { name: 'a stranger on the host of the peer', address: PEER, port: PEER_PORT + 2, counts: false },
    { name: 'the peer in its mapped spelling', address: `::ffff:${PEER}`, port: PEER_PORT, counts: true },
  ])('$name, between those of the peer', async ({ address, port, counts }) => {
    const rig = new SlotRig();
    const slot = await rig.open(1);
    slot.receive(configure(1));
    const datagram = Buffer.alloc(172, 0xff);
    for (let n = 0; n < 20; n += 1) {
      rig.round(2 * n);
      writeRtpHeader(datagram, 0, false, 2 * n + 1, (2 * n + 1) * 160, 7);
      rig.sockets.get(portOf(1))!.deliver(datagram, address, port);
    }
    slot.close();
    const { packetsReceived, packetsRejected } = rig.of('closed')[0]!.ending.stats;
    expect({ packetsReceived, packetsRejected }).toEqual(
      counts ? { packetsReceived: 40, packetsRejected: 0 } : { packetsReceived: 20, packetsRejected: 20 },
    );
  });
});

describe('what the main thread reads', () => {
  it.each([0, 3, 20])('came when it came over the wire, %i frames before it is read', async (unread) => {
    const rig = new SlotRig();
    const audio = allocateCallAudio(1_000);
    const slot = await rig.open(1, { audio });
    slot.receive(configure(1));
    const peer = rig.sockets.get(portOf(1))!;
    peer.amplitude = 0;
    const ring = new PcmRing(audio.capture);
    const clock = new CaptureClock(audio.heard);
    const frame = new Int16Array(160);
    expect(clock.readAtMs(() => 0)).toBeUndefined();
    for (let n = 0; n < 10; n += 1) rig.round(n);
    const loudMs = rig.nowMs;
    peer.amplitude = 0.25;
    for (let n = 10; n < 15 + unread; n += 1) rig.round(n);
    while (ring.read(frame) > 0 && frame.every((sample) => Math.abs(sample) < 100));
    expect(clock.readAtMs(() => ring.queued / 8)).toBeCloseTo(loudMs, 0);
  });
});

describe('a hundred calls on one thread', () => {
  /** Which part of the poisoned call throws, and what is seen of it. */
  const cases: {
    name: string;
    poison: SlotRig['poison'];
    spoil?: (rig: SlotRig) => void;
    opened: boolean;
    failed: boolean;
  }[] = [
    {
      name: 'a tick throws',
      poison: (socket) => Object.assign(socket, { send: boom }),
      opened: true,
      failed: true,
    },
    {
      name: 'a datagram throws',
      poison: (socket) => Object.assign(socket, { connect: (peer: unknown) => (peer ? boom() : undefined) }),
      opened: true,
      failed: true,
    },
    {
      name: 'a message throws',
      poison: (socket) => socket,
      spoil: (rig) => rig.slots[POISONED]?.receive(configure(POISONED, { ...MEDIA, remote: undefined as never })),
      opened: true,
      failed: true,
    },
    { name: 'its port cannot be opened', poison: () => 'no-descriptors', opened: false, failed: false },
    { name: 'opening its port throws', poison: boom, opened: false, failed: false },
    {
      name: 'closing throws',
      poison: (socket) => Object.assign(socket, { close: boom }),
      spoil: (rig) => rig.slots[POISONED]?.close(),
      opened: true,
      failed: false,
    },
  ];

  it.each(cases)('$name: ninety-nine go on', async ({ poison, spoil, opened, failed }) => {
    const rig = new SlotRig();
    rig.poison = poison;
    rig.wheel.start(0);
    for (let id = 0; id < CALLS; id += 1) await rig.open(id);
    for (const slot of rig.slots) slot.receive(configure(slot.id));
    for (let n = 0; n < 20; n += 1) rig.round(n);
    spoil?.(rig);
    const others = rig.slots.filter(({ id }) => id !== POISONED);
    const before = new Map([...rig.sockets].map(([port, { sent }]) => [port, sent]));
    for (let n = 20; n < 40; n += 1) rig.round(n);

    expect(rig.of('opened').length).toBe(opened ? CALLS : CALLS - 1);
    expect(rig.failed).toEqual(failed ? [POISONED] : []);
    expect(others.every(({ state }) => state === 'live')).toBe(true);
    for (const { id } of others) {
      expect((rig.sockets.get(portOf(id))?.sent ?? 0) - (before.get(portOf(id)) ?? 0)).toBe(20);
    }
    expect(rig.wheel.size).toBe(CALLS - 1); // its place on the wheel is free
    if (!opened) expect(rig.of('refused').map(({ call }) => call)).toEqual([POISONED]);
    rig.slots[POISONED]?.close();
    expect(rig.slots[POISONED]?.state).toBe('closed');
    expect(rig.of('closed').filter(({ call }) => call === POISONED).length).toBe(opened ? 1 : 0);
  });

  it('keeps the figures of a failed call for whoever closes it', async () => {
    const rig = new SlotRig();
    rig.wheel.start(0);
    const slot = await rig.open(1);
    slot.receive(configure(1));
    for (let n = 0; n < 10; n += 1) rig.round(n);
    slot.receive(configure(1, null as never));
    expect(slot.state).toBe('failed');
    expect(rig.sockets.get(portOf(1))?.closed).toBe(true);
    slot.receive({ type: 'stats', call: 1 });
    slot.receive({ type: 'keys', call: 1, digits: '1', after: 0 });
    slot.receive({ type: 'close', call: 1 });
    expect(rig.of('stats')[0]?.stats).toMatchObject({ packetsReceived: 10, packetsSent: 10 });
    expect(rig.of('closed')[0]?.ending.stats).toMatchObject({ packetsReceived: 10, packetsSent: 10 });
    expect(rig.of('fault').map(({ step }) => step)).toEqual(['configure']);
  });

  it('frees the port although the goodbye to the peer throws', async () => {
    const rig = new SlotRig();
    rig.wheel.start(0);
    const slot = await rig.open(1);
    slot.receive(configure(1));
    for (let n = 0; n < 10; n += 1) rig.round(n);
    const socket = rig.sockets.get(portOf(1)) as FakeSocket;
    socket.send = boom;
    slot.close();
    expect(socket.closed).toBe(true);
    expect(rig.of('closed').length).toBe(1);
  });

  it('goes without reports where RTCP cannot be opened', async () => {
    const rig = new SlotRig();
    rig.wheel.start(0);
    let opens = 0;
    rig.poison = (socket) => {
      opens += 1;
      return opens === 1 ? socket : boom();
    };
    const slot = await rig.open(POISONED);
    slot.receive(configure(POISONED, { ...MEDIA, rtcpMux: false }));
    await Promise.resolve();
    for (let n = 0; n < 10; n += 1) rig.round(n);
    expect(slot.state).toBe('live');
    expect(rig.of('fault').map(({ step }) => step)).toEqual(['open-rtcp']);
  });
});
