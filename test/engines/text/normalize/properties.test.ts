import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Language } from '../../../../src/core/agent.ts';
import { foldText } from '../../../../src/engines/text/normalize/folded-text.ts';
import { createNormalizer } from '../../../../src/engines/text/normalize/speakable-normalizer.ts';
import { anyCharacter } from '../../../support/any-character.ts';
import { runs } from '../../../support/property-runs.ts';

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
const SHAPES = [
  ...[
    '-$5',
    'C#',
    '15/3',
    '1h 45m',
    'FY2025',
    'report_v2.pdf',
    '0800 hrs',
    '10-km',
    '8-year-old',
    '50/50',
    '1/2 kg',
    '4.75/5',
  ],
  ...[
    'أ-12',
    'هـ1446',
    'ود. علي',
    '0.25-',
    '3س و 30د',
    'الـ27 من رمضان',
    '#48',
    '48#',
    'طريق',
    'Rd',
    '100s of',
    '24k gold',
    'tbsp',
    '¢',
    'Rs',
    'sar',
  ],
];
const realistic = fc
  .array(fc.tuple(fc.constantFrom(...PIECES, ...SHAPES), fc.constantFrom('', ' ', ' ', '  ')), { maxLength: 14 })
  .map((pairs) => pairs.map(([piece, gap]) => piece + gap).join(''));
const texts = fc.oneof(
  { weight: 4, arbitrary: realistic },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
);
const RUNS = runs(1_500);

function forAll(check: (text: string, language: Language | undefined, style: number) => void): void {
  fc.assert(fc.property(texts, fc.constantFrom(...LANGUAGES), fc.constantFrom(0, 1), check), { numRuns: RUNS });
}

/** Without marks: one that stood on a digit ends up on the last letter of its word. */
function bare(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
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

  it('writes what it says for each replacement, in order', () => {
    forAll((text, language, style) => {
      const { normalized, replacements } = normalizers[style]!.normalize(text, language);
      const said = bare(normalized);
      let from = 0;
      for (const { to } of replacements) {
        for (const word of bare(to).split(' ')) {
          const at = said.indexOf(word, from);
          expect(at, `${word} in ${said}`).toBeGreaterThanOrEqual(from);
          from = at + word.length;
        }
      }
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

describe('foldText, for any text', () => {
  it('knows where every character came from: places rise, stay in the text and hold the digit they became', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const folded = foldText(text);
        let last = 0;
        for (let at = 0; at < folded.text.length; at += 1) {
          const { from, until } = folded.source(at, at + 1);
          expect(from).toBeGreaterThanOrEqual(last);
          expect(until).toBeGreaterThanOrEqual(from);
          expect(until).toBeLessThanOrEqual(text.length);
          if (/\d/.test(folded.text[at]!)) expect(text.slice(from, until)).toMatch(/[\p{Nd}\p{No}\p{Nl}]/u);
          last = from;
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('changes nothing when it folds its own text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { text: folded } = foldText(text);
        expect(foldText(folded).text).toBe(folded);
      }),
    );
  });
});
