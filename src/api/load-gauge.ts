import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock, Timer } from '../core/clock.ts';

/** Phone calls are signalled on the same thread: above this mean delay new API work makes them late. */
const OVERLOADED_MEAN_MS = 250;
const SAMPLE_MS = 500;
const RESOLUTION_MS = 20;

/** Whether the event loop is so late that new work should be refused. Looks twice a second. */
export class LoadGauge {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #timer: Timer | undefined;
  #overloaded = false;

  constructor(private readonly clock: Clock) {
    this.#delay.enable();
    this.#sample();
  }

  get overloaded(): boolean {
    return this.#overloaded;
  }

  close(): void {
    this.clock.clearTimer(this.#timer);
    this.#delay.disable();
  }

  #sample(): void {
    this.#overloaded = this.#delay.mean / 1e6 - RESOLUTION_MS > OVERLOADED_MEAN_MS;
    this.#delay.reset();
    this.#timer = this.clock.setTimer(SAMPLE_MS, () => this.#sample());
  }
}
