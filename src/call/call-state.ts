/**
 * The life of a call as data: what is absent is as deliberate as what is present. `CallSession` is the only writer.
 *
 *   offered -> answering -> active <-> held -> ending -> ended
 */
export const CALL_TRANSITIONS = {
  offered: { answer: 'answering', cancel: 'ended', reject: 'ended' },
  // No `cancel`: after our 200 OK it has no effect (RFC 3261 §9.2). A `hangup` here only marks the wish, for a UAS may
  // not send BYE before the ACK (§15); the leg sends it when the ACK arrives or its timer runs out.
  answering: { ack: 'active', ackTimeout: 'ended', hangup: 'ending', bye: 'ended' },
  active: { hold: 'held', hangup: 'ending', bye: 'ended' },
  held: { resume: 'active', hangup: 'ending', bye: 'ended' },
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
  | 'bye'
  | 'hold'
  | 'resume'
  | 'hangup'
  | 'released';

/** The state after `event`, or undefined where it means nothing (a late network event, to be ignored). */
export function nextCallState(state: CallState, event: CallEvent): CallState | undefined {
  return (CALL_TRANSITIONS[state] as Partial<Record<CallEvent, CallState>>)[event];
}
