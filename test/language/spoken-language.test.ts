import { describe, expect, it } from 'vitest';
import { languageWish, spokenIn } from '../../src/language/spoken-language.ts';

describe('the language of what was said', () => {
  it.each([
    ...['', 'ok', 'email', 'yes', 'yes please', 'thank you bye', 'hello', '4 5 2 1', '٤٥٢١', 'four five two one'],
    ...['نعم', 'طيب خلاص', 'ألف وخمس', 'السلام عليكم', 'شكراً', 'ان شاء الله', 'إيميل'],
  ])('%s: said in both, it tells none', (text) => {
    expect(spokenIn(text)).toBeUndefined();
  });

  it.each([
    { text: 'what are your opening hours', language: 'en', words: 5 },
    { text: 'booking', language: 'en', words: 1 },
    { text: 'my email is ahmed at gmail dot com', language: 'en', words: 4 },
    { text: 'متى تفتحون', language: 'ar', words: 2 },
    { text: 'ابغى اسوي booking', language: 'ar', words: 2 },
    { text: 'رقمي 0551234567', language: 'ar', words: 1 },
  ])('$text: $language', ({ text, language, words }) => {
    expect(spokenIn(text)).toEqual({ language, words });
  });
});

describe('a wish for a language', () => {
  it.each([
    ...['English please', 'english', 'In English, please.', 'do you speak English?', "I don't speak Arabic", 'انجليزي'],
    ...['بالإنجليزي لو سمحت', 'ما افهم عربي', 'can we continue in English please', 'ممكن إنجليزي؟'],
  ])('%s: en', (text) => {
    expect(languageWish(text)).toBe('en');
  });
  it.each([
    ...[
      'عربي لو سمحت',
      'ممكن نتكلم بالعربي',
      'تتكلم عربي؟',
      'كلمني عربي',
      'العربية',
      'Arabic please',
      'ما اعرف انجليزي',
    ],
    "I don't understand English",
  ])('%s: ar', (text) => {
    expect(languageWish(text)).toBe('ar');
  });
  it.each([
    ...[
      '',
      'english books',
      'I want an English course',
      'مدرس انجليزي',
      'قهوة عربية',
      'English or Arabic',
      'please',
      'hello',
    ],
    ...['do you have a doctor who speaks English', 'what is the price of the English breakfast'],
  ])('%s: none', (text) => {
    expect(languageWish(text)).toBeUndefined();
  });
});
