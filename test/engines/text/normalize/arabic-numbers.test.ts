import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arabicCardinal, arabicNumber, COUNTING } from '../../../../src/engines/text/normalize/arabic-cardinal.ts';
import { arabicCounted } from '../../../../src/engines/text/normalize/arabic-counting.ts';
import { arabicOrdinal } from '../../../../src/engines/text/normalize/arabic-ordinal.ts';
import { genderOf } from '../../../../src/engines/text/normalize/noun-gender.ts';
import type { Noun } from '../../../../src/language/nouns.ts';
import { runs } from '../../../support/property-runs.ts';
import { arabicValue } from './number-words.ts';

const RIYAL: Noun = { singular: 'ريال', plural: 'ريالات', gender: 'm' };
const HALALA: Noun = { singular: 'هللة', plural: 'هللات', gender: 'f' };
const EURO: Noun = { singular: 'يورو', plural: 'يورو', gender: 'm', fixed: true };
const feminine = { ...COUNTING, gender: 'f' as const };
const oblique = { ...COUNTING, oblique: true };
const construct = { ...COUNTING, construct: true };
const counted = (value: number | string, noun: Noun, isOblique = false) =>
  arabicCounted({ digits: String(value) }, noun, isOblique);

describe('arabicCardinal', () => {
  it.each([
    [0, 'صفر'],
    [1, 'واحد'],
    [8, 'ثمانية'],
    [10, 'عشرة'],
    [11, 'أحد عشر'],
    [12, 'اثنا عشر'],
    [18, 'ثمانية عشر'],
    [21, 'واحد وعشرون'],
    [99, 'تسعة وتسعون'],
    [100, 'مئة'],
    [101, 'مئة وواحد'],
    [200, 'مئتان'],
    [315, 'ثلاثمئة وخمسة عشر'],
    [1000, 'ألف'],
    [2000, 'ألفان'],
    [2001, 'ألفان وواحد'],
    [3000, 'ثلاثة آلاف'],
    [8000, 'ثمانية آلاف'],
    [10_000, 'عشرة آلاف'],
    [11_000, 'أحد عشر ألفاً'],
    [100_000, 'مئة ألف'],
    [101_000, 'مئة وواحد ألف'],
    [103_000, 'مئة وثلاثة آلاف'],
    [111_000, 'مئة وأحد عشر ألفاً'],
    [200_000, 'مئتا ألف'],
    [300_200, 'ثلاثمئة ألف ومئتان'],
    [1_500_000, 'مليون وخمسمئة ألف'],
    [2_000_000, 'مليونان'],
    [3_000_000, 'ثلاثة ملايين'],
    [2_000_000_000, 'ملياران'],
    [
      999_999_999_999_999,
      'تسعمئة وتسعة وتسعون تريليوناً وتسعمئة وتسعة وتسعون ملياراً وتسعمئة وتسعة وتسعون مليوناً وتسعمئة وتسعة وتسعون ألفاً وتسعمئة وتسعة وتسعون',
    ],
  ])('%i alone', (value, words) => expect(arabicCardinal(value)).toBe(words));

  it.each([
    [1, 'واحدة'],
    [2, 'اثنتان'],
    [3, 'ثلاث'],
    [8, 'ثمان'],
    [10, 'عشر'],
    [11, 'إحدى عشرة'],
    [12, 'اثنتا عشرة'],
    [13, 'ثلاث عشرة'],
    [18, 'ثماني عشرة'],
    [21, 'إحدى وعشرون'],
    [22, 'اثنتان وعشرون'],
    [28, 'ثمان وعشرون'],
    [103, 'مئة وثلاث'],
    [3000, 'ثلاثة آلاف'],
  ])('%i feminine', (value, words) => expect(arabicCardinal(value, feminine)).toBe(words));

  it.each([
    [2, 'اثنين'],
    [12, 'اثني عشر'],
    [20, 'عشرين'],
    [200, 'مئتين'],
    [2025, 'ألفين وخمسة وعشرين'],
    [200_000, 'مئتي ألف'],
  ])('%i oblique', (value, words) => expect(arabicCardinal(value, oblique)).toBe(words));

  it.each([
    [200, 'مئتا'],
    [2000, 'ألفا'],
    [2_000_000, 'مليونا'],
    [25_000, 'خمسة وعشرون ألف'],
    [2200, 'ألفان ومئتا'],
  ])('%i before its noun', (value, words) => expect(arabicCardinal(value, construct)).toBe(words));
});

