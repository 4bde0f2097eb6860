import { describe, expect, it } from 'vitest';
import { composeEdits } from '../../../../src/engines/text/normalize/edits.ts';
import { foldText } from '../../../../src/engines/text/normalize/folded-text.ts';
import { parseNumeral } from '../../../../src/engines/text/normalize/numeral.ts';
import { createNormalizer } from '../../../../src/engines/text/normalize/speakable-normalizer.ts';

const normalizer = createNormalizer();

describe('SpeakableNormalizer', () => {
  it('lists replacements in the spelling of the caller', () => {
    const { replacements, original } = normalizer.normalize('ادفع ١٬٢٥٠٫٥٠ ر.س قبل  ٥/٣/٢٠٢٥', 'ar');
    expect(original).toBe('ادفع ١٬٢٥٠٫٥٠ ر.س قبل  ٥/٣/٢٠٢٥');
    expect(replacements).toEqual([
      { from: '١٬٢٥٠٫٥٠ ر.س', to: 'ألف ومئتين وخمسين ريالاً وخمسين هللة' },
      { from: '٥/٣/٢٠٢٥', to: 'الخامس من مارس ألفين وخمسة وعشرين' },
    ]);
  });

  it.each([
    { text: 'the price is 5', language: 'en' },
    { text: 'السعر 5', language: 'ar' },
    { text: '٥', language: 'ar' },
    { text: '5', language: 'en' },
    { text: 'ab اب', language: 'ar' },
  ] as const)('finds the language of "$text"', ({ text, language }) => {
    expect(normalizer.normalize(text).language).toBe(language);
  });

  it('speaks oblique everywhere and groups long numbers when asked', () => {
    const spoken = createNormalizer({ oblique: 'always', digitGrouping: 'threes' });
    expect(spoken.normalize('المبلغ 200 ريال', 'ar').normalized).toBe('المبلغ مئتي ريال');
    expect(spoken.normalize('0501234567', 'en').normalized).toBe('zero five zero, one two three, four five six seven');
    expect(spoken.normalize('الرمز 12345', 'ar').normalized).toBe('الرمز واحد اثنان ثلاثة أربعة خمسة');
  });

  it.each([
    { name: 'a metre after a length', text: 'طوله 5 م', spoken: 'طوله خمسة أمتار' },
    { name: 'an hour after الساعة', text: 'الساعة 5 م', spoken: 'الساعة الخامسة مساءً' },
    { name: 'an era after a year', text: 'عام 2020 م', spoken: 'عام ألفين وعشرين ميلادي' },
    { name: 'an engineer before a name', text: 'قابلت م. علي', spoken: 'قابلت المهندس علي' },
  ])('reads م as $name', ({ text, spoken }) => expect(normalizer.normalize(text, 'ar').normalized).toBe(spoken));

  it.each([
    { name: 'Hijri year first', text: 'في 1446/09/01', spoken: 'في الأول من رمضان ألف وأربعمئة وستة وأربعين' },
    {
      name: 'month first where the day cannot be',
      text: 'يوم 03/25/2025',
      spoken: 'يوم الخامس والعشرين من مارس ألفين وخمسة وعشرين',
    },
    { name: 'no date at all', text: '45/67/2025', spoken: undefined },
  ])('dates: $name', ({ text, spoken }) => {
    const { normalized } = normalizer.normalize(text, 'ar');
    if (spoken === undefined) expect(normalized).not.toMatch(/ من (?:مارس|يناير)/);
    else expect(normalized).toBe(spoken);
  });

  it.each([
    { text: 'بـ50 ريال', spoken: 'بخمسين ريالاً' },
    { text: 'لـ3 أشخاص', spoken: 'لثلاثة أشخاص' },
    { text: 'للـ3 الأوائل', spoken: 'للثلاثة الأوائل' },
    { text: 'خلال الـ24 ساعة القادمة', spoken: 'خلال الأربع والعشرين ساعة القادمة' },
    { text: 'الدور الـ2', spoken: 'الدور الثاني' },
    { text: 'خدمة الـSMS', spoken: 'خدمة الإس إم إس' },
  ])('joins the letters before a number: $text', ({ text, spoken }) => {
    expect(normalizer.normalize(text, 'ar').normalized).toBe(spoken);
  });

  it.each(['', ' ', '\u200f', '...', '؟!', 'مرحبا', 'Hello there'])('leaves %j without replacements', (text) => {
    const result = normalizer.normalize(text);
    expect(result.replacements).toEqual([]);
    expect(result.normalized).toBe(text.replace('\u200f', '').trim());
  });
});

describe('composeEdits', () => {
  it('merges an edit of an edit, and keeps the ones that do not touch', () => {
    // `5 ab 7` -> `five ab seven` -> `five XY SEVEN!`
    const first = [
      { start: 0, end: 1, outputStart: 0, to: 'five' },
      { start: 5, end: 6, outputStart: 8, to: 'seven' },
    ];
    const second = [
      { start: 5, end: 7, outputStart: 5, to: 'XY' },
      { start: 8, end: 11, outputStart: 8, to: 'SEV' },
    ];
    expect(composeEdits(first, 'five ab seven', second)).toEqual([
      { start: 0, end: 1, outputStart: 0, to: 'five' },
      { start: 2, end: 4, outputStart: 5, to: 'XY' },
      { start: 5, end: 6, outputStart: 8, to: 'SEVen' },
    ]);
  });

  it('merges two edits that a later one spans', () => {
    const first = [
      { start: 0, end: 1, outputStart: 0, to: 'aa' },
      { start: 2, end: 3, outputStart: 3, to: 'bb' },
    ];
    expect(composeEdits(first, 'aa bb', [{ start: 1, end: 4, outputStart: 1, to: '-' }])).toEqual([
      { start: 0, end: 3, outputStart: 0, to: 'a-b' },
    ]);
  });
});

describe('foldText', () => {
  it.each([
    { text: '٥٫٥', folded: '5.5' },
    { text: '١٬٠٠٠', folded: '1,000' },
    { text: '۱۲', folded: '12' },
    { text: '１２', folded: '12' },
    { text: '3½', folded: '3 1/2' },
    { text: '½1', folded: '1/2 1' },
    { text: 'Ⅷ', folded: '8' },
    { text: '  a \t\n b  ', folded: 'a b' },
    { text: 'ا\u0653', folded: 'آ' },
    { text: '\u202b5\u202c', folded: '5' },
    { text: 'م²', folded: 'م²' },
    { text: '१२', folded: '12' },
  ])('$text', ({ text, folded }) => expect(foldText(text).text).toBe(folded));

  it('knows where a character came from', () => {
    const folded = foldText('\u200f x  ٥٫٥');
    expect(folded.text).toBe('x 5.5');
    expect(folded.source(2, 5)).toEqual({ from: 5, until: 8 });
  });
});

describe('parseNumeral', () => {
  it.each([
    ['1,250', { digits: '1250', grouped: true }],
    ['1,250.50', { digits: '1250', fraction: '50', grouped: true }],
    ['1.250,50', { digits: '1250', fraction: '50', grouped: true }],
    ['1.000.000', { digits: '1000000', grouped: true }],
    ['7,5', { digits: '7', fraction: '5' }],
    ['12.', { digits: '12' }],
    ['12,', { digits: '12' }],
    ['1250', { digits: '1250' }],
    ['3.14', { digits: '3', fraction: '14' }],
  ])('%s', (text, numeral) => expect(parseNumeral(text, 0).numeral).toEqual(numeral));
});
