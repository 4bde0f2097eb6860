import { FRAME_MS } from '../audio/pcm.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';

/**
 * One timer that moves every call on, instead of one a call. Calls are independent: one that throws is reported and
 * does not hold up the others.
 */
export class CallTicker {
  readonly #ticks = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  constructor(private readonly logger: Logger) {}

  add(tick: () => void): void {
    this.#ticks.add(tick);
    this.#timer ??= setInterval(() => this.#run(), FRAME_MS);
  }

  remove(tick: () => void): void {
    this.#ticks.delete(tick);
    if (this.#ticks.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #run(): void {
    for (const tick of this.#ticks) {
      try {
        tick();
      } catch (error) {
        this.logger.error({ error: errorText(error), stack: (error as Error).stack }, 'a call failed in its tick');
      }
    }
  }
}
