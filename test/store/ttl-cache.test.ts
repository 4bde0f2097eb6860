import { describe, expect, it } from 'vitest';
import { TtlCache } from '../../src/store/ttl-cache.ts';
import { FakeClock } from '../support/fake-clock.ts';

describe('TtlCache', () => {
  const make = (ttlMs = 100, capacity = 3) => {
    const clock = new FakeClock();
    const cache = new TtlCache<number>(clock, ttlMs, capacity);
    let loads = 0;
    const get = (key: string): Promise<number> =>
      cache.get(key, async () => {
        loads += 1;
        return loads;
      });
    return { clock, cache, get, loads: () => loads };
  };

  it('loads once within the time, again after it', async () => {
    const { clock, get } = make();
    expect(await get('a')).toBe(1);
    clock.advance(99);
    expect(await get('a')).toBe(1);
    clock.advance(1);
    expect(await get('a')).toBe(2);
  });

  it('callers at the same time share one load', async () => {
    const { get, loads } = make();
    expect(await Promise.all([get('a'), get('a'), get('a')])).toEqual([1, 1, 1]);
    expect(loads()).toBe(1);
  });

  it('runs a statement once, which by itself runs for everybody who waits for it', async () => {
    const { cache } = make();
    let runs = 0;
    const load = (): PromiseLike<number> => ({
      // biome-ignore lint/suspicious/noThenProperty: as statements of drizzle are
      then: (...both) => {
        runs += 1;
        return Promise.resolve(runs).then(...both);
      },
    });
    expect([await cache.get('a', load), await cache.get('a', load), await cache.get('a', load)]).toEqual([1, 1, 1]);
  });

  it('never holds more than its capacity; the oldest leaves', async () => {
    const { get, cache } = make();
    for (const key of ['a', 'b', 'c', 'd']) await get(key);
    expect(cache.size).toBe(3);
    expect(await get('d')).toBe(4);
    expect(await get('a')).toBe(5);
  });

  it('what was loading when it was forgotten is not kept', async () => {
    const { clock } = make();
    const cache = new TtlCache<string>(clock, 100, 3);
    let finish: (value: string) => void = () => undefined;
    const old = cache.get('a', () => new Promise((resolve) => (finish = resolve)));
    cache.clear();
    const fresh = cache.get('a', async () => 'new');
    finish('old');
    expect(await old).toBe('old');
    expect(await fresh).toBe('new');
    expect(await cache.get('a', async () => 'third')).toBe('new');
  });

  it('a failure is passed on and not kept', async () => {
    const { cache, get } = make();
    await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await get('a')).toBe(1);
  });
});
