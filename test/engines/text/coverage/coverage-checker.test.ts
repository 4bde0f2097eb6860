import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FlaggedToken, TextNormalizer } from '../../../../src/engines/text/contract.ts';
import { createCoverageChecker } from '../../../../src/engines/text/coverage/coverage-checker.ts';
import { createNormalizer } from '../../../../src/engines/text/normalize/speakable-normalizer.ts';
import { anyCharacter } from '../../../support/any-character.ts';
import { expectEveryRow, rowsBy } from '../../../support/labelled-rows.ts';
import { runs } from '../../../support/property-runs.ts';

interface LabelledText {
  readonly id: string;
  readonly text: string;
  readonly flag: readonly { readonly token: string; readonly reasons: readonly string[] }[];
}

const cases = readFileSync(new URL('../../../fixtures/text/coverage.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): LabelledText => JSON.parse(line));
const checker = createCoverageChecker();
const flags = (text: string): string[] => checker.check(text).flagged.map(({ token, reason }) => `${token} ${reason}`);

describe('coverage, labelled texts', () => {
  it.each(rowsBy(cases, ({ flag }) => (flag.length === 0 ? 'nothing' : 'what is listed')))('flag $name', ({ rows }) => {
    expectEveryRow(
      rows,
      ({ id, text }) => `${id} ${text}`,
      ({ text, flag }) => {
        const { flagged } = checker.check(text);
        expect(flagged).toHaveLength(flag.length);
        for (const [at, { token, reasons }] of flag.entries()) {
          expect(flagged[at]!.token).toContain(token);
          expect(reasons).toContain(flagged[at]!.reason);
        }
      },
    );
  });
});

describe('coverage, reasons', () => {
  it.each([
    ['both kinds of digits', 'رقم ٣ ورقم 4 ورقم ۵', ['٣ digits', '4 digits', '۵ digits']],
    ['Latin in Arabic only', 'my app works', []],
    ['one Arabic name in English', 'Please tell محمد that I called him back', []],
    ['Arabic first, mostly Latin', 'افتح Microsoft Teams', ['Microsoft latin_word', 'Teams latin_word']],
    ['punctuation round a token', 'جرّب «app»، (OTP)!', ['app latin_word', 'OTP acronym']],
    ['dotted letters keep their dots', 'Made in U.S.A. today', ['U.S.A. acronym']],
    ['capitals that are words', 'DO NOT press the red button', []],
    ['I and OK', 'OK I see', []],
    ['shouting', 'PLEASE WAIT HERE', []],
    ['an acronym while shouting', 'PLEASE SEND OTP NOW', ['OTP acronym']],
    ['a unit after a number', '5kg and 10am and 3rd', ['5kg digits', '10am digits', '3rd digits']],
    ['Arabic letters on a number', 'دفعت 50ريال في الـ3', ['50ريال digits', 'الـ3 digits']],
    ['an Arabic asset tag', 'الغرفة أ-12', ['أ-12 asset_tag']],
    ['an article on Latin', 'الـSMS وصلت', ['الـSMS acronym']],
    ['negative and plus', 'من -5 إلى +7', ['-5 digits', '+7 digits']],
    ['invisible marks', '\u200fOTP\u200f وصل', ['OTP acronym']],
  ])('%s', (_name, text, expected) => expect(flags(text)).toEqual(expected));
});

describe('coverage, counts', () => {
  it.each([
    ['الرصيد 75 ريال', 'ar', 3, 1, 0.6667],
    ['Good morning everyone.', 'en', 3, 0, 1],
    ['1 2 3', 'en', 3, 3, 0],
    ['٣ ٤', 'ar', 2, 2, 0],
    ['… ! ؟ - —', 'en', 0, 0, 1],
    ['', 'en', 0, 0, 1],
    ['a b c d e f 7', 'en', 7, 1, 0.8571],
    ['😀 نعم', 'ar', 1, 0, 1],
  ])('%s', (text, language, tokens, flagged, coverage) => {
    expect(checker.check(text)).toMatchObject({
      language,
      token_count: tokens,
      flagged_count: flagged,
      coverage,
    });
  });
});

describe('coverage, hints', () => {
  const hint = (text: string, normalizer?: TextNormalizer): string =>
    createCoverageChecker(normalizer === undefined ? {} : { normalizer }).check(text).flagged[0]!.hint;
  it.each([
    ['digits, Arabic', 'الرصيد 75 ريال', /بالحروف.*التطبيع/],
    ['digits, English', 'It costs 40 riyals', /in words.*normalisation/],
    ['known acronym, Arabic', 'شامل VAT', /ضريبة القيمة المضافة.*التطبيع/],
    ['spelled acronym, Arabic', 'خدمة GPS معطلة', /جي بي إس/],
    ['spelled acronym, English', 'The CRM page', /"C R M"/],
    ['known Latin word', 'حمّل WhatsApp الآن', /واتساب.*التطبيع/],
    ['asset tag, Arabic', 'الغلاية BLR-07 متوقفة', /بي إل آر صفر سبعة/],
    ['asset tag, English', 'Valve V-33 leaks', /"V three three"/],
  ])('%s', (_name, text, pattern) => expect(hint(text)).toMatch(pattern));

  it('says nothing of normalisation about a word it leaves', () => {
    expect(hint('اشتريت gizmo جديد')).toMatch(/^اكتب الكلمة بحروف عربية/);
    expect(hint('اشتريت gizmo جديد')).not.toMatch('التطبيع');
  });

  const fixed = (replacements: readonly { from: string; to: string }[]): TextNormalizer => ({
    normalize: (text) => ({ original: text, normalized: text, language: 'ar', replacements }),
  });
  it('quotes what the normaliser writes, each token its own', () => {
    const normalizer = fixed([
      { from: 'د.', to: 'الدكتور' },
      { from: '3', to: 'ثلاثة' },
      { from: 'ATM', to: 'إيه تي إم' },
      { from: '3', to: 'ثلاث' },
    ]);
    const { flagged } = createCoverageChecker({ normalizer }).check('د. علي 3 طلبات ATM و 3 شكاوى gizmo');
    expect(flagged.map(({ hint: text }) => text)).toEqual([
      expect.stringContaining('«ثلاثة»'),
      expect.stringContaining('«إيه تي إم»'),
      expect.stringContaining('«ثلاث»'),
      expect.not.stringContaining('التطبيع'),
    ]);
  });

  it('gives both tokens of a date their reading', () => {
    const normalizer = fixed([{ from: '12 مارس 2025', to: 'الثاني عشر من مارس' }]);
    const { flagged } = createCoverageChecker({ normalizer }).check('يوم 12 مارس 2025');
    expect(flagged.map(({ hint: text }) => text.includes('الثاني عشر'))).toEqual([true, true]);
  });

  it.each([
    [
      'joins the readings of one token',
      'منفذ USB-C',
      [
        { from: 'USB', to: 'يو إس بي' },
        { from: 'C', to: 'سي' },
      ],
      '«يو إس بي سي»',
    ],
    ['names the whole that is replaced', 'السعر 75 SAR', [{ from: '75 SAR', to: 'خمسة وسبعون ريالاً' }], 'بدل «75 SAR»'],
    ['leaves out a و of the sentence', 'ستة و 7', [{ from: 'و 7', to: 'وسبعة' }], '«سبعة»'],
  ])('%s', (_name, text, replacements, expected) => expect(hint(text, fixed(replacements))).toContain(expected));

  it('says that normalisation writes a token exactly where it does', () => {
    const normalizer = createNormalizer();
    const checking = createCoverageChecker({ normalizer });
    for (const { text } of cases) {
      const { normalized } = normalizer.normalize(text, /[\u0600-\u06ff]/.test(text) ? 'ar' : 'en');
      for (const { token, hint: advice } of checking.check(text).flagged) {
        const promised = /التطبيع|normalisation/.test(advice);
        if (promised) expect(normalized.split(/\s+/u), `${token} in ${text}`).not.toContain(token);
        if (/\p{Nd}/u.test(token)) expect(promised, `${token} in ${text}`).toBe(true);
      }
    }
  });

  it('is written in the language of the text', () => {
    const arabic = /[\u0600-\u06ff]/;
    for (const { text } of cases) {
      for (const flagged of checker.check(text).flagged) {
        expect(flagged.hint).not.toBe('');
        expect(arabic.test(flagged.hint)).toBe(arabic.test(text));
      }
    }
  });
});

describe('coverage, any text', () => {
  const REASONS: readonly FlaggedToken['reason'][] = ['latin_word', 'digits', 'asset_tag', 'acronym'];
  it('never throws and counts what it flags', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme' }), mixed), (text) => {
        const report = checker.check(text);
        expect(report.flagged_count).toBe(report.flagged.length);
        expect(report.flagged_count).toBeLessThanOrEqual(report.token_count);
        const share = report.token_count === 0 ? 1 : (report.token_count - report.flagged_count) / report.token_count;
        expect(report.coverage).toBeCloseTo(share, 4);
        for (const { token, reason, hint } of report.flagged) {
          expect(REASONS).toContain(reason);
          expect(token).not.toMatch(/\s/);
          expect(hint).not.toBe('');
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

const mixed = fc
  .array(
    fc.constantFrom(
      ...'نعم app OTP 12 ٣ P-101A CAM_17 12/03/2025 5kg الـ3 U.S.A. R&D - … 10am "x" WhatsApp, $9'.split(' '),
    ),
    {
      maxLength: 20,
    },
  )
  .map((all) => all.join(' '));
