import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MediaPlane } from '../../src/media/media-port.ts';
import { TalkClock } from '../../src/media/plane/call-audio.ts';
import { CallMemory } from '../../src/media/plane/call-memory.ts';
import { MemoryPool } from '../../src/media/plane/memory-pool.ts';
import { PcmRing } from '../../src/media/plane/pcm-ring.ts';
import { openPlane, openPort } from '../support/media-plane-fixture.ts';

describe('MemoryPool', () => {
  const pool = (keptMax: number) => {
    let made = 0;
    const memories = new MemoryPool(
      () => {
        made += 1;
        return { wiped: 0 };
      },
      (memory) => {
        memory.wiped += 1;
      },
      keptMax,
    );
    return { memories, made: () => made };
  };

  it('makes as many as are in use at once, however often they change hands', () => {
    const { memories, made } = pool(10);
    for (let turn = 0; turn < 100; turn += 1) {
      const taken = [memories.take(), memories.take(), memories.take()];
      for (const memory of taken) memories.giveBack(memory);
    }
    expect(made()).toBe(3);
    expect(memories.kept).toHaveLength(3);
  });

  it('keeps no more than it may', () => {
    const { memories } = pool(2);
    for (const memory of [memories.take(), memories.take(), memories.take()]) memories.giveBack(memory);
    expect(memories.kept).toHaveLength(2);
  });
});

describe('CallMemory', () => {
  it('hands on nothing of the call before', () => {
    const memory = new CallMemory(1_000, 4).of(8_000);
    const before = memory.audio.take();
    new PcmRing(before.capture).write(new Int16Array(800).fill(7));
    new PcmRing(before.playout).write(new Int16Array(800).fill(7));
    const talk = new TalkClock(before.talk);
    talk.begin();
    talk.sent(talk.epoch, 12);
    memory.audio.giveBack(before);
    const after = memory.audio.take();
    expect(after).toBe(before);
    expect([new PcmRing(after.capture).queued, new PcmRing(after.playout).queued]).toEqual([0, 0]);
    expect(new TalkClock(after.talk).startedAtMs).toBeUndefined();
  });

  it('is as good as new after its pages were given back', () => {
    const all = new CallMemory(1_000, 4);
    const memory = all.of(8_000);
    memory.audio.giveBack(memory.audio.take());
    memory.recordings.giveBack(memory.recordings.take());
    all.release();
    const ring = new PcmRing(memory.audio.take().playout);
    const speech = Int16Array.from({ length: 8_000 }, (_, i) => i);
    const heard = new Int16Array(8_000);
    expect(ring.write(speech)).toBe(8_000);
    expect(ring.read(heard)).toBe(8_000);
    expect(heard).toEqual(speech);
  });
});

describe('the memory of calls of two rates', () => {
  it('is kept apart: each lasts as long', () => {
    const memory = new CallMemory(1_000, 4);
    const [narrow, wide] = [memory.of(8_000).audio.take(), memory.of(16_000).audio.take()];
    expect([narrow.playout.limit, wide.playout.limit]).toEqual([8_000, 16_000]);
    memory.of(16_000).audio.giveBack(wide);
    expect(memory.of(8_000).audio.take()).not.toBe(wide);
    expect(memory.of(16_000).audio.take()).toBe(wide);
  });
});

describe('the memory of ended calls', () => {
  let plane: MediaPlane;
  beforeEach(async () => {
    plane = await openPlane({ portDrainMs: 0 });
  });
  afterEach(() => plane.close());

  it('is used again by the next calls', async () => {
    const sharedBytes: number[] = [];
    for (let call = 0; call < 120; call += 1) {
      const { port } = await openPort(plane);
      port.write(new Int16Array(1_600));
      await port.close();
      sharedBytes.push(process.memoryUsage().arrayBuffers);
    }
    // A call holds 200 KB of rings here.
    expect((sharedBytes.at(-1) ?? 0) - (sharedBytes[20] ?? 0)).toBeLessThan(2_000_000);
  });

  it('is not touched by the port that had it', async () => {
    const { port: former } = await openPort(plane);
    former.write(new Int16Array(1_600));
    await former.close();
    const { port } = await openPort(plane);
    const played = former.playedSamples;
    port.write(new Int16Array(4_000));
    expect(former.write(new Int16Array(160))).toBe(0);
    expect(former.clear()).toBe(0);
    expect(former.read(new Int16Array(160))).toBe(0);
    expect([former.playedSamples, former.talkStartedAtMs]).toEqual([played, undefined]);
    expect(port.writtenSamples).toBe(4_000);
  });
});
