/**
 * The life of one connection that carries a call:
 *
 *   admitting --admitted--> starting --start--> offered --answered--> live --stop, hangup, gone--> closed
 *
 * What is absent is ignored. Every cell names what the connection does on the way; `closed` is left to nobody.
 */
export const STREAM_TRANSITIONS = {
  // No frames: they stay unread until it is known whose they are.
  admitting: {
    admitted: { to: 'starting', does: 'welcome' },
    fault: { to: 'closed', does: 'refuse' },
    gone: { to: 'closed', does: 'lose' },
  },
  starting: {
    start: { to: 'offered', does: 'offer' },
    audio: { to: 'closed', does: 'refuse-audio' },
    stop: { to: 'closed', does: 'leave' }, // there was no call
    fault: { to: 'closed', does: 'refuse' },
    gone: { to: 'closed', does: 'lose' },
  },
  // The call looks for an agent, credit and an engine; what is said meanwhile is kept.
  offered: {
    answered: { to: 'live', does: 'open' },
    audio: { to: 'offered', does: 'hear' },
    keys: { to: 'offered', does: 'press' },
    start: { to: 'closed', does: 'refuse-start' },
    stop: { to: 'closed', does: 'end' },
    hangup: { to: 'closed', does: 'tell-end' },
    fault: { to: 'closed', does: 'fail' },
    gone: { to: 'closed', does: 'lose' },
  },
  live: {
    audio: { to: 'live', does: 'hear' },
    keys: { to: 'live', does: 'press' },
    mark: { to: 'live', does: 'mark' },
    pause: { to: 'live', does: 'hold' },
    resume: { to: 'live', does: 'go-on' },
    start: { to: 'closed', does: 'refuse-start' },
    stop: { to: 'closed', does: 'end' },
    hangup: { to: 'closed', does: 'tell-end' },
    fault: { to: 'closed', does: 'fail' },
    gone: { to: 'closed', does: 'lose' },
  },
  closed: {},
} as const satisfies Record<string, Partial<Record<StreamEvent, { to: string; does: StreamAction }>>>;

export type StreamState = keyof typeof STREAM_TRANSITIONS;

/**
 * `admitted`: whoever connected may call. `hangup`: our side ends or refuses the call. `fault`: the far end did what it must
 * not, or too little. `gone`: the connection is lost, or given up since nobody reads or answers there.
 */
export type StreamEvent =
  | 'admitted'
  | 'start'
  | 'audio'
  | 'keys'
  | 'mark'
  | 'pause'
  | 'resume'
  | 'stop'
  | 'answered'
  | 'hangup'
  | 'fault'
  | 'gone';

export type StreamAction =
  | 'welcome'
  | 'offer'
  | 'open'
  | 'hear'
  | 'press'
  | 'mark'
  | 'hold'
  | 'go-on'
  | 'leave' // close; there is no call to end
  | 'end' // the caller hung up: the call ends, and is told so
  | 'tell-end' // the call has ended: the far end is told
  | 'refuse' // say why, close
  | 'refuse-audio' // a carrier never comes here
  | 'refuse-start'
  | 'fail' // say why, close, end the call
  | 'lose'; // nobody is there: the call, if there is one, ends

export interface StreamTransition {
  readonly to: StreamState;
  readonly does: StreamAction;
}

/** Where `event` leads, or undefined where it means nothing. */
export function streamTransition(state: StreamState, event: StreamEvent): StreamTransition | undefined {
  const row: Partial<Record<StreamEvent, StreamTransition>> = STREAM_TRANSITIONS[state];
  return row[event];
}
