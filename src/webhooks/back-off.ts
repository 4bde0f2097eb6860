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

/**
 * @param tries - made so far, all in vain.
 * @param random - 0..1
 * @returns how long until the next one; undefined where there is none.
 */
export function backOffMs(tries: number, random: number): number | undefined {
  const wait = WAITS_MS[tries - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 - JITTER * random));
}
