import { describe, expect, it } from 'vitest';
import { concernsOf, gradesOf, type Judged } from '../../../src/console/pages/overview/concerns.ts';
import { dialled, setUpOf } from '../../../src/console/pages/overview/set-up.ts';

const WELL: Judged = {
  at: '2026-03-01T12:00:00.000Z',
  calls: { days: [{ judged_turns: 0 }, { judged_turns: 40 }] },
  understood_percent: 92,
  last_day: { answers: { count: 30, p50_ms: 620 }, mos: { calls: 9, median: 4.3 } },
  money: { balance_cents: 5_000, available_cents: 4_900 },
  trunks: [
    { name: 'carrier', state: 'up' },
    { name: 'new', state: 'unknown' },
  ],
  problems: [{ at: '2026-03-01T11:59:00.000Z', kind: 'refused' }],
};
const kinds = (seen: Judged, alertCents: number | null = null): string[] =>
  concernsOf(seen, alertCents).map(({ kind, grade }) => `${kind} ${grade}`);

describe('what needs a look', () => {
  it('is nothing on a good day, however many strangers were refused', () => {
    expect(kinds(WELL)).toEqual([]);
  });

  it('is a trunk that is down and credit that is gone, before what is only slow', () => {
    const bad: Judged = {
      ...WELL,
      last_day: { ...WELL.last_day, answers: { count: 30, p50_ms: 900 } },
      money: { balance_cents: 100, available_cents: 0 },
      trunks: [{ name: 'carrier', state: 'down' }],
    };
    expect(kinds(bad)).toEqual(['trunk-down bad', 'no-credit bad', 'slow-answers slow']);
    expect(concernsOf(bad, null)[0]).toMatchObject({ name: 'carrier' });
  });

  it('is a balance below what the account wants to be told of, and no other', () => {
    expect(kinds(WELL, 5_000)).toEqual([]);
    expect(kinds(WELL, 5_001)).toEqual(['low-credit slow']);
  });

  it('is a call that broke off within the hour', () => {
    const at = (iso: string): Judged => ({ ...WELL, problems: [{ at: iso, kind: 'failed' }] });
    expect(kinds(at('2026-03-01T11:00:00.000Z'))).toEqual(['failed-calls bad']);
    expect(kinds(at('2026-03-01T10:59:59.000Z'))).toEqual([]);
  });

  it('is what was measured of enough calls', () => {
    const day = { answers: { count: 5, p50_ms: 2_000 }, mos: { calls: 3, median: 3.7 } };
    expect(kinds({ ...WELL, understood_percent: 60, last_day: day })).toEqual([
      'slow-answers bad',
      'poor-sound slow',
      'not-understood slow',
    ]);
    const few: Judged = {
      ...{ ...WELL, understood_percent: 60, calls: { days: [{ judged_turns: 19 }] } },
      last_day: { answers: { count: 4, p50_ms: 2_000 }, mos: { calls: 2, median: 3.7 } },
    };
    expect(kinds(few)).toEqual([]);
    expect(gradesOf(few)).toEqual({ answers: 'few', understood: 'few', sound: 'few' });
    const none = { answers: { count: 0, p50_ms: null }, mos: { calls: 0, median: null } };
    expect(gradesOf({ ...WELL, understood_percent: null, last_day: none })).toEqual({
      ...{ answers: undefined, understood: undefined, sound: undefined },
    });
  });
});

describe('what is to be set up', () => {
  const told = (...done: string[]) =>
    ['agent-live', 'way-in', 'first-call', 'call-understood', 'password', 'tls'].map((item) => ({
      ...{ item, done: done.includes(item) },
    }));

  it('names the first step that is needed and not done', () => {
    expect(setUpOf(told('agent-live', 'password'))).toMatchObject({ next: 'way-in', done: 2 });
    expect(setUpOf(told('agent-live', 'way-in'))?.next).toBe('first-call');
    expect(setUpOf(told())?.steps.map(({ item }) => item)).toHaveLength(6);
  });

  it('is nothing once a caller was understood: the rest is advice', () => {
    expect(setUpOf(told('agent-live', 'way-in', 'first-call', 'call-understood'))).toBeUndefined();
  });

  it('leaves out what this console does not know', () => {
    expect(setUpOf([...told(), { item: 'later', done: false }])?.steps).toHaveLength(6);
  });

  it('says what to dial', () => {
    expect(dialled('1000', { address: '192.0.2.7', port: 5060 })).toBe('sip:1000@192.0.2.7');
    expect(dialled('1000', { address: '2001:db8::1', port: 5080 })).toBe('sip:1000@[2001:db8::1]:5080');
  });
});
