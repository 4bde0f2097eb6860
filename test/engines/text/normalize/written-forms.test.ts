import { describe, expect, it } from 'vitest';
import type { Language } from '../../../../src/core/agent.ts';
import { createNormalizer } from '../../../../src/engines/text/normalize/speakable-normalizer.ts';
import { expectEveryRow } from '../../../support/labelled-rows.ts';

const normalizer = createNormalizer();

type Row = readonly [text: string, spoken: string];

/** Each group is one way of writing; rows that must stay as they are stand beside those that change. */
const GROUPS: Readonly<Record<string, { readonly language: Language; readonly rows: readonly Row[] }>> = {
  'months in small letters': {
    language: 'en',
    rows: [
      ['Your rent is due june 30.', 'Your rent is due June thirtieth.'],
      ['we met on 5 june 2024', 'we met on the fifth of June twenty twenty-four'],
      ['the 5th of june', 'the fifth of June'],
      ['closed dec 25 to jan 2', 'closed December twenty-fifth to January second'],
      ['see you on may 5', 'see you on May fifth'],
      ['see you may 5', 'see you May fifth'],
      ['by 12 may we move', 'by the twelfth of May we move'],
      ['it may 5 times fail', 'it may five times fail'],
      ['they march 10 km', 'they march ten kilometers'],
      ['the lease ends february 28', 'the lease ends February twenty-eighth'],
      ['june was hot', 'june was hot'],
    ],
  },
  'dates with signs between their parts': {
    language: 'en',
    rows: [
      ['Jan-15-2020', 'January fifteenth twenty twenty'],
      ['Jan/15/2020', 'January fifteenth twenty twenty'],
      ['15-jan-20', 'the fifteenth of January twenty twenty'],
      ['15.Jan.2020', 'the fifteenth of January twenty twenty'],
      ['15-Jan-2020', 'the fifteenth of January twenty twenty'],
      ['2020-Jan-15', 'the fifteenth of January twenty twenty'],
      ['top-10-2020', 'T O P ten two zero two zero'],
    ],
  },
  'years of two digits': {
    language: 'en',
    rows: [
      ['01/07/98', 'the first of July nineteen ninety-eight'],
      ['12/25/99', 'the twenty-fifth of December nineteen ninety-nine'],
      ['7/8/24', 'the seventh of August twenty twenty-four'],
      ['1/1/49', 'the first of January twenty forty-nine'],
      ['1/1/50', 'the first of January nineteen fifty'],
      ['born on 01-07-98', 'born on the first of July nineteen ninety-eight'],
      ['sort code 01-07-98', 'sort code zero one zero seven nine eight'],
    ],
  },
  'years of two digits, ar': {
    language: 'ar',
    rows: [
      ['تاريخ الميلاد 01/07/98', 'تاريخ الميلاد الأول من يوليو ألف وتسعمئة وثمانية وتسعين'],
      ['بتاريخ 14-03-87', 'بتاريخ الرابع عشر من مارس ألف وتسعمئة وسبعة وثمانين'],
      ['بتاريخ 01/07/45هـ', 'بتاريخ الأول من رجب ألف وأربعمئة وخمسة وأربعين هجري'],
    ],
  },
  'words in telephone numbers': {
    language: 'en',
    rows: [
      ['call 1-800-FLOWERS now', 'call one eight zero zero flowers now'],
      ['1-800-GO-FEDEX', 'one eight zero zero go fedex'],
      ['1-888-4-HELP-ME', 'one eight eight eight four help me'],
      ['1-800-4MYHELP', 'one eight zero zero four myhelp'],
      ['call 1-800-555-HELP', 'call one eight zero zero five five five help'],
      ['call 9200-NIDAA', 'call nine two zero zero nidaa'],
      ['dial 555-TAXI', 'dial five five five taxi'],
      ['the 800-SERIES engine', 'the eight zero zero SERIES engine'],
    ],
  },
  'words in telephone numbers, ar': {
    language: 'ar',
    rows: [['اتصل على 1-800-FLOWERS', 'اتصل على واحد ثمانية صفر صفر FLOWERS']],
  },
  'numbers with a letter in brackets': {
    language: 'en',
    rows: [
      ['your 401(k) plan', 'your four oh one K plan'],
      ['a 401k plan', 'a four oh one K plan'],
      ['a 501(c)(3) charity', 'a five oh one C three charity'],
      ['Section 12(a)', 'Section twelve A'],
      ['3 (a)', 'three (a)'],
    ],
  },
  'ZIP codes': {
    language: 'en',
    rows: [
      ['OK 10000 it is', 'OK ten thousand it is'],
      ['CA 90210', 'C A nine zero two one zero'],
      ['Beverly Hills, CA 90210', 'Beverly Hills, C A nine zero two one zero'],
      ['Austin TX 78701', 'Austin T X seven eight seven zero one'],
    ],
  },
  'ranges of money': {
    language: 'en',
    rows: [
      ['$50.00-$100.00', 'fifty to one hundred dollars'],
      ['$50-100', 'fifty to one hundred dollars'],
      ['$50.50-$100.75', 'fifty dollars and fifty cents to one hundred dollars and seventy-five cents'],
      ['50.50-100 SAR', 'fifty riyals and fifty halalas to one hundred riyals'],
      ['$500K-$1M', 'five hundred thousand dollars to one million dollars'],
      ['€5–10', 'five to ten euros'],
    ],
  },
  'ranges of money, ar': {
    language: 'ar',
    rows: [
      ['50-100 ريال', 'من خمسين إلى مئة ريال'],
      ['50.00-100.00 ريال', 'من خمسين إلى مئة ريال'],
      ['50.50-100.75 ريال', 'من خمسين ريالاً وخمسين هللة إلى مئة ريال وخمس وسبعين هللة'],
    ],
  },
  'ranges of years and decades': {
    language: 'en',
    rows: [
      ['from 1960-80', 'from nineteen sixty to nineteen eighty'],
      ['the 1914-18 war', 'the nineteen fourteen to nineteen eighteen war'],
      ['1960s-80s', 'nineteen sixties to eighties'],
      ['the 1960s–1970s', 'the nineteen sixties to nineteen seventies'],
      ["1960s-'80s", 'nineteen sixties to eighties'],
      ['order 1960-80', 'order one nine six zero eight zero'],
    ],
  },
  'ranges of years, ar': {
    language: 'ar',
    rows: [
      ['من 1960-80', 'من ألف وتسعمئة وستين إلى ألف وتسعمئة وثمانين'],
      ['رقم الطلب 1960-80', 'رقم الطلب واحد تسعة ستة صفر ثمانون'],
    ],
  },
  'codes and signs of one currency': {
    language: 'en',
    rows: [
      ['USD$20', 'twenty dollars'],
      ['US$20', 'twenty dollars'],
      ['US $20', 'twenty dollars'],
      ['CAD$20', 'twenty Canadian dollars'],
      ['EUR€15.50', 'fifteen euros and fifty cents'],
      ['SAR20', 'twenty riyals'],
      ['A $20 fee', 'A twenty dollar fee'],
    ],
  },
  'codes and signs of one currency, ar': { language: 'ar', rows: [['السعر USD$20', 'السعر عشرون دولاراً']] },
  slashes: {
    language: 'en',
    rows: [
      ['open /usr/local/bin', 'open slash usr slash local slash bin'],
      ['open /etc', 'open slash E T C'],
      ['see src/index.ts', 'see src slash index dot ts'],
      ['please upgrade/update the app', 'please upgrade or update the app'],
      ['when he/she calls', 'when he or she calls'],
      ['Yes/no questions', 'Yes or no questions'],
      ['an on/off switch', 'an on off switch'],
      ['Dear Sir/Madam', 'Dear Sir/Madam'],
      ['Mr/Mrs Smith', 'mister or missus Smith'],
      ['either/or', 'either/or'],
      ['this and/or that', 'this and/or that'],
      ['open 24/7', 'open twenty-four seven'],
      ['w/o sugar', 'without sugar'],
      ['in src/lib/core', 'in src/lib/core'],
    ],
  },
  'slashes, ar': {
    language: 'ar',
    rows: [
      ['تعديل/تحديث البيانات', 'تعديل أو تحديث البيانات'],
      ['ذكر/أنثى', 'ذكر أو أنثى'],
      ['السيد/السيدة', 'السيد أو السيدة'],
      ['إضافة/إزالة مستفيد', 'إضافة أو إزالة مستفيد'],
      ['عزيزي المشترك/ة', 'عزيزي المشترك أو المشتركة'],
      ['السيد/محمد', 'السيد/محمد'],
      ['شركة/نداء', 'شركة/نداء'],
    ],
  },
  'Roman numbers in a row': {
    language: 'en',
    rows: [
      ['World War I, II and III', 'World War one, two and three'],
      ['World Wars I & II', 'World Wars one and two'],
      ['chapters IV and V', 'chapters four and five'],
      ['Parts I, II, and III', 'Parts one, two, and three'],
      ['Phase I-III', 'Phase one to three'],
      ['Stage III/IV', 'Stage three or four'],
      ['Part V and I', 'Part five and I'],
    ],
  },
  'Roman numbers in a row, ar': {
    language: 'ar',
    rows: [['الحرب العالمية I و II', 'الحرب العالمية الأولى و الثانية']],
  },
  'a hyphen between a word and its number': {
    language: 'ar',
    rows: [
      ['لقاح كوفيد-19 متوفر', 'لقاح كوفيد تسعة عشر متوفر'],
      ['كوفيد–١٩', 'كوفيد تسعة عشر'],
      ['طائرة إف-16', 'طائرة إف ستة عشر'],
      ['من 15 مارس-20 مارس', 'من الخامس عشر من مارس إلى العشرين من مارس'],
    ],
  },
  'letters of the day and of the era': {
    language: 'ar',
    rows: [
      ['12 ظ', 'الثانية عشرة ظهراً'],
      ['موعدك 12:30 ظ', 'موعدك الثانية عشرة والنصف ظهراً'],
      ['الدوام من 8 ص إلى 1 ظ', 'الدوام من الثامنة صباحاً إلى الواحدة ظهراً'],
      ['الساعة 4 ع', 'الساعة الرابعة عصراً'],
      ['الساعة 4 ع الباب', 'الساعة الرابعة ع الباب'],
      ['5م مساء', 'الخامسة مساء'],
      ['الساعة 5م مساء', 'الساعة الخامسة مساء'],
      ['12هـ1446', 'اثنتا عشرة ألف وأربعمئة وستة وأربعون'],
      ['شقة 12 هـ', 'شقة اثنا عشر هـ'],
      ['14 هـ', 'أربعة عشر هجري'],
      ['1445 هـ', 'ألف وأربعمئة وخمسة وأربعين هجري'],
      ['3,5 كيلو', 'ثلاثة فاصلة خمسة كيلو'],
      ['٣٫٥', 'ثلاثة فاصلة خمسة'],
    ],
  },
};

describe('forms of writing', () => {
  it.each(Object.entries(GROUPS))('%s', (_name, { language, rows }) => {
    expectEveryRow(
      rows,
      ([text]) => text,
      ([text, spoken]) => {
        const { normalized } = normalizer.normalize(text, language);
        expect(normalized).toBe(spoken);
        expect(normalizer.normalize(normalized, language).normalized).toBe(normalized);
      },
    );
  });
});
