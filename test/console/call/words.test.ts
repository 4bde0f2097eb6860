import { describe, expect, it } from 'vitest';
import { inTime, neighbour, turnAt, wordsOf } from '../../../src/console/pages/call/words.ts';

const turn = (index: number, role: 'caller' | 'agent' | 'person', started_ms: number) => ({
  ...{ index, role, started_ms, text: `${role} ${index}`, heard_ms: 1_000 },
});
// What is said aside gets its number when it is over: later than words that were said after it.
const TURNS = [turn(0, 'agent', 300), turn(1, 'caller', 8_000), turn(2, 'agent', 5_000), turn(3, 'person', 12_000)];

describe('words over time', () => {
  it('stand in the order in which they were said', () => {
    expect(inTime(TURNS).map(({ index }) => index)).toEqual([0, 2, 1, 3]);
    expect(TURNS[1]!.index).toBe(1); // what was given is left as it is
  });

  it('have room until the next words of their lane, the last until the end', () => {
    const [callers, others] = [wordsOf(TURNS, true, 20_000), wordsOf(TURNS, false, 20_000)];
    expect(callers).toEqual([{ turn: 1, role: 'caller', text: 'caller 1', fromMs: 8_000, untilMs: 20_000 }]);
    expect(others.map(({ turn: index, untilMs }) => [index, untilMs])).toEqual([
      [0, 5_000],
      [2, 12_000],
      [3, 20_000],
    ]);
  });

  it('end no earlier than they begin, whatever the length of the call', () => {
    expect(wordsOf([turn(0, 'caller', 9_000)], true, 100)[0]!.untilMs).toBe(9_000);
  });
});

describe('turns by time', () => {
  it.each([
    [0, undefined],
    [300, 0],
    [7_999, 2],
    [60_000, 3],
  ])('at %i ms it is %s', (ms, index) => {
    expect(turnAt(TURNS, ms)).toBe(index);
  });

  it('go on to the next beginning', () => {
    expect(neighbour(TURNS, 0, 1)).toBe(300);
    expect(neighbour(TURNS, 300, 1)).toBe(5_000);
    expect(neighbour(TURNS, 12_000, 1)).toBeUndefined();
  });

  it('go back to the own beginning first, and from there to the one before', () => {
    expect(neighbour(TURNS, 7_000, -1)).toBe(5_000);
    expect(neighbour(TURNS, 5_100, -1)).toBe(300);
    expect(neighbour(TURNS, 300, -1)).toBeUndefined();
  });
});
