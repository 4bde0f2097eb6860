import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { FreedMemory } from '../../src/compose/freed-memory.ts';
import { type NativeMemory, nativeMemory } from '../../src/core/native-memory.ts';

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

describe('FreedMemory', () => {
  it('gives back at once when there are no calls', () => {
    const native = new CountingMemory();
    native.free = 40 * MB;
    let busy = true;
    const freed = new FreedMemory(native, () => busy);
    expect(freed.look()).toBe(false);
    busy = false;
    expect(freed.look()).toBe(true);
    expect(native.trims).toBe(1);
  });

  it('gives back every fortieth time when there always are calls, and only what is worth it', () => {
    const native = new CountingMemory();
    const freed = new FreedMemory(native, () => true);
    const looks = Array.from({ length: 140 }, (_, n) => {
      native.free = (n * MB) / 4;
      return freed.look() ? n : undefined;
    });
    // The fortieth is too little, the sixty-fifth is not; then 16 MB more are worth it.
    expect(looks.filter((n) => n !== undefined)).toEqual([64, 128]);
  });

  it('gives much back at every look, whoever calls', () => {
    const native = new CountingMemory();
    const freed = new FreedMemory(native, () => true);
    const looks = [47, 48, 49, 20, 47, 60].map((free) => {
      native.free = free * MB;
      return freed.look();
    });
    expect(looks).toEqual([false, true, true, false, false, true]);
  });

  it('does not give back what it gave back before', () => {
    const native = new CountingMemory();
    const freed = new FreedMemory(native, () => false);
    const looks = [5, 40, 45, 90, 90, 20, 40].map((free) => {
      native.free = free * MB;
      return freed.look();
    });
    expect(looks).toEqual([false, true, false, true, false, false, true]);
  });
});

describe.skipIf(nativeMemory() === undefined)('the C library', () => {
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
