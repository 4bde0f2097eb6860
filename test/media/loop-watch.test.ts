import { describe, expect, it } from 'vitest';
import { LoopWatch } from '../../src/media/plane/loop-watch.ts';
import { FakeClock } from '../support/fake-clock.ts';

const LOOK_MS = 50;

/** Looks at a thread; each step is what happened in the time before a look. */
function watched(steps: readonly { readonly beats: number | undefined; readonly cpuMs: number | undefined }[]) {
  const clock = new FakeClock();
  let now: (typeof steps)[number] = { beats: 0, cpuMs: 0 };
  const stuckAtMs: number[] = [];
  const watch = new LoopWatch(
    clock,
    {
      get beats() {
        return now.beats;
      },
    },
    () => now.cpuMs,
    () => stuckAtMs.push(clock.nowMs()),
  );
  watch.start();
  watch.start();
  for (const step of steps) {
    now = step;
    clock.advance(LOOK_MS);
  }
  watch.stop();
  expect(clock.pending).toBe(0);
  return stuckAtMs;
}

describe('a media thread that computes and does not loop', () => {
  it.each([
    { name: 'is noticed at the third look', beats: [7, 7, 7, 7], cpuMs: [0, 50, 100, 150], stuck: [150] },
    { name: 'is told once', beats: Array(20).fill(7), cpuMs: [...Array(20).keys()].map((n) => 50 * n), stuck: [150] },
    { name: 'gets on', beats: [7, 8, 9, 10, 11], cpuMs: [0, 50, 100, 150, 200], stuck: [] },
    { name: 'gets on after one look', beats: [7, 7, 8, 8, 9, 9], cpuMs: [0, 50, 100, 150, 200, 250], stuck: [] },
    { name: 'only waits for a processor', beats: Array(20).fill(7), cpuMs: Array(20).fill(50), stuck: [] },
    {
      name: 'gets little of a processor',
      beats: Array(9).fill(7),
      cpuMs: [...Array(9).keys()].map((n) => 30 * n),
      stuck: [],
    },
    { name: 'rests', beats: Array(9).fill(undefined), cpuMs: [...Array(9).keys()].map((n) => 50 * n), stuck: [] },
    { name: 'is not known to the system', beats: Array(9).fill(7), cpuMs: Array(9).fill(undefined), stuck: [] },
  ])('$name', ({ beats, cpuMs, stuck }) => {
    expect(watched(beats.map((one, i) => ({ beats: one, cpuMs: cpuMs[i] })))).toEqual(stuck);
  });
});
