import { describe, expect, it } from 'vitest';
import { LoopWatch } from '../../src/media/plane/loop-watch.ts';
import { FakeClock } from '../support/fake-clock.ts';

const LOOK_MS = 20;

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
  const steps = (count: number, of: (n: number) => number | undefined) =>
    Array.from({ length: count }, (_, n) => of(n));
  it.each([
    {
      name: 'is noticed in a tenth of a second',
      beats: steps(9, () => 7),
      cpuMs: steps(9, (n) => 20 * n),
      stuck: [100],
    },
    { name: 'is told once', beats: steps(50, () => 7), cpuMs: steps(50, (n) => 20 * n), stuck: [100] },
    { name: 'gets half of a processor', beats: steps(20, () => 7), cpuMs: steps(20, (n) => 10 * n), stuck: [160] },
    { name: 'gets on', beats: steps(50, (n) => n), cpuMs: steps(50, (n) => 20 * n), stuck: [] },
    { name: 'gets on after some looks', beats: steps(50, (n) => n >> 2), cpuMs: steps(50, (n) => 20 * n), stuck: [] },
    { name: 'only waits for a processor', beats: steps(50, () => 7), cpuMs: steps(50, () => 50), stuck: [] },
    { name: 'rests', beats: steps(50, () => undefined), cpuMs: steps(50, (n) => 20 * n), stuck: [] },
    { name: 'is not known to the system', beats: steps(50, () => 7), cpuMs: steps(50, () => undefined), stuck: [] },
  ])('$name', ({ beats, cpuMs, stuck }) => {
    expect(watched(beats.map((one, i) => ({ beats: one, cpuMs: cpuMs[i] })))).toEqual(stuck);
  });
});
