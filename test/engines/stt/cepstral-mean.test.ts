import { describe, expect, it } from 'vitest';
import { CepstralMean, TELEPHONE_MEAN } from '../../../src/engines/stt/cepstral-mean.ts';
import { CEPSTRA } from '../../../src/engines/stt/sphinx-library.ts';

const frames = (...values: readonly number[]): Float32Array =>
  Float32Array.from(values.flatMap((value) => new Array<number>(CEPSTRA).fill(value)));
const first = (mean: CepstralMean): number => mean.value.values[0] ?? Number.NaN;

describe('CepstralMean', () => {
  it('is that of the telephone before anything was heard, and that of the caller where it is known', () => {
    const mean = new CepstralMean();
    mean.restart(undefined);
    expect(mean.value.values).toEqual(TELEPHONE_MEAN.map((value) => expect.closeTo(value, 6)));
    mean.restart({ values: new Array(CEPSTRA).fill(7), frames: 10 });
    expect(mean.value).toEqual({ values: new Array(CEPSTRA).fill(7), frames: 10 });
  });

  it('follows what is heard, and forgets the caller before', () => {
    const mean = new CepstralMean();
    mean.restart({ values: new Array(CEPSTRA).fill(10), frames: 2 });
    mean.push(frames(40, 40, 1), 2); // the third is not of it
    expect(mean.value).toEqual({ values: new Array(CEPSTRA).fill(25), frames: 4 });
    mean.restart(undefined);
    expect(first(mean)).toBeCloseTo(38.2);
  });

  it('gives a known caller no more weight than a second of speech has', () => {
    const mean = new CepstralMean();
    mean.restart({ values: new Array(CEPSTRA).fill(10), frames: 60_000 });
    mean.push(frames(...new Array<number>(100).fill(30)), 100);
    expect(first(mean)).toBeCloseTo(20);
  });

  it('learns nothing from digital silence, and is taken from it too', () => {
    const mean = new CepstralMean();
    mean.restart({ values: new Array(CEPSTRA).fill(10), frames: 1 });
    const heard = frames(-41, 20, 99);
    mean.push(heard, 2);
    mean.takeFrom(heard, 2);
    expect([...heard.filter((_, i) => i % CEPSTRA === 0)]).toEqual([-56, 5, 99]);
  });
});