describe('arabicNumber', () => {
  it.each([
    [{ digits: '3', fraction: '5' }, 'ثلاثة فاصلة خمسة'],
    [{ digits: '12', fraction: '05' }, 'اثنا عشر فاصلة صفر خمسة'],
    [{ digits: '0', fraction: '00' }, 'صفر'],
    [{ digits: '3', fraction: '1415' }, 'ثلاثة فاصلة واحد أربعة واحد خمسة'],
    [{ digits: '7', negative: true }, 'سالب سبعة'],
    [{ digits: '0000000000000000005' }, 'خمسة'],
    [
      { digits: '1234567890123456' },
      'واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة صفر واحد اثنان ثلاثة أربعة خمسة ستة',
    ],
  ])('%j', (numeral, words) => expect(arabicNumber(numeral)).toBe(words));
});

describe('arabicCounted', () => {
  it.each([
    [0, 'صفر ريال'],
    [1, 'ريال واحد'],
    [2, 'ريالان'],
    [3, 'ثلاثة ريالات'],
    [10, 'عشرة ريالات'],
    [11, 'أحد عشر ريالاً'],
    [20, 'عشرون ريالاً'],
    [99, 'تسعة وتسعون ريالاً'],
    [100, 'مئة ريال'],
    [101, 'مئة ريال وريال'],
    [102, 'مئة ريال وريالان'],
    [1_002, 'ألف ريال وريالان'],
    [103, 'مئة وثلاثة ريالات'],
    [111, 'مئة وأحد عشر ريالاً'],
    [200, 'مئتا ريال'],
    [1000, 'ألف ريال'],
    [2000, 'ألفا ريال'],
    [3000, 'ثلاثة آلاف ريال'],
    [11_000, 'أحد عشر ألف ريال'],
    [1_000_000, 'مليون ريال'],
    [2_000_000, 'مليونا ريال'],
  ])('%i riyals', (value, words) => expect(counted(value, RIYAL)).toBe(words));

  it('takes the oblique dual and construct', () => {
    expect([2, 200, 2000, 20].map((value) => counted(value, RIYAL, true))).toEqual([
      'ريالين',
      'مئتي ريال',
      'ألفي ريال',
      'عشرين ريالاً',
    ]);
  });

  it('agrees with feminine nouns, leaves borrowed ones alone', () => {
    expect([1, 2, 5, 12, 8].map((value) => counted(value, HALALA))).toEqual([
      'هللة واحدة',
      'هللتان',
      'خمس هللات',
      'اثنتا عشرة هللة',
      'ثماني هللات',
    ]);
    expect([1, 2, 5, 12].map((value) => counted(value, EURO))).toEqual([
      'يورو واحد',
      'اثنان يورو',
      'خمسة يورو',
      'اثنا عشر يورو',
    ]);
  });

  it.each([
    [1, 'متر مربع واحد'],
    [2, 'متران مربعان'],
    [5, 'خمسة أمتار مربعة'],
    [25, 'خمسة وعشرون متراً مربعاً'],
    [100, 'مئة متر مربع'],
  ])('%i square metres', (value, words) => {
    const metre: Noun = { singular: 'متر', plural: 'أمتار', gender: 'm' };
    expect(arabicCounted({ digits: String(value) }, metre, false, { adjective: 'مربع' })).toBe(words);
  });
});

