/** Why calls end, as the gateway names it. */
export const END_REASONS = [
  ...(['agent-hangup', 'caller-hangup', 'callee-hangup', 'transferred', 'no-input', 'max-duration'] as const),
  ...(['answering-machine', 'busy', 'no-answer', 'cancelled', 'no-such-number', 'agent-not-live'] as const),
  ...(['switched-off'] as const),
  ...(['not-allowed', 'no-credit', 'account-limit', 'credit-exhausted'] as const),
  ...(['no-codec', 'no-engine', 'bad-offer', 'draining'] as const),
  ...(['store-unavailable', 'certificate-refused', 'media-timeout', 'ack-timeout', 'session-expired'] as const),
  ...(['media-failed', 'engine-failed', 'signalling-lost', 'shutdown', 'interrupted', 'internal'] as const),
] as const;
export type EndReason = (typeof END_REASONS)[number];

export type EndGrade = 'good' | 'quiet' | 'slow' | 'bad';
const GOOD: readonly string[] = ['agent-hangup', 'transferred'];
const QUIET: readonly string[] = ['caller-hangup', 'callee-hangup', 'cancelled', 'answering-machine'];
const SLOW: readonly string[] = ['busy', 'no-answer', 'no-input', 'max-duration', 'draining', 'shutdown'];

/** Nobody's fault, somebody's wish, a chance that was missed, or a fault. What is not known is a fault. */
export const endGrade = (reason: string): EndGrade =>
  GOOD.includes(reason) ? 'good' : QUIET.includes(reason) ? 'quiet' : SLOW.includes(reason) ? 'slow' : 'bad';
