import { describe, expect, it } from 'vitest';
import { isLoanOf } from '../../src/language/loan-words.ts';

describe('English words in Arabic letters', () => {
  it.each([
    ['وايتنينق', 'whitening'],
    ['وايتننج', 'whitening'],
    ['كلينينق', 'cleaning'],
    ['بريسز', 'braces'],
    ['ديليفري', 'delivery'],
    ['كانسليشن', 'cancellation'],
  ])('%s is %s', (arabic, english) => expect(isLoanOf(arabic, english)).toBe(true));

  it.each([
    ['كلينك', 'cleaning'], // a clinic
    ['تنظيف', 'cleaning'],
    ['تبييض', 'whitening'],
    ['الم', 'pain'],
    ['بين', 'pain'], // between; too short to tell
    ['cleaning', 'cleaning'],
    ['كلينينق', 'تنظيف'],
    ['', 'cleaning'],
  ])('%s is no %s', (arabic, english) => expect(isLoanOf(arabic, english)).toBe(false));
});
