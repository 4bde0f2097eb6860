import { describe, expect, it } from 'vitest';
import { ReaderWatch } from '../../src/core/reader-watch.ts';

const SECOND = 1_000;
const FRAME = Buffer.alloc(320);

/** What is unsent after each second in which fifty frames were sent and so many bytes were taken. */
function watched(takenBytes: (second: number) => number, seconds: number): boolean[] {
  const watch = new ReaderWatch(1_000_000);
  let unsent = 0;
  return Array.from({ length: seconds }, (_, second) => {
    for (let n = 0; n < 50; n += 1) watch.sent(FRAME);
    unsent = Math.max(0, unsent + 50 * (FRAME.length + 4) - takenBytes(second));
    return watch.isStuck(unsent, second * SECOND);
  });
}

describe('a reader', () => {
  it.each([
    { name: 'that takes all at once', taken: () => 1e9, stuck: -1 },
    {
      name: 'that keeps up, with something unsent at every look',
      taken: (n: number) => (n === 0 ? 9_000 : 16_200),
      stuck: -1,
    },
    { name: 'that falls behind, and takes what it can', taken: () => 5_000, stuck: -1 },
    { name: 'that stops for nine seconds at a time', taken: (n: number) => (n % 9 === 0 ? 20_000 : 0), stuck: -1 },
    { name: 'that takes nothing', taken: () => 0, stuck: 10 },
    { name: 'that takes nothing any more', taken: (n: number) => (n < 5 ? 16_200 : 0), stuck: 15 },
  ])('$name: given up in second $stuck', ({ taken, stuck }) => {
    expect(watched(taken, 40).indexOf(true)).toBe(stuck);
  });

  it('that lets too much pile up is given up at once', () => {
    const watch = new ReaderWatch(1000);
    expect([watch.isStuck(1000, 0), watch.isStuck(1001, 1)]).toEqual([false, true]);
  });
});
