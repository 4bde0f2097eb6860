import { describe, expect, it } from 'vitest';
import { IdleMemory } from '../../src/compose/idle-memory.ts';
import { type NativeMemory, nativeMemory } from '../../src/core/native-memory.ts';

const MB = 1024 * 1024;

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
}

describe('IdleMemory', () => {
  it('leaves everything alone while there are calls', () => {
    const native = new CountingMemory();
    native.free = 500 * MB;
    let busy = true;
    const idle = new IdleMemory(native, () => busy);
    expect(idle.look()).toBe(false);
    busy = false;
    expect(idle.look()).toBe(true);
    expect(native.trims).toBe(1);
  });

  it('does not give back what it gave back before', () => {
    const native = new CountingMemory();
    const idle = new IdleMemory(native, () => false);
    const looks = [5, 40, 45, 90, 90, 20, 40].map((free) => {
      native.free = free * MB;
      return idle.look();
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
});
