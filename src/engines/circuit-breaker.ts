import type { Clock } from '../core/clock.ts';

/**
 * When an engine fails again and again, calls to it are refused at once for a while, then one is let through to try.
 * `cooled` is time passing; `trip` a failure that reaches the threshold; a lesser `failure` leaves `closed` as it is.
 */
export const BREAKER_TRANSITIONS = {
  closed: { trip: 'open' },
  open: { cooled: 'half-open' },
  // No `trip` and no counting here: one failure of the trial is enough.
  'half-open': { success: 'closed', failure: 'open' },
} as const satisfies Record<string, Partial<Record<string, string>>>;

export type BreakerState = keyof typeof BREAKER_TRANSITIONS;
export type BreakerEvent = 'success' | 'failure' | 'trip' | 'cooled';

/** The state after `event`; the same one where it means nothing there: results of calls begun earlier come late. */
export function nextBreakerState(state: BreakerState, event: BreakerEvent): BreakerState {
  const row: Partial<Record<BreakerEvent, BreakerState>> = BREAKER_TRANSITIONS[state];
  return row[event] ?? state;
}

export interface BreakerOptions {
  readonly failures: number; // in a row, that open it
  readonly cooldownMs: number;
}

/** What a call does with its permission, exactly once: it worked, it failed, or nothing can be said (barge-in). */
export type BreakerOutcome = 'success' | 'failure' | 'unknown';
export type BreakerPermit = (outcome: BreakerOutcome) => void;

export class CircuitBreaker {
  #state: BreakerState = 'closed';
  #failuresInRow = 0;
  #openedAtMs = 0;
  #trialRuns = false;

  constructor(
    readonly options: BreakerOptions,
    readonly clock: Clock,
  ) {}

  get state(): BreakerState {
    if (this.#state === 'open' && this.clock.nowMs() - this.#openedAtMs >= this.options.cooldownMs)
      this.#move('cooled');
    return this.#state;
  }

  /** Whether `admit` would refuse now. */
  get refuses(): boolean {
    return this.state === 'open' || (this.state === 'half-open' && this.#trialRuns);
  }

  /** A permission to call the engine, or undefined: fail at once. */
  admit(): BreakerPermit | undefined {
    if (this.refuses) return undefined;
    const isTrial = this.state === 'half-open';
    if (isTrial) this.#trialRuns = true;
    let used = false;
    return (outcome) => {
      if (used) return;
      used = true;
      if (isTrial) this.#trialRuns = false;
      this.#record(outcome, isTrial);
    };
  }

  #record(outcome: BreakerOutcome, isTrial: boolean): void {
    // A call begun before the engine was given up says nothing about how it is now.
    if (outcome === 'unknown' || (this.#state !== 'closed' && !isTrial)) return;
    this.#failuresInRow = outcome === 'success' ? 0 : this.#failuresInRow + 1;
    this.#move(outcome);
    if (this.#state === 'closed' && this.#failuresInRow >= this.options.failures) this.#move('trip');
  }

  #move(event: BreakerEvent): void {
    const before = this.#state;
    this.#state = nextBreakerState(before, event);
    if (this.#state === 'open' && before !== 'open') this.#openedAtMs = this.clock.nowMs();
  }
}
