import type { RetrySeconds } from './attempt-outcome.ts';
import type { CallingHours } from './calling-hours.ts';

/** What an account may do, and what an order has that says nothing of it; `outbound` of the settings. */
export interface OutboundSettings {
  readonly callsAtOncePerAccount: number;
  readonly callsPerSecondPerAccount: number;
  readonly callsPerDay: number; // of an account
  readonly spendCentsPerDay: number;
  readonly queuedMax: number; // orders of an account that wait
  readonly callingHours: CallingHours;
  /** Of the operator's day, and of numbers whose country is not known. */
  readonly timeZone: string;
  readonly countryCode: string; // of numbers without one
  readonly maxRingSeconds: number;
  readonly retrySeconds: RetrySeconds;
  readonly expireHours: number; // from when it was to start
  /** Whether From may be a number that the account does not have. */
  readonly anyCallerId: boolean;
  readonly interruptedLineSeconds: number;
  readonly speakAfterMs: number; // of silence, after an answer
}

export const RING_SECONDS_MAX = 300;
