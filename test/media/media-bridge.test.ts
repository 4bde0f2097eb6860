import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readWav } from '../../src/audio/wav.ts';
import { CODECS } from '../../src/media/codec/codecs.ts';
import type { AudioCodec } from '../../src/media/description.ts';
import { parseDtmfEvent } from '../../src/media/dtmf/dtmf-event.ts';
import type { MediaBridge, MediaEvent, MediaPlane, MediaPort } from '../../src/media/media-port.ts';
import type { MediaThread } from '../../src/media/plane/media-thread.ts';
import type { ThreadedMediaPort } from '../../src/media/plane/threaded-media-port.ts';
import { parseRtcp } from '../../src/media/rtp/rtcp-packet.ts';
import { openPlane } from '../support/media-plane-fixture.ts';
import { EVERY_TEST, someOf } from '../support/property-runs.ts';
import { RtpPeer } from '../support/rtp-peer.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { until } from '../support/until.ts';

const HALF_SECOND = 25; // packets
const planes: MediaPlane[] = [];
const peers: RtpPeer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) peer.close();
  await Promise.all(planes.splice(0).map((plane) => plane.close()));
});

interface Side {
  readonly port: MediaPort;
  readonly events: MediaEvent[];
  readonly peer: RtpPeer;
}

async function start(changes: Parameters<typeof openPlane>[0] = {}): Promise<MediaPlane> {
  const plane = await openPlane(changes);
  planes.push(plane);
  return plane;
}

async function side(plane: MediaPlane, codec: AudioCodec = 'PCMU', sampleRateHz = 8_000): Promise<Side> {
  const events: MediaEvent[] = [];
  const port = await plane.open({ callId: 'call_test', onEvent: (event) => events.push(event), sampleRateHz });
  if (typeof port === 'string') throw new Error(port);
  const peer = await RtpPeer.open();
  peers.push(peer);
  peer.codec = codec;
  port.configure(peer.media());
  return { port, events, peer };
}

/** How loud a phone has heard a tone in the last half second. */
function levelOf(peer: RtpPeer, hz: number): number {
  const { sampleRateHz } = CODECS[peer.codec];
  return amplitudeAt(peer.samples(-HALF_SECOND), hz, sampleRateHz);
}
const hears = (peer: RtpPeer, hz: number, amplitude = 0.25): Promise<true> =>
  until(
    () => peer.heard.length >= HALF_SECOND && Math.abs(levelOf(peer, hz) - amplitude) < 0.02,
    () => `${hz} Hz at ${amplitude}: ${levelOf(peer, hz)}`,
  );

function joined(plane: MediaPlane, a: Side, b: Side): MediaBridge {
  const bridge = plane.bridge(a.port, b.port);
  if (!bridge) throw new Error('not joined');
  return bridge;
}

describe.each(EVERY_TEST ? [{ workers: 1 }, { workers: 2 }] : [{ workers: 2 }])(
  'a bridge, $workers media threads',
  ({ workers }) => {
    it('lets each caller hear the other, and not himself', async () => {
      const plane = await start({ workers });
      const [a, b] = [await side(plane), await side(plane)];
      const bridge = joined(plane, a, b);
      a.peer.speak(a.port.local.port, 440);
      b.peer.speak(b.port.local.port, 1000);
      await Promise.all([hears(b.peer, 440), hears(a.peer, 1000)]);
      expect(levelOf(b.peer, 1000)).toBeLessThan(0.01);
      expect(levelOf(a.peer, 440)).toBeLessThan(0.01);
      bridge.close();
      bridge.close();
      await Promise.all([hears(b.peer, 440, 0), hears(a.peer, 1000, 0)]);
    });

    it.runIf(EVERY_TEST)('passes keys on in their order, and tells the owner', async () => {
      const plane = await start({ workers });
      const [a, b] = [await side(plane), await side(plane)];
      joined(plane, a, b);
      for (const digit of [1, 11, 0]) {
        const timestamp = a.peer.timestamp;
        for (const duration of [160, 320, 480, 480]) {
          const end = duration === 480 ? 0x80 : 0;
          const payload = Buffer.of(digit, end | 10, duration >> 8, duration & 255);
          a.peer.send(a.port.local.port, payload, { payloadType: 101, marker: duration === 160, timestamp });
        }
        a.peer.timestamp += 1_600;
      }
      const ends = (): number[] =>
        b.peer.heard.flatMap(({ payloadType, payload }) => {
          const event = payloadType === 101 ? parseDtmfEvent(payload) : undefined;
          return event?.end ? [event.event] : [];
        });
      await until(() => ends().length === 9, 'three keys');
      expect(ends()).toEqual([1, 1, 1, 11, 11, 11, 0, 0, 0]);
      expect(a.events.flatMap((event) => (event.type === 'dtmf' ? [event.digit] : []))).toEqual(['1', '#', '0']);
      expect(b.events.filter(({ type }) => type === 'dtmf')).toEqual([]);
    });
  },
);

