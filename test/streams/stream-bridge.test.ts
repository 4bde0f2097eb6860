import { describe, expect, it } from 'vitest';
import { CallTicker } from '../../src/call/call-ticker.ts';
import type { MediaPlane } from '../../src/media/media-port.ts';
import { withStreamBridges } from '../../src/streams/stream-bridge.ts';
import { bridgeFakes, FakeMediaPort } from '../support/fake-media-port.ts';
import { joined, streamPortRig } from '../support/stream-port-rig.ts';
import { amplitudeAt, tone } from '../support/tones.ts';

const MS = 8; // samples

function rig() {
  const stream = streamPortRig();
  const { clock, log } = stream;
  const person = new FakeMediaPort(clock);
  const plane = { bridge: (a, b) => bridgeFakes(a as FakeMediaPort, b as FakeMediaPort) } as MediaPlane;
  const media = withStreamBridges(plane, new CallTicker(clock, log.logger));
  return { ...stream, person, media };
}

describe('a bridge of a stream', () => {
  it('lets both hear each other until it ends, and again after that', () => {
    const { port, person, media, clock, far } = rig();
    const bridge = media.bridge(port, person)!;
    for (let at = 0; at < 1000; at += 20) {
      person.hear(20, 8000);
      port.heard(tone(700, 160, { from: at * MS }));
      clock.advance(20);
    }
    expect(joined(far.frames).filter((sample) => sample === 8000).length).toBeGreaterThan(800 * MS);
    expect(person.writtenSamples).toBeGreaterThan(800 * MS);
    expect([media.bridge(port, person), media.bridge(person, port)]).toEqual([undefined, undefined]);
    bridge.close();
    bridge.close();
    const { writtenSamples } = person;
    port.heard(tone(700, 160));
    clock.advance(200);
    expect(person.writtenSamples).toBe(writtenSamples);
    expect(media.bridge(port, person)).toBeDefined();
  });

  it('lets whoever writes down what is said hear both, and takes nothing from either for that', () => {
    const { port, person, media, clock } = rig();
    const bridge = media.bridge(port, person)!;
    const ears = [bridge.earOf!(port)!, bridge.earOf!(person)!];
    const heard = [0, 0];
    const into = new Int16Array(1600);
    for (let at = 0; at < 1000; at += 20) {
      person.hear(20, 8000);
      port.heard(tone(700, 160, { from: at * MS }));
      clock.advance(20);
      for (const [n, ear] of ears.entries()) heard[n]! += ear.read(into);
    }
    expect(Math.min(...heard)).toBeGreaterThan(900 * MS);
    expect([port.writtenSamples > 900 * MS, person.writtenSamples > 900 * MS]).toEqual([true, true]);
    expect(ears[1]!.heardAtMs).toBe(clock.nowMs());
    for (let at = 0; at < 5000; at += 20) {
      person.hear(20, 8000);
      clock.advance(20);
    }
    const all = new Int16Array(40_000);
    expect(ears[1]!.read(all)).toBe(2000 * MS); // of what nobody listens to
    expect(bridge.earOf!(new FakeMediaPort(clock))).toBeUndefined();
    bridge.close();
    expect(bridge.earOf!(port)).toBeUndefined();
  });

  it('does not become late for good when the main thread was', () => {
    const { port, person, media, clock } = rig();
    media.bridge(port, person);
    for (let burst = 0; burst < 20; burst += 1) {
      person.hear(1000, 8000); // more than time has passed
      clock.advance(200);
    }
    expect(port.writtenSamples - port.playedSamples).toBeLessThanOrEqual(800 * MS);
  });

  it('ends with a port that is closed, and begins with none', async () => {
    const { port, person, media, clock } = rig();
    media.bridge(port, person);
    await port.close();
    clock.advance(100);
    expect(person.writtenSamples).toBe(0);
    expect(media.bridge(port, person)).toBeUndefined();
  });

  it('leaves ports of the plane to the plane', () => {
    const { person, media, clock } = rig();
    const other = new FakeMediaPort(clock);
    expect(media.bridge(person, other)).toBeDefined();
    expect(person.bridgedTo).toBe(other);
  });
});

describe('music on a stream', () => {
  it('plays where nothing else is heard, and counts as nothing written', () => {
    const { port, clock, far } = rig();
    const samples = new SharedArrayBuffer(8000);
    new Int16Array(samples).set(tone(500, 4000));
    port.playMusic({ sampleRateHz: 8000, samples });
    clock.advance(1000);
    expect(amplitudeAt(joined(far.frames).subarray(0, 4000), 500)).toBeGreaterThan(0.2);
    expect([port.writtenSamples, port.playedSamples]).toEqual([0, 0]);
    port.write(tone(1000, 400 * MS));
    clock.advance(400);
    expect(amplitudeAt(joined(far.frames).subarray(-200 * MS), 1000)).toBeGreaterThan(0.2);
    port.playMusic(undefined);
    clock.advance(200);
    const { length } = far.frames;
    clock.advance(200);
    expect(far.frames).toHaveLength(length);
  });
});
