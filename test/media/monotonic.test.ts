import { expect, it } from 'vitest';
import { clockOffsetMs } from '../../src/media/plane/monotonic.ts';

it.each([0, 1, 2, 3, 7])(
  'knows how far two clocks are apart, whatever comes between reading %i and the next',
  (stall) => {
    let [nowMs, readings] = [1_000, 0];
    const read = (aheadMs: number): number => {
      nowMs += readings === stall ? 200 : 0.001;
      readings += 1;
      return nowMs + aheadMs;
    };
    const offsetMs = clockOffsetMs(
      () => read(5_000),
      () => read(0),
    );
    expect(Math.abs(offsetMs - 5_000)).toBeLessThan(0.01);
  },
);
