import type { FakeClock } from './fake-clock.ts';

const LIMIT_MS = 30_000;

/** Time passes, and what goes over the network of this process meanwhile arrives. */
export async function pass(clock: FakeClock, ms: number, stepMs = 1000): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) {
    clock.advance(Math.min(stepMs, left));
    for (let i = 0; i < 3; i += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The same until something is so: what is waited for by the clock comes too. Longer by far for the network than for the clock. */
export async function meanwhile(
  clock: FakeClock,
  isSo: () => boolean,
  what = 'what the test waits for',
): Promise<void> {
  const endMs = performance.now() + LIMIT_MS;
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(`did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
    await pass(clock, 50, 50);
  }
}
