import { afterEach, describe, expect, it } from 'vitest';
import type { NegotiatedMedia } from '../../src/media/description.ts';
import { parseDtmfEvent } from '../../src/media/dtmf/dtmf-event.ts';
import type { MediaBridge, MediaEvent, MediaPlane, MediaPort } from '../../src/media/media-port.ts';
import { openPlane, openPort } from '../support/media-plane-fixture.ts';
import { RtpPeer } from '../support/rtp-peer.ts';
import { amplitudeAt } from '../support/tones.ts';
import { until } from '../support/until.ts';

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

async function side(plane: MediaPlane, media: Partial<NegotiatedMedia> = {}): Promise<Side> {
  const { port, events } = await openPort(plane);
  const peer = await RtpPeer.open();
  peers.push(peer);
  port.configure(peer.media(media));
  return { port, events, peer };
}

/** What a phone has heard in the last `seconds`. */
const latest = (peer: RtpPeer, seconds = 0.5): Int16Array => peer.samples().slice(-8_000 * seconds);
const hears = (peer: RtpPeer, hz: number, amplitude = 0.25): Promise<true> =>
  until(() => {
    const heard = latest(peer);
    return heard.length === 4_000 && Math.abs(amplitudeAt(heard, hz) - amplitude) < 0.02;
  }, `${hz} Hz at ${amplitude}`);

function joined(plane: MediaPlane, a: Side, b: Side): MediaBridge {
  const bridge = plane.bridge(a.port, b.port);
  if (!bridge) throw new Error('not joined');
  return bridge;
}

describe.each([{ workers: 1 }, { workers: 2 }])('a bridge, $workers media threads', ({ workers }) => {
  it('lets each caller hear the other, and not himself', async () => {
    const plane = await start({ workers });
    const [a, b] = [await side(plane), await side(plane)];
    const bridge = joined(plane, a, b);
    a.peer.speak(a.port.local.port, 440);
    b.peer.speak(b.port.local.port, 1000);
    await Promise.all([hears(b.peer, 440), hears(a.peer, 1000)]);
    expect(amplitudeAt(latest(b.peer), 1000)).toBeLessThan(0.01);
    expect(amplitudeAt(latest(a.peer), 440)).toBeLessThan(0.01);
    bridge.close();
    bridge.close();
    await Promise.all([hears(b.peer, 440, 0), hears(a.peer, 1000, 0)]);
  });

  it('passes keys on in their order, and tells the owner', async () => {
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
});

describe('a bridge', () => {
  it('is refused to ports that are closed, joined already, the same, or of another plane', async () => {
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
  });
});
