import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { FreedMemory, watchFreedMemory } from '../../src/compose/freed-memory.ts';
import { type NativeMemory, nativeMemory } from '../../src/core/native-memory.ts';
import { FakeClock } from '../support/fake-clock.ts';

const MB = 1024 * 1024;
interface Ffi {
  load(path: string): { func(prototype: string): (...args: unknown[]) => unknown };
}

class CountingMemory implements NativeMemory {
  free = 0;
  trims = 0;
  inUseBytes(): number {
    return 100 * MB;
  }
  freeBytes(): number {
    return this.free;
  }
  trim(): void {
    this.trims += 1; // pages are given back, the pieces stay free and counted
  }
  giveBackPages(): void {}
  setLargeBlocksApart(): void {}
}

const none = (): void => {};

describe('FreedMemory', () => {
  it('gives back at once when there are no calls', () => {
    const native = new CountingMemory();
    native.free = 40 * MB;
    let busy = true;
    const freed = new FreedMemory(native, () => busy, none);
    expect(freed.look()).toBe(false);
    busy = false;
    expect(freed.look()).toBe(true);
    expect(native.trims).toBe(1);
  });

  it('gives back every 120th time when there always are calls, and only what is worth it', () => {
    const native = new CountingMemory();
    const freed = new FreedMemory(native, () => true, none);
    const looks = Array.from({ length: 420 }, (_, n) => {
      native.free = (n * MB) / 10;
      return freed.look() ? n : undefined;
    });
    // The 120th is too little, the 160th is not; then 16 MB more are worth it.
    expect(looks.filter((n) => n !== undefined)).toEqual([160, 320]);
  });

  it('gives much back at once, whoever calls, and at every third look while there is much', () => {
    const native = new CountingMemory();
    const freed = new FreedMemory(native, () => true, none);
    const looks = [47, 48, 63, 64, 50, 50, 50, 20, 47, 60].map((free) => {
      native.free = free * MB;
      return freed.look();
    });
    expect(looks).toEqual([false, true, false, true, false, false, true, false, false, true]);
  });

  it('has garbage collected once, 40 s after the last call, and gives back what that held', () => {
    const native = new CountingMemory();
    let busy = false;
    const freed = new FreedMemory(
      native,
      () => busy,
      () => {
        native.free += 40 * MB;
      },
    );
    const givenAt = (looks: number): number[] =>
      Array.from({ length: looks }, (_, n) => (freed.look() ? n + 1 : 0)).filter((n) => n > 0);
    const before = givenAt(20);
    busy = true;
    const during = givenAt(20);
    busy = false;
    expect([before, during, givenAt(20)]).toEqual([[], [], [8]]);
  });

  it('does not give back what it gave back before', () => {
    const native = new CountingMemory();
    const freed = new FreedMemory(native, () => false, none);
    const looks = [5, 40, 45, 90, 90, 20, 40].map((free) => {
      native.free = free * MB;
      return freed.look();
    });
    expect(looks).toEqual([false, true, false, true, false, false, true]);
  });
});

describe.skipIf(nativeMemory() === undefined)('the C library', () => {
  it('is looked at again and again, and what calls left is collected when there were none for a while', async () => {
    const clock = new FakeClock();
    let busy = true;
    const stop = watchFreedMemory(clock, () => busy);
    const left = new WeakRef({ audio: new Int16Array(8000) });
    await new Promise(setImmediate); // a new reference holds what it refers to until then
    clock.advance(10_000);
    busy = false;
    clock.advance(45_000);
    stop();
    expect(left.deref()).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  it('tells what is in use and takes pages back', () => {
    const native = nativeMemory();
    if (!native) return;
    const before = native.inUseBytes();
    const memory = new SharedArrayBuffer(64 * MB);
    const bytes = new Uint8Array(memory).fill(7);
    expect(native.inUseBytes() - before).toBeGreaterThan(60 * MB);
    native.giveBackPages(memory);
    expect(bytes[32 * MB]).toBe(0);
    native.trim();
    expect(native.freeBytes()).toBeGreaterThanOrEqual(0);
  });

  it('keeps nothing of large blocks that are freed, once it is told so', () => {
    const c = (createRequire(import.meta.url)('koffi') as Ffi).load('libc.so.6');
    const [allocate, free] = [c.func('void* malloc(size_t)'), c.func('void free(void*)')];
    /** What freeing one of 8 MB leaves free, in front of a block that stays. */
    const leftMb = (): number => {
      free(allocate(30 * MB)); // malloc learns from it
      const before = nativeMemory()?.freeBytes() ?? 0;
      const [block, guard] = [allocate(8 * MB), allocate(16)];
      free(block);
      const left = ((nativeMemory()?.freeBytes() ?? 0) - before) / MB;
      free(guard);
      return left;
    };
    nativeMemory()?.setLargeBlocksApart();
    expect(leftMb()).toBeLessThan(1);
  });
});
