/**
 * The life of one dialog as its leg sees it; UAS and UAC use the same table (RFC 3261 §12, §13). `accepted`: a 2xx
 * left or came, its ACK is outstanding.
 *
 *   trying -> early -> deciding -> accepted -> confirmed -> terminated
 *
 * `detached`: the connection to the SIP server is gone while both sides go on talking; the server may still know the dialog.
 */
export const LEG_TRANSITIONS = {
  trying: { ring: 'early', decide: 'deciding', refuse: 'terminated', cancel: 'terminated', lost: 'terminated' },
  early: { ring: 'early', decide: 'deciding', refuse: 'terminated', cancel: 'terminated', lost: 'terminated' },
  // Media thinks about its answer: no second one is asked for, and every end is possible.
  deciding: { accept: 'accepted', refuse: 'terminated', cancel: 'terminated', lost: 'terminated' },
  // No `hangup`: a UAS may not send BYE before the ACK (§15); the leg keeps the wish until `confirm`.
  // `cancel`: it crossed our 200 and won at the SIP server, which refused the 200.
  accepted: { confirm: 'confirmed', bye: 'terminated', cancel: 'terminated', lost: 'terminated' },
  // No `cancel`: it has no effect after a final response (§9.2).
  confirmed: { bye: 'terminated', hangup: 'terminated', lost: 'terminated', cut: 'detached' },
  detached: { restore: 'confirmed', bye: 'terminated', hangup: 'terminated', lost: 'terminated' },
  terminated: {},
} as const;

export type LegState = keyof typeof LEG_TRANSITIONS;
export type LegEvent =
  | 'ring'
  | 'decide'
  | 'accept'
  | 'confirm'
  | 'refuse'
  | 'cancel'
  | 'bye'
  | 'hangup'
  | 'lost'
  | 'cut'
  | 'restore';

/** The state after `event`, or undefined where it means nothing: late events are ignored. */
export function nextLegState(state: LegState, event: LegEvent): LegState | undefined {
  return (LEG_TRANSITIONS[state] as Partial<Record<LegEvent, LegState>>)[event];
}
