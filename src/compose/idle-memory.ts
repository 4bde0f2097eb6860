import { type Clock, repeat } from '../core/clock.ts';
import { type NativeMemory, nativeMemory } from '../core/native-memory.ts';

/** How often a gateway without calls looks whether there is anything to give back. */
const LOOK_EVERY_MS = 60_000;
/** Freed memory that is worth giving back. */
const WORTH_BYTES = 16 * 1024 * 1024;

/**
 * Gives what malloc keeps of freed memory back to the system, while there is no call to be held up by it. Decoders, models
 * and buffers lie between what stays, so that nothing goes back by itself.
 */
export class IdleMemory {
  /** What malloc kept after the last time: its pages are given back, and still counted. */
  #leftBytes = 0;

  constructor(
    readonly native: NativeMemory,
    readonly busy: () => boolean,
  ) {}

  /** @returns whether anything was given back. */
  look(): boolean {
    if (this.busy()) return false;
    const freeBytes = this.native.freeBytes();
    if (freeBytes < this.#leftBytes + WORTH_BYTES) {
      this.#leftBytes = Math.min(this.#leftBytes, freeBytes);
      return false;
    }
    this.native.trim();
    this.#leftBytes = this.native.freeBytes();
    return true;
  }
}

/** Looks from now on, until the returned function is called. */
export function watchIdleMemory(clock: Clock, busy: () => boolean): () => void {
  const native = nativeMemory();
  if (!native) return () => {};
  const idle = new IdleMemory(native, busy);
  return repeat(clock, LOOK_EVERY_MS, () => idle.look());
}
