/**
 * The life of one live transcription socket:
 *
 *   authenticating --admitted--> awaiting-start --start--> open --stop--> complete --drained--> closed
 *
 * `complete` waits for the last final; nothing is heard any more. What is absent is ignored. Every cell names what the
 * session does on the way; `closed` is left to nobody.
 */
export const SOCKET_TRANSITIONS = {
  // No client frames: they stay unread until it is known whose they are.
  authenticating: {
    admitted: { to: 'awaiting-start', does: 'greet' },
    fault: { to: 'closed', does: 'fail' },
    expire: { to: 'closed', does: 'fail' },
    gone: { to: 'closed', does: 'release' },
  },
  'awaiting-start': {
    start: { to: 'open', does: 'open' },
    audio: { to: 'closed', does: 'refuse-audio' },
    stop: { to: 'closed', does: 'finish' }, // nothing was heard: done with 0 and 0
    fault: { to: 'closed', does: 'fail' },
    expire: { to: 'closed', does: 'fail' },
    gone: { to: 'closed', does: 'release' },
  },
  open: {
    start: { to: 'closed', does: 'refuse-start' },
    audio: { to: 'open', does: 'hear' },
    stop: { to: 'complete', does: 'settle' },
    expire: { to: 'complete', does: 'cut' }, // the last final first, then the reason
    fault: { to: 'closed', does: 'fail' },
    gone: { to: 'closed', does: 'release' },
  },
  complete: {
    expire: { to: 'complete', does: 'cut' }, // credit may run out while audio that waited is heard
    drained: { to: 'closed', does: 'finish' },
    fault: { to: 'closed', does: 'fail' },
    gone: { to: 'closed', does: 'release' },
  },
  closed: {},
} as const satisfies Record<string, Partial<Record<SocketEvent, { to: string; does: SocketAction }>>>;

export type SocketState = keyof typeof SOCKET_TRANSITIONS;

/**
 * `admitted`: token, place and credit are there. `fault`: ends at once with an error frame. `expire`: ends with an error
 * frame after the last final. `drained`: the recogniser said its last. `gone`: the connection is lost, or given up since
 * nobody reads or answers there.
 */
export type SocketEvent = 'admitted' | 'start' | 'audio' | 'stop' | 'fault' | 'expire' | 'drained' | 'gone';

export type SocketAction =
  | 'greet'
  | 'open'
  | 'hear'
  | 'settle' // hear what waits, then ask for the last final
  | 'cut' // forget what waits, ask for the last final
  | 'finish' // book, say done or why, close
  | 'fail' // book, say why, close
  | 'refuse-audio'
  | 'refuse-start'
  | 'release'; // book; no frame would reach anybody

export interface SocketTransition {
  readonly to: SocketState;
  readonly does: SocketAction;
}

/** Where `event` leads, or undefined where it means nothing. */
export function socketTransition(state: SocketState, event: SocketEvent): SocketTransition | undefined {
  const row: Partial<Record<SocketEvent, SocketTransition>> = SOCKET_TRANSITIONS[state];
  return row[event];
}
