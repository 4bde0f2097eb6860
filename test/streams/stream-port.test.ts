import { describe, expect, it } from 'vitest';
import { mediaPortConformance } from '../conformance/media-port.ts';
import { joined, QUEUE_MS, streamPortRig } from '../support/stream-port-rig.ts';
import { tone } from '../support/tones.ts';

const MS = 8; // samples

mediaPortConformance('stream', async () => {
  const { port, clock, far } = streamPortRig();
  return {
    ...{ port, queueSamples: QUEUE_MS * MS, measures: false },
    pass: async (ms) => clock.advance(ms),
    say: async (hz, ms) => {
      for (let at = 0; at < ms; at += 20) {
        port.heard(tone(hz, 160, { from: at * MS }));
        clock.advance(20);
      }
    },
    heard: () => joined(far.frames),
    close: async () => void (await port.close()),
  };
});

describe('StreamPort', () => {
  it('is ahead by what the far end has in store, and otherwise as slow as speech', () => {
    const { port, clock, far } = streamPortRig();
    port.write(tone(1000, 1000 * MS));
    clock.advance(20);
    expect(far.frames).toHaveLength(3); // 60 ms
    clock.advance(400);
    expect(far.frames).toHaveLength(23);
  });

  it('makes up for a late timer and is not heard to be late', () => {
    const { port, clock, far } = streamPortRig();
    port.write(tone(1000, 2000 * MS));
    clock.advance(100);
    clock.leap(50);
    clock.advance(50);
    // 200 ms have passed: 10 frames have sounded and 3 are in store.
    expect(far.frames.length).toBeGreaterThanOrEqual(12);
    expect(far.frames.length).toBeLessThanOrEqual(13);
  });

  it('waits while the far end takes nothing, and plays no less for it', () => {
    const { port, clock, far } = streamPortRig();
    port.write(tone(1000, 1000 * MS));
    clock.advance(200);
    far.ready = false;
    clock.advance(3000);
    const sent = far.frames.length;
    expect(port.playedSamples).toBe(sent * 160);
    expect(port.write(tone(1000, 8000 * MS))).toBe(QUEUE_MS * MS - (1000 * MS - sent * 160)); // bounded, whatever it does
    far.ready = true;
    clock.advance(900);
    expect(far.frames.length).toBeGreaterThan(sent + 40);
  });

  it('counts as played what the far end played, by the marks that it sends back', () => {
    const { port, clock, far } = streamPortRig();
    port.write(tone(1000, 2000 * MS));
    for (let i = 0; i < 50; i += 1) {
      clock.advance(20);
      const [mark] = far.marks;
      // Half a second passes until what was sent has sounded.
      if (mark && clock.nowMs() - mark.atMs >= 500) port.marked(far.marks.shift()!.name);
    }
    const sentMs = far.frames.length * 20;
    const playedMs = port.playedSamples / MS;
    expect(sentMs - playedMs).toBeGreaterThanOrEqual(440);
    expect(sentMs - playedMs).toBeLessThanOrEqual(560);
    const dropped = port.clear();
    expect([far.cleared, port.writtenSamples]).toEqual([1, playedMs * MS]);
    expect(dropped).toBe(2000 * MS - playedMs * MS);
    port.marked('nidaa-2'); // of what was cleared
    expect(port.playedSamples).toBe(playedMs * MS);
  });

  it('hands on what came in bursts at the pace of speech, with silence where nothing came', () => {
    const { port, clock, recorded } = streamPortRig();
    port.startRecording('/tmp/x.wav');
    const read = (): number => {
      const into = new Int16Array(8000);
      return port.read(into);
    };
    for (let i = 0; i < 5; i += 1) port.heard(tone(700, 100 * MS)); // half a second at once
    clock.advance(100);
    const first = read();
    expect(first).toBeGreaterThanOrEqual(5 * 160);
    expect(first).toBeLessThanOrEqual(7 * 160);
    clock.advance(900); // it ends in between: whoever listens hears the pause
    expect(read()).toBeGreaterThanOrEqual(45 * 160);
    expect(recorded.heard).toBeGreaterThanOrEqual(50);
    expect(recorded.silent).toBeGreaterThan(20);
  });

  it('keeps two seconds of what nobody reads, and knows when it came', () => {
    const { port, clock } = streamPortRig();
    for (let i = 0; i < 250; i += 1) {
      port.heard(tone(700, 160));
      clock.advance(20);
    }
    expect(port.read(new Int16Array(160))).toBe(160);
    expect(clock.nowMs() - port.heardAtMs!).toBeGreaterThanOrEqual(2000);
    expect(clock.nowMs() - port.heardAtMs!).toBeLessThanOrEqual(2100);
    expect(port.read(new Int16Array(100_000))).toBe(16_000 - 160);
  });

  it('is late no longer than it must be: what came after a stall is caught up with', () => {
    const { port, clock } = streamPortRig();
    const speak = (ms: number): void => {
      for (let at = 0; at < ms; at += 20) {
        port.heard(tone(700, 160));
        clock.advance(20);
      }
    };
    speak(500);
    clock.advance(1000); // the network was away
    port.heard(tone(700, 1000 * MS));
    expect(port.waitingMs).toBeGreaterThan(900);
    speak(6000);
    expect(port.waitingMs).toBeLessThan(350);
  });

  it('waits for the rest of a frame while the far end has something to play', () => {
    const { port, clock, far } = streamPortRig();
    port.write(tone(1000, 400));
    clock.advance(20);
    expect(far.frames).toHaveLength(2);
    port.write(tone(1000, 400, { from: 400 }));
    clock.advance(200);
    expect(joined(far.frames)).toEqual(tone(1000, 800));
  });

  it('ends a call without audio, and says when there first is some', () => {
    const { port, clock, events } = streamPortRig();
    clock.advance(29_000);
    port.heard(tone(700, 160));
    clock.advance(29_900);
    expect(events).toEqual([{ type: 'latched', address: '127.0.0.1', port: 2 }]);
    clock.advance(200);
    expect(events.at(-1)).toEqual({ type: 'timeout' });
  });

  it('sends keys behind what is queued', () => {
    const { port, clock, far } = streamPortRig();
    port.write(tone(1000, 200 * MS));
    port.sendDtmf('12');
    clock.advance(100);
    expect(far.keys).toBe('');
    clock.advance(200);
    expect(far.keys).toBe('12');
  });

  it('plays keys as tones where there is no other way', () => {
    const rig = streamPortRig({
      output: { ready: true, audio: () => {}, mark: () => {}, clear: () => {}, keys: () => 'as-audio' },
    });
    rig.port.sendDtmf('5#');
    rig.clock.advance(40);
    expect(rig.port.writtenSamples).toBe(2 * 180 * MS);
  });
});