describe('a bridge between two codecs', () => {
  it.each(
    someOf(
      [
        { a: 'PCMU', b: 'PCMA', rates: [8_000, 8_000], workers: 1 },
        { a: 'PCMU', b: 'PCMA', rates: [8_000, 8_000], workers: 2 },
        { a: 'G722', b: 'PCMU', rates: [8_000, 8_000], workers: 1 },
        { a: 'G722', b: 'PCMA', rates: [16_000, 8_000], workers: 2 },
        { a: 'G722', b: 'G722', rates: [16_000, 16_000], workers: 1 },
      ] as const,
      4,
    ),
  )('is $a to $b, ports of $rates Hz on $workers threads', async ({ a, b, rates, workers }) => {
    const plane = await start({ workers });
    const [one, other] = [await side(plane, a, rates[0]), await side(plane, b, rates[1])];
    joined(plane, one, other);
    one.peer.speak(one.port.local.port, 440);
    other.peer.speak(other.port.local.port, 1000);
    await Promise.all([hears(other.peer, 440), hears(one.peer, 1000)]);
    expect([levelOf(other.peer, 1000), levelOf(one.peer, 440)].every((level) => level < 0.01)).toBe(true);
  });

  it.runIf(EVERY_TEST)('is wideband where both are', async () => {
    const plane = await start();
    const [a, b] = [await side(plane, 'G722', 16_000), await side(plane, 'G722', 16_000)];
    joined(plane, a, b);
    a.peer.speak(a.port.local.port, 6_000);
    await until(() => b.peer.heard.length >= HALF_SECOND && levelOf(b.peer, 6_000) > 0.15, '6 kHz');
  });
});

