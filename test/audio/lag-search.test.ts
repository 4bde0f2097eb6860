import { describe, expect, it } from 'vitest';
import { Fft } from '../../src/audio/fft.ts';
import { BLOCK, HISTORY, LagSearch, NEWEST } from '../../src/audio/lag-search.ts';

/** Numbers that look like noise, the same for the same seed. */
function numbers(count: number, seed: number): Float64Array {
  let state = seed;
  return Float64Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  });
}

describe('the transform', () => {
  it.each([2, 8, 64])('of %i numbers and its product with another is their circular correlation', (size) => {
    const fft = new Fft(size);
    const [a, b, c, d] = [1, 2, 3, 4].map((seed) => numbers(size, seed)) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    const expected = Array.from({ length: size }, (_, n) => {
      let [re, im] = [0, 0];
      for (let i = 0; i < size; i += 1) {
        const [ar, ai, br, bi] = [a[(n + i) % size]!, b[(n + i) % size]!, c[i]!, d[i]!];
        re += ar * br + ai * bi;
        im += ai * br - ar * bi;
      }
      return [re, im];
    });
    fft.forward(a, b);
    fft.forward(c, d);
    const re = a.map((each, k) => (each * c[k]! + b[k]! * d[k]!) / size);
    const im = a.map((each, k) => (b[k]! * c[k]! - each * d[k]!) / size);
    fft.inverse(re, im);
    for (const [n, [r, i]] of expected.entries()) {
      expect(re[n]).toBeCloseTo(r!, 6);
      expect(im[n]).toBeCloseTo(i!, 6);
    }
  });

  it.each([0, 1, 3, 1000])('does not take %i numbers', (size) => expect(() => new Fft(size)).toThrow(RangeError));
});

describe('the search for a delay', () => {
  const SENT = Float32Array.from(numbers(HISTORY + 100 * BLOCK, 7)).map((each) => each * 5000);
  /** @param skip - blocks in which nothing is heard. @returns the delay found, and after how many blocks. */
  function search(delay: number, gain: number, skip: (block: number) => boolean = () => false) {
    const found = new LagSearch();
    const other = numbers(SENT.length, 99);
    for (let block = 0; block < 100; block += 1) {
      const sent = SENT.subarray(block * BLOCK, block * BLOCK + HISTORY);
      const from = block * BLOCK + NEWEST - delay;
      const heard = SENT.slice(from, from + BLOCK).map((each, i) => each * gain + other[from + i]! * 5000 * 0.1);
      const lag = found.push(skip(block) ? undefined : heard, sent);
      if (lag !== undefined) return { lag, blocks: block + 1, ratio: found.energyRatio(lag) };
    }
    return undefined;
  }

  it.each([0, 1, 39, 40, 200, 824, 825, 826, 1019])(
    'of %i samples finds it in 200 ms, and what is lost on the way',
    (delay) => {
      const { lag, blocks, ratio } = search(delay, 0.5)!;
      expect(lag).toBe(delay);
      expect(blocks).toBe(10);
      expect(Math.abs(ratio - 0.26)).toBeLessThan(0.03);
    },
  );

  it('passes over what does not matter', () => {
    expect(search(300, 0.5, (block) => block % 3 === 1)).toMatchObject({ lag: 300, blocks: 10 });
    expect(search(300, 0.5, () => true)).toBeUndefined();
  });

  it('finds none in what is not ours', () => expect(search(300, 0)).toBeUndefined());
});
