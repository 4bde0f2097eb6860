/** Longer than anything takes on a machine that does much else, and shorter than a test may. */
const LIMIT_MS = 30_000;
/** Between two looks: hardly anything where it comes soon, little work where it takes long. */
const PAUSE_MS = { first: 5, max: 100, growth: 1.1 } as const;

/**
 * What `look` gives as soon as it is neither false nor undefined.
 * @param what - what is waited for, told when it does not happen in `limitMs`.
 */
export async function until<T>(
  look: () => T | Promise<T>,
  what: string | (() => string) = 'what the test waits for',
  limitMs = LIMIT_MS,
): Promise<Exclude<T, false | undefined>> {
  const endMs = performance.now() + limitMs;
  for (let pauseMs: number = PAUSE_MS.first; ; pauseMs = Math.min(pauseMs * PAUSE_MS.growth, PAUSE_MS.max)) {
    const found = await look();
    if (found !== false && found !== undefined) return found as Exclude<T, false | undefined>;
    if (performance.now() > endMs) throw new Error(`did not happen: ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
