import { BoundedQueue } from '../core/bounded-queue.ts';
import type { Clock, Timer } from '../core/clock.ts';

/** A timer that rang so late says that this process was held up: nothing is known of the engine. */
const RANG_LATE_MS = 500;

/** An engine did not answer in time. */
export class EngineTimeout extends Error {
  /** @param lateMs - how long after its time the timer rang. */
  constructor(
    readonly kind: 'first-result-timeout' | 'total-timeout',
    private readonly lateMs: number,
  ) {
    super(kind);
    this.name = 'EngineTimeout';
  }

  get isOurs(): boolean {
    return this.lateMs > RANG_LATE_MS;
  }
}

export type PumpEnd =
  | { readonly type: 'complete' }
  | { readonly type: 'aborted' }
  | { readonly type: 'failed'; readonly error: unknown };

export interface PumpOptions {
  readonly clock: Clock;
  readonly firstResultMs: number;
  readonly totalMs: number; // of the source's own time
  readonly bufferedMax: number;
  readonly onFirst: () => void;
  /** Once, when the source is finished with, which may be long before the consumer is. */
  readonly onEnd: (end: PumpEnd) => void;
}

/**
 * Draws results from an async source ahead of their consumer, into a bounded buffer, under two time limits. A source
 * that ignores its signal is left behind: neither the consumer nor `onEnd` waits for it.
 */
export class Pump<T extends object> {
  readonly #abort = new AbortController();
  readonly #buffer: BoundedQueue<T>;
  #source: AsyncIterator<T> | undefined;
  #end: PumpEnd | undefined;
  #wakeConsumer: () => void = () => {};
  #wakeSource: () => void = () => {};
  #timer: Timer | undefined;
  #usedMs = 0;
  readonly #onAbort = (): void => this.#finish({ type: 'aborted' });

  constructor(
    start: (signal: AbortSignal) => AsyncIterable<T>,
    readonly signal: AbortSignal,
    readonly options: PumpOptions,
  ) {
    this.#buffer = new BoundedQueue<T>(options.bufferedMax);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#finish({ type: 'aborted' });
    else void this.#run(start);
  }

  /** The results in order, then the end: throws what failed, after everything that came before it. */
  async *results(): AsyncGenerator<T> {
    for (;;) {
      if (this.signal.aborted) return;
      const result = this.#buffer.shift();
      if (result !== undefined) {
        this.#wakeSource();
        yield result;
        continue;
      }
      if (this.#end?.type === 'failed') throw this.#end.error;
      if (this.#end) return;
      await new Promise<void>((resolve) => {
        this.#wakeConsumer = resolve;
      });
    }
  }

  /** The consumer is gone. Idempotent. */
  stop(): void {
    this.#finish({ type: 'aborted' });
  }

  async #run(start: (signal: AbortSignal) => AsyncIterable<T>): Promise<void> {
    try {
      let isFirst = true;
      const source = start(this.#abort.signal)[Symbol.asyncIterator]();
      this.#source = source;
      while (!this.#end) {
        const next = await this.#timed(source.next(), isFirst);
        if (this.#end) return;
        if (isFirst) this.options.onFirst();
        isFirst = false;
        if (next.done) return this.#finish({ type: 'complete' });
        this.#buffer.push(next.value);
        this.#wakeConsumer();
        if (this.#buffer.length >= this.options.bufferedMax) await this.#room();
      }
    } catch (error) {
      this.#finish({ type: 'failed', error });
    }
  }

  /** One wait for the source; when it takes too long the pump ends and this promise is of no interest any more. */
  async #timed<R>(wait: Promise<R>, isFirst: boolean): Promise<R> {
    const { clock, firstResultMs, totalMs } = this.options;
    const left = Math.max(0, totalMs - this.#usedMs);
    const timeout = isFirst && firstResultMs <= left ? 'first-result-timeout' : 'total-timeout';
    const limitMs = isFirst ? Math.min(firstResultMs, left) : left;
    const startedMs = clock.nowMs();
    this.#timer = clock.setTimer(limitMs, () => {
      const error = new EngineTimeout(timeout, clock.nowMs() - startedMs - limitMs);
      this.#finish({ type: 'failed', error });
    });
    try {
      return await wait;
    } finally {
      this.#usedMs += clock.nowMs() - startedMs;
      if (!this.#end) clock.clearTimer(this.#timer);
    }
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeSource = resolve;
    });
  }

  /** A source that waits in its `yield` learns only this way that nobody will come back. */
  async #leaveSource(): Promise<void> {
    try {
      await this.#source?.return?.();
    } catch {
      // What it says on its way out interests nobody: the end was settled before.
    }
  }

  #finish(end: PumpEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.options.clock.clearTimer(this.#timer);
    this.signal.removeEventListener('abort', this.#onAbort);
    if (end.type !== 'complete') {
      this.#abort.abort();
      void this.#leaveSource();
    }
    this.#wakeConsumer();
    this.#wakeSource();
    this.options.onEnd(end);
  }
}
