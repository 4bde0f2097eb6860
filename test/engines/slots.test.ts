import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Release, Slots } from '../../src/engines/slots.ts';
import { settle } from '../support/engine-guards.ts';
import { FakeClock } from '../support/fake-clock.ts';

const never = new AbortController().signal;

describe('Slots', () => {
  it('gives places in order of arrival', async () => {
    const clock = new FakeClock();
    const depths: number[] = [];
    const slots = new Slots(1, 3, clock, (depth) => depths.push(depth));
    const first = slots.tryAcquire();
    const order: number[] = [];
    const releases: Release[] = [];
    for (const n of [1, 2, 3]) {
      void slots.acquire(1000, never).then((slot) => {
        order.push(n);
        releases.push(slot as Release);
      });
    }
    expect(await slots.acquire(1000, never)).toBe('queue-full');
    expect(slots.tryAcquire()).toBeUndefined();
    first?.();
    await settle();
    expect(order).toEqual([1]);
    releases[0]?.();
    releases[0]?.(); // twice is once
    await settle();
    expect(order).toEqual([1, 2]);
    expect(depths).toEqual([1, 2, 3, 2, 1]);
    releases[1]?.();
    await settle();
    releases[2]?.();
    expect(slots.held).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('lets the one who waits too long, or goes away, leave the queue', async () => {
    const clock = new FakeClock();
    const slots = new Slots(1, 2, clock);
    const first = slots.tryAcquire();
    const abort = new AbortController();
    const late = slots.acquire(500, never);
    const gone = slots.acquire(5000, abort.signal);
    clock.advance(500);
    abort.abort();
    expect(await late).toBe('queue-timeout');
    expect(await gone).toBe('aborted');
    expect(await slots.acquire(500, AbortSignal.abort())).toBe('aborted');
    expect(slots.waiting).toBe(0);
    first?.();
    expect(slots.held).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('does not let a newcomer pass those who wait', async () => {
    const slots = new Slots(1, 2, new FakeClock());
    const first = slots.tryAcquire();
    const waiting = slots.acquire(500, never);
    first?.();
    expect(slots.tryAcquire()).toBeUndefined();
    expect(typeof (await waiting)).toBe('function');
  });

  it('never gives more places than there are, and loses none', async () => {
    const step = fc.oneof(fc.constant('acquire'), fc.constant('release'), fc.constant('abort'), fc.constant('time'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        async (steps, concurrency) => {
          const clock = new FakeClock();
          const slots = new Slots(concurrency, 3, clock);
          const held: Release[] = [];
          const aborts: AbortController[] = [];
          for (const what of steps) {
            if (what === 'acquire') {
              const abort = new AbortController();
              aborts.push(abort);
              void slots.acquire(50, abort.signal).then((slot) => typeof slot === 'function' && held.push(slot));
            } else if (what === 'release') held.shift()?.();
            else if (what === 'abort') aborts.pop()?.abort();
            else clock.advance(30);
            await settle();
            expect(slots.held).toBe(held.length);
            expect(slots.held).toBeLessThanOrEqual(concurrency);
            expect(slots.waiting === 0 || slots.held === concurrency).toBe(true);
            expect(slots.waiting).toBeLessThanOrEqual(3);
          }
          while (slots.held > 0) {
            held.shift()?.();
            await settle();
          }
          expect(clock.pending).toBe(0);
        },
      ),
      { numRuns: 50 },
    );
  });
});
