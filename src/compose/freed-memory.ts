import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Clock, repeat } from '../core/clock.ts';
import { type NativeMemory, nativeMemory } from '../core/native-memory.ts';

/** How often a gateway looks whether there is anything to give back. */
const LOOK_EVERY_MS = 5_000;
/** Freed memory that is worth giving back. */
const WORTH_BYTES = 16 * 1024 * 1024;
/** With calls only every so many looks: who allocates meanwhile waits, 15 ms for 250 MB with 35 MB of holes. */
const BUSY_LOOKS = 120;
/** So much free is worth that at every look that finds more, and every so many looks in any case: it is soon used and freed again. */
const MUCH_BYTES = 48 * 1024 * 1024;
const MUCH_LOOKS = 3;
/** So many looks without a call, garbage is collected: transactions, ports and decoders of the last calls are given up by then. */
const COLLECT_LOOKS = 8;

/**
 * Gives what malloc keeps of freed memory back to the system: soon when there is no call or much of it, and now and then when
 * there always are calls. Decoders and buffers lie between what stays, so that nothing goes back by itself, and there is more from hour to hour.
 */
export class FreedMemory {
  /** What malloc kept after the last time: its pages are given back, and still counted. */
  #leftBytes = 0;
  #looks = 0; // since the last time
  #quietLooks = COLLECT_LOOKS; // since the last call, if there was one

  /** @param collect - lets go of what garbage holds, with all that runs waiting. */
  constructor(
    readonly native: NativeMemory,
    readonly busy: () => boolean,
    readonly collect: () => void,
  ) {}

  /** @returns whether anything was given back. */
  look(): boolean {
    this.#looks += 1;
    const isBusy = this.busy();
    this.#quietLooks = isBusy ? 0 : this.#quietLooks + 1;
    if (this.#quietLooks === COLLECT_LOOKS) this.collect(); // nothing is allocated any more that would make V8 do it
    const freeBytes = this.native.freeBytes();
    const isMore = freeBytes >= this.#leftBytes + WORTH_BYTES;
    const isMuch = isBusy && freeBytes >= MUCH_BYTES && (isMore || this.#looks >= MUCH_LOOKS);
    if (isBusy && !isMuch && this.#looks < BUSY_LOOKS) return false;
    if (!isMuch && !isMore) {
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

/**
 * Collects all garbage of this thread at once, a tenth of a second for 90 MB; left to itself, an idle V8 keeps it for hours. What
 * one collection empties goes back to the system with the next.
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('globalThis.gc') as (() => void) | undefined;
  for (let time = 0; time < 2; time += 1) collect?.();
}

/** Looks from now on, until the returned function is called. */
export function watchFreedMemory(clock: Clock, busy: () => boolean): () => void {
  const native = nativeMemory();
  if (!native) return () => {};
  const freed = new FreedMemory(native, busy, collectGarbage);
  return repeat(clock, LOOK_EVERY_MS, () => freed.look());
}
