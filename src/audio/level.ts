/** Level measures of 16-bit audio. Full scale (0 dBFS) is a square wave of +-32768. */

export const SILENCE_DBFS = -100;
const FULL_SCALE = 32_768;

/** Levels from one to another, dBFS. */
export interface LevelBand {
  readonly fromDb: number;
  readonly toDb: number;
}

/** Mean square of a signal of that level. */
export function powerOf(levelDb: number): number {
  return FULL_SCALE * FULL_SCALE * 10 ** (levelDb / 10);
}

const squared = (sample: number): number => sample * sample;

/** Mean square of the samples, 0..2^30; 0 for none. */
export function meanSquare(samples: Int16Array): number {
  if (samples.length === 0) return 0;
  let [sum, next, third, fourth] = [0, 0, 0, 0]; // of every fourth sample: one sum has to wait for its addition before
  let i = 0;
  for (; i + 3 < samples.length; i += 4) {
    sum += squared(samples[i] as number);
    next += squared(samples[i + 1] as number);
    third += squared(samples[i + 2] as number);
    fourth += squared(samples[i + 3] as number);
  }
  for (; i < samples.length; i += 1) sum += squared(samples[i] as number);
  return (sum + next + third + fourth) / samples.length;
}

/** RMS level in dBFS, never below `SILENCE_DBFS`. A full-scale sine is -3.01. */
export function levelDbfs(samples: Int16Array): number {
  const power = meanSquare(samples) / (FULL_SCALE * FULL_SCALE);
  return power <= 0 ? SILENCE_DBFS : Math.max(SILENCE_DBFS, 10 * Math.log10(power));
}

/** Largest magnitude, 0..32768. */
export function peakLevel(samples: Int16Array): number {
  let peak = 0;
  for (let i = 0; i < samples.length; i += 1) {
    const magnitude = Math.abs(samples[i] as number);
    if (magnitude > peak) peak = magnitude;
  }
  return peak;
}

/** Sign changes between neighbours; zero counts as positive. Twice the frequency of a tone times the duration. */
export function zeroCrossings(samples: Int16Array): number {
  let crossings = 0;
  for (let i = 1; i < samples.length; i += 1) {
    if ((samples[i - 1] as number) < 0 !== (samples[i] as number) < 0) crossings += 1;
  }
  return crossings;
}
