import { setFlagsFromString } from 'node:v8';
import { type Clock, repeat } from '../core/clock.ts';
import { type NativeMemory, nativeMemory } from '../core/native-memory.ts';

/** How often a gateway looks whether there is anything to give back. */
const LOOK_EVERY_MS = 15_000;
/** Freed memory that is worth giving back. */
const WORTH_BYTES = 16 * 1024 * 1024;
/** With calls only every so many looks: who allocates meanwhile waits, 15 ms for 250 MB with 35 MB of holes. */
const BUSY_LOOKS = 40;
/** So much free is worth that at every look, given back before or not: where calls are many it is soon used and freed again. */
const MUCH_BYTES = 48 * 1024 * 1024;

/**
 * Gives what malloc keeps of freed memory back to the system: soon when there is no call or much of it, and now and then when
 * there always are calls. Decoders and buffers lie between what stays, so that nothing goes back by itself, and there is more from hour to hour.
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
    const isBusy = this.busy();
    const freeBytes = this.native.freeBytes();
    const isMuch = isBusy && freeBytes >= MUCH_BYTES;
    if (isBusy && !isMuch && this.#looks < BUSY_LOOKS) return false;
    if (!isMuch && freeBytes < this.#leftBytes + WORTH_BYTES) {
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