describe('two joined calls', () => {
  it.runIf(EVERY_TEST)('are recorded with the other caller on the right', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nidaa-bridge-'));
    const plane = await start({ workers: 2 });
    const sides = [await side(plane), await side(plane, 'PCMA')] as const;
    const [a, b] = sides;
    joined(plane, a, b);
    for (const [at, { port }] of sides.entries()) port.startRecording(join(folder, `${at}.wav`));
    a.peer.speak(a.port.local.port, 440);
    b.peer.speak(b.port.local.port, 1000);
    await Promise.all([hears(b.peer, 440), hears(a.peer, 1000)]);
    await Promise.all(sides.map(({ port }) => port.close()));
    for (const [at, own, other] of [
      [0, 440, 1000],
      [1, 1000, 440],
    ] as const) {
      const audio = readWav(readFileSync(join(folder, `${at}.wav`)));
      if (typeof audio === 'string') throw new Error(audio);
      // Some 400 ms of it: a process that does much else pauses in what it says.
      const from = Array.from({ length: Math.floor(audio.channels[0]!.length / 800) }, (_, i) => i * 800);
      const found = from.some((start) => {
        const [left, right] = audio.channels.map((channel) => channel.subarray(start, start + 3_200)) as [
          Int16Array,
          Int16Array,
        ];
        const [heard, strange] = [
          [amplitudeAt(left, own), amplitudeAt(right, other)],
          [amplitudeAt(left, other), amplitudeAt(right, own)],
        ];
        return heard!.every((level) => level > 0.2) && strange!.every((level) => level < 0.01);
      });
      expect(found).toBe(true);
    }
  });

  it.runIf(EVERY_TEST)('are held one by one, and told of silence one by one', async () => {
    const plane = await start({ rtpTimeoutMs: 2_500 });
    const [a, b] = [await side(plane), await side(plane)];
    joined(plane, a, b);
    a.peer.speak(a.port.local.port, 440);
    await hears(b.peer, 440);
    b.port.configure(b.peer.media({ direction: 'inactive' }));
    const sentToA = a.peer.heard.length;
    await b.port.stats();
    const heardByB = b.peer.heard.length;
    await until(() => a.peer.heard.length > sentToA + HALF_SECOND, 'packets to the one who is not held');
    expect(b.peer.heard.length).toBeLessThanOrEqual(heardByB + 1);
    b.port.configure(b.peer.media());
    await hears(b.peer, 440);
    await until(() => b.events.some(({ type }) => type === 'timeout'), 'the timeout of the one who is silent');
    expect(a.events.map(({ type }) => type)).toEqual(['latched']);
  });

  it.runIf(EVERY_TEST)('are parted by the close of one: the other is what it was, and is joined again', async () => {
    const plane = await start({ workers: 2 });
    const [a, b, c] = [await side(plane), await side(plane), await side(plane)];
    joined(plane, a, b);
    a.peer.speak(a.port.local.port, 440);
    await hears(b.peer, 440);
    const final = await a.port.close();
    expect(final).toMatchObject({ codec: 'PCMU', packetsRejected: 0 });
    await hears(b.peer, 440, 0);
    await until(() => saidGoodbye(a.peer), 'the goodbye to one');
    expect(saidGoodbye(b.peer)).toBe(false);
    b.port.write(tone(700, 8_000));
    await hears(b.peer, 700);
    joined(plane, b, c);
    c.peer.speak(c.port.local.port, 1000);
    await hears(b.peer, 1000);
    expect((await b.port.stats()).mos).toBeGreaterThan(4);
  });

  it.each(
    someOf(
      [
        { name: 'whose thread dies', spoil: ({ port }: Side) => threadOf(port).send(null as never) },
        { name: 'that throws', spoil: ({ port }: Side) => port.sendDtmf(5 as never) },
      ],
      2,
    ),
  )('are parted by one $name, which harms nobody else', async ({ spoil }) => {
    const plane = await start({ workers: 2 });
    const [a, b] = [await side(plane), await side(plane)];
    expect(threadOf(a.port)).not.toBe(threadOf(b.port));
    joined(plane, a, b);
    a.peer.speak(a.port.local.port, 440);
    b.peer.speak(b.port.local.port, 1000);
    await hears(b.peer, 440);
    spoil(a);
    await until(() => a.events.some(({ type }) => type === 'failed'), 'the failure');
    await hears(b.peer, 440, 0);
    expect(b.events.map(({ type }) => type)).toEqual(['latched']);
    await until(() => plane.load().threadsDown === 0, 'both threads');
    await until(() => (b.port as ThreadedMediaPort).lanes.kept.length === 2, 'the memory of the bridge');
    const again = await side(plane);
    joined(plane, again, b);
    await hears(again.peer, 1000);
  });
});

const saidGoodbye = ({ rtcp }: RtpPeer): boolean =>
  rtcp.some((datagram) => {
    const packets = parseRtcp(datagram);
    return typeof packets !== 'string' && packets.some(({ type }) => type === 'bye');
  });

/** The main thread's side of the thread that a port is on. */
const threadOf = (port: MediaPort): MediaThread => (port as ThreadedMediaPort).deps.thread;

describe('a bridge', () => {
  it.runIf(EVERY_TEST)(
    'is refused to ports that are closed, joined already, the same, or of another plane',
    async () => {
      const plane = await start();
      const [a, b, c] = [await side(plane), await side(plane), await side(plane)];
      const stranger = await side(await start());
      expect(plane.bridge(a.port, a.port)).toBeUndefined();
      expect(plane.bridge(a.port, stranger.port)).toBeUndefined();
      const bridge = joined(plane, a, b);
      expect(plane.bridge(b.port, c.port)).toBeUndefined();
      bridge.close();
      joined(plane, b, c);
      await c.port.close();
      expect(plane.bridge(a.port, c.port)).toBeUndefined();
      joined(plane, a, b); // parted by the close of the other
    },
  );
});
