import { describe, expect, it } from 'vitest';
import { addDays, dateValue, momentOf } from '../../../src/language/calendar/calendar.ts';
import { readSlot, TODAY } from './read-slot.ts';

// Today is Friday 2026-11-20.
const ENGLISH: readonly (readonly [string, string | undefined])[] = [
  ['today', '2026-11-20'],
  ['tonight please', '2026-11-20'],
  ['tomorrow', '2026-11-21'],
  ['tommorow', '2026-11-21'],
  ['can I come tomorrow afternoon', '2026-11-21'],
  ['the day after tomorrow', '2026-11-22'],
  ['day after tomorrow', '2026-11-22'],
  ['in three days', '2026-11-23'],
  ['in 2 weeks', '2026-12-04'],
  ['in a week', '2026-11-27'],
  ['next week', '2026-11-27'],
  ['last thursday', undefined],
  ['Monday', '2026-11-23'],
  ['next Monday', '2026-11-23'],
  ['on Sunday', '2026-11-22'],
  ['Friday', '2026-11-27'],
  ['this coming Saturday', '2026-11-21'],
  ['Wednesday next week', '2026-11-25'],
  ['Saturday next week', '2026-11-28'],
  ['next week on Saturday', '2026-11-28'],
  ['Monday next week the thirtieth of November', '2026-11-30'],
  ['Thursday please', '2026-11-26'],
  ['Monday, not this one, the 30th of November', '2026-11-30'],
  ['Monday or the 7th of December', '2026-11-23'],
  ['the 5th of December', '2026-12-05'],
  ['the fifth of December', '2026-12-05'],
  ['December 5', '2026-12-05'],
  ['december the twenty first', '2026-12-21'],
  ['Dec 5th', '2026-12-05'],
  ['5 December 2027', '2027-12-05'],
  ['twenty second of January', '2027-01-22'],
  ['March first', '2027-03-01'],
  ['the 25th', '2026-11-25'],
  ['the 5th', '2026-12-05'],
  ['the twenty third', '2026-11-23'],
  ['5/12', '2026-12-05'],
  ['05/12/2026', '2026-12-05'],
  ['5-12-26', '2026-12-05'],
  ['2026-12-05', '2026-12-05'],
  ['29 February', undefined],
  ['31/02/2027', undefined],
  ['the 45th of May', undefined],
  ['I may come', undefined],
  ['whenever you like', undefined],
  ['four five two one', undefined],
];
const ARABIC: readonly (readonly [string, string | undefined])[] = [
  ['الاثنين الجاي اللي هو ثلاثين نوفمبر', '2026-11-30'],
  ['الاحد الجاي مو هذا اللي بعده تسعة وعشرين', '2026-11-29'],
  ['السبت بعده يوم خمسة ديسمبر', '2026-12-05'],
  ['شهر واحد يوم عشرة', '2027-01-10'],
  ['خمسة عشر ديسمبر الثلاثاء', '2026-12-15'],
  ['خمسة عشر ديسمبر الخميس', undefined],
  ['أحد عشر ديسمبر', '2026-12-11'],
  ['اثنا عشر ديسمبر', '2026-12-12'],
  ['خمستعشر ديسمبر', '2026-12-15'],
  ['الخميس اللي راح', undefined],
  ['الأحد الماضي', undefined],
  ['ذاك اليوم', undefined],
  ['الجمعة أربعة ديسمبر هو اليوم الوحيد اللي أنا فاضية فيه', '2026-12-04'],
  ['اليوم', '2026-11-20'],
  ['الليلة', '2026-11-20'],
  ['بكرة', '2026-11-21'],
  ['بكره العصر', '2026-11-21'],
  ['بُكرة', '2026-11-21'],
  ['باكر', '2026-11-21'],
  ['غدًا', '2026-11-21'],
  ['بعد بكرة', '2026-11-22'],
  ['لبعد بكرة', '2026-11-22'],
  ['لبكرة', '2026-11-21'],
  ['وبكرة', '2026-11-21'],
  ['بعد باكر', '2026-11-22'],
  ['بعد غد', '2026-11-22'],
  ['بعد يومين', '2026-11-22'],
  ['بعد ثلاثة أيام', '2026-11-23'],
  ['بعد ٣ ايام', '2026-11-23'],
  ['بعد أسبوع', '2026-11-27'],
  ['بعد اسبوعين', '2026-12-04'],
  ['الأسبوع الجاي', '2026-11-27'],
  ['الأحد', '2026-11-22'],
  ['الأحد القادم', '2026-11-22'],
  ['للأربعاء', '2026-11-25'],
  ['بالأحد', '2026-11-22'],
  ['يوم الاثنين', '2026-11-23'],
  ['يوم اثنين', '2026-11-23'],
  ['الاثنين الجاي', '2026-11-23'],
  ['الثلوث', '2026-11-24'],
  ['الربوع', '2026-11-25'],
  ['الأربعاء', '2026-11-25'],
  ['الخميس لو سمحت', '2026-11-26'],
  ['الجمعة', '2026-11-27'],
  ['السبت', '2026-11-21'],
  ['السبت اللي بعده', '2026-11-28'],
  ['الأحد الأسبوع الجاي', '2026-11-22'],
  ['٥ ديسمبر', '2026-12-05'],
  ['خمسة ديسمبر', '2026-12-05'],
  ['خمسة وعشرين نوفمبر', '2026-11-25'],
  ['يوم 5 ديسمبر', '2026-12-05'],
  ['الخامس من ديسمبر', '2026-12-05'],
  ['٥ شهر ١٢', '2026-12-05'],
  ['٥/١٢', '2026-12-05'],
  ['٥/١٢/٢٠٢٦', '2026-12-05'],
  ['عشرة يناير', '2027-01-10'],
  ['يوم خمسة وعشرين', '2026-11-25'],
  ['يوم خمسة يناير', '2027-01-05'],
  ['يوم اثنين فبراير', '2027-02-02'],
  ['مو الثلاثاء السبت اللي بعده', '2026-11-28'],
  ['السبت مو هذا اللي بعده', '2026-11-28'],
  ['طيب الأحد اللي بعدها', '2026-11-22'],
  ['تاريخ 5', '2026-12-05'],
  ['1 رمضان', '2027-02-08'],
  ['ما أدري', undefined],
  ['اثنين ثلاثة', undefined],
  ['ابغى احد يساعدني', undefined],
];

