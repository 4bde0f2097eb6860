import { setFlagsFromString } from 'node:v8';
import { type Clock, repeat } from '../core/clock.ts';
import { type NativeMemory, nativeMemory } from '../core/native-memory.ts';

/** How often a gateway looks whether there is anything to give back. */
const LOOK_EVERY_MS = 60_000;
/** Freed memory that is worth giving back. */
const WORTH_BYTES = 16 * 1024 * 1024;
/** With calls only every so many looks: who allocates meanwhile waits, 15 ms for 250 MB with 35 MB of holes. */
const BUSY_LOOKS = 10;

/**
 * Gives what malloc keeps of freed memory back to the system: soon when there is no call, and now and then when there always
 * are some. Decoders and buffers lie between what stays, so that nothing goes back by itself, and there is more from hour to hour.
 */
export class FreedMemory {
  /** What malloc kept after the last time: its pages are given back, and still counted. */
  #leftBytes = 0;
  #looks = 0; // since the last time

  constructor(
    readonly native: NativeMemory,
    readonly busy: () => boolean,
  ) {}

  /** @returns whether anything was given back. */
  look(): boolean {
    this.#looks += 1;
    if (this.busy() && this.#looks < BUSY_LOOKS) return false;
    const freeBytes = this.native.freeBytes();
    if (freeBytes < this.#leftBytes + WORTH_BYTES) {
      this.#leftBytes = Math.min(this.#leftBytes, freeBytes);
      return false;
    }
    this.native.trim();
    this.#leftBytes = this.native.freeBytes();
    this.#looks = 0;
    return true;
  }
}

/**
 * V8 lets old garbage grow to a multiple of what lives, and with it all audio that the garbage holds: at 400 calls 60 MB of
 * objects and as much audio. From now on a quarter is enough for it to collect; it marks beside the running program.
 */
export function collectSooner(): void {
  setFlagsFromString('--heap-growing-percent=25');
}

/** Looks from now on, until the returned function is called. */
export function watchFreedMemory(clock: Clock, busy: () => boolean): () => void {
  const native = nativeMemory();
  if (!native) return () => {};
  const freed = new FreedMemory(native, busy);
  return repeat(clock, LOOK_EVERY_MS, () => freed.look());
}
