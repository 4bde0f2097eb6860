import { describe, expect, it } from 'vitest';
import { timeValue } from '../../../src/language/values/time.ts';
import { readSlot } from './read-slot.ts';

const ENGLISH: readonly (readonly [string, string | undefined])[] = [
  ['3 pm', '15:00'],
  ['3pm', '15:00'],
  ['three pm', '15:00'],
  ['three p m', '15:00'],
  ['3 am', '03:00'],
  ['nine am', '09:00'],
  ['at 9', '09:00'],
  ['at four', '16:00'],
  ['four', '16:00'],
  ["four o'clock", '16:00'],
  ['eleven', '11:00'],
  ['at twelve', '12:00'],
  ['half past three', '15:30'],
  ['half past nine in the morning', '09:30'],
  ['quarter past five', '17:15'],
  ['a quarter to four', '15:45'],
  ['ten to five', '16:50'],
  ['twenty past six', '18:20'],
  ['three thirty', '15:30'],
  ['three thirty in the afternoon', '15:30'],
  ['ten fifteen', '10:15'],
  ['5:45', '17:45'],
  ['5:45 am', '05:45'],
  ['05:45', '05:45'],
  ['15:30', '15:30'],
  ['23:15', '23:15'],
  ['noon', '12:00'],
  ['midday please', '12:00'],
  ['midnight', '00:00'],
  ['12 am', '00:00'],
  ['12 pm', '12:00'],
  ['eight in the evening', '20:00'],
  ['around seven at night', '19:00'],
  ['in the afternoon at four', '16:00'],
  ['25:00', undefined],
  ['ninety nine', undefined],
  ['any time', undefined],
];
const ARABIC: readonly (readonly [string, string | undefined])[] = [
  ['عالاتناشر الظهر', '12:00'],
  ['تسعة ليل', '21:00'],
  ['ابي ادفع دفعة وحدة', undefined],
  ['الساعة 4', '16:00'],
  ['للساعة 4', '16:00'],
  ['تمانة المسا', '20:00'],
  ['لأربع ونص العصر', '16:30'],
  ['الساعة أربع', '16:00'],
  ['الساعة اربعة العصر', '16:00'],
  ['أربع', '16:00'],
  ['ثلاث ونص العصر', '15:30'],
  ['ثلاث ونص', '15:30'],
  ['تسع ونص الصبح', '09:30'],
  ['تسع الصباح', '09:00'],
  ['عشر الصبح', '10:00'],
  ['خمس وربع', '17:15'],
  ['أربع إلا ربع', '15:45'],
  ['خمس الا ثلث', '16:40'],
  ['ست وثلث', '18:20'],
  ['ست وعشر', '18:10'],
  ['سبع وخمس دقايق', '19:05'],
  ['الساعة الرابعة والنصف', '16:30'],
  ['الساعة الثالثة عصرًا', '15:00'],
  ['الساعة التاسعة صباحا', '09:00'],
  ['ثمان المغرب', '20:00'],
  ['ثمانية بالليل', '20:00'],
  ['تسع الليل', '21:00'],
  ['واحدة الظهر', '13:00'],
  ['ثنتين ونص الظهر', '14:30'],
  ['اثنين ونص', '14:30'],
  ['اثنعش الظهر', '12:00'],
  ['احدعش الصبح', '11:00'],
  ['الساعة احدعش', '11:00'],
  ['احداش الصبح', '11:00'],
  ['تنتين وربع', '14:15'],
  ['تلات ونص العصر', '15:30'],
  ['٤:٣٠', '16:30'],
  ['الساعة ٧', '19:00'],
  ['حوالي خمس العصر', '17:00'],
  ['العصر الساعة ثلاث', '15:00'],
  ['نص الليل', '00:00'],
  ['الساعة 16', '16:00'],
  ['أي وقت', undefined],
  ['العصر', undefined],
];

describe.each([
  ['English', ENGLISH],
  ['Arabic', ARABIC],
])('time slot, %s', (_, rows) => {
  it.each(rows)('%s -> %s', (text, expected) => {
    expect(readSlot('time', text)?.value.value).toBe(expected);
  });
});

describe('time slot', () => {
  it.each([
    ['book for four people', undefined],
    ['my number is 5', undefined],
    ['ابغى ثلاث حبات', undefined],
    ['tomorrow at 3', '15:00'],
    ['بكرة الساعة 3', '15:00'],
    ['half past three please', '15:30'],
  ])('unasked: %s -> %s', (text, expected) => {
    expect(readSlot('time', text, { asked: false })?.value.value).toBe(expected);
  });

  it.each([
    [0, 0, '12 am', 'الثانية عشرة ليلًا'],
    [9, 30, '9:30 am', 'التاسعة والنصف صباحًا'],
    [12, 0, '12 pm', 'الثانية عشرة ظهرًا'],
    [16, 45, '4:45 pm', 'الخامسة إلا ربع عصرًا'],
    [20, 10, '8:10 pm', 'الثامنة و10 دقيقة مساءً'],
    [23, 45, '11:45 pm', 'الثانية عشرة إلا ربع مساءً'],
  ])('%i:%i is said %s / %s', (hour, minute, en, ar) => {
    expect(timeValue(hour, minute).say).toEqual({ en, ar });
  });
});
