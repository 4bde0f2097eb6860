import type { Clock } from '../core/clock.ts';

/** Gives the place back; calling it again does nothing. */
export type Release = () => void;
export type SlotRefusal = 'queue-full' | 'queue-timeout' | 'aborted';

interface Waiter {
  readonly settle: (result: Release | SlotRefusal) => void;
}

/** At most `concurrency` holders at once; at most `queue` more wait their turn, first come first served. */
export class Slots {
  #held = 0;
  readonly #waiting = new Set<Waiter>(); // in order of arrival

  constructor(
    readonly concurrency: number,
    readonly queue: number,
    readonly clock: Clock,
    readonly onDepth: (waiting: number) => void = () => {},
  ) {
    if (!(concurrency >= 1 && queue >= 0)) throw new RangeError('slots: concurrency >= 1, queue >= 0');
  }

  get held(): number {
    return this.#held;
  }
  get waiting(): number {
    return this.#waiting.size;
  }

  /** A place now, or undefined when all are taken: while others wait they are, since one that is given back goes to them. */
  tryAcquire(): Release | undefined {
    if (this.#held >= this.concurrency) return undefined;
    return this.#take();
  }

  /** A place as soon as there is one, within `waitMs`; or why not. */
  acquire(waitMs: number, signal: AbortSignal): Promise<Release | SlotRefusal> {
    if (signal.aborted) return Promise.resolve('aborted');
    const now = this.tryAcquire();
    if (now) return Promise.resolve(now);
    if (this.#waiting.size >= this.queue) return Promise.resolve('queue-full');
    return new Promise((resolve) => {
      const waiter: Waiter = {
        settle: (result) => {
          this.#waiting.delete(waiter);
          this.clock.clearTimer(timer);
          signal.removeEventListener('abort', onAbort);
          this.onDepth(this.#waiting.size);
          resolve(result);
        },
      };
      const onAbort = (): void => waiter.settle('aborted');
      const timer = this.clock.setTimer(waitMs, () => waiter.settle('queue-timeout'));
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(waiter);
      this.onDepth(this.#waiting.size);
    });
  }

  #take(): Release {
    this.#held += 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#held -= 1;
      const [next] = this.#waiting;
      if (next) next.settle(this.#take());
    };
  }
}
