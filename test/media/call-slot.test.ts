import { describe, expect, it } from 'vitest';
import { encodeMulaw } from '../../src/audio/g711.ts';
import type { NegotiatedMedia } from '../../src/media/description.ts';
import { allocateCallAudio } from '../../src/media/plane/call-audio.ts';
import type { FromMediaWorker } from '../../src/media/plane/media-protocol.ts';
import { writeRtpHeader } from '../../src/media/rtp/rtp-packet.ts';
import { allocateUnprovenTable, UnprovenBudget } from '../../src/media/rtp/unproven-budget.ts';
import {
  type CallMessage,
  CallSlot,
  SLOT_TRANSITIONS,
  type SlotEvent,
  type SlotState,
} from '../../src/media/worker/call-slot.ts';
import type { DatagramHandler, MediaSocket, SocketRefusal } from '../../src/media/worker/rtp-socket.ts';
import { TickWheel } from '../../src/media/worker/tick-wheel.ts';
import { WorkerCall } from '../../src/media/worker/worker-call.ts';
import { tone } from '../support/tones.ts';

const CALLS = 100;
const POISONED = 42;
const PEER = '198.51.100.7';
const PEER_PORT = 4_000;
const boom = (): never => {
  throw new Error('poisoned');
};

/** A port whose datagrams the test brings; counts what the call sends. */
class FakeSocket implements MediaSocket {
  sent = 0;
  closed = false;
  deliver: DatagramHandler = () => {};
  constructor(readonly localPort: number) {}
  send(): void {
    this.sent += 1;
  }
  connect(): void {}
  close(): void {
    this.closed = true;
  }
}

/** A media thread without the thread: its wheel, its slots and a clock that the test moves. */
class Rig {
  readonly wheel = new TickWheel();
  readonly unproven = new UnprovenBudget(allocateUnprovenTable(1));
  readonly posted: FromMediaWorker[] = [];
  readonly sockets = new Map<number, FakeSocket>();
  readonly slots: CallSlot[] = [];
  nowMs = 0;
  poison: (socket: FakeSocket) => MediaSocket | SocketRefusal = (socket) => socket;

  async open(id: number, changes: Partial<Extract<CallMessage, { type: 'open' }>> = {}): Promise<CallSlot> {
    const slot = new CallSlot(id, {
      wheel: this.wheel,
      post: (message) => this.posted.push(message),
      openSocket: async (port, onDatagram) => {
        const socket = new FakeSocket(port);
        socket.deliver = onDatagram;
        this.sockets.set(port, socket);
        return id === POISONED ? this.poison(socket) : socket;
      },
      makeCall: (socket, { audio, former }, onEvent, openRtcp) =>
        new WorkerCall(socket, audio, {
          settings: { rtpTimeoutMs: 30_000, jitter: { minMs: 20, maxMs: 200 }, cname: 'x' },
          unproven: this.unproven,
          former,
          now: () => this.nowMs,
          utcMs: () => this.nowMs,
          onEvent,
          openRtcp,
        }),
      onJoined: () => {},
    });
    this.slots.push(slot);
    await slot.open({
      type: 'open',
      call: id,
      port: portOf(id),
      audio: allocateCallAudio(1_000),
      former: [],
      ...changes,
    });
    return slot;
  }

  /** One packet of every peer, then 20 ms of the wheel. */
  round(n: number): void {
    for (const [port, socket] of this.sockets) if (port % 2 === 0) socket.deliver(packet(n), PEER, PEER_PORT);
    this.nowMs += 20;
    this.wheel.run(() => this.nowMs);
  }

  of<T extends FromMediaWorker['type']>(type: T): Extract<FromMediaWorker, { type: T }>[] {
    return this.posted.filter((message): message is Extract<FromMediaWorker, { type: T }> => message.type === type);
  }
  get failed(): number[] {
    return this.of('event').flatMap(({ call, event }) => (event.type === 'failed' ? [call] : []));
  }
}

const portOf = (id: number): number => 10_000 + 2 * id;

function packet(n: number): Buffer {
  const payload = encodeMulaw(tone(440, 160, { from: n * 160 }));
  const datagram = Buffer.alloc(12 + payload.length);
  writeRtpHeader(datagram, 0, false, n, n * 160, 7);
  datagram.set(payload, 12);
  return datagram;
}

const MEDIA: NegotiatedMedia = {
  remote: { address: PEER, port: PEER_PORT },
  signallingAddress: PEER,
  codec: 'PCMU',
  payloadType: 0,
  ptimeMs: 20,
  dtmfPayloadType: 101,
  direction: 'sendrecv',
  rtcpMux: true,
  remoteRtcpPort: PEER_PORT,
};
const configure = (call: number, media = MEDIA): CallMessage & { type: 'configure' } => ({
  type: 'configure',
  call,
  media,
});

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

describe('a hundred calls on one thread', () => {
  /** Which part of the poisoned call throws, and what is seen of it. */
  const cases: { name: string; poison: Rig['poison']; spoil?: (rig: Rig) => void; opened: boolean; failed: boolean }[] =
    [
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
    const rig = new Rig();
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
    const rig = new Rig();
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
    const rig = new Rig();
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
    const rig = new Rig();
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
