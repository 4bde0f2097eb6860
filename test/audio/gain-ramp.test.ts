import { describe, expect, it } from 'vitest';
import { GainRamp } from '../../src/audio/gain-ramp.ts';

const played = (ramp: GainRamp, gainDb: number, count = 160): Int16Array => {
  const samples = new Int16Array(160).fill(10_000);
  ramp.apply(samples, count, gainDb);
  return samples;
};
const steps = (samples: Int16Array): number[] =>
  [...samples].slice(1).map((sample, i) => Math.abs(sample - samples[i]!));

describe('gain', () => {
  it('leaves samples as they are until it is changed', () => {
    expect(played(new GainRamp(8000), 0)).toEqual(new Int16Array(160).fill(10_000));
  });

  it('goes down and up without a click, within 60 ms', () => {
    const ramp = new GainRamp(8000);
    const down = [0, 1, 2].map(() => played(ramp, -12));
    expect(down[0]![0]).toBeGreaterThan(9900);
    expect(Math.max(...down.flatMap(steps))).toBeLessThan(50);
    expect(down[2]!.at(-1)).toBe(2512);
    const up = [0, 1, 2].map(() => played(ramp, 0));
    expect(Math.max(...up.flatMap(steps))).toBeLessThan(50);
    expect(up[2]!.at(-1)).toBe(10_000);
  });

  it('touches what is played alone, and begins what follows a pause at its level', () => {
    const ramp = new GainRamp(8000);
    expect(played(ramp, -12, 80)[80]).toBe(10_000);
    played(ramp, 0, 0);
    expect(played(ramp, 0)[0]).toBe(10_000);
  });

  it('makes nothing louder than it is', () => {
    expect(played(new GainRamp(8000), 12)[159]).toBe(10_000);
  });
});
