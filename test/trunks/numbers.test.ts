import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/core/notice.ts';
import { canonicalNumber, dialledNumber, exampleProblem, rewriteNumber } from '../../src/core/number-rules.ts';
import { numberProblem } from '../../src/trunks/allowed-numbers.ts';
import { premiumRangeOf, premiumRanges } from '../../src/trunks/premium-ranges.ts';

const SAUDI = [
  { match: '05', replace: '+9665', digits: 10, example: '٠٥١٢٣٤٥٦٧٨ -> +966512345678' },
  { match: '0', replace: '+966', example: '0112223344 -> +966112223344' },
  { match: '900', replace: '+966900' },
];

describe('a number as it is dialled', () => {
  it.each([
    ['٠٥١٢٣٤٥٦٧٨', '0512345678'],
    ['۰۵۱۲', '0512'],
    ['+966 (11) 222-33.44', '+966112223344'],
    ['*21#', '*21#'],
    ['', undefined],
    ['12a', undefined],
    ['1+2', undefined],
    ['sip:1@x', undefined],
    ['1'.repeat(41), undefined],
    ['12\r\nX: 1', undefined],
  ])('%j is %j', (text, number) => {
    expect(dialledNumber(text)).toBe(number);
  });
});

describe('number rules', () => {
  it.each([
    ['0512345678', '+966512345678'],
    ['05123', '+9665123'], // the first rule wants ten digits, the second takes any
    ['0112223344', '+966112223344'],
    ['+966512345678', '+966512345678'],
    ['1000', '1000'],
  ])('make of %s %s', (number, made) => {
    expect(rewriteNumber(SAUDI, number)).toBe(made);
  });

  it.each([
    { rules: SAUDI, index: 0, problem: undefined },
    { rules: SAUDI, index: 2, problem: undefined }, // none to check
    {
      rules: [{ match: '0', replace: '+966', example: '0512345678 -> +9660512345678' }],
      index: 0,
      problem: /make \+966512345678/,
    },
    { rules: [{ match: '05', replace: '+9665', example: '06 -> +9666' }], index: 0, problem: /this rule fits/ },
    {
      rules: [
        { match: '0', replace: '+966' },
        { match: '05', replace: '+9665', example: '05 -> +9665' },
      ],
      index: 1,
      problem: /rule 1 above/,
    },
    { rules: [{ match: '0', replace: '+966', example: 'whatever' }], index: 0, problem: /two numbers/ },
  ])('with an example that is checked: $problem', ({ rules, index, problem }) => {
    const found = exampleProblem(rules, index);
    if (problem) expect(found && textOf(found)).toMatch(problem);
    else expect(found).toBeUndefined();
  });

  it.each([
    ['00966512345678', '+966512345678'],
    ['+00966512345678', '+966512345678'],
    ['000979123456789', '+0979123456789'],
    ['+0000979', '+979'],
    ['0512345678', '+966512345678'],
    ['900123456', '+966900123456'],
    ['1000', '1000'],
  ])('compare %s as %s', (number, canonical) => {
    expect(canonicalNumber(number, SAUDI)).toBe(canonical);
  });
});

describe('what may be called', () => {
  it.each([
    { number: '+966512345678', allowed: [], problem: /nothing may be called/ },
    { number: '+966512345678', allowed: ['+966'], problem: undefined },
    { number: '+966512345678', allowed: ['+'], problem: undefined },
    { number: '+966512345678', allowed: ['+971'], problem: /no prefix/ },
    { number: '+966512345678', allowed: ['966', '0', ''.padEnd(1, '5')], problem: /no prefix/ },
    { number: '+966925123456', allowed: ['+', '+966'], problem: /premium.*line of its own/ },
    { number: '+966925123456', allowed: ['+966925'], problem: undefined },
    { number: '+979123456789', allowed: ['+', '+9', '+97'], problem: /premium/ },
    { number: '+979123456789', allowed: ['+979'], problem: undefined },
    { number: '+881612345678', allowed: ['+', '+8', '+88'], problem: /satellite/ },
    { number: '+8821612345678', allowed: ['+'], problem: /satellite/ },
    { number: '+870772345678', allowed: ['+87'], problem: /satellite/ },
    { number: '+19005551234', allowed: ['+1'], problem: /premium/ },
    { number: '+12125551234', allowed: ['+1'], problem: undefined },
    { number: '+449012345678', allowed: ['+44'], problem: /premium/ },
    { number: '+442071234567', allowed: ['+44'], problem: undefined },
    { number: '+0979123456789', allowed: ['+', '+0'], problem: /country code/ },
    { number: '900123456', allowed: ['9'], problem: /premium/ },
    { number: '9001', allowed: ['9'], problem: undefined }, // an extension
    { number: '1000', allowed: ['+'], problem: /no prefix/ },
  ])('$number with $allowed: $problem', ({ number, allowed, problem }) => {
    const found = numberProblem(number, allowed);
    if (problem) expect(found && textOf(found)).toMatch(problem);
    else expect(found).toBeUndefined();
  });

  it('knows premium ranges of many countries', () => {
    expect(premiumRanges().size).toBeGreaterThan(250);
    expect(premiumRangeOf('+33899123456')?.where).toContain('FR');
    expect(premiumRangeOf('+966512345678')).toBeUndefined();
    for (const { prefix } of premiumRanges().values()) expect(prefix).toMatch(/^\+?\d{2,11}$/);
  });
});
