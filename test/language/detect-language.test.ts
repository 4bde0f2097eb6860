import { describe, expect, it } from 'vitest';
import { detectLanguage, languageOfText } from '../../src/language/detect-language.ts';

describe('detectLanguage', () => {
  it.each([
    ['Good morning', 'en'],
    ['صباح الخير', 'ar'],
    ['أبغى أحجز appointment بكرة', 'ar'],
    ['the word نعم means yes', 'en'],
    ['نقبل visa وmada', 'ar'],
    ['راسلنا على info@shop.sa', 'ar'],
    ['قَلْبٌ means heart', 'en'],
    ['12:30', 'en'],
    ['١٢', 'ar'],
    ['', 'en'],
  ])('%s is %s', (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });
});

describe('languageOfText', () => {
  it.each([
    ['ابغى cancel الموعد', 'ar'],
    ['track my order', 'en'],
    ['my full name is سارة', 'en'],
    ['1234', undefined],
    ['', undefined],
  ])('%s -> %s', (text, expected) => {
    expect(languageOfText(text)).toBe(expected);
  });
});
