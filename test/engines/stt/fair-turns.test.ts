import { describe, expect, it } from 'vitest';
import { FairTurns, type Turn } from '../../../src/engines/stt/fair-turns.ts';
import { FakeClock } from '../../support/fake-clock.ts';

function start(atOnce = 1) {
  const clock = new FakeClock();
  const turns = new FairTurns(atOnce, clock);
  const begun: string[] = [];
  const asked = new Map<string, Turn>();
  /** Asks for `a1`, `a2`...: the letter is the account. */
  const ask = (...names: string[]): void => {
    for (const name of names)
      asked.set(
        name,
        turns.ask(name[0]!, () => begun.push(name)),
      );
  };
  const done = (...names: string[]): void => {
    for (const name of names) turns.done(asked.get(name)!);
  };
  return { clock, turns, begun, ask, done };
}

describe('FairTurns', () => {
  it('lets accounts take turns, however much one of them asks for', () => {
    const { begun, ask, done, turns } = start();
    ask('a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2');
    for (let n = 0; n < 7; n += 1) done(begun[n]!);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'c2', 'a4']);
    expect(turns.owed).toBe(0);
  });

  it('hands out no more than so many at once', () => {
    const { begun, ask, done, turns } = start(2);
    ask('a1', 'a2', 'a3');
    expect(begun).toEqual(['a1', 'a2']);
    expect(turns.owed).toBe(3);
    done('a2');
    expect(begun).toEqual(['a1', 'a2', 'a3']);
  });

  it('passes over what is not wanted any more, and gives a place back once', () => {
    const { begun, ask, done, turns } = start();
    ask('a1', 'a2', 'b1', 'b2');
    done('a2', 'a2', 'a1', 'a1');
    expect(begun).toEqual(['a1', 'b1']);
    done('b1', 'b2');
    expect(turns.owed).toBe(0);
  });

  it('tells how long an account waits', () => {
    const { clock, turns, ask, done } = start();
    ask('a1', 'a2');
    clock.advance(700);
    ask('a3', 'b1');
    clock.advance(300);
    expect([turns.waitMs('a'), turns.waitMs('b'), turns.waitMs('c')]).toEqual([1000, 300, 0]);
    done('a1');
    expect(turns.waitMs('a')).toBe(300);
  });

  it('forgets everything with its worker', () => {
    const { begun, ask, turns } = start();
    ask('a1', 'a2');
    turns.clear();
    ask('b1');
    expect(begun).toEqual(['a1', 'b1']);
    expect(turns.owed).toBe(1);
  });
});
