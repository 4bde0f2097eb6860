import type { Clock, Timer } from '../../core/clock.ts';

/** A signal that aborts with another one, or when a named limit runs out; `expired` says which did. */
export class TimeLimit<Name extends string = 'first-token-timeout' | 'total-timeout'> {
  readonly #abort = new AbortController();
  readonly #timers = new Map<Name, Timer>();
  readonly #onAbort = (): void => this.#abort.abort();
  expired: Name | undefined;

  constructor(
    readonly clock: Clock,
    readonly outer: AbortSignal,
  ) {
    if (outer.aborted) this.#abort.abort();
    else outer.addEventListener('abort', this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  start(name: Name, delayMs: number): void {
    this.stop(name);
    const expire = (): void => {
      this.expired ??= name;
      this.#abort.abort();
    };
    this.#timers.set(name, this.clock.setTimer(delayMs, expire));
  }

  stop(name: Name): void {
    this.clock.clearTimer(this.#timers.get(name));
    this.#timers.delete(name);
  }

  /** Stops everything and whatever still works under the signal. Idempotent. */
  close(): void {
    for (const name of [...this.#timers.keys()]) this.stop(name);
    this.outer.removeEventListener('abort', this.#onAbort);
    this.#abort.abort();
  }
}
