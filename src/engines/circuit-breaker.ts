import type { Clock } from '../core/clock.ts';

/**
 * When an engine fails again and again, calls to it are refused at once for a while, then one is let through to try.
 * `cooled` is time passing; `trip` a failure that reaches the threshold; a lesser `failure` leaves `closed` as it is. `rest` is an
 * engine that said itself that it is not to be asked: then no other failure is needed.
 */
export const BREAKER_TRANSITIONS = {
  closed: { trip: 'open', rest: 'open' },
  open: { cooled: 'half-open', rest: 'open' },
  // No `trip` and no counting here: one failure of the trial is enough.
  'half-open': { success: 'closed', failure: 'open', rest: 'open' },
} as const satisfies Record<string, Partial<Record<string, string>>>;

export type BreakerState = keyof typeof BREAKER_TRANSITIONS;
export type BreakerEvent = 'success' | 'failure' | 'trip' | 'cooled' | 'rest';

/** The state after `event`; the same one where it means nothing there: results of calls begun earlier come late. */
export function nextBreakerState(state: BreakerState, event: BreakerEvent): BreakerState {
  const row: Partial<Record<BreakerEvent, BreakerState>> = BREAKER_TRANSITIONS[state];
  return row[event] ?? state;
}

export interface BreakerOptions {
  readonly failures: number; // in a row, that open it
  readonly cooldownMs: number;
}

/** Why an engine is not asked. */
export type PauseReason = 'failures' | 'key-refused' | 'left-alone';
/** What an engine has said of itself. */
export interface Rest {
  readonly why: Exclude<PauseReason, 'failures'>;
  readonly restMs: number;
}
/** What a call does with its permission, exactly once: it worked, it failed, or nothing can be said (barge-in). */
export type BreakerOutcome = 'success' | 'failure' | 'unknown' | Rest;
export type BreakerPermit = (outcome: BreakerOutcome) => void;

export class CircuitBreaker {
  #state: BreakerState = 'closed';
  #failuresInRow = 0;
  #pausedUntilMs = 0;
  #why: PauseReason = 'failures';
  #trialRuns = false;

  constructor(
    readonly options: BreakerOptions,
    readonly clock: Clock,
    /** Told when it opens, opens for longer, or closes. */
    private readonly changed: () => void = () => {},
  ) {}

  get state(): BreakerState {
    if (this.#state === 'open' && this.clock.nowMs() >= this.#pausedUntilMs) this.#move('cooled');
    return this.#state;
  }

  /** Why nobody is let through, and for how long; 0 ms: the engine is to be tried. Undefined: it is in use. */
  get pause(): { readonly why: PauseReason; readonly leftMs: number } | undefined {
    if (this.state === 'closed') return undefined;
    const leftMs = this.#state === 'open' ? this.#pausedUntilMs - this.clock.nowMs() : 0;
    return { why: this.#why, leftMs };
  }

  /** The pause is over: somebody wants to know. */
  cool(): void {
    this.#move('cooled');
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
    if (typeof outcome === 'object') return this.#pauseFor('rest', outcome.why, outcome.restMs);
    // A call begun before the engine was given up says nothing about how it is now.
    if (outcome === 'unknown' || (this.#state !== 'closed' && !isTrial)) return;
    this.#failuresInRow = outcome === 'success' ? 0 : this.#failuresInRow + 1;
    if (outcome === 'success') return this.#move('success');
    const isEnough = isTrial || this.#failuresInRow >= this.options.failures;
    if (isEnough) this.#pauseFor(isTrial ? 'failure' : 'trip', 'failures', this.options.cooldownMs);
  }

  /** The longer one counts, where it is paused already. */
  #pauseFor(event: BreakerEvent, why: PauseReason, ms: number): void {
    const untilMs = this.clock.nowMs() + ms;
    const next = nextBreakerState(this.state, event);
    if (next !== 'open' || (this.#state === 'open' && untilMs <= this.#pausedUntilMs)) return;
    this.#state = next;
    this.#why = why;
    this.#pausedUntilMs = untilMs;
    this.changed();
  }

  #move(event: BreakerEvent): void {
    const before = this.#state;
    this.#state = nextBreakerState(before, event);
    if (this.#state === 'closed' && before !== 'closed') this.changed();
  }
}
