import { describe, expect, it } from 'vitest';
import { detectLanguage } from '../../src/language/detect-language.ts';

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
