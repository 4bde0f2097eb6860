import { describe, expect, it } from 'vitest';
import { createNormalizer } from '../../../src/engines/text/normalize/speakable-normalizer.ts';
import { originalPlaces } from '../../../src/engines/text/spoken-positions.ts';

const normalizer = createNormalizer();

/** What of the original was said when each word of the normalised text was, one after the other. */
function saidAfterEachWord(text: string, language: 'ar' | 'en'): string[] {
  const spoken = normalizer.normalize(text, language);
  const place = originalPlaces(spoken);
  return [...spoken.normalized.matchAll(/\S+/g)].map(({ index, 0: word }) => text.slice(0, place(index + word.length)));
}

describe('originalPlaces', () => {
  it.each([
    { text: 'Hello there, Sara.', language: 'en', steps: ['Hello', 'Hello there,', 'Hello there, Sara.'] },
    {
      text: 'It costs 25 SAR today.',
      language: 'en',
      steps: ['It', 'It costs', 'It costs ', 'It costs ', 'It costs 25 SAR', 'It costs 25 SAR today.'],
    },
    {
      text: 'موعدك الساعة 3 اليوم',
      language: 'ar',
      steps: ['موعدك', 'موعدك الساعة', 'موعدك الساعة 3', 'موعدك الساعة 3 اليوم'],
    },
  ] as const)('$text', ({ text, language, steps }) => {
    const said = saidAfterEachWord(text, language);
    expect(said.at(-1)).toBe(text);
    expect([...new Set(said.map((part) => part.trim()))]).toEqual([...new Set(steps.map((part) => part.trim()))]);
  });

  it.each([
    { text: 'المبلغ 250.75 ر.س يوم 12/03/2025 وشكراً لك', language: 'ar' },
    { text: 'Dr. Smith, call +966 50 123 4567 before 3:30 pm, 1 and 1 and 1 again', language: 'en' },
    { text: 'طلبك رقم 4521 من Apple Store في  الطريق', language: 'ar' },
    { text: 'أَهْلًا وَسَهْلًا بِك 15% خصم', language: 'ar' },
  ] as const)('never goes back, ends at the end, and stands at borders of words: $text', ({ text, language }) => {
    const said = saidAfterEachWord(text, language).map(({ length }) => length);
    expect(said).toEqual([...said].sort((a, b) => a - b));
    expect(said.at(-1)).toBe(text.length);
    for (const place of said) {
      expect([
        place,
        place === text.length || /\s/.test(text[place]!) || place === 0 || /\s/.test(text[place - 1]!),
      ]).toEqual([place, true]);
    }
  });
});
