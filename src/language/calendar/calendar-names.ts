import { foldWord } from '../fold-word.ts';

export type Calendar = 'gregorian' | 'hijri';

/** Month names in Arabic as they are spoken for a month number, January and Muharram first. */
export const MONTHS_AR: Readonly<Record<Calendar, readonly string[]>> = {
  gregorian: 'يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر'.split(' '),
  hijri: 'محرم|صفر|ربيع الأول|ربيع الآخر|جمادى الأولى|جمادى الآخرة|رجب|شعبان|رمضان|شوال|ذي القعدة|ذي الحجة'.split('|'),
};

export const MONTHS_EN: Readonly<Record<Calendar, readonly string[]>> = {
  gregorian: 'January February March April May June July August September October November December'.split(' '),
  hijri: (
    'Muharram|Safar|Rabi al-Awwal|Rabi al-Thani|Jumada al-Ula|Jumada al-Akhirah|Rajab|Shaban|Ramadan|Shawwal|' +
    'Dhu al-Qadah|Dhu al-Hijjah'
  ).split('|'),
};

/** First word of a written Arabic month -> its calendar; two-word months end in one of the second words. */
const ARABIC_GREGORIAN =
  'يناير فبراير مارس أبريل إبريل نيسان مايو أيار يونيو يونيه حزيران يوليو يوليه تموز أغسطس آب سبتمبر أيلول أكتوبر نوفمبر ديسمبر شباط آذار';
const ARABIC_HIJRI = 'محرم صفر رجب شعبان رمضان شوال';

export const ARABIC_MONTH_WORDS: ReadonlyMap<string, Calendar> = new Map<string, Calendar>([
  ...ARABIC_GREGORIAN.split(' ').map((word) => [foldWord(word), 'gregorian'] as const),
  ...ARABIC_HIJRI.split(' ').map((word) => [foldWord(word), 'hijri'] as const),
]);

/** Months of two words: first word -> second words. */
export const ARABIC_MONTH_PAIRS: ReadonlyMap<
  string,
  { readonly second: readonly string[]; readonly calendar: Calendar }
> = new Map(
  (
    [
      ['كانون', 'الأول الثاني', 'gregorian'],
      ['تشرين', 'الأول الثاني', 'gregorian'],
      ['ربيع', 'الأول الأولى الثاني الآخر أول ثاني آخر', 'hijri'],
      ['جمادى', 'الأولى الثانية الآخرة الآخر الأول الثاني أول ثاني', 'hijri'],
      ['جماد', 'الأول الثاني الأولى الثانية الآخر الآخرة أول ثاني', 'hijri'],
      ['ذو', 'القعدة الحجة', 'hijri'],
      ['ذي', 'القعدة الحجة', 'hijri'],
    ] as const
  ).map(([first, second, calendar]) => [foldWord(first), { second: second.split(' ').map(foldWord), calendar }]),
);

/** English month words in lower case without a dot -> how they are spoken. */
export const ENGLISH_MONTH_WORDS: ReadonlyMap<string, { readonly name: string; readonly calendar: Calendar }> = new Map<
  string,
  { readonly name: string; readonly calendar: Calendar }
>([
  ...MONTHS_EN.gregorian.flatMap((name) =>
    [name.toLowerCase(), name.slice(0, 3).toLowerCase()].map(
      (key) => [key, { name, calendar: 'gregorian' as const }] as const,
    ),
  ),
  ['sept', { name: 'September', calendar: 'gregorian' as const }] as const,
  ...['Muharram', 'Safar', 'Rajab', 'Shaban', "Sha'ban", 'Ramadan', 'Shawwal'].map(
    (name) => [name.toLowerCase(), { name, calendar: 'hijri' as const }] as const,
  ),
]);

/** English weekday abbreviations that are written before a date. */
export const ENGLISH_WEEKDAYS: Readonly<Record<string, string>> = {
  sun: 'Sunday',
  mon: 'Monday',
  tue: 'Tuesday',
  tues: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  thur: 'Thursday',
  thurs: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
};
