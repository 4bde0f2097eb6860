import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Language } from '../../../../src/core/agent.ts';
import { createNormalizer } from '../../../../src/engines/text/normalize/speakable-normalizer.ts';

const LANGUAGES: readonly (Language | undefined)[] = ['ar', 'en', undefined];
const normalizers = [createNormalizer(), createNormalizer({ oblique: 'always', digitGrouping: 'threes' })];

/** Pieces that look like what callers write, so that random texts reach the readers and their edges. */
const PIECES = [
  ...['5', '12', '0', '007', '1,250', '3.5', '1/2', '2025', '1446', '0501234567', '45821', '99999999999999999999'],
  ...[
    '٣',
    '۱۲',
    '٫',
    '٬',
    '½',
    '²',
    '①',
    'Ⅷ',
    '１２',
    '५',
    '-',
    '–',
    '+',
    '%',
    '٪',
    '#',
    '*',
    '&',
    '@',
    '=',
    '/',
    ':',
    '.',
    ',',
  ],
  ...['ر.س', 'ريال', 'SAR', 'SR', '$', '€', '\u20c1', '\ufdfc', 'كم', 'كجم', 'م²', '°م', 'MB', 'Mbps', 'kg', 'km/h'],
  ...[
    'ص',
    'م',
    'د.',
    'أ.د.',
    'ص.ب',
    'الـ',
    'بـ',
    'و',
    'ل',
    'AM',
    'pm',
    'Dr.',
    'St.',
    'No.',
    'e.g.',
    'VAT',
    'XKR',
    'IV',
    'Phase',
  ],
  ...['الساعة', 'عام', 'رقم', 'رمز', 'مارس', 'Mar', 'March', 'رمضان', 'هـ', 'AH', 'st', 'rd', 'th', 's', 'x', 'G', 'K'],
  ...[
    'طلب',
    'مواعيد',
    'أيام',
    'سنة',
    'من',
    'إلى',
    'بين',
    'from',
    'to',
    'call',
    'code',
    'a@b.com',
    'www.x.sa',
    'iPhone',
    'P-101A',
  ],
  ...[
    '(',
    ')',
    '"',
    '\n',
    '\t',
    '\u200f',
    '\u200e',
    'ـ',
    'َ',
    '\u0301',
    '\ud800',
    '😀',
    '؟',
    '،',
    '!',
    'hello',
    'مرحبا',
    'A',
    'I',
  ],
];
const realistic = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom('', ' ', ' ', '  ')), { maxLength: 14 })
  .map((pairs) => pairs.map(([piece, gap]) => piece + gap).join(''));
const texts = fc.oneof(
  { weight: 4, arbitrary: realistic },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
);
const RUNS = Number(process.env['FC_RUNS'] ?? 1500);

function forAll(check: (text: string, language: Language | undefined, style: number) => void): void {
  fc.assert(fc.property(texts, fc.constantFrom(...LANGUAGES), fc.constantFrom(0, 1), check), { numRuns: RUNS });
}

describe('SpeakableNormalizer, for any text', () => {
  it('changes nothing when it normalises its own output', () => {
    forAll((text, language, style) => {
      const first = normalizers[style]!.normalize(text, language);
      expect(normalizers[style]!.normalize(first.normalized, first.language).normalized).toBe(first.normalized);
    });
  });

  it('leaves no digit of any script', () => {
    forAll((text, language, style) => {
      expect(normalizers[style]!.normalize(text, language).normalized).not.toMatch(/\p{Nd}/u);
    });
  });

  it('lists replacements in order, each a piece of the text that was given', () => {
    forAll((text, language, style) => {
      let from = 0;
      for (const replacement of normalizers[style]!.normalize(text, language).replacements) {
        const at = text.indexOf(replacement.from, from);
        expect(at).toBeGreaterThanOrEqual(from);
        expect(replacement.from).not.toBe('');
        expect(replacement.to).not.toBe(replacement.from);
        from = at + replacement.from.length;
      }
    });
  });

  it('returns printable text without control characters, direction marks or double spaces', () => {
    forAll((text, language, style) => {
      const { normalized, original } = normalizers[style]!.normalize(text, language);
      expect(normalized).not.toMatch(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Cs}/u);
      expect(normalized).not.toMatch(/ {2}|^ | $/);
      expect(original).toBe(text);
    });
  });

  it('says every number below a million differently in one style', () => {
    const number = fc.integer({ min: 0, max: 999_999 });
    fc.assert(
      fc.property(number, number, fc.constantFrom('ar' as const, 'en' as const), (one, other, language) => {
        const say = (value: number) => normalizers[0]!.normalize(value.toLocaleString('en-US'), language).normalized;
        expect(say(one) === say(other)).toBe(one === other);
      }),
    );
  });
});
