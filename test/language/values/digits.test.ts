import { describe, expect, it } from 'vitest';
import { digitsValue } from '../../../src/language/values/digits.ts';
import { readSlot } from './read-slot.ts';

const four = { minDigits: 4, maxDigits: 4 };
const ENGLISH: readonly (readonly [string, string | undefined])[] = [
  ['4521', '4521'],
  ['4 5 2 1', '4521'],
  ['45 21', '4521'],
  ['45-21', '4521'],
  ['four five two one', '4521'],
  ['it is four five two one', '4521'],
  ['four five, uh, two one', '4521'],
  ['forty five twenty one', '4521'],
  ['four thousand five hundred twenty one', '4521'],
  ['forty five two one', '4521'],
  ['double five two one', '5521'],
  ['four double five one', '4551'],
  ['triple seven eight', '7778'],
  ['seven triple oh', '7000'],
  ['oh four five two', '0452'],
  ['zero four five two', '0452'],
  ['zero zero zero one', '0001'],
  ['three oh nine zero', '3090'],
  ['seven seven eight eight', '7788'],
  ['double seven double eight', '7788'],
  ['sixty one oh four', '6104'],
  ['my order is 4521 thanks', '4521'],
  ['order number four five two one please', '4521'],
  ['no, four five two two', '4522'],
  ['not 4521, 4522', '4522'],
  ['eleven twenty two', '1122'],
  ['nineteen oh five', '1905'],
  ['tree fife nine niner', '3599'],
  ['four five and two one', '4521'],
  ['for five to one', '4521'],
  ['seven seven ate eight', '7788'],
  ['it is for five two one', '4521'],
  ['six one zero and then four six one zero four', '6104'],
  ['six one six one oh four', '6104'],
  ['sixty one oh four six one oh four', '6104'],
  ['six one oh nine six one oh four', '6104'],
  ['six six one oh four', undefined],
  ['four five two', undefined],
  ['four five two one nine', undefined],
  ['hello there', undefined],
  ['', undefined],
];
const ARABIC: readonly (readonly [string, string | undefined])[] = [
  ['٤٥٢١', '4521'],
  ['٤ ٥ ٢ ١', '4521'],
  ['أربعة خمسة اثنين واحد', '4521'],
  ['اربعه خمسه ثنين واحد', '4521'],
  ['أربعة، خمسة، اثنين، واحد', '4521'],
  ['خمسة وأربعين واحد وعشرين', '4521'],
  ['خمسة وأربعين اثنين واحد', '4521'],
  ['أربعة آلاف وخمسمية وواحد وعشرين', '4521'],
  ['رقم الطلب 4521', '4521'],
  ['رقمه أربعة خمسة اثنين واحد لو سمحت', '4521'],
  ['صفر أربعة خمسة اثنين', '0452'],
  ['صفر صفر صفر واحد', '0001'],
  ['ثلاثة صفر تسعة صفر', '3090'],
  ['سبعة سبعة ثمانية ثمانية', '7788'],
  ['دبل سبعة دبل ثمانية', '7788'],
  ['واحد وستين صفر أربعة', '6104'],
  ['أربعة خمسة و اثنين واحد', '4521'],
  ['أربعة وخمسة واثنين وواحد', '4521'],
  ['لا، أربعة خمسة اثنين اثنين', '4522'],
  ['حداعش اثنين وعشرين', '1122'],
  ['تسعطعش صفر خمسة', '1905'],
  ['ثلاثة عشر اربعة عشر', '1314'],
  ['تلاته تلاته تسعه تسعه', '3399'],
  ['ستة ثمان تسع عشر', '6819'],
  ['وحده ثنتين ثلاث اربع', '1234'],
  ['عشرين عشرين', '2020'],
  ['الفين وستة وعشرين', '2026'],
  ['الف ومية وخمسة', '1105'],
  ['سته سبعه ثمانيه تسعه', '6789'],
  ['أربعة خمسة اثنين', undefined],
  ['ما أدري والله', undefined],
];

describe.each([
  ['English', ENGLISH],
  ['Arabic', ARABIC],
])('digits slot of four, %s', (_, rows) => {
  it.each(rows)('%s -> %s', (text, expected) => {
    expect(readSlot('digits', text, { definition: four })?.value.value).toBe(expected);
  });
});

describe('digits slot', () => {
  it.each([
    ['4', 'bare', undefined],
    ['4521', 'a run', '4521'],
    ['at 4 on the 5th', 'scattered', undefined],
  ])('unasked and unbounded: %s (%s) -> %s', (text, _, expected) => {
    expect(readSlot('digits', text, { asked: false })?.value.value).toBe(expected);
  });

  it.each([
    ['4521', '4 5 2 1'],
    ['0551234567', '0 5 5, 1 2 3, 4 5 6 7'],
    ['1234567', '1 2 3, 4 5 6 7'],
    ['12345678', '1 2 3, 4 5 6 7 8'],
    ['123456789', '1 2 3, 4 5 6, 7 8 9'],
  ])('%s is said %s', (digits, said) => {
    expect(digitsValue(digits).say.en).toBe(said);
  });
});
