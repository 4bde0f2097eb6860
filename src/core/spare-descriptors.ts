import { closeSync, openSync } from 'node:fs';
import { type Clock, repeat } from './clock.ts';
import { isShortage } from './shortage.ts';

/** libuv wants one, a connection that is to be refused another, and threads take some for a moment. */
const SPARE = 8;
const LOOKED_AT_EVERY_MS = 250;

/** How a descriptor is had and given back. */
export interface DescriptorSource {
  /** @throws Error of the system when there is none. */
  open(): number;
  close(descriptor: number): void;
}

const nullDevice: DescriptorSource = { open: () => openSync('/dev/null', 'r'), close: closeSync };

/**
 * Holds a few descriptors in reserve, and gives them back when the process has no other.
 *
 * A connection that cannot be accepted keeps its listening socket ready, so the loop that polls it never sleeps. libuv sheds such
 * connections with one descriptor that it keeps for that, and which another thread can take from it in the very moment in which
 * it is closed. With some given back connections are accepted, refused and closed, and libuv gets its own again.
 */
export class SpareDescriptors {
  readonly #held: number[] = [];
  readonly #stop: () => void;

  constructor(
    clock: Clock,
    private readonly source: DescriptorSource = nullDevice,
  ) {
    for (let n = 0; n < SPARE; n += 1) this.#look();
    this.#stop = repeat(clock, LOOKED_AT_EVERY_MS, () => this.#look());
  }

  close(): void {
    this.#stop();
    this.#giveBack();
  }

  /** One more is opened each time, so that what was given back is not taken again at once. */
  #look(): void {
    try {
      const one = this.source.open();
      if (this.#held.length < SPARE) this.#held.push(one);
      else this.source.close(one);
    } catch (error) {
      if (isShortage(error)) this.#giveBack();
    }
  }

  #giveBack(): void {
    for (const descriptor of this.#held.splice(0)) this.source.close(descriptor);
  }
}
