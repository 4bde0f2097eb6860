import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText, detectLanguage } from '../../../src/engines/text/normalizer.ts';

describe('cleanText', () => {
  it.each([
    { name: 'plain text', text: 'Hello there.', normalized: 'Hello there.' },
    { name: 'white space', text: '  a\t\n\r b\u00a0c ', normalized: 'a b c' },
    { name: 'control characters', text: 'a\u0000b\u0007c\u001bd\u007fe', normalized: 'abcde' },
    { name: 'direction marks', text: '\u202bمرحبا\u202c\u200f بك\ufeff', normalized: 'مرحبا بك' },
    { name: 'digits are kept', text: 'رقم ٤٥٢١ and 4521', normalized: 'رقم ٤٥٢١ and 4521' },
    { name: 'vowel marks are kept', text: 'مَرْحَباً', normalized: 'مَرْحَباً' },
    { name: 'half a pair', text: 'a\ud83db😀', normalized: 'ab😀' },
    { name: 'nothing', text: '', normalized: '' },
  ])('$name', ({ text, normalized }) => {
    expect(cleanText(text)).toBe(normalized);
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = cleanText(text);
        expect(cleanText(once)).toBe(once);
      }),
    );
  });
});

describe('detectLanguage', () => {
  it.each([
    ['Good morning', 'en'],
    ['صباح الخير', 'ar'],
    ['أبغى أحجز appointment بكرة', 'ar'],
    ['the word نعم means yes', 'en'],
    ['12:30', 'en'],
    ['١٢', 'ar'],
    ['', 'en'],
  ])('%s is %s', (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });
});
