import type { Clock, Timer } from '../../src/core/clock.ts';

interface FakeTimer {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that moves only when told to. Timers fire in order of due time, then of creation. */
export class FakeClock implements Clock {
  #nowMs = 0;
  #order = 0;
  readonly #timers = new Set<FakeTimer>();
  constructor(readonly epochMs = Date.UTC(2026, 0, 1)) {}

  nowMs(): number {
    return this.#nowMs;
  }
  utc(): Date {
    return new Date(this.epochMs + this.#nowMs);
  }
  setTimer(delayMs: number, callback: () => void): Timer {
    const timer: FakeTimer = { dueMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, callback };
    this.#timers.add(timer);
    return timer;
  }
  clearTimer(timer: Timer | undefined): void {
    if (timer) this.#timers.delete(timer as FakeTimer);
  }
  /** Timers still set: a leak check for state machines that must end with none. */
  get pending(): number {
    return this.#timers.size;
  }
  /** Moves time forward, firing what falls due on the way, also timers set meanwhile. */
  advance(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const next = this.#earliest();
      if (!next || next.dueMs > endMs) break;
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.callback();
    }
    this.#nowMs = endMs;
  }
  /** Time passes as for a process that was held up: what fell due meanwhile fires at its end. */
  leap(ms: number): void {
    this.#nowMs += ms;
    this.advance(0);
  }
  /** Like `advance`, and lets promise callbacks run between timers. */
  async advanceAsync(ms: number, stepMs = 10): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      this.advance(Math.min(stepMs, left));
      for (let i = 0; i < 20; i += 1) await Promise.resolve();
    }
  }
  #earliest(): FakeTimer | undefined {
    let best: FakeTimer | undefined;
    for (const timer of this.#timers) {
      if (!best || timer.dueMs < best.dueMs || (timer.dueMs === best.dueMs && timer.order < best.order)) best = timer;
    }
    return best;
  }
}
