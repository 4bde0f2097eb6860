/** Timer values of RFC 3261 table 4 and RFC 6026, in milliseconds. Tests and odd networks may pass others. */
export interface TimerBase {
  readonly t1Ms: number; // round trip estimate
  readonly t2Ms: number; // longest interval between retransmissions
  readonly t4Ms: number; // longest life of a message in the network
}

export const RFC_TIMER_BASE: TimerBase = { t1Ms: 500, t2Ms: 4_000, t4Ms: 5_000 };

/** `C` limits how long an answered-with-1xx INVITE of ours may ring (RFC 3261 §16.6: more than 3 minutes). */
export type TimerName = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M';

/** RFC 3261 asks for more than 3 minutes of a proxy; a UAC that nobody cancels must end too. */
const RINGING_LIMIT_MS = 300_000;
/** Timer D over UDP: "at least 32 seconds" (RFC 3261 §17.1.1.2), whatever T1 is. */
const TIMER_D_MS = 32_000;

/**
 * First value of a timer, or undefined where it does not run: retransmission timers have no meaning on a reliable flow,
 * and the timers that wait for late copies are zero there.
 */
export function firstTimerMs(name: TimerName, reliable: boolean, base: TimerBase): number | undefined {
  switch (name) {
    case 'A':
    case 'E':
    case 'G':
      return reliable ? undefined : base.t1Ms;
    case 'B':
    case 'F':
    case 'H':
    case 'L':
    case 'M':
      return 64 * base.t1Ms;
    case 'C':
      return RINGING_LIMIT_MS;
    case 'D':
      return reliable ? 0 : Math.max(TIMER_D_MS, 64 * base.t1Ms);
    case 'I':
    case 'K':
      return reliable ? 0 : base.t4Ms;
    case 'J':
      return reliable ? 0 : 64 * base.t1Ms;
  }
}

/** The next interval of a retransmission timer: A doubles without a cap, E and G up to T2, E in Proceeding is T2. */
export function nextIntervalMs(name: 'A' | 'E' | 'G', lastMs: number, proceeding: boolean, base: TimerBase): number {
  if (name === 'A') return lastMs * 2;
  if (name === 'E' && proceeding) return base.t2Ms;
  return Math.min(lastMs * 2, base.t2Ms);
}
