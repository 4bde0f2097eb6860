/** The life of one dialog (RFC 3261 §12). A dialog made by a 2xx starts early and is confirmed at once. */
export type DialogState = 'early' | 'confirmed' | 'ending' | 'terminated';

export type DialogEvent =
  | 'confirm' // a 2xx to the INVITE (or SUBSCRIBE) was sent or received
  | 'refuse' // the INVITE ended without a 2xx on this branch
  | 'localBye' // our BYE left
  | 'byeAnswered' // its final answer, or none in time
  | 'remoteBye'
  | 'lost'; // 481 or 408 to a request of ours, or the last subscription ended

export const DIALOG_TRANSITIONS: Readonly<Record<DialogState, Readonly<Partial<Record<DialogEvent, DialogState>>>>> = {
  early: {
    confirm: 'confirmed',
    refuse: 'terminated',
    localBye: 'ending',
    remoteBye: 'terminated',
    lost: 'terminated',
  },
  // No `refuse`: once confirmed, only a BYE or its loss ends a dialog.
  confirmed: { localBye: 'ending', remoteBye: 'terminated', lost: 'terminated' },
  // `confirm`: the 2xx that crossed our BYE changes nothing. A BYE of the peer still gets its 200.
  ending: { byeAnswered: 'terminated', remoteBye: 'terminated', lost: 'terminated', localBye: 'ending' },
  terminated: {},
};

/** The state after `event`, or undefined where it means nothing. */
export function nextDialogState(state: DialogState, event: DialogEvent): DialogState | undefined {
  return DIALOG_TRANSITIONS[state][event];
}
