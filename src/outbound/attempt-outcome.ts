import type { CallEnd } from '../call/call-end.ts';
import type { OrderEvent } from './order-state.ts';

export const RETRY_CAUSES = ['busy', 'noAnswer', 'failed'] as const;
export type RetryCause = (typeof RETRY_CAUSES)[number];
/** Seconds to wait before the second, third ... call, by what became of the one before. An empty list: not again. */
export type RetrySeconds = Readonly<Record<RetryCause, readonly number[]>>;

/** Whatever a policy says: nobody is called more often for one order. */
export const ATTEMPTS_MAX = 10;
/** How soon an order is looked at again that had to wait for a line. */
export const HOLD_SECONDS = 1;

/** What one attempt came to. */
export interface Attempt {
  readonly end: CallEnd;
  /** The INVITE may have left. */
  readonly left: boolean;
  readonly answered: boolean;
  /** Somebody has asked for the end of the order. */
  readonly cancelled: boolean;
  readonly number: number; // 1 is the first
}

/** Reasons of our own for which no call can be made now, and one can later. */
const PASSING: readonly CallEnd['reason'][] = [
  'busy',
  'draining',
  'shutdown',
  'store-unavailable',
  'no-engine',
  'account-limit',
];

/** Nobody was reached, and nobody has refused. */
const FAILURES: readonly CallEnd['reason'][] = ['signalling-lost', 'certificate-refused', 'internal'];

/** Why nobody was reached, where another try may reach them; undefined where it will not. */
export function causeOf({ party, reason }: CallEnd): RetryCause | undefined {
  if (party !== 'network') return undefined;
  if (reason === 'busy') return 'busy';
  if (reason === 'no-answer') return 'noAnswer';
  return FAILURES.includes(reason) ? 'failed' : undefined;
}

/** What follows an attempt: an event of the order and, where it is tried again, how many seconds later. */
export function afterAttempt(
  { end, left, answered, cancelled, number }: Attempt,
  policy: RetrySeconds,
): { readonly event: OrderEvent; readonly waitSeconds?: number } {
  if (cancelled) return { event: 'cancel' };
  if (answered) return { event: 'hangup' };
  if (!left) {
    const passing = end.party === 'gateway' && PASSING.includes(end.reason);
    return passing ? { event: 'hold', waitSeconds: HOLD_SECONDS } : { event: 'refuse' };
  }
  const cause = causeOf(end);
  const waitSeconds = cause === undefined ? undefined : policy[cause][number - 1];
  if (waitSeconds === undefined || number >= ATTEMPTS_MAX) return { event: 'fail' };
  return { event: 'retry', waitSeconds };
}
