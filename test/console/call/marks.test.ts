import { describe, expect, it } from 'vitest';
import { joinedKeys, type Mark, markNear, marksOf } from '../../../src/console/pages/call/marks.ts';

const turn = (more: object) => ({ role: 'agent', started_ms: 1_000, heard_ms: 500, ...more });
const nothing = { turns: [], keys: [], transfers: [] };

describe('marks of a call', () => {
  it('are its interruptions, keys, tools and transfers, in their order', () => {
    const marks = marksOf({
      turns: [
        turn({ started_ms: 9_000, tools: [{ tool: 'GET https://shop.example/', outcome: 'timeout', ms: 2_000 }] }),
        turn({ interrupted_ms: 1_300 }),
      ],
      keys: [{ key: '4', at_ms: 5_000 }],
      transfers: [{ target: '1900', outcome: 'joined', started_ms: 12_000 }],
    });
    expect(marks).toEqual([
      { kind: 'interruption', atMs: 1_300, what: '' },
      { kind: 'key', atMs: 5_000, what: '4' },
      { kind: 'tool', atMs: 9_000, what: 'GET https://shop.example/', isBad: true },
      { kind: 'transfer', atMs: 12_000, what: '1900' },
    ]);
  });

  it('say where a transfer came to nothing', () => {
    for (const [outcome, isBad] of [
      ['joined', undefined],
      ['transferred', undefined],
      ['busy', true],
      ['no-answer', true],
    ] as const) {
      const [mark] = marksOf({ ...nothing, transfers: [{ target: 'x', outcome, started_ms: 0 }] });
      expect(mark?.isBad).toBe(isBad);
    }
  });

  it('stand at the end of the words after which the agent hangs up', () => {
    expect(marksOf({ ...nothing, turns: [turn({ action: 'hangup' })] })).toEqual([
      { kind: 'hangup', atMs: 1_500, what: '' },
    ]);
    expect(marksOf({ ...nothing, turns: [turn({ action: 'collect' })] })).toEqual([]);
  });
});

describe('the mark below a pointer', () => {
  const marks: Mark[] = [
    { kind: 'key', atMs: 1_000, what: '1' },
    { kind: 'key', atMs: 1_100, what: '2' },
  ];
  it('is the nearest within reach', () => {
    expect(markNear(marks, 1_040, 100)?.what).toBe('1');
    expect(markNear(marks, 1_060, 100)?.what).toBe('2');
    expect(markNear(marks, 1_300, 100)).toBeUndefined();
  });
});

describe('keys', () => {
  const key = (what: string, atMs: number): Mark => ({ kind: 'key', what, atMs });

  it('are one mark where they have no room of their own, whatever else happens between them', () => {
    const transfer: Mark = { kind: 'transfer', what: 'x', atMs: 250 };
    expect(joinedKeys([key('4', 0), key('5', 200), transfer, key('2', 400), key('9', 5_000)], 300)).toEqual([
      key('452', 0),
      transfer,
      key('9', 5_000),
    ]);
  });

  it('stand alone where there is room', () => {
    const marks = [key('4', 0), key('5', 300)];
    expect(joinedKeys(marks, 300)).toEqual(marks);
    expect(joinedKeys([], 300)).toEqual([]);
    // From afar, too, the keys of different questions are different marks.
    const questions = [key('4', 0), key('5', 60_000)];
    expect(joinedKeys(questions, 100_000)).toEqual(questions);
  });
});
