const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What is waited after each try that failed, at most: 23 h 53 min in all. */
export const WAITS_MS: readonly number[] = [
  ...[5_000, 30_000, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 10 * HOUR],
];
export const TRIES_MAX = WAITS_MS.length + 1;
/** Receivers that come back are not run down by everybody at once: up to so much is taken off a wait by chance. */
const JITTER = 0.2;

/** No receiver is waited for longer than that, whatever it asks for. */
const WAIT_MS_MAX = Math.max(...WAITS_MS);

/**
 * @param tries - made so far, all in vain.
 * @param random - 0..1
 * @param askedMs - the receiver wants to be left alone so long.
 * @returns how long until the next one; undefined where there is none.
 */
export function backOffMs(tries: number, random: number, askedMs = 0): number | undefined {
  const wait = WAITS_MS[tries - 1];
  if (wait === undefined) return undefined;
  return Math.max(Math.round(wait * (1 - JITTER * random)), Math.min(askedMs, WAIT_MS_MAX));
}

/** Statuses with which a receiver says when it may be asked again (RFC 9110 §15.6.4, RFC 6585 §4). */
const LATER: readonly number[] = [429, 503];

/** `Retry-After` (RFC 9110 §10.2.3), seconds or a date. @returns undefined where nothing is asked for. Never throws. */
export function retryAfterMs(status: number, header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (!LATER.includes(status) || text === '') return undefined;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return ms > 0 ? ms : undefined; // NaN is no time
}
