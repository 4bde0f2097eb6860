import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { numberBetween, wholeNumber } from '../../src/cli/numbers.ts';

describe('a whole number', () => {
  const read = wholeNumber(1, 100);
  it.each([
    ['1', 1],
    ['007', 7],
    ['100', 100],
  ])('%s is read', (text, value) => {
    expect(read(text)).toBe(value);
  });
  it.each(['', '0', '101', '-5', '1.5', '1e1', '0x10', ' 1', 'abc', 'NaN', '9'.repeat(40)])('%j is refused', (text) => {
    expect(() => read(text)).toThrow(InvalidArgumentError);
  });
});

describe('a number', () => {
  const read = numberBetween(-1, 2.5);
  it.each([
    ['-1', -1],
    ['0.25', 0.25],
    ['2.5', 2.5],
  ])('%s is read', (text, value) => {
    expect(read(text)).toBe(value);
  });
  it.each(['', '-1.01', '2.6', '1e0', '.5', '1.', ' 1', 'abc', 'Infinity'])('%j is refused', (text) => {
    expect(() => read(text)).toThrow(InvalidArgumentError);
  });
});
