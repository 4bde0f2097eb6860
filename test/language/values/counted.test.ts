import { describe, expect, it } from 'vitest';
import { digitRuns } from '../../../src/language/number-words.ts';
import { isAmount } from '../../../src/language/values/counted.ts';
import { wordsOf } from '../../../src/language/words.ts';

const amounts = (said: string): boolean[] => {
  const plain = wordsOf(said).map(({ text }) => text);
  return digitRuns(plain).map((run) => isAmount(plain, run));
};

describe('a number that was said', () => {
  it.each([
    'it cost four hundred and fifty two riyals',
    'it was for tomorrow at ten',
    'i am sixty two years old',
    'we waited for forty five minutes',
    'بكرة الساعة عشر',
    'يوم عشرة في الشهر',
    'عمري ثلاثين سنة',
    'دفعت خمسين ريال',
    'انتظرت عشرين دقيقة',
  ])('is an amount, an hour or a day: %s', (said) => {
    expect(amounts(said)).toEqual([true]);
  });

  it.each([
    'four five two',
    'it is forty five',
    'at four five two one',
    'رقمه خمسة وأربعين يوم الأحد جاني',
    'صفر خمسة خمسة',
    'الرقم أربعين',
  ])('is part of an identifier: %s', (said) => {
    expect(amounts(said)).toEqual([false]);
  });
});
