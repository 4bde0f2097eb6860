import { describe, expect, it } from 'vitest';
import {
  englishCardinal,
  englishNumber,
  englishOrdinal,
  englishYear,
} from '../../../../src/engines/text/normalize/english-number.ts';

describe('english numbers', () => {
  it.each([
    [0, 'zero', 'zeroth'],
    [1, 'one', 'first'],
    [12, 'twelve', 'twelfth'],
    [20, 'twenty', 'twentieth'],
    [21, 'twenty-one', 'twenty-first'],
    [100, 'one hundred', 'one hundredth'],
    [103, 'one hundred three', 'one hundred third'],
    [1000, 'one thousand', 'one thousandth'],
    [1_000_001, 'one million one', 'one million first'],
    [12_345_678, 'twelve million three hundred forty-five thousand six hundred seventy-eight', undefined],
  ])('%i', (value, cardinal, ordinal) => {
    expect(englishCardinal(value)).toBe(cardinal);
    if (ordinal !== undefined) expect(englishOrdinal(value)).toBe(ordinal);
  });

  it.each([
    [1900, 'nineteen hundred'],
    [1905, 'nineteen oh five'],
    [1984, 'nineteen eighty-four'],
    [2000, 'two thousand'],
    [2005, 'two thousand five'],
    [2010, 'twenty ten'],
    [2025, 'twenty twenty-five'],
    [1446, 'fourteen forty-six'],
  ])('year %i', (year, words) => expect(englishYear(year)).toBe(words));

  it('says decimals digit by digit, and numbers beyond names too', () => {
    expect(englishNumber({ digits: '3', fraction: '1405' })).toBe('three point one four zero five');
    expect(englishNumber({ digits: '1'.repeat(16) })).toBe(Array(16).fill('one').join(' '));
    expect(englishNumber({ digits: '2', negative: true })).toBe('minus two');
  });
});
