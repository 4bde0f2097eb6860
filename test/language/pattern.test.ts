import { describe, expect, it } from 'vitest';
import { partOf, pattern } from '../../src/language/pattern.ts';

describe('a regular expression over several lines', () => {
  it('is what it is on one line', () => {
    const found = pattern('giu')`
      \b(?:one|two|
      ثلاثة three)\s?(\d{1,2})
      /[\]\u0621-\u064a]
    `;
    expect(String(found)).toBe(String(/\b(?:one|two|ثلاثة three)\s?(\d{1,2})\/[\]\u0621-\u064a]/giu));
    expect(String(pattern()`one`)).toBe('/one/');
  });

  it('takes in others, as text or whole', () => {
    const unit = partOf`
      (?:km|
      kilomet(?:re|er)s?)
    `;
    expect(unit).toBe('(?:km|kilomet(?:re|er)s?)');
    expect(String(pattern('u')`^${/\d+(?:\.\d+)?/} ${unit}$`)).toBe(
      String(/^\d+(?:\.\d+)? (?:km|kilomet(?:re|er)s?)$/u),
    );
  });
});
