import { describe, expect, it } from 'vitest';
import { backOffMs, retryAfterMs, TRIES_MAX, WAITS_MS } from '../../src/webhooks/back-off.ts';

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

describe('a receiver that says when', () => {
  const NOW = new Date('2026-03-01T10:00:00.000Z');
  it.each([
    [503, '120', 120_000],
    [429, ' 7 ', 7_000],
    [503, 'Sun, 01 Mar 2026 10:01:00 GMT', 60_000],
    [503, 'Sun, 01 Mar 2026 09:00:00 GMT', undefined],
    [503, '-5', undefined],
    [503, 'soon', undefined],
    [503, undefined, undefined],
    [500, '120', undefined],
  ])('with %i and %s is left alone for %s ms', (status, header, ms) => {
    expect(retryAfterMs(status, header, NOW)).toBe(ms);
  });

  it('is waited for at least, and no longer than after the last try but one', () => {
    expect(backOffMs(1, 0, 120_000)).toBe(120_000);
    expect(backOffMs(7, 0, 120_000)).toBe(WAITS_MS[6]);
    expect(backOffMs(1, 0, 999_999_999_000)).toBe(Math.max(...WAITS_MS));
    expect(backOffMs(TRIES_MAX, 0, 120_000)).toBeUndefined();
  });
});
