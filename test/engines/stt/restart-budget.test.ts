import { describe, expect, it } from 'vitest';
import { CRASHES_MAX, CRASHES_WITHIN_MS, RestartBudget } from '../../../src/engines/stt/restart-budget.ts';
import { FakeClock } from '../../support/fake-clock.ts';

describe('RestartBudget', () => {
  const crashes = (count: number, short: boolean, apartMs = 0) => {
    const clock = new FakeClock();
    const budget = new RestartBudget(clock);
    return Array.from({ length: count }, () => {
      const delayMs = budget.afterCrash(short);
      clock.advance(apartMs);
      return delayMs;
    });
  };

  it('waits longer each time, then gives up', () => {
    expect(crashes(CRASHES_MAX + 1, false)).toEqual([0, 100, 500, 2_000, 5_000, undefined]);
  });
  it('never gives up for a lack of descriptors', () => {
    expect(crashes(20, true).at(-1)).toBe(5_000);
  });
  it('forgets crashes of long ago', () => {
    expect(crashes(50, false, CRASHES_WITHIN_MS)).toEqual(Array.from({ length: 50 }, () => 0));
    expect(crashes(50, false, CRASHES_WITHIN_MS / CRASHES_MAX)).not.toContain(undefined);
  });
});
