import { describe, expect, it } from 'vitest';
import { Descriptors, descriptorsLeft, RESERVED_DESCRIPTORS, withDescriptors } from '../../src/core/descriptors.ts';
import { ServiceError } from '../../src/core/errors.ts';
import { isShortage, Shortage } from '../../src/core/shortage.ts';
import { FakeClock } from '../support/fake-clock.ts';

const coded = (code: string, cause?: unknown): Error => Object.assign(new Error('x', { cause }), { code });

describe('isShortage', () => {
  it.each([
    { name: 'no descriptor', error: coded('EMFILE'), is: true },
    { name: 'no process', error: coded('EAGAIN'), is: true },
    { name: 'no thread', error: coded('ERR_WORKER_INIT_FAILED'), is: true },
    {
      name: 'in the cause of a cause',
      error: new ServiceError('reply_failed', '', { cause: coded('X', coded('ENFILE')) }),
      is: true,
    },
    {
      name: 'said by ourselves',
      error: new ServiceError('unavailable', '', { cause: new Shortage('none') }),
      is: true,
    },
    { name: 'a file that is not there', error: coded('ENOENT'), is: false },
    { name: 'a word that reads like one', error: new Error('EMFILE'), is: false },
    { name: 'no error', error: 'EMFILE', is: false },
  ])('$name: $is', ({ error, is }) => {
    expect(isShortage(error)).toBe(is);
  });

  it('comes to an end with a cause that is its own', () => {
    const error = coded('X');
    error.cause = error;
    expect(isShortage(error)).toBe(false);
  });
});

describe('Descriptors', () => {
  const start = (...counts: (number | undefined)[]) => {
    const clock = new FakeClock();
    let counted = 0;
    const descriptors = new Descriptors(clock, () => counts[Math.min(counted++, counts.length - 1)]);
    return { clock, descriptors, counted: () => counted };
  };

  it('counts this process', () => {
    expect(descriptorsLeft()).toBeGreaterThan(0);
    expect(new Descriptors(new FakeClock()).take()).toBeDefined();
  });

  it.each([
    { left: RESERVED_DESCRIPTORS - 1, takes: false },
    { left: RESERVED_DESCRIPTORS, takes: true },
    { left: 0, takes: false },
    { left: undefined, takes: true }, // a system that does not tell
  ])('with $left left: $takes', ({ left, takes }) => {
    expect(start(left).descriptors.take() !== undefined).toBe(takes);
  });

  it('keeps the reserve when many come between two counts', () => {
    const { descriptors, clock } = start(RESERVED_DESCRIPTORS + 8, RESERVED_DESCRIPTORS + 4);
    const taken = Array.from({ length: 5 }, () => descriptors.take());
    expect(taken.map((openedAll) => openedAll !== undefined)).toEqual([true, true, true, false, false]);
    for (const openedAll of taken) openedAll?.();
    clock.advance(9);
    expect(descriptors.short).toBe(true);
    clock.advance(1);
    expect(descriptors.short).toBe(false);
  });

  it('keeps what was begun in mind until it is open, however often it counts', () => {
    const { descriptors, clock } = start(RESERVED_DESCRIPTORS + 8);
    const taken = [descriptors.take(), descriptors.take(), descriptors.take()];
    clock.advance(5_000);
    expect(descriptors.take()).toBeUndefined(); // still 12 to be opened
    taken[0]!();
    taken[0]!(); // said twice
    clock.advance(5_000);
    expect(descriptors.take()).toBeDefined();
    expect(descriptors.take()).toBeUndefined();
  });

  it('counts seldom while there are plenty', () => {
    const { descriptors, clock, counted } = start(100_000, 5);
    for (let n = 0; n < 100; n += 1) descriptors.take();
    clock.advance(1_999);
    expect(descriptors.short).toBe(false);
    expect(counted()).toBe(1);
    clock.advance(1);
    expect(descriptors.short).toBe(true);
  });
});

describe('something that needs descriptors', () => {
  it.each<{ name: string; open: () => Promise<string>; left: boolean; outcome: string; steps: string[] }>([
    { name: 'is opened', open: async () => 'a port', left: true, outcome: 'a port', steps: ['begun', 'open'] },
    {
      name: 'fails, and is counted as open no longer than that',
      open: () => Promise.reject(new Error('no port')),
      ...{ left: true, outcome: 'Error: no port', steps: ['begun', 'open'] },
    },
    { name: 'is not tried with none left', open: async () => '', left: false, outcome: 'no-descriptors', steps: [] },
  ])('$name', async ({ open, left, outcome, steps }) => {
    const seen: string[] = [];
    const take = () => (left && seen.push('begun') ? () => void seen.push('open') : undefined);
    expect(await withDescriptors({ take }, open).catch(String)).toBe(outcome);
    expect(seen).toEqual(steps);
  });
});
