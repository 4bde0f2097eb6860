import { describe, expect, it } from 'vitest';
import { RateGuard } from '../../../src/sip-server/transport/rate-guard.ts';

const LIMITS = { perSecond: 10, burst: 5, sourcesMax: 3 };
const count = (guard: RateGuard, source: string, times: number, nowMs: number): number =>
  Array.from({ length: times }, () => guard.allow(source, nowMs)).filter((allowed) => allowed).length;

describe.each([0, 1e9])('RateGuard from %i ms', (startMs) => {
  it.each([
    { name: 'a burst and no more', steps: [{ at: 0, ask: 20, get: 5 }] },
    {
      name: 'refills with time',
      steps: [
        { at: 0, ask: 5, get: 5 },
        { at: 300, ask: 9, get: 3 },
      ],
    },
    {
      name: 'never above the burst',
      steps: [
        { at: 0, ask: 1, get: 1 },
        { at: 60_000, ask: 50, get: 5 },
      ],
    },
    {
      name: 'fractions add up',
      steps: [
        { at: 0, ask: 9, get: 5 },
        { at: 50, ask: 1, get: 0 },
        { at: 100, ask: 1, get: 1 },
      ],
    },
    {
      name: 'a clock going back gives nothing',
      steps: [
        { at: 0, ask: 9, get: 5 },
        { at: -500, ask: 1, get: 0 },
      ],
    },
  ])('$name', ({ steps }) => {
    const guard = new RateGuard(LIMITS);
    for (const { at, ask, get } of steps) expect(count(guard, '192.0.2.1', ask, startMs + at)).toBe(get);
  });

  it('keeps sources apart', () => {
    const guard = new RateGuard(LIMITS);
    expect(count(guard, 'a', 50, startMs)).toBe(5);
    expect(count(guard, 'b', 50, startMs)).toBe(5);
    expect(guard.counters).toEqual({ allowed: 10, dropped: 90, forgotten: 0 });
  });

  it('forgets the source quiet for longest', () => {
    const guard = new RateGuard(LIMITS);
    for (const source of ['a', 'b', 'c']) count(guard, source, 9, startMs);
    count(guard, 'a', 1, startMs);
    count(guard, 'd', 1, startMs);
    expect(guard.sources).toBe(3);
    expect(guard.counters.forgotten).toBe(1);
    expect(guard.allow('a', startMs)).toBe(false); // still remembered
    expect(guard.allow('b', startMs)).toBe(true); // forgotten, so it starts anew
  });

  it('never limits a trusted source', () => {
    const guard = new RateGuard(LIMITS, (source) => source === 'trunk');
    expect(count(guard, 'trunk', 500, startMs)).toBe(500);
    expect(guard.sources).toBe(0);
  });
});
