import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nativeMemory } from '../../src/core/native-memory.ts';
import type { MediaPlane } from '../../src/media/media-port.ts';
import type { LaneEnds } from '../../src/media/plane/bridge-lane.ts';
import { PlayoutLevels, TalkClock } from '../../src/media/plane/call-audio.ts';
import { CallMemory } from '../../src/media/plane/call-memory.ts';
import { MemoryPool } from '../../src/media/plane/memory-pool.ts';
import { PcmRing } from '../../src/media/plane/pcm-ring.ts';
import { type BridgedPort, PortBridge } from '../../src/media/plane/port-bridge.ts';
import type { ThreadedMediaPort } from '../../src/media/plane/threaded-media-port.ts';
import { openPlane, openPort } from '../support/media-plane-fixture.ts';
import { EVERY_TEST, someOf } from '../support/property-runs.ts';
import { until } from '../support/until.ts';

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

interface Ffi {
  address(memory: Uint8Array): bigint;
  load(path: string): { func(prototype: string): (...args: unknown[]) => unknown };
}
const PAGE_BYTES = 4096;

describe('CallMemory', () => {
  it.skipIf(nativeMemory() === undefined)('takes no memory for rings that nothing was written to', () => {
    const ffi = createRequire(import.meta.url)('koffi') as Ffi;
    const c = ffi.load('libc.so.6');
    const [allocate, free] = [c.func('void* malloc(size_t)'), c.func('void free(void*)')];
    const [fill, lookUp] = [
      c.func('void* memset(void*, int, size_t)'),
      c.func('int mincore(uintptr_t, size_t, _Out_ uint8_t*)'),
    ];
    const blocks = Array.from({ length: 80 }, () => fill(allocate(64 * 1024), 7, 64 * 1024));
    // What later rings are made of: holes for one of a call's, and for all of them.
    for (const [n, block] of blocks.entries()) if (n % 2 === 0 || n < 40) free(block);
    const memory = new CallMemory(4_000, 40).of(8_000);
    const rings = Array.from({ length: 20 }, () => [memory.audio.take(), memory.recordings.take()] as const);
    const residentPages = rings.flatMap(([{ capture, playout }, recording]) =>
      [capture, playout, recording].map(({ samples }) => {
        const start = (ffi.address(new Uint8Array(samples)) / BigInt(PAGE_BYTES)) * BigInt(PAGE_BYTES);
        const pages = new Uint8Array(samples.byteLength / PAGE_BYTES);
        expect(lookUp(start, samples.byteLength, pages)).toBe(0);
        return pages.reduce((sum, page) => sum + (page & 1), 0);
      }),
    );
    for (const [n, block] of blocks.entries()) if (n % 2 === 1 && n >= 40) free(block);
    expect(Math.max(...residentPages)).toBeLessThanOrEqual(1); // the first, shared with what lies before it
  });

  it('hands on nothing of the call before', () => {
    const memory = new CallMemory(1_000, 4).of(8_000);
    const before = memory.audio.take();
    new PcmRing(before.capture).write(new Int16Array(800).fill(7));
    new PlayoutLevels(before.levels).gainDb = -12;
    new PcmRing(before.playout).write(new Int16Array(800).fill(7));
    const talk = new TalkClock(before.talk);
    talk.begin();
    talk.sent(talk.epoch, 12);
    memory.audio.giveBack(before);
    const after = memory.audio.take();
    expect(after).toBe(before);
    expect([new PcmRing(after.capture).queued, new PcmRing(after.playout).queued]).toEqual([0, 0]);
    expect(new TalkClock(after.talk).startedAtMs).toBeUndefined();
    expect(new PlayoutLevels(after.levels).gainDb).toBe(0);
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

describe('the memory of a bridge', () => {
  /** A port whose thread lets go of its lanes when the test says so. */
  class Port implements BridgedPort {
    given: LaneEnds | undefined;
    letGo: (done: boolean) => void = () => {};
    parted = 0;
    constructor(readonly lanes: BridgedPort['lanes']) {}
    join(_bridge: unknown, lanes: LaneEnds): void {
      this.given = lanes;
    }
    part(): Promise<boolean> {
      this.parted += 1;
      return new Promise((resolve) => {
        this.letGo = resolve;
      });
    }
  }
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('is what one writes and the other reads, each at its own rate, and goes back where it came from', async () => {
    const memory = new CallMemory(1_000, 4);
    const [narrow, wide] = [new Port(memory.of(8_000).lanes), new Port(memory.of(16_000).lanes)];
    const bridge = new PortBridge(narrow, wide);
    expect(narrow.given).toEqual({ to: wide.given?.from, from: wide.given?.to });
    expect([narrow.given?.to.sampleRateHz, wide.given?.to.sampleRateHz]).toEqual([8_000, 16_000]);
    bridge.close();
    bridge.close();
    narrow.letGo(true);
    await settled();
    expect([narrow.lanes.kept, wide.lanes.kept]).toEqual([[], []]); // one thread may still be using both
    wide.letGo(true);
    await settled();
    expect([narrow.lanes.kept, wide.lanes.kept]).toEqual([[narrow.given?.to], [wide.given?.to]]);
    expect([narrow.parted, wide.parted]).toEqual([1, 1]);
  });

  it("is nobody else's when a thread does not answer", async () => {
    const lanes = new CallMemory(1_000, 4).of(8_000).lanes;
    const [a, b] = [new Port(lanes), new Port(lanes)];
    new PortBridge(a, b).close();
    a.letGo(true);
    b.letGo(false);
    await settled();
    expect(lanes.kept).toEqual([]);
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

  it.each(someOf([2, 1], 2))('is no more after many bridges than after one, on %i threads', async (workers) => {
    const own = await openPlane({ workers });
    const [{ port: a }, { port: b }] = [await openPort(own), await openPort(own)];
    const { lanes } = a as ThreadedMediaPort;
    for (let n = 0; n < 100; n += 1) {
      own.bridge(a, b)?.close();
      await Promise.all([a.stats(), b.stats()]); // answered after the parting
      await until(() => lanes.kept.length === 2, 'both lanes');
    }
    expect(own.bridge(a, b)).toBeDefined();
    expect(lanes.kept).toEqual([]);
    await Promise.all([a.close(), b.close()]);
    await until(() => lanes.kept.length === 2, 'the lanes of ended calls');
    await own.close();
  });

  it.runIf(EVERY_TEST)('comes back from a thread that dies before it answers', async () => {
    const own = await openPlane({ workers: 2 });
    const [{ port: a }, { port: b }] = [await openPort(own), await openPort(own)];
    const { lanes, deps } = a as ThreadedMediaPort;
    const bridge = own.bridge(a, b);
    deps.thread.send(null as never); // kills it
    bridge?.close();
    await until(() => lanes.kept.length === 2, 'both lanes');
    await own.close();
  });
});
