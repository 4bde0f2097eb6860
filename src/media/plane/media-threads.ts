import type { Clock, Timer } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { RestartBudget, type RestartPolicy } from '../../core/restart-budget.ts';
import type { MediaThread } from './media-thread.ts';

/** Calls wait for it: at once while deaths are rare. */
export const MEDIA_RESTARTS: RestartPolicy = { delaysMs: [0, 0, 0, 0, 0], earnMs: 60_000 };

export interface MediaThreadsOptions<T> {
  readonly count: number;
  /** Starts thread number `index`; `onLost` is for its unexpected end. May throw: no memory, no thread to be had. */
  readonly create: (index: number, onLost: () => void) => T;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What is needed of a thread to keep it alive. */
export type KeptThread = Pick<MediaThread, 'usable' | 'started' | 'abandon' | 'close' | 'admission' | 'calls' | 'load'>;

interface Place<T> {
  thread: T | undefined;
  readonly budget: RestartBudget;
  restart: Timer | undefined;
  ready: boolean;
}

/** The media threads: each has a place, and a place whose thread has died gets another one as often as its budget allows. */
export class MediaThreads<T extends KeptThread> {
  readonly #places: readonly Place<T>[];
  #closed = false;

  constructor(readonly options: MediaThreadsOptions<T>) {
    const place = (): Place<T> => ({
      thread: undefined,
      budget: new RestartBudget(MEDIA_RESTARTS, options.clock),
      restart: undefined,
      ready: false,
    });
    this.#places = Array.from({ length: options.count }, place);
  }

  /** @returns whether every thread came up. */
  async start(): Promise<boolean> {
    const started = await Promise.all(this.#places.map((_, index) => this.#start(index)));
    return started.every(Boolean);
  }

  get usable(): readonly T[] {
    return this.#places.flatMap(({ thread }) => (thread?.usable ? [thread] : []));
  }
  get count(): number {
    return this.#places.length;
  }
  /** Threads that are being started again, or wait for it. */
  get down(): number {
    return this.#places.filter(({ ready }) => !ready).length;
  }

  leastLoaded(): T | undefined {
    let best: T | undefined;
    for (const thread of this.usable) {
      if (!thread.admission.admits(thread.calls)) continue;
      if (!best || thread.calls < best.calls) best = thread;
    }
    return best;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const place of this.#places) this.options.clock.clearTimer(place.restart);
    await Promise.all(this.#places.map(({ thread }) => thread?.close()));
  }

  async #start(index: number): Promise<boolean> {
    const place = this.#places[index] as Place<T>;
    place.restart = undefined;
    try {
      place.thread = this.options.create(index, () => this.#lost(index));
    } catch (error) {
      this.options.logger.error({ index, error: errorText(error) }, 'a media thread could not be started');
      this.#lost(index);
      return false;
    }
    const { thread } = place;
    const ready = await thread.started();
    if (place.thread !== thread) return false; // it died on the way
    place.ready = ready;
    if (!ready) thread.abandon(); // it hangs; its end is its loss
    return ready;
  }

  #lost(index: number): void {
    const place = this.#places[index] as Place<T>;
    place.thread = undefined;
    place.ready = false;
    if (this.#closed) return;
    const waitMs = place.budget.take();
    this.options.logger.error({ index, waitMs: Math.round(waitMs) }, 'media thread lost, starting another');
    place.restart = this.options.clock.setTimer(waitMs, () => void this.#start(index));
  }
}
