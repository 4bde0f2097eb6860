import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CanonicalText } from '../../src/language/canonical-text.ts';
import { anyCharacter } from '../support/any-character.ts';

describe('CanonicalText', () => {
  it.each([
    { name: 'Arabic-Indic digits', source: '٠٥٤', lower: '054' },
    { name: 'Persian digits', source: '۱۲۳', lower: '123' },
    { name: 'full width', source: '１２ＡＢ', lower: '12ab' },
    { name: 'Devanagari digits', source: '१२', lower: '12' },
    { name: 'mathematical digits', source: '𝟏𝟐𝟗', lower: '129' },
    { name: 'keycaps', source: '1️⃣2️⃣', lower: '12' },
    { name: 'marks of direction', source: '\u202a12\u200f3\u202c', lower: '123' },
    { name: 'zero width', source: '1\u200b2\u200d3\u2060', lower: '123' },
    { name: 'tatweel and diacritics', source: 'هـُــوِيَّة', lower: 'هويه' },
    { name: 'letters people mix', source: 'أإآىةؤئ', lower: 'ااايهوي' },
    { name: 'hamza as a mark', source: 'ا\u0654حمد', lower: 'احمد' },
    { name: 'presentation forms', source: 'ﻻ', lower: 'لا' },
    { name: 'spaces and dashes', source: 'a\u00a0b–c', lower: 'a b-c' },
    { name: 'capitals', source: 'SA03', lower: 'sa03' },
    { name: 'no letter of the upper planes', source: '😀1', lower: '*1' },
  ])('$name', ({ source, lower }) => expect(new CanonicalText(source).lower).toBe(lower));

  it('leads back to the source', () => {
    const source = 'رقم \u202a١٢\u200b٣\u202c هـُويّة';
    const text = new CanonicalText(source);
    const at = text.lower.indexOf('123');
    expect(source.slice(text.start(at), text.end(at + 3))).toBe('١٢\u200b٣');
    const word = text.lower.indexOf('هويه');
    expect(source.slice(text.start(word), text.end(word + 4))).toBe('هـُويّة');
  });

  it('keeps half of a surrogate pair out of the way', () => {
    const text = new CanonicalText('\ud83d1\udc00');
    expect(text.lower).toHaveLength(3);
    expect(text.end(2)).toBe(2);
  });

  it('maps every stretch of any text to a stretch of its source', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 30 }), (source) => {
        const text = new CanonicalText(source);
        expect(text.cased).toHaveLength(text.lower.length);
        let last = 0;
        for (let at = 0; at < text.lower.length; at += 1) {
          expect(text.start(at)).toBeGreaterThanOrEqual(last);
          expect(text.end(at + 1)).toBeGreaterThan(text.start(at));
          expect(text.end(at + 1)).toBeLessThanOrEqual(source.length);
          last = text.start(at);
        }
      }),
    );
  });
});
