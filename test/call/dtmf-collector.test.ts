import { describe, expect, it } from 'vitest';
import { type CollectRule, collectRule, DtmfCollector } from '../../src/call/dtmf-collector.ts';
import { FakeClock } from '../support/fake-clock.ts';

const FOUR: CollectRule = { maxDigits: 4, terminator: '#', timeoutMs: 3000 };

function setup(rule: CollectRule = FOUR) {
  const clock = new FakeClock();
  const turns: string[] = [];
  const keys = new DtmfCollector(clock, rule, (digits) => turns.push(digits));
  const press = (text: string): void => {
    for (const key of text) keys.push(key);
  };
  return { clock, turns, keys, press };
}

describe('keys', () => {
  it('wait for the next one anew at each', () => {
    const s = setup();
    for (const key of '123') {
      s.press(key);
      s.clock.advance(2900);
    }
    expect([s.turns, s.keys.collecting]).toEqual([[], true]);
    s.clock.advance(100);
    expect([s.turns, s.keys.collecting, s.clock.pending]).toEqual([['123'], false, 0]);
  });

  it('that are complete wait for nothing', () => {
    const s = setup();
    s.press('1234');
    expect([s.turns, s.keys.collecting, s.clock.pending]).toEqual([['1234'], false, 0]);
    s.press('5#');
    expect([s.turns, s.clock.pending]).toEqual([['1234', '5'], 0]);
  });

  it('are forgotten when asked, with their wait', () => {
    const s = setup();
    s.press('12');
    s.keys.close();
    expect([s.keys.collecting, s.clock.pending]).toEqual([false, 0]);
    s.press('9#');
    expect(s.turns).toEqual(['9']);
  });

  it('stay while they are paused, however long, and wait anew afterwards', () => {
    const s = setup();
    s.press('12');
    s.keys.pause();
    s.clock.advance(60_000);
    expect([s.turns, s.keys.collecting]).toEqual([[], true]);
    s.keys.resume();
    s.clock.advance(2999);
    expect(s.turns).toEqual([]);
    s.clock.advance(1);
    expect(s.turns).toEqual(['12']);
  });

  it('that there are none of begin no wait', () => {
    const s = setup();
    s.keys.pause();
    s.keys.resume();
    expect(s.clock.pending).toBe(0);
  });

  it('resumed twice wait once', () => {
    const s = setup();
    s.press('1');
    s.keys.resume();
    s.keys.resume();
    expect(s.clock.pending).toBe(1);
  });

  it('follow a rule that changes meanwhile', () => {
    const s = setup();
    s.press('12');
    s.keys.setRule({ maxDigits: 6, terminator: '*', timeoutMs: 5000 });
    s.press('3');
    s.clock.advance(4999);
    expect(s.turns).toEqual([]);
    s.press('#*');
    expect(s.turns).toEqual(['123#']);
  });

  it('know no end where there is no terminator', () => {
    const s = setup({ maxDigits: 3, terminator: '', timeoutMs: 1000 });
    s.press('1#2');
    expect(s.turns).toEqual(['1#2']);
  });
});

describe('the terminator of a number that was complete without it', () => {
  it('says nothing, once', () => {
    const s = setup();
    s.press('1234');
    expect([s.keys.isHabit('#'), s.keys.isHabit('#')]).toEqual([true, false]);
  });

  it.each([
    { name: 'is a key again when it comes late', keys: '1234', afterMs: 3000, key: '#' },
    { name: 'is a key again after another', keys: '1234', afterMs: 0, key: '5' },
    { name: 'is none after a choice of one key', rule: { ...FOUR, maxDigits: 1 }, keys: '1', afterMs: 0, key: '#' },
    { name: 'is none after a number that it ended', keys: '12#', afterMs: 0, key: '#' },
    { name: 'is none after nothing', keys: '', afterMs: 0, key: '#' },
  ])('$name', ({ keys, rule, afterMs, key }) => {
    const s = setup(rule ?? FOUR);
    s.press(keys);
    s.clock.advance(afterMs);
    expect(s.keys.isHabit(key)).toBe(false);
    expect(s.keys.isHabit('#')).toBe(false);
  });

  it('is waited for as long as another key would have been', () => {
    const s = setup();
    s.press('1234');
    s.clock.advance(2999);
    expect(s.keys.isHabit('#')).toBe(true);
  });
});

describe('keys are gathered', () => {
  const one = { maxDigits: 1, terminator: '#', timeoutMs: 1500 };
  const four = { maxDigits: 4, terminator: '#', timeoutMs: 3000 };
  const unasked = { maxDigits: 20, terminator: '#', timeoutMs: 1200 };
  it.each([
    {
      name: 'where anything may be said',
      expect: ['free', 'yesno'] as const,
      mode: 'voice' as const,
      collect: one,
      rule: unasked,
    },
    {
      name: 'not where a choice was given',
      expect: ['yesno'] as const,
      mode: 'voice' as const,
      collect: one,
      rule: one,
    },
    { name: 'not where a menu is spoken', expect: ['free'] as const, mode: 'keypad' as const, collect: one, rule: one },
    {
      name: 'as asked where a number was',
      expect: ['digits', 'free'] as const,
      mode: 'voice' as const,
      collect: four,
      rule: four,
    },
  ])('$name', ({ expect: kinds, mode, collect, rule }) => {
    expect(collectRule({ hints: { phrases: [], expect: kinds }, collect }, mode)).toEqual(rule);
  });
});
