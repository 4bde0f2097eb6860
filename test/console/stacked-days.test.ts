import { describe, expect, it } from 'vitest';
import { dayIn, daysUntil, roundSteps, stackDays, startOfDay, totalsOf } from '../../src/console/parts/stacked-days.ts';

describe('stacked days', () => {
  const values = [
    { day: '2026-01-02', kind: 'a', value: 3 },
    { day: '2026-01-02', kind: 'b', value: 2 },
    { day: '2026-01-02', kind: 'a', value: 1 },
    { day: '2025-12-31', kind: 'a', value: 99 },
    { day: '2026-01-01', kind: 'unknown', value: 99 },
  ];

  it('stand on each other in the order of the kinds, and a day without any is there', () => {
    expect(stackDays(values, ['2026-01-01', '2026-01-02'], ['b', 'a', 'c'])).toEqual([
      { day: '2026-01-01', total: 0, parts: [] },
      {
        ...{ day: '2026-01-02', total: 6 },
        parts: [
          { kind: 'b', value: 2, from: 0 },
          { kind: 'a', value: 4, from: 2 },
        ],
      },
    ]);
  });

  it('come to totals, the largest first', () => {
    expect(totalsOf(values.slice(0, 3))).toEqual([
      { kind: 'a', total: 4 },
      { kind: 'b', total: 2 },
    ]);
  });

  it.each([
    [0, [0]],
    [Number.NaN, [0]],
    [1, [0, 0.5, 1]],
    [4, [0, 1, 2, 3, 4]],
    [7, [0, 2, 4, 6, 8]],
    [2, [0, 0.5, 1, 1.5, 2]],
    [1_700, [0, 500, 1_000, 1_500, 2_000]],
  ])('are measured against round steps up to %d', (max, steps) => {
    expect(roundSteps(max, 4)).toEqual(steps);
  });

  it('are the days up to one, over the end of a month', () => {
    expect(daysUntil('2026-03-01', 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  });
});

describe('days of a time zone', () => {
  it.each([
    ['Asia/Riyadh', '2026-01-31', '2026-01-30T21:00:00.000Z'],
    ['UTC', '2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'], // clocks go forward that night
    ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'], // and have gone back
    ['Asia/Kathmandu', '2026-01-31', '2026-01-30T18:15:00.000Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'], // the day begins at one o'clock
  ])('in %s %s begins at %s', (zone, day, start) => {
    expect(startOfDay(day, zone).toISOString()).toBe(start);
    expect(dayIn(zone, Date.parse(start))).toBe(day);
    expect(dayIn(zone, Date.parse(start) - 1)).not.toBe(day);
  });
});

it('steps of whole cents are no closer than one', () => {
  expect(roundSteps(2, 4, 1)).toEqual([0, 1, 2]);
  expect(roundSteps(30, 4, 1)).toEqual([0, 10, 20, 30]);
});
