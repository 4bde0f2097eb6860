/**
 * Our connection to a SIP server that is elsewhere. `refused`: it does not know our secret. `late`: a connection that
 * says nothing. `silent`: it was up and answers pings no more; the library below would never notice.
 *
 *   idle -> connecting -> up -> waiting -> connecting ...
 */
export const LINK_TRANSITIONS = {
  idle: { start: 'connecting', close: 'closed' },
  connecting: { accepted: 'up', refused: 'waiting', lost: 'waiting', late: 'waiting', close: 'closed' },
  up: { lost: 'waiting', silent: 'waiting', close: 'closed' },
  waiting: { retry: 'connecting', close: 'closed' },
  closed: {},
} as const;

export type LinkState = keyof typeof LINK_TRANSITIONS;
export type LinkEvent = 'start' | 'accepted' | 'refused' | 'lost' | 'late' | 'silent' | 'retry' | 'close';

/** The state after `event`, or undefined where it means nothing: late events are ignored. */
export function nextLinkState(state: LinkState, event: LinkEvent): LinkState | undefined {
  return (LINK_TRANSITIONS[state] as Partial<Record<LinkEvent, LinkState>>)[event];
}