describe('arabicOrdinal', () => {
  it.each([
    [1, 'الأول', 'الأولى'],
    [2, 'الثاني', 'الثانية'],
    [10, 'العاشر', 'العاشرة'],
    [11, 'الحادي عشر', 'الحادية عشرة'],
    [12, 'الثاني عشر', 'الثانية عشرة'],
    [20, 'العشرون', 'العشرون'],
    [21, 'الحادي والعشرون', 'الحادية والعشرون'],
    [99, 'التاسع والتسعون', 'التاسعة والتسعون'],
    [100, 'المئة', 'المئة'],
    [101, 'الأول بعد المئة', 'الأولى بعد المئة'],
    [225, 'الخامس والعشرون بعد المئتين', 'الخامسة والعشرون بعد المئتين'],
    [1000, 'الألف', 'الألف'],
  ])('%i', (value, masculine, feminineWords) => {
    expect(arabicOrdinal(value, 'm', false)).toBe(masculine);
    expect(arabicOrdinal(value, 'f', false)).toBe(feminineWords);
  });
});

describe('genderOf', () => {
  it.each([
    ['رسالة', 1, 'f'],
    ['رسائل', 5, 'f'],
    ['طلبات', 5, 'm'],
    ['شكاوى', 4, 'f'],
    ['إشعارات', 6, 'm'],
    ['اشتراكات', 9, 'm'],
    ['استفسارات', 3, 'm'],
    ['استشارات', 3, 'f'],
    ['إجازات', 3, 'f'],
    ['تعديلات', 7, 'm'],
    ['أجهزة', 5, 'm'],
    ['أسئلة', 10, 'm'],
    ['سيارة', 15, 'f'],
    ['شركات', 8, 'f'],
    ['موظفين', 7, 'm'],
    ['دقيقه', 3, 'f'],
  ] as const)('%s after %i is %s', (word, count, gender) => expect(genderOf(word, count)).toBe(gender));
});

describe('Arabic numbers, any', () => {
  const value = fc.oneof(
    fc.integer({ min: 0, max: 1200 }),
    fc.integer({ min: 0, max: 2_000_000 }),
    fc.maxSafeNat().map((big) => big % 1e15),
    fc
      .tuple(fc.integer({ min: 1, max: 999 }), fc.constantFrom(1e3, 1e6, 1e9, 1e12))
      .map(([head, power]) => head * power),
  );
  const form = fc.record({
    gender: fc.constantFrom('m' as const, 'f' as const),
    oblique: fc.boolean(),
    construct: fc.boolean(),
  });

  it('mean the number they were made from, in every gender and case', () => {
    fc.assert(
      fc.property(value, form, (number, how) => {
        const words = arabicCardinal(number, how);
        expect(arabicValue(words), words).toBe(number);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('have one case: no word of the other in them', () => {
    fc.assert(
      fc.property(value, form, (number, how) => {
        const words = arabicCardinal(number, how).split(' ');
        const other = how.oblique ? /(?:ون|[^ض]ان|(?:اثن|اثنت|مئت)ا)$/ : /(?:[^ي]ين|(?:اثن|اثنت|مئت)ي)$/;
        expect(words.filter((word) => other.test(word) && !/^و?(?:ثمان|مليون|تريليون)$/.test(word))).toEqual([]);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('from 3 to 10 take the other gender than the noun, in compounds too', () => {
    const units = fc.integer({ min: 3, max: 10 });
    fc.assert(
      fc.property(units, fc.constantFrom(0, 100, 1000, 5200), fc.boolean(), (unit, more, isOblique) => {
        const say = (gender: 'm' | 'f') =>
          arabicCardinal(more + unit, { gender, oblique: isOblique, construct: true })
            .split(' ')
            .at(-1);
        expect(say('m')).toMatch(/ة$/);
        expect(say('f')).not.toMatch(/ة$/);
      }),
    );
  });
});