describe.each([
  ['English', ENGLISH],
  ['Arabic', ARABIC],
])('date slot, %s', (_, rows) => {
  it.each(rows)('%s -> %s', (text, expected) => {
    expect(readSlot('date', text)?.value.value).toBe(expected);
  });
});

describe('date slot', () => {
  it('reads inside a longer sentence and says which words it took', () => {
    const found = readSlot('date', 'I would like to come on next Monday at four', { asked: false });
    expect(found).toMatchObject({ value: { value: '2026-11-23' }, start: 5, end: 8 });
  });

  it('does not take a week for a day that was not asked for', () => {
    expect(readSlot('date', 'next week is better for her', { asked: false })).toBeUndefined();
    expect(readSlot('date', 'الأسبوع الجاي أحسن', { asked: false })).toBeUndefined();
  });

  it('does not take a bare ordinal that was not asked for', () => {
    expect(readSlot('date', 'the second one was better', { asked: false })?.value.value).not.toBe('2026-11-02');
    expect(readSlot('date', 'second thoughts', { asked: false })).toBeUndefined();
  });

  it.each([0, 1, 2, 3, 4, 5, 6])('a weekday is always one to seven days ahead (start %i)', (ahead) => {
    const today = addDays(TODAY, ahead);
    for (const name of ['Sunday', 'Tuesday', 'Friday', 'الأحد', 'الجمعة']) {
      const value = readSlot('date', name, { today })!.value.value;
      const days = (Date.parse(value) - Date.UTC(today.year, today.month - 1, today.day)) / 86_400_000;
      expect(days).toBeGreaterThanOrEqual(1);
      expect(days).toBeLessThanOrEqual(7);
    }
  });

  it('is said in both languages, the year only when it is far', () => {
    expect(dateValue({ year: 2026, month: 12, day: 5 }, TODAY).say).toEqual({
      en: 'Saturday, December 5',
      ar: 'السبت 5 ديسمبر',
    });
    expect(dateValue({ year: 2028, month: 1, day: 1 }, TODAY).say.en).toBe('Saturday, January 1, 2028');
  });

  it('today is the day in the time zone of the agent', () => {
    expect(momentOf(new Date('2026-11-20T22:30:00Z'), 'Asia/Riyadh')).toEqual({
      today: { year: 2026, month: 11, day: 21 },
      minuteOfDay: 90,
    });
  });
});
