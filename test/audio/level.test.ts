import { describe, expect, it } from 'vitest';
import { levelDbfs, meanSquare, peakLevel, SILENCE_DBFS, zeroCrossings } from '../../src/audio/level.ts';
import { tone } from '../support/tones.ts';

describe('level', () => {
  it.each([
    { name: 'nothing', samples: new Int16Array(0), db: SILENCE_DBFS, peak: 0, crossings: 0 },
    { name: 'silence', samples: new Int16Array(160), db: SILENCE_DBFS, peak: 0, crossings: 0 },
    { name: 'full negative', samples: new Int16Array(160).fill(-32_768), db: 0, peak: 32_768, crossings: 0 },
    {
      name: 'square at the limit',
      samples: Int16Array.from([32_767, -32_768, 32_767]),
      db: 0,
      peak: 32_768,
      crossings: 2,
    },
  ])('$name', ({ samples, db, peak, crossings }) => {
    expect(levelDbfs(samples)).toBeCloseTo(db, 2);
    expect(peakLevel(samples)).toBe(peak);
    expect(zeroCrossings(samples)).toBe(crossings);
  });

  it('reads a full-scale sine as -3 dBFS, and counts two crossings a period', () => {
    const sine = tone(400, 8000, { amplitude: 1 });
    expect(levelDbfs(sine)).toBeCloseTo(-3.01, 1);
    expect(zeroCrossings(sine)).toBeGreaterThanOrEqual(798);
    expect(zeroCrossings(sine)).toBeLessThanOrEqual(801);
    expect(meanSquare(sine)).toBeCloseTo(32_767 ** 2 / 2, -5);
  });
});
