import { FRAME_MS } from '../audio/pcm.ts';
import type { Clock, Timer } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Rest } from './rest.ts';

/** Ticks in a row that may fail: half a second, in which whoever calls hears nothing new. */
export const TICK_FAILURES_MAX = 25;

/** What is moved on every 20 ms. */
export interface Ticking {
  /** Until it is over nothing is to be moved on. */
  readonly rest?: Pick<Rest, 'isOver'> | undefined;
  tick(): void;
  /** `TICK_FAILURES_MAX` ticks in a row failed; it is not ticked any more. */
  broken(error: unknown): void;
}

interface Ticked {
  readonly ticking: Ticking;
  failures: number; // in a row
}

/**
 * One timer that moves every call on, instead of one a call. Calls are independent: one that throws does not hold up the
 * others, and is given up when it keeps throwing.
 */
export class CallTicker {
  readonly #ticking = new Map<Ticking, Ticked>();
  #timer: Timer | undefined;
  #dueMs = 0;
  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  add(ticking: Ticking): void {
    this.#ticking.set(ticking, { ticking, failures: 0 });
    if (this.#timer) return;
    this.#dueMs = this.clock.nowMs();
    this.#await();
  }

  remove(ticking: Ticking): void {
    this.#ticking.delete(ticking);
    if (this.#ticking.size > 0) return;
    this.clock.clearTimer(this.#timer);
    this.#timer = undefined;
  }

  /** Ticks that the process slept through are not made up for: a tick takes all that has arrived. */
  #await(): void {
    const nowMs = this.clock.nowMs();
    this.#dueMs = Math.max(this.#dueMs + FRAME_MS, nowMs);
    this.#timer = this.clock.setTimer(this.#dueMs - nowMs, () => this.#run());
  }

  #run(): void {
    this.#await();
    const nowMs = this.clock.nowMs();
    for (const one of this.#ticking.values()) {
      const { ticking } = one;
      try {
        if (ticking.rest?.isOver(nowMs) === false) continue;
        ticking.tick();
        one.failures = 0;
      } catch (error) {
        this.#onFailure(one, error);
      }
    }
  }

  #onFailure(one: Ticked, error: unknown): void {
    const { ticking } = one;
    one.failures += 1;
    const { failures } = one;
    const last = failures >= TICK_FAILURES_MAX;
    if (failures === 1 || last) {
      const stack = error instanceof Error ? error.stack : undefined;
      this.logger.error({ error: errorText(error), stack, failures }, 'a call failed in its tick');
    }
    if (!last) return;
    this.remove(ticking);
    try {
      ticking.broken(error);
    } catch (second) {
      this.logger.error({ error: errorText(second) }, 'a broken call could not be closed');
    }
  }
}
