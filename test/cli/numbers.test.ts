import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { wholeNumber } from '../../src/cli/numbers.ts';

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
