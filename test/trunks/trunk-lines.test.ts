import { describe, expect, it } from 'vitest';
import { hostOrder } from '../../src/trunks/host-order.ts';
import { TrunkLines } from '../../src/trunks/trunk-lines.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { trunkOf } from '../support/trunks.ts';

const limits = { callsIn: 2, callsOut: 2, callsPerSecondIn: 3, callsPerSecondOut: 3 };

describe('the lines of a trunk', () => {
  it('are so many out at once, and one given back twice is one', () => {
    const lines = new TrunkLines(new FakeClock());
    const trunk = trunkOf({ limits });
    const first = lines.takeOut(trunk);
    expect(lines.takeOut(trunk)).toBeTypeOf('function');
    expect(lines.takeOut(trunk)).toBe('calls');
    if (typeof first !== 'function') throw new Error(first);
    first();
    first();
    expect(lines.takenOut(trunk.id)).toBe(1);
    expect(lines.takeOut(trunk)).toBeTypeOf('function');
    expect(lines.takeOut(trunk)).toBe('calls');
  });

  it('begin so many calls a second, each direction for itself', () => {
    const clock = new FakeClock();
    const lines = new TrunkLines(clock);
    const trunk = trunkOf({ limits: { ...limits, callsOut: 100 } });
    const burst = () => Array.from({ length: 5 }, () => typeof lines.takeOut(trunk));
    expect(burst()).toEqual(['function', 'function', 'function', 'string', 'string']);
    expect(lines.problemIn(trunk, 0)).toBeUndefined();
    clock.advance(333);
    expect(lines.takeOut(trunk)).toBe('rate');
    clock.advance(1);
    expect(lines.takeOut(trunk)).toBeTypeOf('function');
    clock.advance(60_000);
    expect(burst().filter((kind) => kind === 'function')).toHaveLength(3);
  });

  it('take calls in as long as fewer than so many live', () => {
    const lines = new TrunkLines(new FakeClock());
    expect(lines.problemIn(trunkOf({ limits }), 1)).toBeUndefined();
    expect(lines.problemIn(trunkOf({ limits }), 2)).toBe('calls');
  });

  it('may be slower than one a second', () => {
    const clock = new FakeClock();
    const lines = new TrunkLines(clock);
    const trunk = trunkOf({ limits: { ...limits, callsPerSecondIn: 0.5 } });
    expect([lines.problemIn(trunk, 0), lines.problemIn(trunk, 0)]).toEqual([undefined, 'rate']);
    clock.advance(2000);
    expect(lines.problemIn(trunk, 0)).toBeUndefined();
  });
});

describe('hosts of a trunk', () => {
  const host = (uri: string, priority: number, weight: number) => ({ uri, priority, weight });
  it('are tried by priority, and in one by weight and chance', () => {
    const hosts = [host('b0', 20, 1), host('a1', 10, 10), host('a3', 10, 30), host('a0', 10, 0)];
    const names = (random: () => number) => hostOrder(hosts, random).map(({ uri }) => uri);
    expect(names(() => 0)).toEqual(['a1', 'a3', 'a0', 'b0']);
    expect(names(() => 0.26)).toEqual(['a3', 'a1', 'a0', 'b0']);
    expect(names(() => 0.999)).toEqual(['a3', 'a1', 'a0', 'b0']);
  });
  it('get calls in proportion to their weights', () => {
    const hosts = [host('one', 1, 1), host('three', 1, 3)];
    let at = 0;
    const first = Array.from({ length: 400 }, () => hostOrder(hosts, () => (at++ % 100) / 100)[0]!.uri);
    const share = first.filter((uri) => uri === 'one').length / 400;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.3);
  });
});
