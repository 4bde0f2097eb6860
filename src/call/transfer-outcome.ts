import type { CallEnd } from './call-end.ts';
import type { TransferOutcome } from './leg.ts';
import type { Phrase } from './phrases.ts';

/** Why a person did not take a call. Stable: records and reports match on it. */
export type TransferCause =
  | 'busy'
  | 'no-answer'
  | 'declined' // refused, or key 2
  | 'hung-up' // while being told
  | 'not-accepted' // answered, and pressed no key in time
  | 'came-back' // the caller, to the agent
  | 'unreachable' // no such person, no route, not allowed
  | 'failed'; // signalling or media

/** One target that was tried, as the record of the call keeps it. Times are milliseconds since the call was answered. */
export interface TransferRecord {
  readonly target: string; // personal data
  /** `refer`: we are out of it. `bridge`: by a second leg of ours. `replaces`: begun as a bridge, and left to the two. */
  readonly by: 'refer' | 'bridge' | 'replaces';
  readonly outcome: TransferCause | 'transferred' | 'joined' | 'cancelled';
  readonly detail?: string; // never personal
  readonly startedMs: number;
  readonly answeredMs?: number; // by the person
  readonly joinedMs?: number; // both heard each other from here on
  readonly endedMs?: number;
}

const CAUSE_OF_REASON: Partial<Record<CallEnd['reason'], TransferCause>> = {
  busy: 'busy',
  'no-answer': 'no-answer',
  'agent-hangup': 'declined',
  'callee-hangup': 'hung-up',
};
const UNREACHABLE: readonly CallEnd['reason'][] = ['no-such-number', 'not-allowed', 'agent-not-live'];

/**
 * Why a second leg did not come to be. 603 is a refusal by the person (RFC 3261 §21.6.2), other 4xx and 6xx are not; what is
 * missing here is nobody's line that is busy.
 */
export function causeOfEnd({ party, reason, detail }: CallEnd): TransferCause {
  if (party === 'network' && detail?.startsWith('603')) return 'declined';
  if (UNREACHABLE.includes(reason)) return 'unreachable';
  return (party === 'gateway' ? undefined : CAUSE_OF_REASON[reason]) ?? 'failed';
}

/** What a final status of a REFER says of its target (RFC 3515 §2.4.5). */
export function causeOfRefer({ status }: TransferOutcome): TransferCause {
  if (status === 486 || status === 600) return 'busy';
  if (status === 408 || status === 480 || status === 487) return 'no-answer';
  if (status === 603) return 'declined';
  return status === 403 || status === 404 || status === 410 || status === 484 || status === 604
    ? 'unreachable'
    : 'failed';
}

/** What the caller is told of it. */
export const PHRASE_OF_CAUSE: Readonly<Record<TransferCause, Phrase>> = {
  busy: 'personBusy',
  'no-answer': 'personAway',
  'not-accepted': 'personAway',
  declined: 'nobodyThen',
  'hung-up': 'nobodyThen',
  'came-back': 'personLeft',
  unreachable: 'nobodyThen',
  failed: 'nobodyThen',
};

/** What became of a wish for a person, for the agent's next sentence. */
export type TransferResult =
  | { readonly moved: true }
  | { readonly moved: false; readonly cause: TransferCause }
  /** They have talked; the person has gone and the caller has not. */
  | { readonly moved: false; readonly cause: 'person-left' };
