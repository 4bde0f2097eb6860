/**
 * One attempt to bring a caller to one person, as data: what is absent is as deliberate as what is present. `TransferAttempt` is the
 * only writer.
 *
 *   begun --refer--> referring --referred--> gone
 *     |                  | dial (the peer takes no REFER)
 *     '------dial--------+--> ringing --answered--> whispering --said--> deciding
 *                                                       |                   |
 *                                                       '----accepted-------+--> joining --joined--> joined --personLeft--> left
 *                                                                                 ^  | hand
 *                                                                          kept --'  v
 *                                                                                 handing --referred--> gone
 *
 * Before they are joined `unmet` is the end of the attempt: the agent has the caller, and perhaps somebody else to try. `back` is that
 * too, by the caller who waits no longer, and nobody else is tried: it is possible while the person is ours to let go, which is not
 * so once the caller's side was asked to go there. `over` is the end of the call, by whomever, and goes before everything else.
 */
export const TRANSFER_TRANSITIONS = {
  begun: { refer: 'referring', dial: 'ringing', unmet: 'unmet', over: 'over' },
  referring: { referred: 'gone', dial: 'ringing', unmet: 'unmet', over: 'over' },
  ringing: { answered: 'whispering', unmet: 'unmet', back: 'unmet', over: 'over' },
  // `accepted`: by key, in the middle of a sentence. The caller hears nothing of this.
  whispering: { said: 'deciding', accepted: 'joining', unmet: 'unmet', back: 'unmet', over: 'over' },
  deciding: { accepted: 'joining', unmet: 'unmet', back: 'unmet', over: 'over' },
  joining: { hand: 'handing', joined: 'joined', unmet: 'unmet', over: 'over' },
  // The two are left to each other. `personLeft`: their phone has taken the other call and hangs up this one (RFC 3891 §3), or
  // has gone altogether: what comes of the REFER tells.
  handing: { referred: 'gone', kept: 'joining', personLeft: 'replaced', over: 'over' },
  replaced: { referred: 'gone', kept: 'unmet', over: 'over' },
  joined: { personLeft: 'left', over: 'over' },
  gone: {},
  unmet: {},
  left: {},
  over: {},
} as const;

export type TransferState = keyof typeof TRANSFER_TRANSITIONS;
export type TransferEvent =
  | 'refer'
  | 'referred'
  | 'dial'
  | 'answered'
  | 'said'
  | 'accepted'
  | 'hand'
  | 'kept'
  | 'joined'
  | 'personLeft'
  | 'unmet'
  | 'back'
  | 'over';

/** The state after `event`, or undefined where it means nothing (it came too late, or twice). */
export function nextTransferState(state: TransferState, event: TransferEvent): TransferState | undefined {
  return (TRANSFER_TRANSITIONS[state] as Partial<Record<TransferEvent, TransferState>>)[event];
}

/** Nothing more comes of it. */
export const isSettled = (state: TransferState): boolean => Object.keys(TRANSFER_TRANSITIONS[state]).length === 0;

/** The person is on the line and hears the agent alone. */
export const isTelling = (state: TransferState): boolean => state === 'whispering' || state === 'deciding';

/** The caller may come back to the agent. */
export const mayComeBack = (state: TransferState): boolean => nextTransferState(state, 'back') !== undefined;
