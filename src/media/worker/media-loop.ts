import type { ThreadSigns } from '../plane/thread-signs.ts';
import type { TickWheel } from './tick-wheel.ts';

/** Later than this, sockets are read before the ticks run: what waits in the kernel belongs into those frames. */
const READ_FIRST_MS = 10;
/** Sleeping is cut so that messages from the main thread wait at most this long. */
const MAX_SLEEP_MS = 1;

export interface MediaLoopDeps {
  /** Takes the next message. @returns false when there is none. */
  receive(): boolean;
  now(): number; // monotonicMs
}

/**
 * Drives the wheel where sockets need the event loop. The thread sleeps in `Atomics.wait` until the next tick (exact to microseconds, where timers know whole
 * milliseconds), reads what has come, runs what is due, and yields once per tick with `setImmediate`, so that the event
 * loop reads messages and its own sockets. With no members the loop stops: an idle gateway uses no CPU.
 */
export class MediaLoop {
  readonly #cell = new Int32Array(new SharedArrayBuffer(4));
  #running = false;
  #readFirst = false;

  constructor(
    readonly wheel: TickWheel,
    readonly signs: Pick<ThreadSigns, 'beat' | 'rest'>,
    readonly deps: MediaLoopDeps,
  ) {}

  /** Call after a member joined. */
  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.wheel.start(this.deps.now());
    setImmediate(this.#step);
  }

  readonly #step = (): void => {
    if (this.wheel.size === 0) {
      this.#running = false;
      this.signs.rest();
      return;
    }
    this.signs.beat();
    if (!this.#readFirst) {
      const waitMs = this.wheel.dueInMs(this.deps.now());
      if (waitMs > 0) Atomics.wait(this.#cell, 0, 0, Math.min(waitMs, MAX_SLEEP_MS));
    }
    if (!this.#readFirst && this.wheel.dueInMs(this.deps.now()) < -READ_FIRST_MS) {
      this.#readFirst = true;
    } else {
      this.#readFirst = false;
      while (this.deps.receive()) this.signs.beat();
      this.wheel.run(this.deps.now);
    }
    setImmediate(this.#step);
  };
}
