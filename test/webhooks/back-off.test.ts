import { describe, expect, it } from 'vitest';
import { backOffMs, TRIES_MAX } from '../../src/webhooks/back-off.ts';

const waits = (random: number): number[] =>
  Array.from({ length: TRIES_MAX - 1 }, (_, tries) => backOffMs(tries + 1, random)!);

describe('the waits between tries', () => {
  it('are from five seconds to hours, each longer than the one before, and a day in all', () => {
    expect(TRIES_MAX).toBe(12);
    expect(waits(0)[0]).toBe(5_000);
    for (const random of [0, 0.5, 0.999]) {
      const all = waits(random);
      expect(all.every((wait, at) => at === 0 || wait > all[at - 1]!)).toBe(true);
    }
    const hours = waits(0).reduce((sum, wait) => sum + wait, 0) / 3_600_000;
    expect(hours).toBeGreaterThan(23);
    expect(hours + (TRIES_MAX * 10) / 3_600).toBeLessThan(24);
  });

  it('are spread by chance, by a fifth at most', () => {
    expect(backOffMs(1, 0.5)).toBe(4_500);
    expect(backOffMs(1, 1)).toBe(4_000);
  });

  it('come to an end', () => {
    expect(backOffMs(TRIES_MAX, 0)).toBeUndefined();
    expect(backOffMs(Number.POSITIVE_INFINITY, 0)).toBeUndefined();
  });
});
