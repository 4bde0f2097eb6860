import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  beginning,
  endOf,
  firstSight,
  fitting,
  following,
  hasTenths,
  msAt,
  ticksOf,
  type View,
  xOf,
  zoomed,
} from '../../../src/console/pages/call/time-axis.ts';

const HOUR = 3_600_000;
const view = (fromMs: number, msPerPoint: number, width = 1_000): View => ({ fromMs, msPerPoint, width });

describe('the time axis', () => {
  it('finds a time at its point, and a point at its time', () => {
    const seen = view(5_000, 20);
    expect(xOf(seen, 5_000)).toBe(0);
    expect(xOf(seen, 7_000)).toBe(100);
    expect(msAt(seen, 100)).toBe(7_000);
    expect(endOf(seen)).toBe(25_000);
  });

  it('shows a short call whole, and a long one near enough to read its words', () => {
    expect(firstSight(30_000, 1_000)).toBe(30);
    expect(firstSight(HOUR, 1_000)).toBe(75);
  });

  it('is never nearer than there is something to see, and never farther than the whole call', () => {
    expect(zoomed(30, 4, 30_000, 1_000)).toBe(30);
    expect(zoomed(3, 0.5, 30_000, 1_000)).toBe(2);
    expect(zoomed(30, 0.5, 30_000, 1_000)).toBe(15);
    // A call of a second fills the room at less than that.
    expect(zoomed(1, 0.5, 1_000, 1_000)).toBe(1);
    expect(zoomed(1, 2, 1_000, 1_000)).toBe(1);
  });

  it('keeps a time at its point while it zooms, within the call', () => {
    expect(beginning(60_000, 500, 10, HOUR, 1_000)).toBe(55_000);
    expect(beginning(1_000, 500, 10, HOUR, 1_000)).toBe(0);
    expect(beginning(HOUR, 0, 10, HOUR, 1_000)).toBe(HOUR - 10_000);
    expect(beginning(20_000, 0, 100, 30_000, 1_000)).toBe(0);
  });

  it.each([
    { msPerPoint: 2, step: 200 },
    { msPerPoint: 28, step: 5_000 },
    { msPerPoint: 75, step: 10_000 },
    { msPerPoint: 3_600, step: 300_000 },
    { msPerPoint: 200_000, step: 4 * HOUR },
  ])('$msPerPoint ms a point: a time each $step ms', ({ msPerPoint, step }) => {
    const ticks = ticksOf(view(0, msPerPoint)).filter(({ isMajor }) => isMajor);
    expect(ticks[1]!.ms - ticks[0]!.ms).toBe(step);
    expect(ticks.every(({ ms }) => ms % step === 0)).toBe(true);
  });

  it('has as many ticks as have room, all in sight, wherever it looks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1_000, max: 4 * HOUR }),
        fc.double({ min: 1, max: 20_000, noNaN: true }),
        fc.integer({ min: 1, max: 3_000 }),
        (fromMs, msPerPoint, width) => {
          const seen = view(fromMs, msPerPoint, width);
          const ticks = ticksOf(seen);
          expect(ticks.length).toBeLessThanOrEqual((width / 72) * 5 + 6);
          for (const { ms } of ticks) {
            expect(ms).toBeGreaterThanOrEqual(fromMs - 1e-6);
            expect(ms).toBeLessThanOrEqual(endOf(seen) + 1e-6);
          }
        },
      ),
    );
  });

  it('writes tenths of a second only where seconds would repeat themselves', () => {
    expect(hasTenths(view(0, 2))).toBe(true);
    expect(hasTenths(view(0, 30))).toBe(false);
  });

  it('follows what is played when it leaves the sight, and not before', () => {
    const seen = view(10_000, 10);
    expect(following(seen, 15_000, HOUR)).toBeUndefined();
    expect(following(seen, 18_600, HOUR)).toBe(17_100);
    expect(following(seen, 2_000, HOUR)).toBe(500);
    // At the end of the call there is nowhere to go on to.
    expect(following(view(HOUR - 10_000, 10), HOUR - 1, HOUR)).toBeUndefined();
  });

  it('fits a call without a length', () => {
    expect(fitting(0, 0)).toBe(1);
  });
});
