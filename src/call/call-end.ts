/** Why a call ended, decided once. `reason` is stable: dashboards and tests match on it. */
export interface CallEnd {
  readonly party: 'caller' | 'agent' | 'gateway' | 'network';
  readonly reason: CallEndReason;
  /** Human-readable addition (engine message, SIP reason phrase); may be empty, never personal. */
  readonly detail?: string;
}

export type CallEndReason =
  // refused before answer
  | 'no-such-number'
  | 'agent-not-live'
  | 'no-credit'
  | 'no-codec'
  | 'no-engine'
  | 'busy'
  | 'draining'
  | 'not-allowed'
  | 'bad-offer'
  | 'store-unavailable'
  | 'cancelled'
  // after answer
  | 'caller-hangup'
  | 'agent-hangup'
  | 'transferred'
  | 'no-input'
  | 'max-duration'
  | 'credit-exhausted'
  | 'media-timeout'
  | 'ack-timeout'
  | 'session-expired'
  | 'media-failed'
  | 'engine-failed'
  | 'signalling-lost'
  | 'shutdown'
  | 'interrupted' // found open after a crash
  | 'internal';

export const callEnd = (party: CallEnd['party'], reason: CallEndReason, detail?: string): CallEnd =>
  detail === undefined ? { party, reason } : { party, reason, detail };
