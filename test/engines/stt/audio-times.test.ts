import { describe, expect, it } from 'vitest';
import { AudioTimes } from '../../../src/engines/stt/audio-times.ts';

describe('AudioTimes', () => {
  const gated = (): AudioTimes => {
    const times = new AudioTimes();
    for (let frame = 0; frame < 50; frame += 1) times.give(20, 1_000 + frame * 20); // 1..2 s
    for (let frame = 0; frame < 50; frame += 1) times.give(20, 12_000 + frame * 20); // 12..13 s
    times.fill(500); // nobody wrote it
    times.give(1_000, 20_000);
    return times;
  };

  it.each([
    { name: 'the first sample', at: 0, begins: 1_000, ends: 1_000 },
    { name: 'inside a piece', at: 400, begins: 1_400, ends: 1_400 },
    {
      name: 'between two pieces: of the later one what begins, of the earlier one what ends',
      at: 1_000,
      begins: 12_000,
      ends: 2_000,
    },
    { name: 'behind the gap', at: 1_250, begins: 12_250, ends: 12_250 },
    { name: 'in sound that nobody wrote', at: 2_200, begins: 20_000, ends: 13_000 },
    { name: 'behind it', at: 2_750, begins: 20_250, ends: 20_250 },
    { name: 'beyond the end', at: 9_000, begins: 21_000, ends: 21_000 },
    { name: 'before the beginning', at: -50, begins: 1_000, ends: 1_000 },
  ])('$name', ({ at, begins, ends }) => {
    const times = gated();
    expect([times.at(at, 'begins'), times.at(at, 'ends')]).toEqual([begins, ends]);
  });

  it('counts all that was given', () => {
    expect(gated().givenMs).toBe(3_500);
    expect(new AudioTimes().at(100, 'begins')).toBe(0);
  });

  it('keeps a final and its words in order', () => {
    const words = [
      { text: 'one', startMs: 900, endMs: 1_000 },
      { text: 'two', startMs: 1_000, endMs: 1_100 },
    ];
    const final = { type: 'final', text: 'one two', confidence: 1, startMs: 0, endMs: 1_100, words } as const;
    expect(gated().placed(final)).toEqual({
      ...final,
      ...{ startMs: 1_000, endMs: 12_100 },
      words: [
        { text: 'one', startMs: 1_900, endMs: 2_000 },
        { text: 'two', startMs: 12_000, endMs: 12_100 },
      ],
    });
  });

  it('forgets the oldest of many gaps, and is right about the newest', () => {
    const times = new AudioTimes();
    for (let n = 0; n < 10_000; n += 1) times.give(20, n * 1_000);
    expect(times.at(9_999 * 20 + 5, 'begins')).toBe(9_999_005);
    expect(times.at(0, 'begins')).toBeGreaterThan(9_000_000);
  });
});
