import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CanonicalText } from '../../src/language/canonical-text.ts';
import { englishStem, stemOfAnySpelling } from '../../src/language/english-stem.ts';
import { fold } from '../../src/language/fold.ts';
import { foldWord } from '../../src/language/fold-word.ts';
import { LETTER_VARIANTS } from '../../src/language/letter-variants.ts';
import { term } from '../../src/language/lexicon/lexicon.ts';
import { stem } from '../../src/language/stem.ts';
import { MAX_WORDS, wordsOf } from '../../src/language/words.ts';
import { anyCharacter } from '../support/any-character.ts';
import { runs } from '../support/property-runs.ts';

describe('fold', () => {
  it.each([
    ['alef with hamza', 'أحجز إلغاء آخر ٱلله', 'احجز الغا اخر الله'],
    ['ya and ta marbuta', 'مستشفى عيادة', 'مستشفي عياده'],
    ['hamza on its seats', 'مسؤول شاطئ', 'مسوول شاطي'],
    ['diacritics and tatweel', 'مَوْعِـــد', 'موعد'],
    ['Arabic-Indic and Persian digits', '٠١٢٣۴۵', '012345'],
    ['case, punctuation, spaces', '  Hello,   WORLD! ', 'hello world'],
    ['apostrophes', "don't it’s", 'dont its'],
    ['accents', 'Café', 'cafe'],
    ['a time and a date keep their signs', 'at 3:30 on 5/12.', 'at 3:30 on 5/12'],
    ['thousands and decimals', '1,250 ٣٫٥', '1250 3.5'],
    ['bidi marks and zero-width', '\u200fمرحبا\u200b', 'مرحبا'],
    ['presentation forms', 'ﻣﺮﺣﺒﺎ', 'مرحبا'],
    ['keys', '*9#', '*9#'],
  ])('%s', (_, text, expected) => {
    expect(fold(text)).toBe(expected);
  });

  it('is idempotent, bounded and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) => {
        const once = fold(text);
        expect(fold(once)).toBe(once);
      }),
      { numRuns: runs(500) },
    );
    expect(fold('ﷺ'.repeat(5_000)).length).toBeLessThanOrEqual(4_000);
    expect(wordsOf('a '.repeat(5_000))).toHaveLength(MAX_WORDS);
  });

  it('is the same for a character by itself and beside signs that part words, of ASCII and of none', () => {
    const characters = Array.from({ length: 0x700 }, (_, code) => String.fromCharCode(code));
    const folds = (one: string): string[] => [one, `${one}!`, `${one}\u2014`].map(fold);
    expect(characters.filter((one) => new Set(folds(one)).size > 1)).toEqual([]);
  });

  it('a cut never leaves half a character', () => {
    expect(fold(`${'a'.repeat(3_999)}😀`)).toBe('a'.repeat(3_999));
  });
});

describe('stems of any spelling', () => {
  it.each([
    ['colours', 'color'],
    ['harbour', 'harbors'],
    ['organised', 'organizing'],
    ['theatres', 'theater'],
    ['defence', 'defenses'],
  ])('%s and %s are one word', (british, american) => {
    expect(stemOfAnySpelling(british)).toBe(stemOfAnySpelling(american));
    expect(englishStem(british)).not.toBe(englishStem(american));
  });
});

describe('one letter for those that are written for it', () => {
  it.each([...LETTER_VARIANTS])('%s is %s', (letter, one) => {
    const word = `ب${letter}ب`;
    expect([fold(word), foldWord(word), new CanonicalText(word).lower]).toEqual(Array(3).fill(`ب${one}ب`));
  });
});

describe('stem and term', () => {
  it.each([
    ['موعدي الموعد موعد بالموعد والموعد'],
    ['احجز نحجز تحجز يحجز حجز الحجز حجزي'],
    ['cancel cancelled canceling cancels cancellation'],
    ['الغي الغاء كنسل cancel يلغي إلغاء'],
    ['order orders طلبي الطلب طلب'],
    ['deliver delivered delivers'],
    ['دكتور طبيب doctor الدكتور doctors'],
  ])('the same for %s', (forms) => {
    const terms = forms.split(' ').map((form) => term(fold(form)));
    expect(new Set(terms).size, terms.join(' ')).toBe(1);
  });

  it.each([
    ['book', 'cancel'],
    ['موعد', 'طلب'],
    ['order', 'refund'],
  ])('%s and %s stay apart', (a, b) => {
    expect(term(fold(a))).not.toBe(term(fold(b)));
  });

  it('never returns an empty stem', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (text) => {
        for (const word of wordsOf(text)) expect(stem(word.text)).not.toBe('');
      }),
      { numRuns: runs(500) },
    );
  });
});
