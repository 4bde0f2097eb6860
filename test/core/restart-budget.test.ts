import { describe, expect, it } from 'vitest';
import { RestartBudget } from '../../src/core/restart-budget.ts';
import { FakeClock } from '../support/fake-clock.ts';

const POLICY = { delaysMs: [0, 100, 500, 2_000, 5_000], earnMs: 60_000 };
const HOUR_MS = 3_600_000;

describe('RestartBudget', () => {
  const open = () => {
    const clock = new FakeClock();
    const budget = new RestartBudget(POLICY, clock);
    /** Waits of `count` deaths, each `apartMs` after the start that followed the one before. */
    const waits = (count: number, apartMs: number, short = false): number[] =>
      Array.from({ length: count }, () => {
        const waitMs = budget.take(short);
        clock.advance(waitMs + apartMs);
        return Math.round(waitMs);
      });
    return { clock, waits };
  };

  it('waits longer each time in a burst, then for a start to be earned, and never gives up', () => {
    const { waits } = open();
    expect(waits(5, 0)).toEqual(POLICY.delaysMs);
    expect(waits(1, 0)[0]).toBe(60_000 - 7_600); // what was waited for in the burst counts
    expect(waits(1_000, 0)).toEqual(Array(1_000).fill(60_000));
  });

  it('starts at once what dies once an hour, every time', () => {
    expect(open().waits(100, HOUR_MS)).toEqual(Array(100).fill(0));
  });

  it('earns a burst back with time, start by start', () => {
    const { clock, waits } = open();
    waits(10, 0);
    clock.advance(POLICY.earnMs);
    expect(waits(2, 0)).toEqual([5_000, 60_000 - 5_000]);
    clock.advance(HOUR_MS);
    expect(waits(5, 0)).toEqual(POLICY.delaysMs);
  });

  it('waits no longer than in a burst for what found nothing left to start with, and owes one start for all of it', () => {
    const { waits } = open();
    expect(waits(50, 0, true).slice(5)).toEqual(Array(45).fill(5_000));
    expect(waits(2, 0)).toEqual([60_000, 60_000]);
  });
});
