import type { CallEnd } from './call-end.ts';

/**
 * The life of a call as data: what is absent is as deliberate as what is present. `CallSession` is the only writer.
 *
 *   offered -> answering -> active <-> held -> ending -> ended       (a call in)
 *   dialling -------------> active                                   (a call out)
 *   active, held --bridge--> bridged, bridgedHeld --part--> active, held
 *
 * Hold is that of whoever the call was made with; whoever was dialled into it later has no part in these states.
 */
export const CALL_TRANSITIONS = {
  offered: { answer: 'answering', cancel: 'ended', reject: 'ended' },
  // `refused`: by them, or by nobody answering in time. `hangup`: CANCEL, and BYE where a 200 crossed it (RFC 3261 §9.1).
  dialling: { answered: 'active', refused: 'ended', hangup: 'ending' },
  // No `cancel`: after our 200 OK it has no effect (RFC 3261 §9.2). A `hangup` here only marks the wish, for a UAS may
  // not send BYE before the ACK (§15); the leg sends it when the ACK arrives or its timer runs out.
  answering: { ack: 'active', ackTimeout: 'ended', hangup: 'ending', bye: 'ended' },
  active: { hold: 'held', bridge: 'bridged', hangup: 'ending', bye: 'ended' },
  held: { resume: 'active', bridge: 'bridgedHeld', hangup: 'ending', bye: 'ended' },
  // A `bye` of either side leaves the other one to be ended.
  bridged: { hold: 'bridgedHeld', part: 'active', hangup: 'ending', bye: 'ending' },
  bridgedHeld: { resume: 'bridged', part: 'held', hangup: 'ending', bye: 'ending' },
  ending: { released: 'ended', bye: 'ended' },
  ended: {},
} as const;

export type CallState = keyof typeof CALL_TRANSITIONS;
export type CallEvent =
  | 'answer'
  | 'cancel'
  | 'reject'
  | 'ack'
  | 'ackTimeout'
  | 'answered'
  | 'refused'
  | 'bye'
  | 'hold'
  | 'resume'
  | 'bridge'
  | 'part'
  | 'hangup'
  | 'released';

/** The state after `event`, or undefined where it means nothing (a late network event, to be ignored). */
export function nextCallState(state: CallState, event: CallEvent): CallState | undefined {
  return (CALL_TRANSITIONS[state] as Partial<Record<CallEvent, CallState>>)[event];
}

/** What `end` is to a call in `state`: who ends it decides how its dialog is left. */
export function leavingEvent(state: CallState, { party, reason }: CallEnd): CallEvent {
  const theirs = party === 'caller' || party === 'callee' || reason === 'signalling-lost';
  if (state === 'offered') return theirs ? 'cancel' : 'reject';
  if (state === 'dialling') return theirs || party === 'network' ? 'refused' : 'hangup';
  return theirs ? 'bye' : 'hangup';
}
