import { describe, expect, it } from 'vitest';
import { barsOf, firstBarX, lanesOf } from '../../../src/console/pages/call/waveform.ts';

const view = (fromMs: number, msPerPoint: number, width: number) => ({ fromMs, msPerPoint, width });
const pieces = (...loud: number[]): number[][] => loud.map((value) => [-value, value / 2]);

describe('lanes of a recording', () => {
  it('are as loud as the larger half of their pieces, by the loudest of both sides', () => {
    const [caller, agent] = lanesOf([pieces(0.2, 0.4), pieces(0.1, 0.8)], 2);
    expect([...caller!.loudness]).toEqual([0.25, 0.5].map((value) => expect.closeTo(value, 5)));
    expect([...agent!.loudness]).toEqual([0.125, 1].map((value) => expect.closeTo(value, 5)));
    expect(caller!.msPerPiece).toBe(1_000);
  });

  it('do not blow up the noise of a silent line', () => {
    const [caller] = lanesOf([pieces(0.01)], 1);
    expect(caller!.loudness[0]).toBeLessThan(0.1);
  });

  it('may be empty', () => {
    const [caller] = lanesOf([[]], 0);
    expect([...barsOf(caller!, view(0, 10, 9), 3)]).toEqual([0, 0, 0]);
  });
});

describe('bars', () => {
  const [lane] = lanesOf([pieces(1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)], 8); // a piece a second

  it('show the loudest of what is below each', () => {
    const bars = barsOf(lane!, view(0, 1_000, 6), 3); // three seconds a bar
    expect([...bars].map((bar) => Number(bar.toFixed(2)))).toEqual([1, 0.5]);
  });

  it('repeat a piece where it is longer than a bar', () => {
    const bars = barsOf(lane!, view(0, 100, 30), 5); // two bars a second
    expect([...bars].map((bar) => Number(bar.toFixed(2)))).toEqual([1, 1, 0.1, 0.1, 0.2, 0.2]);
  });

  it('are quiet before and after the recording', () => {
    expect([...barsOf(lane!, view(-2_000, 1_000, 2), 1)]).toEqual([0, 0]);
    expect([...barsOf(lane!, view(8_000, 1_000, 2), 1)]).toEqual([0, 0]);
  });

  it('stay the same while the view moves: their edges stand on the time, and not on the screen', () => {
    const before = barsOf(lane!, view(0, 1_000, 8), 2);
    const after = barsOf(lane!, view(500, 1_000, 8), 2);
    expect(after[1]).toBe(before[1]);
    expect(firstBarX(view(500, 1_000, 8), 2)).toBe(-0.5);
  });

  it('cost no more for an hour than their number: each piece is looked at once', () => {
    const [hour] = lanesOf([Array.from({ length: 72_000 }, (_, n) => [0, (n % 7) / 7])], 3_600);
    const bars = barsOf(hour!, view(0, 3_600, 1_000), 3);
    expect(bars).toHaveLength(334);
    expect(Math.min(...bars.slice(0, 333))).toBeCloseTo(1);
  });
});
