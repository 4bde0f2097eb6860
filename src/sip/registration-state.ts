/**
 * A registration of ours at a trunk (RFC 3261 §10.2).
 *
 *   idle -> registering -> registered -> refreshing -> registered
 *              |  ^                          |
 *              v  |  `due`: back-off         v  what was granted still holds while it is refreshed
 *            waiting  <----------------------
 */
export const REGISTRATION_TRANSITIONS = {
  idle: { start: 'registering', stop: 'stopped' },
  // No `lost`: what is under way is the answer to it.
  registering: { accepted: 'registered', failed: 'waiting', stop: 'leaving' },
  registered: { due: 'refreshing', lost: 'registering', stop: 'leaving' },
  refreshing: { accepted: 'registered', failed: 'waiting', lost: 'registering', stop: 'leaving' },
  // `lost`, of a host that is back or another that has gone: no use in waiting.
  waiting: { due: 'registering', lost: 'registering', stop: 'leaving' },
  leaving: { accepted: 'stopped', failed: 'stopped' },
  stopped: {},
} as const;

export type RegistrationState = keyof typeof REGISTRATION_TRANSITIONS;
/** `failed`: no host took it. `lost`: there is reason to believe that the registrar does not know us any more. */
export type RegistrationEvent = 'start' | 'accepted' | 'failed' | 'due' | 'lost' | 'stop';

/** The state after `event`; undefined where it means nothing. */
export function nextRegistrationState(
  state: RegistrationState,
  event: RegistrationEvent,
): RegistrationState | undefined {
  const row: Partial<Record<RegistrationEvent, RegistrationState>> = REGISTRATION_TRANSITIONS[state];
  return row[event];
}

/** First wait after a failure and longest one; each is half as long again by chance, so that a registrar's restart is no rush. */
export const BACK_OFF_MS = { first: 30_000, most: 1_800_000 } as const;
/** Of what was granted, when it is refreshed. */
export const REFRESH_AT = 0.8;
const REFRESH_MS_MIN = 1_000;

/** @param failures - in a row, one at least. @param random - 0..1. */
export function backOffMs(failures: number, random: number): number {
  const base = BACK_OFF_MS.first * 2 ** Math.min(failures - 1, 10);
  return Math.min(BACK_OFF_MS.most, base * (1 + random / 2));
}

export function refreshMs(grantedSeconds: number): number {
  return Math.max(REFRESH_MS_MIN, 1_000 * grantedSeconds * REFRESH_AT);
}
