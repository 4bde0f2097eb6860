import { sentence } from '../core/notice.ts';

/** Why a call ended, decided once. `reason` is stable: dashboards and tests match on it. */
export interface CallEnd {
  /** `callee`: whoever we called, on a call out or to put a caller through. */
  readonly party: 'caller' | 'callee' | 'agent' | 'gateway' | 'network';
  readonly reason: CallEndReason;
  /** Human-readable addition (engine message, SIP reason phrase); may be empty, never personal. */
  readonly detail?: string;
}

export type CallEndReason =
  // refused before answer
  | 'no-such-number'
  | 'agent-not-live'
  | 'switched-off' // a trunk or number; the detail says which
  | 'no-credit'
  | 'account-limit' // of its own; the detail says which
  | 'no-codec'
  | 'no-engine'
  | 'busy'
  | 'no-answer'
  | 'draining'
  | 'not-allowed'
  | 'bad-offer'
  | 'store-unavailable'
  | 'certificate-refused' // of the other side of a call out, over TLS
  | 'cancelled'
  // after answer
  | 'caller-hangup'
  | 'callee-hangup'
  | 'agent-hangup'
  | 'transferred'
  | 'answering-machine' // took a call out, and is not talked to
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

/** A leg calls whoever is at its far end the caller; on one that we dialled that is the callee. */
export function endByCallee(end: CallEnd): CallEnd {
  if (end.party !== 'caller') return end;
  return { ...end, party: 'callee', reason: end.reason === 'caller-hangup' ? 'callee-hangup' : end.reason };
}

/** How the record names an end after a caller was put through: transferred, whoever hung up then. */
export function afterTransfer({ party, reason, detail }: CallEnd): CallEnd {
  if (reason.endsWith('-hangup')) return callEnd(party, 'transferred', sentence(`end.${party}-hung-up`));
  return callEnd(
    party,
    reason,
    detail ? sentence('end.after-transfer-why', { why: detail }) : sentence('end.after-transfer'),
  );
}
