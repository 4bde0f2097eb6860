import type { HostState } from './host-health.ts';

/**
 * A host of a trunk, as its answers to OPTIONS and to calls show it. Any answer is a sign of life, be it a refusal.
 * `forgotten`: nobody asks it, and that it was dead has been some time ago.
 */
export const HOST_TRANSITIONS = {
  unknown: { answered: 'up', silent: 'down' },
  up: { silent: 'down' },
  down: { answered: 'up', forgotten: 'unknown' },
} as const;

export type HostEvent = 'answered' | 'silent' | 'forgotten';

/** The state after `event`; undefined where nothing changes. */
export function nextHostState(state: HostState, event: HostEvent): HostState | undefined {
  const row: Partial<Record<HostEvent, HostState>> = HOST_TRANSITIONS[state];
  return row[event];
}
