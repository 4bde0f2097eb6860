/** A running timer; pass it back to `Clock.clearTimer`. Opaque: its shape belongs to the clock that made it. */
export type Timer = object;

/**
 * Time as the pure cores see it. Tests pass a `FakeClock`, so 32-second protocol timers run in microseconds.
 * `nowMs` is monotonic and for measuring; `utc` is for records. Never subtract two `utc` values.
 */
export interface Clock {
  /** Monotonic milliseconds, fractional, from an arbitrary origin. */
  nowMs(): number;
  /** Wall time, for records and headers only. */
  utc(): Date;
  /** Runs `callback` once after `delayMs`, 24 days at most; never keeps the process alive by itself. */
  setTimer(delayMs: number, callback: () => void): Timer;
  clearTimer(timer: Timer | undefined): void;
}

/** What a timer of Node can hold; it fires at once for more, and peers name intervals of up to 2^32 seconds. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  utc: () => new Date(),
  setTimer: (delayMs, callback) => setTimeout(callback, Math.min(delayMs, TIMER_MS_MAX)).unref(),
  clearTimer: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};

/** Resolves after `delayMs` of `clock`, or at once when `signal` aborts. */
export function delay(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      clock.clearTimer(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = clock.setTimer(delayMs, done);
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** A signal that aborts after `afterMs` of `clock`. `cancel` it when nobody waits any more. */
export function timeoutSignal(
  clock: Clock,
  afterMs: number,
): { readonly signal: AbortSignal; readonly cancel: () => void } {
  const abort = new AbortController();
  const timer = clock.setTimer(afterMs, () => abort.abort(new DOMException('no answer in time', 'TimeoutError')));
  return { signal: abort.signal, cancel: () => clock.clearTimer(timer) };
}

/** Runs `work` every `everyMs` of `clock`, until the returned function is called. */
export function repeat(clock: Clock, everyMs: number, work: () => void): () => void {
  let timer = clock.setTimer(everyMs, again);
  function again(): void {
    timer = clock.setTimer(everyMs, again);
    work();
  }
  return () => clock.clearTimer(timer);
}
